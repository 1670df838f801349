// Custom calls that a function of another program computes.
#include "base/format.h"
#include "base/guarded.h"
#include "base/printable.h"
#include "base/try.h"
#include "eval/evaluator.h"
#include "eval/kernel/kernel_args.h"
#include "shlo/print.h"
#include "shlo/types.h"

namespace shlo {
namespace {

// Dynamic types match if evaluation finds that the values do.
bool MayMatch(const Module& a, TypeId type_a, const Module& b, TypeId type_b) {
  const ValueTypePtr x = TensorTypeOf(a, type_a), y = TensorTypeOf(b, type_b);
  return !x || !y || *x == *y;
}

Status Fits(const Module& module, const Op& op, const Module& program, std::string_view function) {
  const Evaluator evaluator(program, {});
  const OpId id = evaluator.FindFunction(function);
  if (!id) return Error(Code::kUsage, StrFormat("there is no function {}", SymbolText(function)));
  const Evaluator::Signature signature = SHLO_TRY(evaluator.SignatureOf(id));
  std::string_view target;
  module.AsString(module.AttributeOf(op, "call_target_name"), &target);
  const std::string_view symbol = program.SymbolOf(program.ops[id.v]);
  const auto operands = module.OperandsOf(op);
  std::vector<TypeId> results;
  for (uint32_t i = 0; i < module.NumResults(op); ++i)
    results.push_back(module.TypeOf(module.ResultOf(op, i)));
  // A call may return the results of the function as a tuple.
  if (const auto tuple = results.size() == 1 ? module.As<TupleType>(results[0]) : std::nullopt;
      tuple && tuple->types.size() == signature.results.size() &&
      (signature.results.size() != 1 || !program.As<TupleType>(signature.results[0])))
    results = tuple->types.ToVector();
  if (signature.inputs.size() != operands.size() || signature.results.size() != results.size())
    return Error(Code::kUsage, StrFormat("{} has {} and {}, but {} has {} and {}", SymbolText(target),
                                         Count(operands.size(), "operand"), Count(results.size(), "result"),
                                         SymbolText(symbol), Count(signature.inputs.size(), "argument"),
                                         Count(signature.results.size(), "result")));
  const auto check = [&](std::string_view what, size_t i, TypeId called, TypeId computed) -> Status {
    if (MayMatch(module, called, program, computed)) return {};
    return Error(Code::kUsage,
                 StrFormat("{} {} of {} has type {}, but {} has {}", what, i, SymbolText(target),
                           TypeText(module, called), SymbolText(symbol), TypeText(program, computed)));
  };
  for (size_t i = 0; i < operands.size(); ++i)
    SHLO_TRY(check("operand", i, module.TypeOf(operands[i]), signature.inputs[i]));
  for (size_t i = 0; i < results.size(); ++i) SHLO_TRY(check("result", i, results[i], signature.results[i]));
  return {};
}

}  // namespace

Status FitsCustomCall(const Module& module, const Op& op, const Module& program, std::string_view function) {
  return Guarded([&] { return Fits(module, op, program, function); });
}

namespace {

Result<CustomCall> Bind(std::shared_ptr<const Module> program, std::string_view function,
                        const EvalOptions& options, const Source* source) {
  const Evaluator evaluator(*program, {});
  if (!evaluator.FindFunction(function)) {
    Place place;
    if (source) place.file = source->name;
    return Error(
        Code::kUsage,
        function.empty() ? "no entry function" : StrFormat("there is no function {}", SymbolText(function)),
        std::move(place), "append the function to the file: FILE:FUNCTION");
  }
  EvalOptions own = options;
  own.source = source;
  own.custom_calls.clear();  // a function that calls what it computes would never end
  own.profile = nullptr;
  own.place = nullptr;  // its processes are those of another program
  return CustomCall([program, name = std::string(function), own](
                        const Module& module, const Op& op,
                        std::span<const Tensor> operands) -> Result<std::vector<Tensor>> {
    SHLO_TRY(Fits(module, op, *program, name));
    EvalResult result = SHLO_TRY(Evaluate(*program, name, operands, own));
    if (!result.failed_checks.empty()) return tl::make_unexpected(std::move(result.failed_checks));
    return std::move(result.results);
  });
}

}  // namespace

Result<CustomCall> CustomCallOf(std::shared_ptr<const Module> program, std::string_view function,
                                const EvalOptions& options, const Source* source) {
  return Guarded([&] { return Bind(std::move(program), function, options, source); });
}

}  // namespace shlo
