// Concatenations, slices, padding, gathers and scatters.
#include <algorithm>

#include "ir/table/ops.h"
#include "rewrite/simplify/op_reader.h"
#include "rewrite/simplify/rewrite_rules.h"

namespace shlo::rewrite {
namespace {

ValueId EmitSlice(Rewriter& r, ValueId operand, std::span<const int64_t> starts,
                  std::span<const int64_t> limits, std::span<const int64_t> strides, TypeId type) {
  Module& m = r.nodes();
  return r.Emit(
      ops::kSlice, std::array{operand}, type,
      {{"start_indices", m.I64s(starts)}, {"limit_indices", m.I64s(limits)}, {"strides", m.I64s(strides)}});
}

TypeId WithSizes(Rewriter& r, TypeId type, std::span<const int64_t> sizes) {
  return r.nodes().TensorType(sizes, r.module().Get<TensorType>(type).element);
}

// Returns the start of a slice that is moved so that it is in bounds.
int64_t ClampedStart(int64_t start, int64_t size, int64_t slice) {
  return std::min(std::max<int64_t>(start, 0), size - slice);
}

bool AreAll(std::span<const int64_t> numbers, int64_t number) {
  return std::ranges::all_of(numbers, [&](int64_t n) { return n == number; });
}

}  // namespace

bool ConcatenateOne(Rewriter& r, OpId op) {
  const OpReader at(r, op);
  if (at.num_operands() != 1 || at.operand_type(0) != at.type()) return false;
  r.Replace(op, at.operand(0));
  return true;
}

bool ConcatenateEmpty(Rewriter& r, OpId op) {
  const OpReader at(r, op);
  const size_t dimension = size_t(at.integer("dimension"));
  std::vector<ValueId> kept;
  for (const ValueId operand : at.operands()) {
    const auto sizes = SizesOf(r.module(), r.module().TypeOf(operand));
    if (!sizes || dimension >= sizes->size()) return false;
    if ((*sizes)[dimension] != 0) kept.push_back(operand);
  }
  if (kept.empty() || kept.size() == at.num_operands()) return false;
  r.SetOperands(op, kept);
  return true;
}

bool ConcatenateNested(Rewriter& r, OpId op) {
  const OpReader at(r, op);
  const int64_t dimension = at.integer("dimension");
  std::vector<ValueId> flat;
  for (const ValueId operand : at.operands()) {
    const OpId inner = r.Definer(operand, ops::kConcatenate);
    const bool nested =
        inner && r.editor().HasOneUse(operand) && OpReader(r, inner).integer("dimension") == dimension;
    const std::vector<ValueId> parts = nested ? OpReader(r, inner).operands() : std::vector{operand};
    flat.insert(flat.end(), parts.begin(), parts.end());
  }
  if (flat == at.operands()) return false;
  r.SetOperands(op, flat);
  return true;
}

bool SliceOfConcatenate(Rewriter& r, OpId op) {
  const OpReader at(r, op);
  const OpId concatenate = r.Definer(at.operand(0), ops::kConcatenate);
  if (!concatenate || !CountOf(r.module(), at.type())) return false;
  const OpReader inside(r, concatenate);
  const size_t dimension = size_t(inside.integer("dimension"));
  std::vector<int64_t> starts = at.ints("start_indices"), limits = at.ints("limit_indices");
  if (dimension >= starts.size() || dimension >= limits.size()) return false;
  // The operands that the slice reads, and how many elements are before them.
  std::vector<ValueId> kept;
  int64_t begin = 0, before = 0, size = 0;
  for (const ValueId operand : inside.operands()) {
    const auto sizes = SizesOf(r.module(), r.module().TypeOf(operand));
    if (!sizes || dimension >= sizes->size() || (*sizes)[dimension] < 0) return false;
    const int64_t end = begin + (*sizes)[dimension];
    if (end > starts[dimension] && begin < limits[dimension]) {
      if (kept.empty()) before = begin;
      kept.push_back(operand);
      size += (*sizes)[dimension];
    }
    begin = end;
  }
  if (kept.empty() || kept.size() == inside.num_operands()) return false;
  if (kept.size() > 1 && !r.editor().HasOneUse(at.operand(0))) return false;
  auto sizes = SizesOf(r.module(), at.operand_type(0));
  if (!sizes || dimension >= sizes->size()) return false;
  (*sizes)[dimension] = size;
  const ValueId rest = r.Emit(ops::kConcatenate, kept, WithSizes(r, at.operand_type(0), *sizes),
                              {{"dimension", inside.attr("dimension")}});
  starts[dimension] -= before;
  limits[dimension] -= before;
  r.Replace(op, EmitSlice(r, rest, starts, limits, at.ints("strides"), at.type()));
  return true;
}

bool DynamicSliceToSlice(Rewriter& r, OpId op) {
  const OpReader at(r, op);
  const std::vector<int64_t> slice = at.ints("slice_sizes");
  const auto sizes = SizesOf(r.module(), at.operand_type(0));
  if (!sizes || !IsStatic(*sizes) || slice.size() != sizes->size() || at.num_operands() != 1 + slice.size())
    return false;
  std::vector<int64_t> starts, limits;
  for (uint32_t i = 0; i < slice.size(); ++i) {
    const auto start = r.IntegersOf(at.operand(1 + i));
    if (!start || start->size() != 1) return false;
    starts.push_back(ClampedStart((*start)[0], (*sizes)[i], slice[i]));
    limits.push_back(starts.back() + slice[i]);
  }
  const std::vector<int64_t> strides(slice.size(), 1);
  const ValueId value = EmitSlice(r, at.operand(0), starts, limits, strides, at.type());
  r.MergeAttrs(op, value);
  r.Replace(op, value);
  return true;
}

bool UpdateNothing(Rewriter& r, OpId op) {
  const OpReader at(r, op);
  if (CountOf(r.module(), at.operand_type(1)) != uint64_t(0) || at.operand_type(0) != at.type()) return false;
  r.MergeAttrs(op, at.operand(0));
  r.Replace(op, at.operand(0));
  return true;
}

bool UpdateAll(Rewriter& r, OpId op) {
  const OpReader at(r, op);
  const TypeId type = at.operand_type(1);
  if (!CountOf(r.module(), type) || at.operand_type(0) != type || at.type() != type) return false;
  for (uint32_t i = 2; i < at.num_operands(); ++i) {
    const auto start = r.IntegersOf(at.operand(i));
    if (!start || !AreAll(*start, 0)) return false;
  }
  r.MergeAttrs(op, at.operand(1));
  r.Replace(op, at.operand(1));
  return true;
}

bool GatherToSlice(Rewriter& r, OpId op) {
  const OpReader at(r, op);
  const auto indices = r.IntegersOf(at.operand(1));
  const auto index_sizes = SizesOf(r.module(), at.operand_type(1));
  const auto sizes = SizesOf(r.module(), at.operand_type(0));
  const std::vector<int64_t> map = at.ints("start_index_map"), slice = at.ints("slice_sizes");
  if (!indices || at.integer("index_vector_dim") != 0 || !index_sizes || index_sizes->size() > 1 ||
      indices->size() != map.size() || !sizes || !IsStatic(*sizes) || slice.size() != sizes->size())
    return false;
  std::vector<int64_t> starts(slice.size(), 0), limits = slice;
  for (size_t i = 0; i < map.size(); ++i) {
    const size_t dimension = size_t(map[i]);
    if (dimension >= slice.size()) return false;
    starts[dimension] = ClampedStart((*indices)[i], (*sizes)[dimension], slice[dimension]);
    limits[dimension] = starts[dimension] + slice[dimension];
  }
  const bool collapses = !at.ints("collapsed_slice_dims").empty();
  const std::vector<int64_t> strides(slice.size(), 1);
  const TypeId type = collapses ? WithSizes(r, at.operand_type(0), slice) : at.type();
  ValueId value = EmitSlice(r, at.operand(0), starts, limits, strides, type);
  if (collapses) value = r.Emit(ops::kReshape, std::array{value}, at.type());
  r.Replace(op, value);
  return true;
}

bool PadEmpty(Rewriter& r, OpId op) {
  const OpReader at(r, op);
  if (CountOf(r.module(), at.operand_type(0)) != uint64_t(0) || !CountOf(r.module(), at.type())) return false;
  r.Replace(op, r.Emit(ops::kBroadcastInDim, std::array{at.operand(1)}, at.type(),
                       {{"broadcast_dimensions", r.nodes().I64s({})}}));
  return true;
}

namespace {

// Replaces a scatter by its inputs.
bool ReplaceByInputs(Rewriter& r, OpId op) {
  const OpReader at(r, op);
  std::vector<ValueId> inputs = at.operands();
  inputs.resize(at.num_results());
  for (uint32_t i = 0; i < inputs.size(); ++i)
    if (r.module().TypeOf(inputs[i]) != at.type(i)) return false;
  r.Replace(op, inputs);
  return true;
}

}  // namespace

bool ScatterNowhere(Rewriter& r, OpId op) {
  const OpReader at(r, op);
  const uint32_t n = at.num_results();
  if (at.num_operands() != 2 * n + 1) return false;
  const auto sizes = SizesOf(r.module(), at.operand_type(n));
  if (!sizes || !IsStatic(*sizes)) return false;
  const size_t index_vector_dim = size_t(at.integer("index_vector_dim"));
  for (size_t i = 0; i < sizes->size(); ++i)
    if (i != index_vector_dim && (*sizes)[i] == 0) return ReplaceByInputs(r, op);
  return false;
}

bool ScatterNothing(Rewriter& r, OpId op) {
  const OpReader at(r, op);
  const uint32_t n = at.num_results();
  if (n == 0 || at.num_operands() != 2 * n + 1) return false;
  for (uint32_t i = n + 1; i < at.num_operands(); ++i)
    if (CountOf(r.module(), at.operand_type(i)) != uint64_t(0)) return false;
  return ReplaceByInputs(r, op);
}

bool StaticGather(Rewriter& r, OpId op) {
  const OpReader at(r, op);
  const auto sizes = r.IntegersOf(at.operand(2));
  if (!sizes) return false;
  return ReplaceWith(r, op, ops::kGather, std::array{at.operand(0), at.operand(1)},
                     {{"offset_dims", at.attr("offset_dims")},
                      {"collapsed_slice_dims", at.attr("collapsed_slice_dims")},
                      {"operand_batching_dims", at.attr("operand_batching_dims")},
                      {"start_indices_batching_dims", at.attr("start_indices_batching_dims")},
                      {"start_index_map", at.attr("start_index_map")},
                      {"index_vector_dim", at.attr("index_vector_dim")},
                      {"slice_sizes", r.nodes().I64s(*sizes)},
                      {"indices_are_sorted", at.attr("indices_are_sorted")}});
}

bool StaticPad(Rewriter& r, OpId op) {
  const OpReader at(r, op);
  const auto low = r.IntegersOf(at.operand(2)), high = r.IntegersOf(at.operand(3));
  const auto interior = r.IntegersOf(at.operand(4));
  if (!low || !high || !interior) return false;
  Module& m = r.nodes();
  return ReplaceWith(r, op, ops::kPad, std::array{at.operand(0), at.operand(1)},
                     {{"edge_padding_low", m.I64s(*low)},
                      {"edge_padding_high", m.I64s(*high)},
                      {"interior_padding", m.I64s(*interior)}});
}

bool RealDynamicSliceToSlice(Rewriter& r, OpId op) {
  const OpReader at(r, op);
  const auto starts = r.IntegersOf(at.operand(1)), limits = r.IntegersOf(at.operand(2));
  const auto strides = r.IntegersOf(at.operand(3));
  if (!starts || !limits || !strides) return false;
  const ValueId value = EmitSlice(r, at.operand(0), *starts, *limits, *strides, at.type());
  r.MergeAttrs(op, value);
  r.Replace(op, value);
  return true;
}

bool RealDynamicSliceToDynamicSlice(Rewriter& r, OpId op) {
  const OpReader at(r, op);
  const auto strides = r.IntegersOf(at.operand(3));
  if (!strides || !AreAll(*strides, 1)) return false;
  const ValueId starts = at.operand(1);
  const OpId sum = r.Definer(at.operand(2), ops::kAdd);
  if (!sum) return false;
  const OpReader limit(r, sum);
  const auto sizes = limit.operand(0) == starts   ? r.IntegersOf(limit.operand(1))
                     : limit.operand(1) == starts ? r.IntegersOf(limit.operand(0))
                                                  : std::nullopt;
  if (!sizes) return false;
  const TypeId one = WithSizes(r, at.operand_type(1), std::array<int64_t, 1>{1});
  const TypeId scalar = WithSizes(r, at.operand_type(1), {});
  std::vector<ValueId> operands{at.operand(0)};
  for (int64_t i = 0; i < int64_t(sizes->size()); ++i) {
    const ValueId start =
        EmitSlice(r, starts, std::array{i}, std::array{i + 1}, std::array<int64_t, 1>{1}, one);
    operands.push_back(r.Emit(ops::kReshape, std::array{start}, scalar));
  }
  return ReplaceWith(r, op, ops::kDynamicSlice, operands, {{"slice_sizes", r.nodes().I64s(*sizes)}});
}

}  // namespace shlo::rewrite
