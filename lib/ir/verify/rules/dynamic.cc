// Ops whose result shape is an operand. Constraints on the shape are checked if the operand is constant.
#include "ir/verify/rules/common.h"

namespace shlo {

namespace {

// A shape operand has one size for each dimension of the result. The reference looks only at constants.
void CheckNumSizes(OpCheck& c, std::string_view label, const ShapedType& sizes, const ShapedType& result) {
  if (sizes.ranked && sizes.rank() == 1 && !sizes.IsDynamic(0) && result.ranked &&
      sizes.dim(0) != result.rank())
    c.Beyond(label, "the shape operand has {} sizes for a result of rank {}", sizes.dim(0), result.rank());
}

}  // namespace

bool VerifyDynamicIota(OpCheck& c) {
  const ShapedType result = c.Out();
  if (c.Int("iota_dimension") >= result.rank())
    return c.Fail("C1", "iota dimension cannot go beyond the output rank.");
  if (!CheckShapeOperand(c, "C2", 0, result)) return false;
  CheckNumSizes(c, "C2", c.In(0), result);
  return true;
}

namespace {

bool CheckElements(OpCheck& c, const ShapedType& operand, const ShapedType& result) {
  if (IsQuantized(c.m, operand.element) || IsQuantized(c.m, result.element) ||
      operand.element == result.element)
    return true;
  return c.Fail("C1", "expects operand and result to have compatible element type. Got: {} and {}",
                c.T(operand.type), c.T(result.type));
}

}  // namespace

bool VerifyDynamicBroadcastInDim(OpCheck& c) {
  const ShapedType operand = c.In(0), result = c.Out();
  if (!CheckElements(c, operand, result)) return false;
  const DimSpan dimensions = c.Ints("broadcast_dimensions");
  if (int64_t(dimensions.size()) != operand.rank())
    return c.Fail("C2", "broadcast_dimensions size ({}) does not match operand rank ({})", dimensions.size(),
                  operand.rank());
  if (result.rank() < operand.rank())
    return c.Fail("C3", "result rank ({}) is less than operand rank ({})", result.rank(), operand.rank());
  if (!IsUnique(dimensions)) return c.Fail("C4", "broadcast_dimensions should not have duplicates");
  for (size_t i = 0; i < dimensions.size(); ++i) {
    const int64_t target = dimensions[i], size = operand.shape[i];
    if (target < 0 || target >= result.rank())
      return c.Fail("C3", "broadcast_dimensions contains invalid value {} for result with rank {}", target,
                    result.rank());
    if (size != 1 && !CompatibleDims(size, result.dim(target)))
      return c.Fail(
          "C5", "size of operand dimension {} ({}) is not compatible with size of result dimension {} ({})",
          i, size, target, result.dim(target));
  }
  if (!CheckShapeOperand(c, "C7", 1, result)) return false;
  CheckNumSizes(c, "C7", c.In(1), result);
  Dims hints;
  hints.append(c.Ints("known_expanding_dimensions"));
  hints.append(c.Ints("known_nonexpanding_dimensions"));
  if (!IsUnique(hints)) return c.Fail("C8", "duplicate expansion hint for at least one operand dimension");
  const size_t num_expanding = c.Ints("known_expanding_dimensions").size();
  for (size_t i = 0; i < hints.size(); ++i)
    if (hints[i] < 0 || hints[i] >= operand.rank())
      return c.Fail(i < num_expanding ? "C9" : "C10",
                    "hint for expanding dimension {} does not refer to a valid operand dimension", hints[i]);
  const IntElements shape = c.Constant(1);
  if (operand.IsStatic() && shape.ok()) {
    for (size_t i = 0; i < dimensions.size(); ++i) {
      const int64_t size = operand.shape[i];
      if (uint64_t(dimensions[i]) >= shape.size()) break;
      const int64_t target = shape[uint64_t(dimensions[i])];
      if (size != 1 && size != target)
        return c.Fail(
            "C5", "size of operand dimension {} ({}) is not equal to 1 or value of shape at index {} ({})", i,
            size, dimensions[i], target);
    }
  }
  return CheckBroadcastQuantization(c, operand, result, dimensions);
}

bool VerifyDynamicReshape(OpCheck& c) {
  const ShapedType operand = c.In(0), result = c.Out();
  if (!CheckElements(c, operand, result)) return false;
  if (operand.IsStatic() && result.IsStatic() && operand.NumElements() != result.NumElements())
    return c.Fail("C2", "number of output elements ({}) doesn't match expected number of elements ({})",
                  result.NumElements(), operand.NumElements());
  if (!CheckShapeOperand(c, "C4", 1, result)) return false;
  if (c.In(1).dim(0) != result.rank())
    return c.Fail("C4", "result should have a rank equal to the number of elements in output_shape");
  const IntElements shape = c.Constant(1);
  if (operand.IsStatic() && shape.ok()) {
    int64_t count = 1;
    for (uint64_t i = 0; i < shape.size(); ++i) count = WrapMul(count, shape[i]);
    if (count != operand.NumElements())
      return c.Fail("C2",
                    "output_shape is incompatible with input type of operation: input has {} elements, but "
                    "output_shape has {}",
                    operand.NumElements(), count);
  }
  return CheckReshapeQuantization(c, operand, result);  // C1, C3
}

// C1, C2, C4: one element type, one type of the paddings, one rank.
bool DynamicPadInvariant(OpCheck& c) {
  if (c.in_element(0) != c.in_element(1) || c.in_element(0) != c.out_element())
    return FailSame(c, "C1", "operand, padding_value, result", "element type");
  if (c.in(2) != c.in(3) || c.in(2) != c.in(4))
    return FailSame(c, "C2", "edge_padding_low, edge_padding_high, interior_padding", "type");
  return c.In(0).rank() == c.Out().rank() || FailSame(c, "C4", "operand, result", "rank");
}

bool VerifyDynamicPad(OpCheck& c) {
  const ShapedType operand = c.In(0), result = c.Out();
  const int64_t pads = c.In(2).dim(0);
  if (pads != operand.rank())
    return c.Fail("C2", "padding operands size ({}) must match operand rank ({})", pads, operand.rank());
  const IntElements interior = c.Constant(4);
  if (!interior.ok()) return true;
  Dims values;
  bool negative = false;
  for (uint64_t i = 0; i < interior.size(); ++i) {
    values.push_back(interior[i]);
    negative |= interior[i] < 0;
  }
  if (negative) return c.Fail("C3", "interior_padding must be non-negative, but got {}", c.List(values));
  const IntElements low = c.Constant(2), high = c.Constant(3);
  if (!low.ok() || !high.ok()) return true;
  Dims padded;
  for (size_t i = 0; i < operand.shape.size(); ++i) {
    const int64_t size = operand.shape[i];
    padded.push_back(size == kDynamic ? kDynamic
                                      : WrapAdd(WrapAdd(WrapAdd(size, low[i]),
                                                        WrapMul(std::max<int64_t>(size - 1, 0), values[i])),
                                                high[i]));
    if (operand.IsStatic() && result.IsStatic() && result.shape[i] != padded[i])
      return c.Fail("C4", "expected output dimension at index {} to equal {}, but got {}", i, padded[i],
                    result.shape[i]);
  }
  c.InferTensor(padded, {result.element});
  return true;
}

bool RealDynamicSliceInvariant(OpCheck& c) {
  if (c.in_element(0) != c.out_element()) return FailSame(c, "R1", "operand, result", "element type");
  return (c.in(1) == c.in(2) && c.in(1) == c.in(3)) ||
         FailSame(c, "R2", "start_indices, limit_indices, strides", "type");
}

bool VerifyRealDynamicSlice(OpCheck& c) {
  const int64_t rank = c.In(0).rank();
  const std::string_view names[] = {"start_indices", "limit_indices", "strides"};
  for (size_t i = 0; i < 3; ++i) {
    const int64_t size = c.In(i + 1).dim(0);
    if (size != kDynamic && size != rank)
      return c.Fail("R3", "has mismatched number of operand rank ({}) and {} size ({})", rank, names[i],
                    size);
  }
  const IntElements starts = c.Constant(1), limits = c.Constant(2), strides = c.Constant(3);
  if (!starts.ok() || !limits.ok() || !strides.ok()) return true;
  Dims sizes;
  for (uint64_t i = 0; i < uint64_t(rank); ++i) {
    const int64_t length = WrapSub(limits[i], starts[i]), stride = strides[i];
    sizes.push_back(stride < 1 || length < 0 ? kDynamic : length / stride + (length % stride != 0));
  }
  c.InferTensor(sizes, {c.out_element()});
  return true;
}

bool RngInvariant(OpCheck& c) {
  return (c.in_element(0) == c.in_element(1) && c.in_element(0) == c.out_element()) ||
         FailSame(c, "C1", "a, b, result", "element type");
}

bool InferRng(OpCheck& c) {
  const bool uniform = c.m.EnumValue(c.Attr("rng_distribution"), AttrKind::kRngDistribution) ==
                       FindCase(AttrKind::kRngDistribution, "UNIFORM")->value;
  if (!uniform &&
      (!IsFloat(c.m.types.KindOf(c.in_element(0))) || !IsFloat(c.m.types.KindOf(c.in_element(1)))))
    return c.Fail("C2", "mu and sigma must be floats");
  const IntElements shape = c.Constant(2);
  Dims sizes;
  if (shape.ok()) {
    for (uint64_t i = 0; i < shape.size(); ++i) sizes.push_back(shape[i]);
  } else {
    constexpr int64_t kLargestRank = 1 << 16;
    for (int64_t i = 0; i < std::min(c.In(2).dim(0), kLargestRank); ++i) sizes.push_back(kDynamic);
  }
  c.InferTensor(sizes, {c.in_element(1)});
  return true;
}

bool VerifyRngBitGenerator(OpCheck& c) {
  const ShapedType before = c.In(0), after = c.Out(0);
  if (!CompatibleShapes(before.shape, after.shape))
    return c.Fail("C1", "output state shape must be compatible with initial state shape. Got: {} and {}",
                  c.T(before.type), c.T(after.type));
  if (before.element != after.element)
    c.Beyond("C1", "the state has elements of type {} before and of type {} after", c.T(before.element),
             c.T(after.element));
  c.InferTensor(before.shape, {after.element});
  c.Infer(c.out(1));
  const auto value = c.m.EnumValue(c.Attr("rng_algorithm"), AttrKind::kRngAlgorithm);
  const EnumCase* algorithm = value ? FindCase(AttrKind::kRngAlgorithm, *value) : nullptr;
  const int64_t size = before.rank() == 1 ? before.dim(0) : 0;
  if (!algorithm || algorithm->name == "DEFAULT" || size == kDynamic || size == 2) return true;
  if (size != 3 || algorithm->name != "PHILOX")
    c.Beyond("C2", "a state of type {} does not fit algorithm {}", c.T(before.type), algorithm->name);
  return true;
}

}  // namespace shlo
