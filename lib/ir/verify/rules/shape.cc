// Ops that make tensors, and ops that move elements without looking at them.
#include "ir/verify/rules/common.h"

namespace shlo {

// constant C1: the type of the value; of a quantized constant, its storage type.
bool InferConstant(OpCheck& c) {
  const AttrId value = c.Attr("value");
  switch (c.m.attrs.KindOf(value)) {
    case AttrKind::kElements:
    case AttrKind::kResourceElements:
    case AttrKind::kStringElements:
    case AttrKind::kSparseElements:
      break;
    default:
      return c.Settle();
  }
  const TypeId type = c.m.TypeOf(value);
  const ShapedType result = c.Out();
  if (type == result.type) return c.Settle();
  const QuantizedType quant(c.m, result.element);
  const ShapedType written(c.m, type);
  if (quant.ok && std::ranges::equal(written.shape, result.shape) && written.element == quant.storage)
    return c.Settle();
  // Exact comparison: a dynamic size equals only a dynamic size.
  return c.Mismatch(c.T(type));
}

bool VerifyIota(OpCheck& c) {
  const int64_t rank = c.Out().rank();
  if (rank == 0) return c.Fail("C1", "does not support scalars.");
  if (c.Int("iota_dimension") >= rank)
    return c.Fail("C1", "iota dimension cannot go beyond the output rank.");
  return true;
}

bool InferBroadcast(OpCheck& c) {
  const ShapedType operand = c.In(0);
  Dims shape;
  for (int64_t size : c.Ints("broadcast_sizes")) {
    if (size < 0) return c.Fail("R1", "Broadcast with negative dimension size {}", size);
    shape.push_back(size);
  }
  shape.append(operand.shape);
  c.InferTensor(shape, {operand.element});
  return true;
}

bool VerifyBroadcastInDim(OpCheck& c) {
  const ShapedType operand = c.In(0), result = c.Out();
  if (!CheckSamePerTensorQuantization(c, "C1", operand.type, result.type)) return false;
  const DimSpan dimensions = c.Ints("broadcast_dimensions");
  if (int64_t(dimensions.size()) != operand.rank())
    return c.Fail("C2", "broadcast_dimensions size ({}) does not match operand rank ({})", dimensions.size(),
                  operand.rank());
  if (!IsUnique(dimensions)) return c.Fail("C4", "broadcast_dimensions should not have duplicates");
  for (size_t i = 0; i < dimensions.size(); ++i) {
    const int64_t target = dimensions[i];
    if (target < 0 || target >= result.rank())
      return c.Fail("C3", "broadcast_dimensions contains invalid value {} for result with rank {}", target,
                    result.rank());
    const int64_t size = operand.shape[i];
    if (size != kDynamic && size != 1 && size != result.dim(target))
      return c.Fail("C5",
                    "size of operand dimension {} ({}) is not equal to 1 or size of result dimension {} ({})",
                    i, size, target, result.dim(target));
  }
  return CheckBroadcastQuantization(c, operand, result, dimensions);
}

bool InferConcatenate(OpCheck& c) {
  if (c.num_operands() == 0) return true;  // reported as a lack of operands
  const ShapedType first = c.In(0);
  const int64_t rank = first.rank(), dimension = c.Int("dimension");
  if (rank == 0) return c.Fail("C4", "rank-0 values cannot be concatenated");
  if (dimension >= rank)
    return c.Fail("C4", "dimension {} is out-of-bounds for input rank {}", dimension, rank);
  for (size_t i = 0; i < c.num_operands(); ++i) {
    const ShapedType input = c.In(i);
    if (input.rank() != rank) return c.Fail("C2", "operands (0) and ({}) do not match rank", i);
    for (int64_t d = 0; d < rank; ++d)
      if (d != dimension && !CompatibleDims(first.dim(d), input.dim(d)))
        return c.Fail(
            "C2", "shapes of operand (0) and ({}) are not compatible at non-concat index {}: ({}) != ({})", i,
            d, c.List(first.shape), c.List(input.shape));
  }
  // C5, C6: the sum along the dimension, and the merged sizes of the others.
  Dims sizes(size_t(rank), kDynamic), bounds(size_t(rank), kDynamic);
  sizes[size_t(dimension)] = 0;
  bool any_bounds = false;
  AttrId encoding;
  for (size_t i = 0; i < c.num_operands(); ++i) {
    const ShapedType input = c.In(i);
    any_bounds |= !input.bounds.empty();
    if (!encoding) encoding = input.encoding;
    for (int64_t d = 0; d < rank; ++d) {
      const SizeAndBound lhs{sizes[size_t(d)], bounds[size_t(d)]}, rhs{input.dim(d), input.bound(d)};
      SizeAndBound both;
      if (d != dimension) {
        if (!MostSpecific(c, d, lhs, rhs, &both)) return false;
      } else if (lhs.size != kDynamic && rhs.size != kDynamic) {
        both.size = WrapAdd(lhs.size, rhs.size);
      } else {
        const int64_t left = lhs.size != kDynamic ? lhs.size : lhs.bound;
        const int64_t right = rhs.size != kDynamic ? rhs.size : rhs.bound;
        if (left != kDynamic && right != kDynamic) both.bound = WrapAdd(left, right);
      }
      sizes[size_t(d)] = both.size;
      bounds[size_t(d)] = both.bound;
    }
  }
  if (any_bounds)
    c.InferTensor(sizes, {first.element}, encoding, bounds);
  else
    c.InferTensor(sizes, {first.element}, encoding);
  return true;
}

bool VerifyReshape(OpCheck& c) {
  const ShapedType operand = c.In(0), result = c.Out();
  if (!operand.IsStatic() || !result.IsStatic()) return true;
  const int64_t from = operand.NumElements(), to = result.NumElements();
  if (from != to)
    return c.Fail("C2", "number of output elements ({}) doesn't match expected number of elements ({})", to,
                  from);
  if (!IsQuantized(c.m, operand.element) && !IsQuantized(c.m, result.element)) return true;
  return CheckReshapeQuantization(c, operand, result);
}

bool VerifyTranspose(OpCheck& c) {
  const ShapedType operand = c.In(0), result = c.Out();
  if (!CheckSamePerTensorQuantization(c, "C1", operand.type, result.type) ||
      !CheckSamePerAxisQuantization(c, "C1", operand.type, result.type))
    return false;
  const QuantizedType from(c.m, operand.element), to(c.m, result.element);
  const DimSpan permutation = c.Ints("permutation");
  if (!from.per_axis || !to.per_axis || to.dimension >= int64_t(permutation.size())) return true;
  const int64_t source = permutation[size_t(to.dimension)];
  if (from.dimension == source) return true;
  return c.Fail("C4", "operand quantization_dimension {} is not same as permutation[{}] = {}", from.dimension,
                to.dimension, source);
}

bool InferTranspose(OpCheck& c) {
  const ShapedType operand = c.In(0);
  const DimSpan permutation = c.Ints("permutation");
  const int64_t rank = operand.rank();
  if (int64_t(permutation.size()) != rank)
    return c.Fail("C2", "TransposeOp operand rank {} does not match permutation size {}", rank,
                  permutation.size());
  bool valid = IsUnique(permutation);
  for (int64_t p : permutation) valid &= 0 <= p && p < rank;
  if (!valid) {
    Dims range;
    for (int64_t i = 0; i < rank; ++i) range.push_back(i);
    return c.Fail("C2", "attribute permutation must be a permutation of [{}] but got {}", c.List(range),
                  c.List(permutation));
  }
  Dims shape, bounds;
  for (int64_t p : permutation) {
    shape.push_back(operand.dim(p));
    if (!operand.bounds.empty()) bounds.push_back(operand.bound(p));
  }
  c.InferTensor(shape, {operand.element}, operand.encoding, bounds);  // C3
  return true;
}

bool VerifyReverse(OpCheck& c) {
  const DimSpan dimensions = c.Ints("dimensions");
  if (!IsUnique(dimensions)) return c.Fail("C2", "dimensions should be unique. Got: {}", c.List(dimensions));
  const int64_t rank = c.In(0).rank();
  for (int64_t d : dimensions) {
    if (d < 0) return c.Fail("C3", "all dimensions should be non-negative. Got dimension: {}.", d);
    if (d >= rank)
      return c.Fail("C3", "all dimensions should be between [0, {}). Got dimension: {}.", rank, d);
  }
  return true;
}

// C2: the three attributes are of one size.
bool SliceInvariant(OpCheck& c) {
  const size_t size = c.Ints("start_indices").size();
  if (c.Ints("limit_indices").size() == size && c.Ints("strides").size() == size) return true;
  return FailSame(c, "C2", "start_indices, limit_indices, strides", "size");
}

bool InferSlice(OpCheck& c) {
  const ShapedType operand = c.In(0);
  const DimSpan start = c.Ints("start_indices"), limit = c.Ints("limit_indices"), strides = c.Ints("strides");
  if (int64_t(start.size()) != operand.rank())
    return c.Fail("C2",
                  "the number of elements in start_indices ({}) does not match the rank of the operand ({})",
                  start.size(), operand.rank());
  Dims shape;
  for (size_t i = 0; i < start.size(); ++i) {
    if (start[i] < 0) return c.Fail("C3", "negative start index {} in dimension {}", start[i], i);
    const int64_t size = operand.shape[i], bound = operand.bound(int64_t(i));
    const bool is_static = size != kDynamic;
    if ((is_static || bound != kDynamic) && limit[i] > (is_static ? size : bound))
      return c.Fail("C3", "limit index {} is larger than dimension {} {} in dimension {}", limit[i],
                    is_static ? "size" : "bound", is_static ? size : bound, i);
    if (start[i] > limit[i])
      return c.Fail("C3", "start index {} is larger than limit index {} in dimension {}", start[i], limit[i],
                    i);
    if (strides[i] <= 0)
      return c.Fail("C4", "stride must be positive but got {} in dimension {}", strides[i], i);
    const int64_t length = limit[i] - start[i];
    shape.push_back(length / strides[i] + (length % strides[i] != 0));  // C5
  }
  c.InferTensor(shape, {operand.element}, operand.encoding, Dims(operand.bounds.size(), kDynamic));
  return true;
}

bool PadInvariant(OpCheck& c) {
  const size_t size = c.Ints("edge_padding_low").size();
  if (c.Ints("edge_padding_high").size() == size && c.Ints("interior_padding").size() == size) return true;
  return FailSame(c, "C2", "edge_padding_low, edge_padding_high, interior_padding", "size");
}

bool InferPad(OpCheck& c) {
  const ShapedType operand = c.In(0);
  const DimSpan low = c.Ints("edge_padding_low"), high = c.Ints("edge_padding_high"),
                interior = c.Ints("interior_padding");
  const int64_t rank = operand.rank();
  if (int64_t(low.size()) != rank)
    return c.Fail("C2", "edge_padding_low length ({}) must match operand rank ({})", low.size(), rank);
  Dims shape(size_t(rank), kDynamic), bounds(operand.bounds.size(), kDynamic);
  for (size_t i = 0; i < size_t(rank); ++i) {
    if (interior[i] < 0) return c.Fail("C3", "Interior padding cannot be negative: {}", interior[i]);
    const bool is_static = operand.shape[i] != kDynamic;
    const int64_t from = is_static ? operand.shape[i] : operand.bound(int64_t(i));
    if (from == kDynamic) continue;
    const int64_t to = WrapAdd(WrapAdd(WrapAdd(from, low[i]), high[i]),
                               WrapMul(std::max<int64_t>(WrapSub(from, 1), 0), interior[i]));
    if (to < 0)
      return c.Fail("C4", "Padding result in negative {} for dimension {}", is_static ? "size" : "bound", i);
    (is_static ? shape : bounds)[i] = to;
  }
  c.InferTensor(shape, {operand.element}, operand.encoding, bounds);
  return true;
}

namespace {

bool CheckDimension(OpCheck& c, std::string_view label, const ShapedType& type, int64_t dimension) {
  if (dimension >= type.rank())
    return c.Fail(label, "requires dimension attribute in range [0, {}); found ({})", type.rank(), dimension);
  return true;
}

}  // namespace

bool InferGetDimensionSize(OpCheck& c) {
  if (!CheckDimension(c, "C1", c.In(0), c.Int("dimension"))) return false;
  c.InferTensor({}, ElementRef::Kind(TypeKind::kI32));
  return true;
}

bool InferSetDimensionSize(OpCheck& c) {
  const ShapedType operand = c.In(0);
  if (c.In(1).rank() != 0) return c.Fail("R1", "size operand should be of rank-0");
  const int64_t dimension = c.Int("dimension");
  if (!CheckDimension(c, "R2", operand, dimension)) return false;
  Dims shape(operand.shape), bounds(size_t(operand.rank()), kDynamic);
  if (!operand.bounds.empty()) bounds = Dims(operand.bounds);
  int64_t& size = shape[size_t(dimension)];
  int64_t& bound = bounds[size_t(dimension)];
  if (size != kDynamic) bound = size;
  size = kDynamic;
  const IntElements constant = c.Constant(1);
  if (constant.ok() && constant.size() == 1 && constant[0] == bound) {
    size = bound;
    bound = kDynamic;
  }
  c.InferTensor(shape, {operand.element}, {}, bounds);
  return true;
}

// C1: operand and result have one element type.
bool DynamicSliceInvariant(OpCheck& c) {
  return c.in_element(0) == c.out_element() || FailSame(c, "C1", "operand, result", "element type");
}

namespace {

// Start indices from operand `first` on have one element type.
bool SameIndexTypes(OpCheck& c, std::string_view label, size_t first) {
  for (size_t i = first + 1; i < c.num_operands(); ++i)
    if (c.in_element(i) != c.in_element(first))
      return c.Fail(label, "start indices must have same element type");
  return true;
}

}  // namespace

bool InferDynamicSlice(OpCheck& c) {
  const ShapedType operand = c.In(0);
  const DimSpan sizes = c.Ints("slice_sizes");
  const size_t starts = c.num_operands() - 1;
  if (starts != sizes.size())
    return c.Fail("C2", "has mismatched number of slice sizes ({}) and number of start indices ({})",
                  sizes.size(), starts);
  if (operand.rank() != int64_t(starts))
    return c.Fail("C2", "has mismatched number of start indices ({}) and the rank of operand ({})", starts,
                  operand.rank());
  if (!SameIndexTypes(c, "C3", 1)) return false;
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] < 0) return c.Fail("C4", "has negative size index to dynamic slice: {}", sizes[i]);
    const int64_t size = operand.shape[i];
    if (size != kDynamic && sizes[i] > size)
      return c.Fail("C4", "has slice size {} greater than dimension size {} in dimension {} of operand",
                    sizes[i], size, i);
  }
  c.InferTensor(sizes, {operand.element});  // C5
  return true;
}

bool DynamicUpdateSliceInvariant(OpCheck& c) {
  const bool update = c.in_element(0) == c.in_element(1), result = c.in_element(0) == c.out_element();
  return (update && result) || FailSame(c, update ? "C1" : "C2", "operand, update, result", "element type");
}

bool InferDynamicUpdateSlice(OpCheck& c) {
  const ShapedType operand = c.In(0), update = c.In(1);
  if (update.rank() != operand.rank())
    return c.Fail("C3", "update rank does not match operand rank: {} vs {}.", update.rank(), operand.rank());
  const size_t starts = c.num_operands() - 2;
  if (int64_t(starts) != operand.rank())
    return c.Fail("C4", "expects number of start_indices to match operand rank: {} vs {}.", starts,
                  operand.rank());
  if (!SameIndexTypes(c, "C5", 2)) return false;
  for (size_t i = 0; i < operand.shape.size(); ++i) {
    const int64_t size = operand.shape[i], part = update.shape[i];
    if (part == kDynamic || size == kDynamic) continue;
    if (part < 0 || part > size)
      return c.Fail("C6", "expects size at dimension {} of update to be in range [0, {}]. Got: {}.", i, size,
                    part);
  }
  c.InferTensor(operand.shape, {operand.element}, operand.encoding);  // C1
  return true;
}

}  // namespace shlo
