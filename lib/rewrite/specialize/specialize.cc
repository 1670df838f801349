#include "shlo/specialize.h"

#include <algorithm>

#include "base/deadline.h"
#include "base/format.h"
#include "base/guarded.h"
#include "base/stack.h"
#include "ir/module/symbols.h"
#include "ir/table/ops.h"
#include "ir/table/trait.h"
#include "rewrite/driver.h"
#include "rewrite/shapes/assertions.h"
#include "rewrite/shapes/canonicalize.h"
#include "rewrite/shapes/dynamic_calls.h"
#include "rewrite/shapes/refiner.h"
#include "rewrite/specialize/entry.h"
#include "shlo/evaluate.h"
#include "shlo/expand.h"
#include "shlo/print.h"
#include "shlo/random_tensor.h"
#include "shlo/types.h"
#include "shlo/verify.h"

namespace shlo {
namespace rewrite {
namespace {

bool HasDynamicShape(const Module& m, TypeId type) {
  CheckStack();
  if (const auto tuple = m.As<TupleType>(type)) {
    for (const TypeId member : tuple->types)
      if (HasDynamicShape(m, member)) return true;
    return false;
  }
  const ShapedType shaped(m, type);
  return shaped.unranked || (shaped.ranked && !shaped.IsStatic());
}

// Erases private functions that no public op refers to, directly or through others.
void EraseUnusedFunctions(ModuleEditor* editor) {
  const Module& m = editor->module();
  const BlockId body = editor->body();
  std::map<std::string, OpId, std::less<>> functions;
  std::vector<OpId> todo;
  std::set<uint32_t> used;
  const auto use = [&](OpId op) {
    if (used.insert(op.v).second) todo.push_back(op);
  };
  for (OpId op = editor->FirstOf(body); op; op = editor->After(op)) {
    const bool is_private =
        m.Has((*editor)[op], Trait::kFunction) && m.VisibilityOf((*editor)[op]) == "private";
    if (is_private)
      functions.emplace(m.SymbolOf((*editor)[op]), op);
    else
      use(op);
  }
  while (!todo.empty()) {
    const OpId next = todo.back();
    todo.pop_back();
    for (const OpId op : editor->OpsIn(next)) {
      Tick();
      ForEachSymbolOf(m, (*editor)[op], [&](std::string_view symbol) {
        const auto found = functions.find(symbol);
        if (found != functions.end()) use(found->second);
      });
    }
  }
  for (const auto& [name, op] : functions)
    if (!used.contains(op.v)) editor->Erase(op);
}

// Returns an error for each op whose results are dynamic although its operands are static: the causes of all
// other dynamic shapes.
Diagnostics DynamicOps(const ModuleEditor& editor, const Source* source) {
  const Module& m = editor.module();
  constexpr size_t kMost = 20;
  Diagnostics errors;
  for (const OpId op : editor.Ops()) {
    // The cause is in the function that a call has.
    if (m.Is(editor[op], ops::kCall) || m.Is(editor[op], ops::kComposite)) continue;
    const auto operands = m.OperandsOf(editor[op]);
    const bool dynamic_operand =
        std::ranges::any_of(operands, [&](ValueId v) { return HasDynamicShape(m, m.TypeOf(v)); });
    for (uint32_t i = 0; i < m.NumResults(editor[op]) && !dynamic_operand; ++i) {
      const TypeId type = m.TypeOf(m.ResultOf(editor[op], i));
      if (!HasDynamicShape(m, type)) continue;
      const bool of_other_dialect = !m.RevisionIdOf(editor[op]);
      errors.push_back(ErrorAtOp(
          editor, op, source, Code::kUnsupported,
          StrFormat("result {} stays dynamic, of type {}", i, TypeText(m, type)),
          of_other_dialect ? "convert the op to StableHLO first"
                           : "its shape depends on values of arguments: compute it from their shapes"));
      break;
    }
    if (errors.size() == kMost) break;
  }
  return errors;
}

}  // namespace
}  // namespace rewrite

namespace {

using namespace rewrite;

// Evaluates both programs on random inputs. Fails if a result differs.
Result<void> CompareByEvaluation(const Program& before, const Program& after,
                                 const std::vector<EntryType>& types, const SpecializeOptions& options) {
  std::vector<ValueTypePtr> value_types;
  EvalOptions eval;
  eval.limits = options.limits;
  eval.source = &before.source;
  for (const EntryType& type : types) value_types.push_back(TensorTypeOf(after.module, type.type));
  for (uint32_t round = 0; round < options.max_evaluations; ++round) {
    Tick();
    std::vector<Tensor> all, left;
    for (size_t i = 0; i < types.size(); ++i) {
      Tensor value = RandomTensor(value_types[i], round * 1000 + i);
      if (types[i].value) {
        std::string bytes;
        for (uint64_t b = 0; b < value_types[i]->bytes; ++b)
          bytes += char(uint64_t(*types[i].value) >> (8 * b));
        value = Tensor::Copy(value_types[i], bytes);
      } else {
        left.push_back(value);
      }
      all.push_back(std::move(value));
    }
    auto expected = Evaluate(before.module, "", all, eval);
    if (!expected) return tl::unexpected(std::move(expected.error()));
    auto got = Evaluate(after.module, "", left, eval);
    if (!got) return tl::unexpected(std::move(got.error()));
    for (size_t i = 0; i < expected->results.size(); ++i)
      if (expected->results[i].type() != got->results[i].type() ||
          expected->results[i].ToBytes() != got->results[i].ToBytes())
        return Error(Code::kNotEqual,
                     StrFormat("result {} of the specialized program differs for inputs {}", i, round));
  }
  return {};
}

Diagnostics ErrorsOf(const Program& program, const Limits& limits) {
  VerifyOptions options;
  options.strictness = Strictness::kReference;
  options.limits = limits;
  Diagnostics found = Verify(program, options);
  std::erase_if(found, [](const Diagnostic& d) { return d.severity != Severity::kError; });
  return found;
}

Result<Program> Specialized(const Program& program, const SpecializeOptions& options) {
  if (Diagnostics found = ErrorsOf(program, options.limits); !found.empty())
    return tl::unexpected(std::move(found));
  const Source* const source = &program.source;
  ModuleEditor editor(program.module);
  const auto entry = EntryFunction(editor, source);
  if (!entry) return tl::make_unexpected(entry.error());
  const std::vector<EntryArgument> arguments = EntryArguments(program, *entry, options.inputs);
  const auto types = TypesFor(&editor.module(), *entry, arguments, options, source);
  if (!types) return tl::make_unexpected(types.error());
  Module& m = editor.module();
  const BlockId body = BodyOf(editor, *entry);
  std::vector<std::optional<int64_t>> known;
  for (uint32_t i = 0; i < types->size(); ++i) {
    editor.SetType(m.ArgOf(body, i), (*types)[i].type);
    known.push_back((*types)[i].value);
  }
  ShapeRefiner refiner(&editor, source, &program.module, options.limits);
  if (auto refined = refiner.Run(*entry, known); !refined) return tl::unexpected(std::move(refined.error()));
  if (auto held = CheckShapeAssertions(&editor, source, /*check=*/true); !held)
    return tl::unexpected(std::move(held.error()));
  EraseUnusedFunctions(&editor);
  if (auto done = CanonicalizeDynamism(&editor, source, options.limits); !done)
    return tl::unexpected(std::move(done.error()));
  if (auto done = MakeApproxTopKStatic(&editor, options.limits); !done)
    return tl::unexpected(std::move(done.error()));
  EraseUnusedFunctions(&editor);
  if (Diagnostics errors = DynamicOps(editor, source); !errors.empty())
    return tl::unexpected(std::move(errors));
  constexpr std::string_view kPolymorphic = "jax.uses_shape_polymorphism";
  if (m.AttributeOf(m.ops[m.top.v], kPolymorphic)) editor.SetAttr(m.top, kPolymorphic, m.Bool(false));

  Program out;
  out.source = program.source;
  out.name = program.name;
  out.module = std::move(editor).Finish(&out.source.places);
  if (refiner.made_chlo()) {  // which no artifact can have
    auto expansion = Expand(out.module, {.chlo = true, .lacking = false}, &out.source.places);
    if (!expansion) return tl::unexpected(std::move(expansion.error()));
    out.module = std::move(expansion->module);
  }
  if (Diagnostics found = ErrorsOf(out, options.limits); !found.empty())
    return tl::unexpected(std::move(found));
  if (options.max_evaluations > 0)
    if (auto equal = CompareByEvaluation(program, out, *types, options); !equal)
      return tl::unexpected(std::move(equal.error()));
  return out;
}

}  // namespace

Result<Program> Specialize(const Program& program, const SpecializeOptions& options) {
  return Guarded(options.limits, [&] { return Specialized(program, options); });
}

}  // namespace shlo
