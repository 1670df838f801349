#include "rewrite/shapes/operands.h"

#include <fmt/ranges.h>

#include "base/format.h"
#include "ir/table/ops.h"
#include "ir/table/trait.h"
#include "ir/verify/rules/rules.h"
#include "shlo/print.h"
#include "shlo/types.h"

namespace shlo::rewrite {

OpId IntegerConstant(const Module& m, ValueId value) {
  const OpId id = m.values[value.v].op;
  if (!id) return {};
  const Op& op = m.ops[id.v];
  if (!m.Is(op, ops::kConstant) && !m.Is(op, ops::kArithConstant)) return {};
  return IntElements(m, m.InherentAttrOf(op, "value")).ok() ? id : OpId();
}

std::optional<std::vector<int64_t>> IntegersOf(const Module& m, ValueId value) {
  const OpId op = IntegerConstant(m, value);
  return op ? IntegersOf(m, m.InherentAttrOf(m.ops[op.v], "value")) : std::nullopt;
}

std::optional<std::vector<int64_t>> IntegersOf(const Module& m, AttrId attr) {
  const IntElements elements(m, attr);
  // A splat may have more elements than memory.
  constexpr uint64_t kMost = 1 << 16;
  if (!elements.ok() || elements.size() > kMost) return std::nullopt;
  std::vector<int64_t> out;
  for (uint64_t i = 0; i < elements.size(); ++i) out.push_back(elements[i]);
  return out;
}

std::string_view CallTargetOf(const Module& m, OpId op) {
  std::string_view target;
  if (m.Is(m.ops[op.v], ops::kCustomCall))
    m.AsString(m.InherentAttrOf(m.ops[op.v], "call_target_name"), &target);
  return target;
}

Diagnostic ErrorAtOp(const ModuleEditor& editor, OpId op, const Source* source, Code code,
                     std::string message, std::string hint) {
  const Module& m = editor.module();
  const OpId origin = editor.OriginOf(op) ? editor.OriginOf(op) : op;
  Diagnostic d;
  d.code = code;
  d.place = PlaceOf(m, origin, source);
  d.op = m.NameOf(m.ops[op.v]);
  d.version = m.version;
  d.message = std::move(message);
  d.hint = std::move(hint);
  return d;
}

namespace {

// Appends a type, or the members of a tuple.
void Flatten(const Module& m, TypeId type, std::vector<TypeId>* out) {
  std::vector<TypeId> todo{type};
  while (!todo.empty()) {
    const TypeId next = todo.back();
    todo.pop_back();
    const auto tuple = m.As<TupleType>(next);
    if (!tuple) {
      out->push_back(next);
      continue;
    }
    for (size_t i = tuple->types.size(); i-- > 0;) todo.push_back(tuple->types[i]);
  }
}

std::string SizesText(std::span<const int64_t> sizes) { return StrFormat("[{}]", fmt::join(sizes, ", ")); }

}  // namespace

tl::expected<std::optional<ShapeOperands>, std::string> ShapeOperandsOf(const Module& m, OpId id) {
  const Op& op = m.ops[id.v];
  const AttrId attr = m.AttributeOf(op, kShapeOperands);
  if (!attr) return std::nullopt;
  // Mirrors MLIR, here and below.
  const auto fail = [](std::string problem) {
    return tl::make_unexpected(StrFormat("{}: {}", kShapeOperands, problem));
  };
  const IntElements indices(m, attr);
  if (!indices.ok()) return fail("must be an elements attribute");
  if (indices.shape().size() != 1) return fail("must have rank = 1");
  if (m.types.KindOf(ElementOf(m, m.TypeOf(attr))) != TypeKind::kI64)
    return fail("must have i64 element type");
  std::vector<TypeId> results;
  for (uint32_t i = 0; i < m.NumResults(op); ++i) Flatten(m, m.TypeOf(m.ResultOf(op, i)), &results);
  if (indices.size() != results.size())
    return fail(StrFormat("number of elements ({}) must be equal to the number of operation results ({})",
                          indices.size(), results.size()));
  ShapeOperands out;
  for (uint64_t i = 0; i < indices.size(); ++i) {
    const uint64_t index = uint64_t(indices[i]);
    if (index >= m.NumOperands(op))
      return fail(StrFormat("index #{} ({}) must be within bounds for operation operands (from 0 to {})", i,
                            indices[i], m.NumOperands(op)));
    out.operands.push_back(uint32_t(index));
    out.shapes.push_back(IntegersOf(m, m.OperandsOf(op)[index]));
    const ShapedType result(m, results[i]);
    if (out.shapes.back() && result.ranked && !CompatibleShapes(*out.shapes.back(), result.shape))
      return tl::make_unexpected(
          StrFormat("refinement #{} ({}) must be compatible with operation result #{} ('{}')", i,
                    SizesText(*out.shapes.back()), i, TypeText(m, results[i])));
  }
  return out;
}

std::optional<std::vector<int64_t>> SizesOfDynamicSlice(const Module& m, OpId id) {
  const Op& op = m.ops[id.v];
  if (!m.Is(op, ops::kRealDynamicSlice)) return std::nullopt;
  const auto operands = m.OperandsOf(op);
  const auto strides = IntegersOf(m, operands[3]);
  const OpId limit = m.values[operands[2].v].op;
  if (!strides || !limit || !m.Is(m.ops[limit.v], ops::kAdd)) return std::nullopt;
  for (const int64_t stride : *strides)
    if (stride != 1) return std::nullopt;
  const auto terms = m.OperandsOf(m.ops[limit.v]);
  if (terms[0] != operands[1] && terms[1] != operands[1]) return std::nullopt;
  auto sizes = IntegersOf(m, terms[0] == operands[1] ? terms[1] : terms[0]);
  if (!sizes || sizes->size() != strides->size()) return std::nullopt;
  for (const int64_t size : *sizes)
    if (size < 0) return std::nullopt;
  return sizes;
}

AttrId KeptEntries(Module* m, AttrId array, const std::vector<bool>& keep) {
  if (!array || m->attrs.KindOf(array) != AttrKind::kArray) return array;
  const auto elements = m->ElementsOf(array);
  if (elements.size() != keep.size()) return array;
  std::vector<AttrId> kept;
  for (size_t i = 0; i < keep.size(); ++i)
    if (keep[i]) kept.push_back(elements[i]);
  return m->Array(kept);
}

BlockId BodyOf(const ModuleEditor& editor, OpId function) {
  const auto regions = editor.module().RegionsOf(editor[function]);
  if (regions.size() != 1) return {};
  const auto blocks = editor.BlocksOf(regions[0]);
  return blocks.size() == 1 ? blocks[0] : BlockId();
}

Result<OpId> EntryFunction(const ModuleEditor& editor, const Source* source) {
  const Module& m = editor.module();
  std::vector<OpId> functions;
  OpId entry;
  if (const BlockId body = editor.body()) {
    for (OpId op = editor.FirstOf(body); op; op = editor.After(op)) {
      if (!m.Has(editor[op], Trait::kFunction)) continue;
      functions.push_back(op);
      if (m.SymbolOf(editor[op]) == "main") entry = op;
    }
  }
  if (!entry && functions.size() == 1) entry = functions[0];
  if (!entry)
    // Mirrors MLIR.
    return Error(
        ErrorAtOp(editor, m.top, source, Code::kUnsupported,
                  "must have no more than one function or a `main` function to clearly identify which "
                  "function will be refined"));
  if (!BodyOf(editor, entry))
    // Mirrors MLIR.
    return Error(ErrorAtOp(editor, entry, source, Code::kUnsupported,
                           StrFormat("'{}' op must have exactly one block", m.NameOf(editor[entry]))));
  return entry;
}

void UpdateFunctionType(ModuleEditor* editor, OpId function) {
  Module& m = editor->module();
  const BlockId body = BodyOf(*editor, function);
  if (!body) return;
  std::vector<TypeId> inputs, results;
  for (uint32_t i = 0; i < m.blocks[body.v].args.count; ++i) inputs.push_back(m.TypeOf(m.ArgOf(body, i)));
  if (const OpId last = editor->LastOf(body))
    for (const ValueId value : m.OperandsOf((*editor)[last])) results.push_back(m.TypeOf(value));
  editor->SetAttr(function, "function_type", m.TypeAttr(m.FunctionType(inputs, results)));
}

}  // namespace shlo::rewrite
