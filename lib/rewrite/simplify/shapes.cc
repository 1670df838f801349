// Ops that change shapes only.
#include <algorithm>

#include "ir/table/ops.h"
#include "ir/table/trait.h"
#include "rewrite/simplify/op_reader.h"
#include "rewrite/simplify/rewrite_rules.h"

namespace shlo::rewrite {
namespace {

// Returns `outer[inner[i]]` for each i; nullopt if an index is out of range.
std::optional<std::vector<int64_t>> Composed(std::span<const int64_t> outer, std::span<const int64_t> inner) {
  std::vector<int64_t> composed;
  for (const int64_t i : inner) {
    if (i < 0 || size_t(i) >= outer.size()) return std::nullopt;
    composed.push_back(outer[size_t(i)]);
  }
  return composed;
}

TypeId ElementOfResult(const Rewriter& r, OpId op) {
  return r.module().Get<TensorType>(OpReader(r, op).type()).element;
}

}  // namespace

bool BroadcastToTranspose(Rewriter& r, OpId op) {
  const OpReader at(r, op);
  const std::vector<int64_t> dims = at.ints("broadcast_dimensions");
  const auto count = CountOf(r.module(), at.operand_type(0));
  if (!count || count != CountOf(r.module(), at.type())) return false;
  const auto from = SizesOf(r.module(), at.operand_type(0)), to = SizesOf(r.module(), at.type());
  if (from->size() != to->size() || dims.size() != from->size()) return false;
  std::vector<int64_t> permutation(dims.size(), -1);
  for (size_t i = 0; i < dims.size(); ++i) {
    if (dims[i] < 0 || size_t(dims[i]) >= dims.size() || (*from)[i] != (*to)[size_t(dims[i])]) return false;
    permutation[size_t(dims[i])] = int64_t(i);
  }
  return ReplaceWith(r, op, ops::kTranspose, std::array{at.operand(0)},
                     {{"permutation", r.nodes().I64s(permutation)}});
}

bool MergeBroadcasts(Rewriter& r, OpId op) {
  const OpReader at(r, op);
  const OpId inner = r.Definer(at.operand(0), ops::kBroadcastInDim);
  if (!inner) return false;
  const OpReader inside(r, inner);
  const std::vector<int64_t> dims = inside.ints("broadcast_dimensions");
  // A reshape is better than a broadcast of more.
  const auto count = CountOf(r.module(), inside.type());
  if (count && std::ranges::is_sorted(dims) && count == CountOf(r.module(), inside.operand_type(0)))
    return false;
  const auto merged = Composed(at.ints("broadcast_dimensions"), dims);
  return merged && ReplaceWith(r, op, ops::kBroadcastInDim, std::array{inside.operand(0)},
                               {{"broadcast_dimensions", r.nodes().I64s(*merged)}});
}

bool MergeTransposes(Rewriter& r, OpId op) {
  const OpReader at(r, op);
  const OpId inner = r.Definer(at.operand(0), ops::kTranspose);
  if (!inner) return false;
  const OpReader inside(r, inner);
  const auto merged = Composed(inside.ints("permutation"), at.ints("permutation"));
  return merged && ReplaceWith(r, op, ops::kTranspose, std::array{inside.operand(0)},
                               {{"permutation", r.nodes().I64s(*merged)}});
}

bool TransposeToReshape(Rewriter& r, OpId op) {
  const OpReader at(r, op);
  const auto sizes = SizesOf(r.module(), at.operand_type(0));
  if (!sizes || !IsStatic(*sizes) || !CountOf(r.module(), at.type())) return false;
  int64_t last = -1;
  for (const int64_t i : at.ints("permutation")) {
    if (i < 0 || size_t(i) >= sizes->size()) return false;
    if ((*sizes)[size_t(i)] == 1) continue;
    if (i < last) return false;
    last = i;
  }
  r.Replace(op, r.Emit(ops::kReshape, std::array{at.operand(0)}, at.type()));
  return true;
}

bool IotaToZero(Rewriter& r, OpId op) {
  const OpReader at(r, op);
  const auto sizes = SizesOf(r.module(), at.type());
  const size_t dimension = size_t(at.integer("iota_dimension"));
  if (!sizes || dimension >= sizes->size() || (*sizes)[dimension] != 1) return false;
  const ValueId zero = r.EmitSplat(at.type(), 0);
  if (zero) r.Replace(op, zero);
  return bool(zero);
}

bool IotaToBroadcast(Rewriter& r, OpId op) {
  const OpReader at(r, op);
  const auto sizes = SizesOf(r.module(), at.type());
  const size_t dimension = size_t(at.integer("iota_dimension"));
  if (!sizes || sizes->size() < 2 || dimension >= sizes->size()) return false;
  const TypeId row = r.nodes().TensorType(std::array{(*sizes)[dimension]}, ElementOfResult(r, op));
  const ValueId iota = r.Emit(ops::kIota, {}, row, {{"iota_dimension", r.nodes().I64(0)}});
  r.Replace(op, r.Emit(ops::kBroadcastInDim, std::array{iota}, at.type(),
                       {{"broadcast_dimensions", r.nodes().I64s(std::array{int64_t(dimension)})}}));
  return true;
}

bool StaticDimensionSize(Rewriter& r, OpId op) {
  const OpReader at(r, op);
  const auto sizes = SizesOf(r.module(), at.operand_type(0));
  const size_t dimension = size_t(at.integer("dimension"));
  if (!sizes || dimension >= sizes->size() || (*sizes)[dimension] == kDynamic) return false;
  const ValueId size = r.EmitSplat(at.type(), (*sizes)[dimension]);
  if (size) r.Replace(op, size);
  return bool(size);
}

bool MergeDynamicBroadcasts(Rewriter& r, OpId op) {
  const OpReader at(r, op);
  const OpId inner = r.Definer(at.operand(0), ops::kDynamicBroadcastInDim);
  if (!inner) return false;
  const OpReader inside(r, inner);
  const auto merged = Composed(at.ints("broadcast_dimensions"), inside.ints("broadcast_dimensions"));
  return merged &&
         ReplaceWith(r, op, ops::kDynamicBroadcastInDim, std::array{inside.operand(0), at.operand(1)},
                     {{"broadcast_dimensions", r.nodes().I64s(*merged)}});
}

bool BroadcastNothing(Rewriter& r, OpId op) {
  const OpReader at(r, op);
  const auto sizes = SizesOf(r.module(), at.type());
  const bool states = bool(at.attr("known_nonexpanding_dimensions"));
  if (!states || !sizes || at.ints("known_nonexpanding_dimensions").size() != sizes->size() ||
      !IsIota(at.ints("broadcast_dimensions")))
    return false;
  return ReplaceWith(r, op, ops::kConvert, std::array{at.operand(0)});
}

bool StaticBroadcast(Rewriter& r, OpId op) {
  const OpReader at(r, op);
  if (!CountOf(r.module(), at.operand_type(0))) return false;
  const ModuleEditor::Attr dims{"broadcast_dimensions", at.attr("broadcast_dimensions")};
  if (CountOf(r.module(), at.type())) {
    r.Replace(op, r.Emit(ops::kBroadcastInDim, std::array{at.operand(0)}, at.type(), {dims}));
    return true;
  }
  const auto sizes = r.IntegersOf(at.operand(1));
  if (!sizes || std::ranges::any_of(*sizes, [](int64_t size) { return size < 0; })) return false;
  const TypeId type = r.nodes().TensorType(*sizes, ElementOfResult(r, op));
  ValueId value = r.Emit(ops::kBroadcastInDim, std::array{at.operand(0)}, type, {dims});
  // Ops of other dialects need not take a value of another type.
  bool outside = false;
  r.editor().ForEachUse(at.result(), [&](OpId user, uint32_t) {
    outside = outside || !r.module().NameOf(r[user]).starts_with("stablehlo.");
  });
  if (outside) value = r.Emit(ops::kConvert, std::array{value}, at.type());
  r.Replace(op, value);
  return true;
}

bool StaticIota(Rewriter& r, OpId op) {
  const OpReader at(r, op);
  if (!CountOf(r.module(), at.type())) return false;
  r.Replace(op, r.Emit(ops::kIota, {}, at.type(), {{"iota_dimension", at.attr("iota_dimension")}}));
  return true;
}

bool DynamicIotaToBroadcast(Rewriter& r, OpId op) {
  const OpReader at(r, op);
  const auto sizes = SizesOf(r.module(), at.type());
  const auto shape = r.module().As<TensorType>(at.operand_type(0));
  const int64_t dimension = at.integer("iota_dimension");
  if (!sizes || sizes->size() < 2 || !shape || dimension < 0 || size_t(dimension) >= sizes->size())
    return false;
  Module& m = r.nodes();
  const TypeId i64 = m.IntegerType(64);
  const bool index = m.types.KindOf(shape->element) == TypeKind::kIndex;
  ValueId wide = at.operand(0);
  if (shape->element != i64)
    wide = r.Emit(index ? ops::kArithIndexCast : ops::kConvert, std::array{wide},
                  m.TensorType(std::array{int64_t(sizes->size())}, i64));
  const ValueId size = r.Emit(ops::kSlice, std::array{wide}, m.TensorType(std::array<int64_t, 1>{1}, i64),
                              {{"start_indices", m.I64s(std::array{dimension})},
                               {"limit_indices", m.I64s(std::array{dimension + 1})},
                               {"strides", m.I64s(std::array<int64_t, 1>{1})}});
  const TypeId row = m.TensorType(std::array{(*sizes)[size_t(dimension)]}, ElementOfResult(r, op));
  const ValueId iota = r.Emit(ops::kDynamicIota, std::array{size}, row, {{"iota_dimension", m.I64(0)}});
  r.Replace(op, r.Emit(ops::kDynamicBroadcastInDim, std::array{iota, at.operand(0)}, at.type(),
                       {{"broadcast_dimensions", m.I64s(std::array{dimension})}}));
  return true;
}

bool StaticReshape(Rewriter& r, OpId op) {
  const OpReader at(r, op);
  if (!CountOf(r.module(), at.type())) return false;
  r.Replace(op, r.Emit(ops::kReshape, std::array{at.operand(0)}, at.type()));
  return true;
}

bool ReshapeToSameShape(Rewriter& r, OpId op) {
  const OpReader at(r, op);
  const OpId middle = r.module().values[at.operand(0).v].op;
  if (!middle || r.module().NumOperands(r[middle]) == 0 || at.operand_type(0) != at.type()) return false;
  const bool same_shape =
      r.module().Has(r[middle], Trait::kElementwise) || r.module().Has(r[middle], Trait::kSameShape);
  const OpId first = same_shape ? r.Definer(OpReader(r, middle).operand(0), ops::kDynamicReshape) : OpId();
  if (!first || OpReader(r, first).operand(1) != at.operand(1)) return false;
  r.Replace(op, at.operand(0));
  return true;
}

}  // namespace shlo::rewrite
