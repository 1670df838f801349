// The pass stablehlo-canonicalize-dynamism: ops whose shapes are operands become those whose shapes are
// attributes, where the operands are constants. Exact.
#include "rewrite/shapes/canonicalize.h"

#include <algorithm>
#include <array>

#include "base/guarded.h"
#include "ir/table/ops.h"
#include "rewrite/driver.h"
#include "rewrite/pass.h"
#include "rewrite/shapes/operands.h"
#include "shlo/types.h"

namespace shlo::rewrite {
namespace {

bool HasStaticShape(const Module& m, TypeId type) {
  if (const auto tuple = m.As<TupleType>(type)) {
    const std::vector<TypeId> members = tuple->types.ToVector();
    return std::ranges::all_of(members, [&](TypeId member) { return HasStaticShape(m, member); });
  }
  const ShapedType shaped(m, type);
  return shaped.ranked && shaped.IsStatic();
}

bool HasStaticResult(const Module& m, const Op& op) { return HasStaticShape(m, m.TypeOf(m.ResultOf(op, 0))); }
bool HasStaticOperand(const Module& m, const Op& op) {
  return HasStaticShape(m, m.TypeOf(m.OperandsOf(op)[0]));
}

}  // namespace

OpId ReplaceByRow(Rewriter& r, OpId id, RowId row, std::span<const ValueId> operands,
                  std::initializer_list<ModuleEditor::Attr> attrs) {
  const Module& m = r.module();
  const OpSignature before = m.SignatureOf(r[id]);
  const RevisionId to = RevisionAt(row, m.version);
  const OpRevision& from_revision = RevisionOf(before.revision);
  const OpRevision& to_revision = RevisionOf(to);
  std::vector<AttrId> inherent(to_revision.attrs.size());
  for (size_t i = 0; i < from_revision.attrs.size(); ++i)
    if (const int slot = to_revision.FindSlot(from_revision.attrs[i].name); slot >= 0)
      inherent[size_t(slot)] = before.inherent_attrs[i];
  for (const ModuleEditor::Attr& attr : attrs)
    if (const int slot = to_revision.FindSlot(attr.name); slot >= 0) inherent[size_t(slot)] = attr.value;
  const std::vector<NamedAttr> discardable(before.discardable_attrs.begin(), before.discardable_attrs.end());
  const std::vector<TypeId> results(before.result_types.begin(), before.result_types.end());
  const OpId op = r.Insert({.revision = to,
                            .operands = operands,
                            .results = results,
                            .inherent_attrs = inherent,
                            .discardable_attrs = discardable});
  std::vector<ValueId> values;
  for (uint32_t i = 0; i < results.size(); ++i) values.push_back(m.ResultOf(r[op], i));
  r.Replace(id, values);
  return op;
}

namespace {

std::vector<ValueId> FirstOperands(Rewriter& r, OpId op, size_t count) {
  const auto operands = r.module().OperandsOf(r[op]);
  return {operands.begin(), operands.begin() + std::ptrdiff_t(count)};
}

bool StaticBroadcast(Rewriter& r, OpId op) {
  const Module& m = r.module();
  if (!HasStaticResult(m, r[op]) || !HasStaticOperand(m, r[op]) || !IntegersOf(m, m.OperandsOf(r[op])[1]))
    return false;
  ReplaceByRow(r, op, ops::kBroadcastInDim, FirstOperands(r, op, 1), {});
  return true;
}

bool StaticReshape(Rewriter& r, OpId op) {
  const Module& m = r.module();
  if (!HasStaticResult(m, r[op]) || !IntegersOf(m, m.OperandsOf(r[op])[1])) return false;
  ReplaceByRow(r, op, ops::kReshape, FirstOperands(r, op, 1), {});
  return true;
}

bool StaticIota(Rewriter& r, OpId op) {
  const Module& m = r.module();
  if (!HasStaticResult(m, r[op]) || !IntegersOf(m, m.OperandsOf(r[op])[0])) return false;
  ReplaceByRow(r, op, ops::kIota, {}, {});
  return true;
}

bool StaticConvolution(Rewriter& r, OpId op) {
  const auto padding = IntegersOf(r.module(), r.module().OperandsOf(r[op])[2]);
  if (!padding) return false;
  const int64_t shape[] = {int64_t(padding->size() / 2), 2};
  ReplaceByRow(r, op, ops::kConvolution, FirstOperands(r, op, 2),
               {{"padding", r.nodes().I64Elements(shape, *padding)}});
  return true;
}

bool StaticGather(Rewriter& r, OpId op) {
  const auto sizes = IntegersOf(r.module(), r.module().OperandsOf(r[op])[2]);
  if (!sizes) return false;
  ReplaceByRow(r, op, ops::kGather, FirstOperands(r, op, 2), {{"slice_sizes", r.nodes().I64s(*sizes)}});
  return true;
}

bool StaticPad(Rewriter& r, OpId op) {
  const Module& m = r.module();
  const auto operands = m.OperandsOf(r[op]);
  const auto low = IntegersOf(m, operands[2]), high = IntegersOf(m, operands[3]),
             interior = IntegersOf(m, operands[4]);
  if (!low || !high || !interior) return false;
  ReplaceByRow(r, op, ops::kPad, FirstOperands(r, op, 2),
               {{"edge_padding_low", r.nodes().I64s(*low)},
                {"edge_padding_high", r.nodes().I64s(*high)},
                {"interior_padding", r.nodes().I64s(*interior)}});
  return true;
}

bool StaticSlice(Rewriter& r, OpId op) {
  const Module& m = r.module();
  const auto operands = m.OperandsOf(r[op]);
  const auto starts = IntegersOf(m, operands[1]), limits = IntegersOf(m, operands[2]),
             strides = IntegersOf(m, operands[3]);
  if (!starts || !limits || !strides) return false;
  ReplaceByRow(r, op, ops::kSlice, FirstOperands(r, op, 1),
               {{"start_indices", r.nodes().I64s(*starts)},
                {"limit_indices", r.nodes().I64s(*limits)},
                {"strides", r.nodes().I64s(*strides)}});
  return true;
}

// The start may depend on anything if the sizes do not.
bool SliceOfStaticSizes(Rewriter& r, OpId op) {
  const auto sizes = SizesOfDynamicSlice(r.module(), op);
  if (!sizes) return false;
  Module& m = r.nodes();
  std::vector<ValueId> operands = FirstOperands(r, op, 2);
  const ValueId starts = operands.back();
  operands.pop_back();
  const TypeId element = ElementOf(m, m.TypeOf(starts));
  const int64_t one = 1;
  const TypeId slice_type = m.TensorType({&one, 1}, element), scalar_type = m.TensorType({}, element);
  for (int64_t i = 0; i < int64_t(sizes->size()); ++i) {
    const int64_t limit = i + 1;
    const ValueId slice = r.Emit(ops::kSlice, {&starts, 1}, slice_type,
                                 {{"start_indices", m.I64s({&i, 1})},
                                  {"limit_indices", m.I64s({&limit, 1})},
                                  {"strides", m.I64s({&one, 1})}});
    operands.push_back(r.Emit(ops::kReshape, {&slice, 1}, scalar_type));
  }
  ReplaceByRow(r, op, ops::kDynamicSlice, operands, {{"slice_sizes", m.I64s(*sizes)}});
  return true;
}

// Returns aliases whose operands are numbered without those that are dropped; none if one of them is.
AttrId AliasesOf(Module* m, AttrId aliases, const std::vector<bool>& keep) {
  std::vector<AttrId> out;
  const std::vector<AttrId> before(m->ElementsOf(aliases).begin(), m->ElementsOf(aliases).end());
  for (const AttrId attr : before) {
    auto alias = m->As<OutputOperandAliasAttr>(attr);
    if (!alias || alias->operand_index < 0 || uint64_t(alias->operand_index) >= keep.size() ||
        !keep[size_t(alias->operand_index)])
      return {};
    OutputOperandAliasAttr moved = *alias;
    moved.operand_index = std::count(keep.begin(), keep.begin() + alias->operand_index, true);
    const std::vector<int64_t> results(alias->output_tuple_indices.begin(),
                                       alias->output_tuple_indices.end()),
        operands(alias->operand_tuple_indices.begin(), alias->operand_tuple_indices.end());
    moved.output_tuple_indices = results;
    moved.operand_tuple_indices = operands;
    out.push_back(m->Make(moved));
  }
  return m->Array(out);
}

bool DropShapeOperands(Rewriter& r, OpId op) {
  Module& m = r.nodes();
  const auto found = ShapeOperandsOf(m, op);
  if (!found || !*found) return false;
  for (const auto& shape : (*found)->shapes)
    if (!shape) return false;
  for (uint32_t i = 0; i < m.NumResults(r[op]); ++i)
    if (!HasStaticShape(m, m.TypeOf(m.ResultOf(r[op], i)))) return false;
  const auto operands = m.OperandsOf(r[op]);
  std::vector<bool> keep(operands.size(), true);
  for (const uint32_t i : (*found)->operands) keep[i] = false;
  std::vector<ValueId> left;
  for (size_t i = 0; i < operands.size(); ++i)
    if (keep[i]) left.push_back(operands[i]);
  const AttrId aliases = m.InherentAttrOf(r[op], "output_operand_aliases");
  const AttrId moved = aliases ? AliasesOf(&m, aliases, keep) : AttrId();
  if (aliases && !moved) return false;
  r.SetAttr(op, "operand_layouts", KeptEntries(&m, m.InherentAttrOf(r[op], "operand_layouts"), keep));
  r.SetAttr(op, "output_operand_aliases", moved);
  r.SetAttr(op, kShapeOperands, {});
  r.SetOperands(op, left);
  return true;
}

}  // namespace

Result<void> CanonicalizeDynamism(ModuleEditor* editor, const Source* source, const Limits& limits) {
  Diagnostics errors;
  for (const OpId op : editor->Ops()) {
    if (!editor->module().Is((*editor)[op], ops::kCustomCall)) continue;
    if (const auto shapes = ShapeOperandsOf(editor->module(), op); !shapes)
      errors.push_back(ErrorAtOp(*editor, op, source, Code::kConstraint, shapes.error()));
  }
  if (!errors.empty()) return tl::unexpected(std::move(errors));
  const Rule rules[] = {
      {"custom-call-shapes", ops::kCustomCall, DropShapeOperands},
      {"dynamic-broadcast", ops::kDynamicBroadcastInDim, StaticBroadcast},
      {"dynamic-conv", ops::kDynamicConv, StaticConvolution},
      {"dynamic-gather", ops::kDynamicGather, StaticGather},
      {"dynamic-iota", ops::kDynamicIota, StaticIota},
      {"dynamic-pad", ops::kDynamicPad, StaticPad},
      {"dynamic-reshape", ops::kDynamicReshape, StaticReshape},
      {"real-dynamic-slice", ops::kRealDynamicSlice, StaticSlice},
      {"real-dynamic-slice-of-sizes", ops::kRealDynamicSlice, SliceOfStaticSizes},
  };
  auto applied = Apply(rules, editor, {.limits = limits});
  if (!applied) return tl::unexpected(std::move(applied.error()));
  return {};
}

Result<void> CanonicalizeShapes(const PassRun& run, Program* program) {
  return Guarded(run.limits, [&]() -> Result<void> {
    ModuleEditor editor(program->module);
    if (auto done = CanonicalizeDynamism(&editor, &program->source, run.limits); !done) return done;
    program->module = std::move(editor).Finish(&program->source.places);
    return {};
  });
}

}  // namespace shlo::rewrite
