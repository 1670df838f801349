// Ops with effects outside the program: custom_call, interpreter.print and interpreter.probe.
#include <algorithm>
#include <optional>

#include "base/format.h"
#include "base/printable.h"
#include "eval/kernel/kernel_args.h"
#include "eval/kernels/kernels.h"
#include "eval/lapack/lapack_kernel.h"
#include "ir/table/trait.h"

namespace shlo {

// The functions that rows name.
#define SHLO_CUSTOM_CALL(target, kernel) Status kernel(KernelCall& call);
#define SHLO_PROCESS_CALL(target, kernel) SHLO_CUSTOM_CALL(target, kernel)
#include "eval/custom_calls/custom_call_rows.inc"

namespace {

struct CustomCallRow {
  std::string_view target;
  Kernel kernel;
  Reach reach = Reach::kOutside;
};
constexpr CustomCallRow kCustomCalls[] = {
#define SHLO_CUSTOM_CALL(target, kernel) {target, kernel},
#define SHLO_PROCESS_CALL(target, kernel) {target, kernel, Reach::kProcesses},
#include "eval/custom_calls/custom_call_rows.inc"
};

}  // namespace

Kernel CustomCallKernel(std::string_view target) {
  for (const CustomCallRow& row : kCustomCalls)
    if (row.target == target) return row.kernel;
  return LapackKernel(target);
}

namespace {

// Returns the one result type of a call that returns several values as a tuple, as TensorFlow's do.
std::optional<TupleType> TupleOfResults(const KernelCall& call) {
  if (call.module.NumResults(call.op) != 1) return std::nullopt;
  return call.module.As<TupleType>(call.module.TypeOf(call.module.ResultOf(call.op, 0)));
}

// Runs a kernel whose results are the members of the tuple.
Status RunForTuple(Kernel kernel, KernelCall& call, const TupleType& tuple) {
  std::vector<ValueTypePtr> types;
  for (const TypeId type : tuple.types) types.push_back(call.host.TypeOf(type));
  std::vector<Tensor> members(types.size());
  KernelCall inner{call.module, call.id, call.op, call.operands, types, members, call.host, call.frame};
  SHLO_TRY(kernel(inner));
  for (const Tensor& member : members)
    if (!member) return Invalid("a member of the result was not computed");
  call.results[0] = Tensor::Tuple(std::move(members));
  return {};
}

}  // namespace

bool CallsProcesses(std::string_view target) {
  return std::ranges::any_of(kCustomCalls, [&](const CustomCallRow& row) {
    return row.target == target && row.reach == Reach::kProcesses;
  });
}

// Specification, "custom_call": semantics are implementation-defined. Targets of EvalOptions::custom_calls
// take precedence over those of custom_call_rows.inc and the check targets, whose result, if any, is true.
Status EvaluateCustomCall(KernelCall& call) {
  const std::string_view target = SHLO_TRY(StringOf(call, "call_target_name"));
  const auto& known = call.host.options().custom_calls;
  if (const auto found = known.find(target); found != known.end()) {
    std::vector<Tensor> operands;
    for (const Tensor* operand : call.operands) operands.push_back(*operand);
    std::vector<Tensor> results = SHLO_TRY(found->second(call.module, call.op, operands));
    const bool complete = std::ranges::all_of(results, [](const Tensor& result) { return bool(result); });
    if (complete && TupleOfResults(call) &&
        (results.size() != 1 || results[0].element().kind != TypeKind::kTuple))
      results = {Tensor::Tuple(std::move(results))};
    if (results.size() != call.results.size())
      return Invalid(StrFormat("custom call returns {}, expected {}", Count(results.size(), "result"),
                               call.results.size()));
    for (size_t i = 0; i < results.size(); ++i) call.results[i] = std::move(results[i]);
    return {};
  }
  if (const Kernel kernel = CustomCallKernel(target)) {
    for (const Tensor* operand : call.operands)
      if (!operand->type().is_tensor())
        return Invalid(StrFormat("{} takes tensors, got {}", SymbolText(target), TypeName(operand->type())));
    const auto tuple = TupleOfResults(call);
    return tuple ? RunForTuple(kernel, call, *tuple) : kernel(call);
  }
  if (std::optional<Status> checked = EvaluateCheckCall(call, target)) {
    SHLO_TRY(std::move(*checked));
    Tensor truth = call.host.Allocate(MakeTensorType({TypeKind::kI1}, {}), false);
    if (!truth) return OutOfMemory();
    *truth.mutable_data() = 1;
    std::ranges::fill(call.results, truth);
    return {};
  }
  // Mirrors MLIR.
  return Error(Code::kUnsupported, StrFormat("Unsupported custom call: {}", SymbolText(target)), {},
               StrFormat("pass --custom-call {}=FILE with a function that computes it "
                         "(EvalOptions::custom_calls)",
                         ShellText(target)));
}

namespace {

// Returns the name of a value in printed text: arguments and results are numbered in program order.
std::string ValueName(const Module& module, ValueId value) {
  const Value& v = module.values[value.v];
  if (!v.op) return StrFormat("%arg{}", v.index);
  uint32_t number = 0;
  // Count the ops with results that precede this one in the function.
  OpId function = v.op;
  while (function && !module.Has(module.ops[function.v], Trait::kFunction)) {
    const BlockId parent = module.ops[function.v].parent;
    function = parent ? module.regions[module.blocks[parent.v].parent.v].parent : OpId();
  }
  if (!function) return "%0";
  for (OpId id : module.BodyOpsOf(module.ops[function.v])) {
    if (id == v.op) return StrFormat("%{}", number);
    number += module.NumResults(module.ops[id.v]) > 0;
  }
  return "%0";
}

}  // namespace

// interpreter.print: prints "%0 = " and the value.
Status EvaluatePrint(KernelCall& call) {
  SHLO_TRY(CheckArity(call, 1, 0));
  if (!call.host.options().print) return {};
  const ValueId operand = call.module.OperandsOf(call.op)[0];
  call.host.options().print(
      StrFormat("{} = {}\n", ValueName(call.module, operand), PrintAsReference(call.operand(0))));
  return {};
}

// interpreter.probe: returns its operand and passes it to EvalOptions::probe.
Status EvaluateProbe(KernelCall& call) {
  SHLO_TRY(CheckArity(call, 1));
  const std::string_view id = SHLO_TRY(StringOf(call, "probe_id"));
  if (!call.host.options().probe)
    // Mirrors MLIR.
    return Error(Code::kEvaluation, "Probe serialization directory cannot be empty.");
  SHLO_TRY(call.host.options().probe(id, call.operand(0)));
  call.results[0] = call.operand(0);
  return {};
}

}  // namespace shlo
