// gather and scatter with batching dimensions, for versions that do not have these: the position in the batch
// becomes a part of the index.
#include <algorithm>

#include "versioning/expand/expander.h"

namespace shlo {
namespace {

// Returns whether an integer type has the numbers up to `size`: as in the reference, one more than positions
// need.
bool Fits(int64_t size, TypeKind kind) {
  const int bits = BitWidth(kind) - !IsUnsignedInteger(kind);
  return bits >= 63 || size < int64_t(1) << bits;
}

// Returns indices with the position in each batching dimension prepended to every index vector.
ValueId PrependPositions(Expander& e, ValueId indices, int64_t vector_dimension, const Dims& batching) {
  const Dims shape = e.ShapeOf(indices);
  TypeKind kind = e.out().types.KindOf(e.ElementOf(indices));
  for (int64_t d : batching)
    for (const TypeKind wider : {TypeKind::kI32, TypeKind::kI64})
      if (shape[size_t(d)] == kDynamic ? BitWidth(kind) < 64 : !Fits(shape[size_t(d)], kind)) kind = wider;
  const TypeId element = e.out().Type(kind);
  indices = e.Convert(indices, element);
  if (vector_dimension == int64_t(shape.size())) indices = e.AddDimension(indices, vector_dimension);
  // The shape of one component of the index vectors.
  Dims component = e.ShapeOf(indices);
  const ValueId like = IsStatic(component) ? ValueId() : e.Slice(indices, vector_dimension, 0, 1);
  component[size_t(vector_dimension)] = 1;
  Values parts;
  for (int64_t d : batching)
    parts.push_back(like ? e.IotaLike(like, d, element) : e.Iota(component, d, element));
  parts.push_back(indices);
  Dims whole = e.ShapeOf(indices);
  whole[size_t(vector_dimension)] += int64_t(batching.size());
  return e.Emit("stablehlo.concatenate", parts, e.Tensor(whole, element),
                {{"dimension", e.out().I64(vector_dimension)}});
}

// Returns why positions cannot be prepended, or "".
std::string_view Check(Expander& e, ValueId indices, int64_t vector_dimension, const Dims& batching) {
  const Dims shape = e.ShapeOf(indices);
  if (batching.empty()) return "it has no batching dimensions, but other properties that the target lacks";
  if (!e.BoundsOf(indices).empty()) return "the indices are bounded";
  if (e.options().static_batching_only && !IsStatic(shape)) return "the shape of the indices is dynamic";
  if (vector_dimension < int64_t(shape.size()) && shape[size_t(vector_dimension)] == kDynamic)
    return "the length of index vectors is dynamic";
  if (vector_dimension < int64_t(shape.size()) && shape[size_t(vector_dimension)] == 0)
    return "index vectors are empty";
  return {};
}

Dims Concatenated(Dims a, const Dims& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

// The attribute names of an op, which differ between gather and scatter.
struct Names {
  std::string_view collapsed, operand_batching, indices_batching, index_map;
};
constexpr Names kGatherNames{"collapsed_slice_dims", "operand_batching_dims", "start_indices_batching_dims",
                             "start_index_map"};
constexpr Names kScatterNames{"inserted_window_dims", "input_batching_dims", "scatter_indices_batching_dims",
                              "scatter_dims_to_operand_dims"};

std::string_view WithoutBatching(Expander& e, const Op& op, OpId id, const Names& names,
                                 size_t index_operand) {
  Values operands = e.OperandsOf(op);
  const int64_t vector_dimension = e.IntegerOf(op, "index_vector_dim", 0);
  const Dims batching = e.DimsOf(op, names.indices_batching);
  const Dims operand_batching = e.DimsOf(op, names.operand_batching);
  if (const std::string_view reason = Check(e, operands[index_operand], vector_dimension, batching);
      !reason.empty())
    return reason;
  // As in the reference, positions are where the indices are.
  e.LocateAt(operands[index_operand]);
  operands[index_operand] = PrependPositions(e, operands[index_operand], vector_dimension, batching);
  e.LocateAtOp();
  Dims collapsed = Concatenated(operand_batching, e.DimsOf(op, names.collapsed));
  std::sort(collapsed.begin(), collapsed.end());
  const Dims index_map = Concatenated(operand_batching, e.DimsOf(op, names.index_map));
  // The indices stay sorted if the positions and the dimensions that they select are in the same order.
  bool sorted = false;
  e.from().AsBool(e.from().InherentAttrOf(op, "indices_are_sorted"), &sorted);
  sorted = sorted && std::is_sorted(batching.begin(), batching.end()) &&
           std::is_sorted(index_map.begin(), index_map.end());
  const auto attrs = e.from().InherentAttrsOf(op);
  std::vector<AttrId> changed(attrs.begin(), attrs.end());
  const auto set = [&](std::string_view name, AttrId value) {
    if (const int slot = RevisionOf(e.from().RevisionIdOf(op)).FindSlot(name); slot >= 0)
      changed[size_t(slot)] = value;
  };
  set(names.collapsed, e.out().I64s(collapsed));
  set(names.index_map, e.out().I64s(index_map));
  set(names.operand_batching, {});
  set(names.indices_batching, {});
  if (e.from().InherentAttrOf(op, "indices_are_sorted")) set("indices_are_sorted", e.out().Bool(sorted));
  e.Change(id, operands, changed);
  return {};
}

}  // namespace

std::string_view ExpandGather(Expander& e, const Op& op, OpId id) {
  return WithoutBatching(e, op, id, kGatherNames, 1);
}

std::string_view ExpandScatter(Expander& e, const Op& op, OpId id) {
  return WithoutBatching(e, op, id, kScatterNames, e.OperandsOf(op).size() / 2);
}

}  // namespace shlo
