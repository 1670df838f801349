// gather and scatter.
#include "ir/verify/rules/common.h"

namespace shlo {
namespace {

struct GatherDims {
  explicit GatherDims(const OpCheck& c)
      : offset(c.Ints("offset_dims")),
        collapsed(c.Ints("collapsed_slice_dims")),
        batching(c.Ints("operand_batching_dims")),
        start_batching(c.Ints("start_indices_batching_dims")),
        index_map(c.Ints("start_index_map")),
        index_vector(c.Int("index_vector_dim")) {}
  DimSpan offset, collapsed, batching, start_batching, index_map;
  int64_t index_vector;
};

// A constraint that gather and dynamic_gather share, by its label in the section of each op. That of
// dynamic_gather has no batching dimensions, so it uses R labels.
struct GatherConstraint {
  std::string_view gather, dynamic_gather;
};
constexpr GatherConstraint kRank = {"C1", "C1"};
constexpr GatherConstraint kIndexVector = {"C2", "C2"};
constexpr GatherConstraint kIndexMapSize = {"C3", "C3"};
constexpr GatherConstraint kOffsetOrder = {"C4", "C4"};
constexpr GatherConstraint kOffsetRange = {"C5", "C5"};
constexpr GatherConstraint kCollapsedDistinct = {"C6", "C6"};
constexpr GatherConstraint kCollapsedSorted = {"C7", "C6"};
constexpr GatherConstraint kCollapsedRange = {"C8", "C7"};
constexpr GatherConstraint kCollapsedSizes = {"C9", "C8"};
constexpr GatherConstraint kBatchingSorted = {"C10", "R1"};
constexpr GatherConstraint kBatchingRange = {"C11", "R1"};
constexpr GatherConstraint kBatchingSizes = {"C12", "R2"};
constexpr GatherConstraint kStartBatchingDistinct = {"C13", "R3"};
constexpr GatherConstraint kStartBatchingRange = {"C14", "R3"};
constexpr GatherConstraint kStartBatchingIndex = {"C15", "R3"};
constexpr GatherConstraint kBatchingCount = {"C16", "R4"};
constexpr GatherConstraint kBatchingDims = {"C17", "R5"};
constexpr GatherConstraint kIndexMapDistinct = {"C18", "C9"};
constexpr GatherConstraint kIndexMapRange = {"C19", "C10"};
constexpr GatherConstraint kNumSliceSizes = {"C20", "C11"};
constexpr GatherConstraint kSliceSizes = {"C21", "C12"};

// Selects the labels of one of the two ops.
struct GatherLabels {
  bool dynamic;
  std::string_view operator[](const GatherConstraint& constraint) const {
    return dynamic ? constraint.dynamic_gather : constraint.gather;
  }
};
constexpr GatherLabels kGatherLabels = {.dynamic = false}, kDynamicGatherLabels = {.dynamic = true};

// Constraints that do not depend on the sizes of the slice.
bool CheckGather(OpCheck& c, const GatherLabels& labels, const GatherDims& d, int64_t num_slice_sizes) {
  const ShapedType operand = c.In(0), indices = c.In(1);
  const int64_t rank = operand.rank();
  if (rank != int64_t(d.offset.size() + d.collapsed.size() + d.batching.size()))
    return c.Fail(
        labels[kRank],
        "offset_dims size ({}) plus collapse_slice_dims size ({}) plus operand_batching_dims size ({}) is "
        "not equal to operand rank ({})",
        d.offset.size(), d.collapsed.size(), d.batching.size(), rank);
  if (!CheckInBounds(c, labels[kIndexVector], d.index_vector, indices.rank(), "index_vector_dim",
                     "rank-of('start_indices')",
                     /*inclusive=*/true))
    return false;
  const bool implied = d.index_vector == indices.rank();
  const int64_t vector_size = implied ? 1 : indices.dim(d.index_vector);
  if (vector_size != kDynamic && vector_size != int64_t(d.index_map.size()))
    return c.Fail(
        labels[kIndexMapSize],
        "start_index_map size ({}) is not equal to size of index dimension ({}) of start_indices ({})",
        d.index_map.size(), d.index_vector, vector_size);
  if (!std::ranges::is_sorted(d.offset))
    return c.Fail(labels[kOffsetOrder], "expects offset_dims to be sorted, got: [{}]", c.List(d.offset));
  if (!IsUnique(d.offset))
    return c.Fail(labels[kOffsetOrder], "expects offset_dims to not repeat, got: [{}]", c.List(d.offset));
  if (!CheckDistinct(c, labels[kCollapsedDistinct], d.collapsed, d.batching, "collapsed_slice_dims",
                     "operand_batching_dims"))
    return false;
  if (!std::ranges::is_sorted(d.collapsed))
    return c.Fail(labels[kCollapsedSorted], "expects collapsed_slice_dims to be sorted, got: [{}]",
                  c.List(d.collapsed));
  if (!CheckAllInBounds(c, labels[kCollapsedRange], d.collapsed, rank, "collapsed_slice_dims",
                        "rank-of('operand')"))
    return false;
  if (!std::ranges::is_sorted(d.batching))
    return c.Fail(labels[kBatchingSorted], "expects operand_batching_dims to be sorted, got: [{}]",
                  c.List(d.batching));
  if (!CheckAllInBounds(c, labels[kBatchingRange], d.batching, rank, "operand_batching_dims",
                        "rank-of('operand')"))
    return false;
  if (!IsUnique(d.start_batching))
    return c.Fail(labels[kStartBatchingDistinct],
                  "expects start_indices_batching_dims to not repeat, got: [{}]", c.List(d.start_batching));
  if (!CheckAllInBounds(c, labels[kStartBatchingRange], d.start_batching, indices.rank(),
                        "start_indices_batching_dims", "rank-of('start_indices')"))
    return false;
  if (Contains(d.start_batching, d.index_vector))
    return c.Fail(labels[kStartBatchingIndex],
                  "expects start_indices_batching_dims not to include index_vector_dim {}", d.index_vector);
  if (d.batching.size() != d.start_batching.size())
    return c.Fail(labels[kBatchingCount],
                  "operand_batching_dims and start_indices_batching_dims should have the same size");
  for (size_t i = 0; i < d.batching.size(); ++i) {
    const int64_t size = operand.dim(d.batching[i]), other = indices.dim(d.start_batching[i]);
    if (!CompatibleDims(size, other))
      return c.Fail(
          labels[kBatchingDims],
          "operand_batching_dims[{}] and start_indices_batching_dims[{}] must have compatible sizes, but "
          "got {} and {}",
          i, i, size, other);
  }
  if (!CheckDistinct(c, labels[kIndexMapDistinct], d.index_map, d.batching, "start_index_map",
                     "operand_batching_dims") ||
      !CheckAllInBounds(c, labels[kIndexMapRange], d.index_map, rank, "start_index_map",
                        "rank-of('operand')"))
    return false;
  if (num_slice_sizes != rank)
    return c.Fail(labels[kNumSliceSizes], "slice_sizes size ({}) not equal to operand rank ({})",
                  num_slice_sizes, rank);
  return true;
}

bool CheckSliceSizes(OpCheck& c, const GatherLabels& labels, const GatherDims& d, DimSpan sizes) {
  const auto at_most_one = [&](std::string_view label, DimSpan dims, std::string_view name) {
    for (int64_t dim : dims)
      if (sizes[size_t(dim)] > 1)
        return c.Fail(label, "Expects that for each dim in {}, slice_sizes[dim] should be <= 1, but got {}",
                      name, sizes[size_t(dim)]);
    return true;
  };
  if (!at_most_one(labels[kCollapsedSizes], d.collapsed, "collapsed_slice_dims") ||
      !at_most_one(labels[kBatchingSizes], d.batching, "operand_batching_dims"))
    return false;
  const ShapedType operand = c.In(0);
  for (size_t i = 0; i < sizes.size(); ++i) {
    const int64_t size = operand.shape[i];
    if (sizes[i] < 0 || (size != kDynamic && sizes[i] > size))
      return c.Fail(labels[kSliceSizes],
                    "slice size ({}) is out of bounds for operand dimension ({}) at index {}", sizes[i], size,
                    i);
  }
  return true;
}

// Batch dimensions of the indices, with the slice in the offset dimensions.
bool InferGathered(OpCheck& c, const GatherLabels& labels, const GatherDims& d, DimSpan sizes) {
  const ShapedType operand = c.In(0), indices = c.In(1);
  const int64_t implied = d.index_vector == indices.rank();
  const int64_t rank = int64_t(d.offset.size()) + indices.rank() + implied - 1;
  if (!CheckAllInBounds(c, labels[kOffsetRange], d.offset, rank, "offset_dims", "implied-result-rank"))
    return false;
  Dims offsets;
  for (int64_t i = 0; i < operand.rank(); ++i)
    if (!Contains(d.collapsed, i) && !Contains(d.batching, i)) offsets.push_back(sizes[size_t(i)]);
  Dims shape, bounds;
  size_t offset = 0;
  int64_t batch = 0;
  for (int64_t i = 0; i < rank; ++i) {
    if (Contains(d.offset, i)) {
      shape.push_back(offset < offsets.size() ? offsets[offset] : kDynamic);
      bounds.push_back(kDynamic);
      ++offset;
      continue;
    }
    if (batch == d.index_vector) ++batch;
    const bool known = batch < indices.rank();
    shape.push_back(known ? indices.dim(batch) : kDynamic);
    bounds.push_back(known ? indices.bound(batch) : kDynamic);
    ++batch;
  }
  c.InferTensor(shape, {operand.element}, indices.encoding, bounds);
  return true;
}

}  // namespace

// C23: operand and result have one element type.
bool GatherInvariant(OpCheck& c) {
  return c.in_element(0) == c.out_element() || FailSame(c, "C23", "operand, result", "element type");
}

bool InferGather(OpCheck& c) {
  const GatherDims d(c);
  const DimSpan sizes = c.Ints("slice_sizes");
  return CheckGather(c, kGatherLabels, d, int64_t(sizes.size())) &&
         CheckSliceSizes(c, kGatherLabels, d, sizes) && InferGathered(c, kGatherLabels, d, sizes);
}

bool InferDynamicGather(OpCheck& c) {
  const GatherDims d(c);
  if (!CheckGather(c, kDynamicGatherLabels, d, c.In(2).dim(0))) return false;
  const IntElements constant = c.Constant(2);
  Dims sizes;
  if (constant.ok()) {
    for (uint64_t i = 0; i < constant.size(); ++i) sizes.push_back(constant[i]);
    if (!CheckSliceSizes(c, kDynamicGatherLabels, d, sizes)) return false;
  } else {
    sizes = Dims(size_t(c.In(0).rank()), kDynamic);
  }
  return InferGathered(c, kDynamicGatherLabels, d, sizes);
}

namespace {

struct ScatterDims {
  explicit ScatterDims(const OpCheck& c)
      : update_window(c.Ints("update_window_dims")),
        inserted(c.Ints("inserted_window_dims")),
        batching(c.Ints("input_batching_dims")),
        indices_batching(c.Ints("scatter_indices_batching_dims")),
        to_operand(c.Ints("scatter_dims_to_operand_dims")),
        index_vector(c.Int("index_vector_dim")) {}
  DimSpan update_window, inserted, batching, indices_batching, to_operand;
  int64_t index_vector;
};

// C2, C7 to C21 for one input and its updates. `indices` has the implied trailing dimension.
bool CheckScatterDims(OpCheck& c, const ScatterDims& d, const ShapedType& input, DimSpan indices,
                      const ShapedType& update) {
  const size_t window = d.update_window.size() + d.inserted.size() + d.batching.size();
  if (input.rank() != int64_t(window))
    return c.Fail("C2",
                  "Expects rank-of operand to match size-of('update_window_dims') + "
                  "size-of('inserted_window_dims') + size-of('input_batching_dims') i.e. {} but got {}.",
                  window, input.rank());
  if (!std::ranges::is_sorted(d.update_window))
    return c.Fail("C7", "Expects update_window_dims to be sorted; got: [{}].", c.List(d.update_window));
  if (!IsUnique(d.update_window))
    return c.Fail("C7", "Expects update_window_dims to not repeat; got: [{}].", c.List(d.update_window));
  if (!CheckAllInBounds(c, "C8", d.update_window, update.rank(), "update_window_dims",
                        "rank-of('updates')") ||
      !CheckDistinct(c, "C9", d.inserted, d.batching, "inserted_window_dims", "input_batching_dims"))
    return false;
  if (!std::ranges::is_sorted(d.inserted))
    return c.Fail("C10", "Expects inserted_window_dims to be sorted; got: [{}].", c.List(d.inserted));
  if (!CheckAllInBounds(c, "C11", d.inserted, input.rank(), "inserted_window_dims", "rank-of('operand')"))
    return false;
  if (!std::ranges::is_sorted(d.batching))
    return c.Fail("C12", "Expects input_batching_dims to be sorted; got: [{}].", c.List(d.batching));
  if (!CheckAllInBounds(c, "C13", d.batching, input.rank(), "input_batching_dims", "rank-of('operand')"))
    return false;
  if (!IsUnique(d.indices_batching))
    return c.Fail("C14", "Expects scatter_indices_batching_dims to not repeat; got: [{}].",
                  c.List(d.indices_batching));
  if (!CheckAllInBounds(c, "C15", d.indices_batching, int64_t(indices.size()),
                        "scatter_indices_batching_dims", "rank-of('scatter_indices')"))
    return false;
  if (Contains(d.indices_batching, d.index_vector))
    return c.Fail("C16", "expects scatter_indices_batching_dims not to include index_vector_dim {}.",
                  d.index_vector);
  if (d.batching.size() != d.indices_batching.size())
    return c.Fail("C17", "input_batching_dims and scatter_indices_batching_dims should have the same size.");
  for (size_t i = 0; i < d.batching.size(); ++i) {
    const int64_t size = input.dim(d.batching[i]), other = indices[size_t(d.indices_batching[i])];
    if (!CompatibleDims(size, other))
      return c.Fail(
          "C18",
          "input_batching_dims[{}] and scatter_indices_batching_dims[{}] must have compatible sizes, but "
          "got {} and {}.",
          i, i, size, other);
  }
  const int64_t vector_size = indices[size_t(d.index_vector)];
  if (vector_size != kDynamic && int64_t(d.to_operand.size()) != vector_size)
    return c.Fail("C19",
                  "Scatter op has {} elements in scatter_dims_to_operand_dims and the bound of dimension "
                  "index_vector_dim={} of scatter_indices is {}. These two numbers must be equal.",
                  d.to_operand.size(), d.index_vector, vector_size);
  return CheckDistinct(c, "C20", d.to_operand, d.batching, "scatter_dims_to_operand_dims",
                       "input_batching_dims") &&
         CheckAllInBounds(c, "C21", d.to_operand, input.rank(), "scatter_dims_to_operand_dims",
                          "rank-of('operand')");
}

// C4: windows of the updates lie inside the input; their other dimensions belong to the indices.
bool CheckUpdateSizes(OpCheck& c, const ScatterDims& d, const ShapedType& input, DimSpan indices,
                      const ShapedType& update) {
  Dims largest;
  for (int64_t i = 0; i < input.rank(); ++i)
    if (!Contains(d.inserted, i) && !Contains(d.batching, i)) largest.push_back(input.dim(i));
  for (size_t i = 0; i < d.update_window.size() && i < largest.size(); ++i) {
    const int64_t dim = d.update_window[i], size = update.dim(dim);
    if (size != kDynamic && largest[i] != kDynamic && size > largest[i])
      return c.Fail(
          "C4",
          "expects bounds of the window dimensions of updates to not exceed the bounds of the "
          "corresponding dimensions of operand. For dimension {}, updates bound is {}, operand bound is "
          "{}.",
          dim, size, largest[i]);
  }
  int64_t seen = 0;
  for (int64_t i = 0; i < update.rank(); ++i) {
    if (Contains(d.update_window, i)) continue;
    if (seen == d.index_vector) ++seen;
    if (seen >= int64_t(indices.size())) break;
    if (!CompatibleDims(update.dim(i), indices[size_t(seen)]))
      return c.Fail(
          "C4",
          "expects bounds of the scatter dimensions of updates to be same as the bounds of the "
          "corresponding dimensions of scatter indices. For scatter dimension {}, updates bound is {} , "
          "scatter_indices bound is {}.",
          i, update.dim(i), indices[size_t(seen)]);
    ++seen;
  }
  return true;
}

size_t NumScatterInputs(const OpCheck& c) { return (c.num_operands() - 1) / 2; }

}  // namespace

bool VerifyScatter(OpCheck& c) {
  const size_t n = NumScatterInputs(c);
  if (n == 0) {
    c.Beyond("C5", "has no inputs");
    return true;
  }
  const ShapedType indices = c.In(n);
  for (size_t i = 1; i < n; ++i)
    if (!CompatibleShapes(c.In(0).shape, c.In(i).shape))
      return c.Fail("C1", "Not all inputs have compatible shapes.");
  for (size_t i = 1; i < n; ++i)
    if (!CompatibleShapes(c.In(n + 1).shape, c.In(n + 1 + i).shape))
      return c.Fail("C3", "Not all updates have compatible shapes.");
  const ScatterDims d(c);
  if (!CheckInBounds(c, "C22", d.index_vector, indices.rank(), "index_vector_dim",
                     "rank-of('scatter_indices')",
                     /*inclusive=*/true))
    return false;
  std::vector<ReducerType> inputs, init_values;
  for (size_t i = 0; i < n; ++i) {
    inputs.push_back({c.In(i).shape, c.in_element(i), c.in(i)});
    init_values.push_back({{}, c.in_element(n + 1 + i), {}});
  }
  if (!CheckReducer(c, {"C23", "C6"}, 0, inputs, init_values, {})) return false;
  Dims expanded(indices.shape);
  if (d.index_vector == indices.rank()) expanded.push_back(1);
  const int64_t rank = int64_t(expanded.size()) - 1 + int64_t(d.update_window.size());
  for (size_t i = 0; i < n; ++i)
    if (c.In(n + 1 + i).rank() != rank)
      return c.Fail(
          "C4",
          "expects updates tensor must be of rank {} ( == rank-of('scatter_indices') - 1 + "
          "size-of('update_window_dims'), where 'scatter_indices' is expanded by a trailing 1 dimension "
          "if 'index_vector_dim' == rank-of('scatter_indices')), but got {}.",
          rank, c.In(n + 1 + i).rank());
  for (size_t i = 0; i < n; ++i)
    if (!CheckScatterDims(c, d, c.In(i), expanded, c.In(n + 1 + i))) return false;
  for (size_t i = 0; i < n; ++i)
    if (!CheckUpdateSizes(c, d, c.In(i), expanded, c.In(n + 1 + i))) return false;
  return true;
}

// C24, C25.
bool InferScatter(OpCheck& c) {
  for (size_t i = 0; i < NumScatterInputs(c); ++i) {
    const ShapedType input = c.In(i);
    c.InferTensor(input.shape, {AccumulatorElement(c, 0, i, input.element)}, input.encoding);
  }
  return true;
}

}  // namespace shlo
