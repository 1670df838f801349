// Elementwise ops, and other ops that compute one element of the result from one of each operand.
#include "ir/verify/rules/common.h"
#include "ir/verify/rules/rules.h"

namespace shlo {

// abs (C1, C2), real, imag: the shape of the operand, the real type of its elements.
bool InferRealPart(OpCheck& c) {
  const ShapedType operand = c.In(0);
  const auto complex = c.m.As<ComplexType>(operand.element);
  c.InferTensor(operand.shape, {complex ? complex->element : operand.element}, operand.encoding);
  return true;
}

// add: C1 for tensors that are not quantized, C2 to C7 for those that are.
bool VerifyAdd(OpCheck& c) {
  const TypeId lhs = c.in_element(0), rhs = c.in_element(1), result = c.out_element();
  if (!IsQuantized(c.m, lhs) && !IsQuantized(c.m, rhs) && !IsQuantized(c.m, result)) {
    if (lhs == rhs && lhs == result) return true;
    return c.Fail("C1", "op requires the same element type for all operands and results");
  }
  const QuantizedType l(c.m, lhs), r(c.m, rhs), o(c.m, result);
  if (!l.ok || !r.ok || !o.ok)
    return c.Fail("C2", "expects  all operands and results to be either quantized or non-quantized");
  if (l.storage != r.storage || l.storage != o.storage)
    return c.Fail("C3", "mismatched operands and result quantization storage types");
  if (l.expressed != r.expressed || l.expressed != o.expressed)
    return c.Fail("C4", "mismatched operands and result quantization expressed types");
  if (!l.per_axis && !r.per_axis) {
    if (!o.per_axis) return true;
    return c.Fail("C5", "result per_axis quantized but none from rhs and lhs are per_axis quantized");
  }
  if (!o.per_axis) return c.Fail("C5", "result is not per_axis quantized but lhs or rhs are");
  if (l.per_axis && l.dimension != o.dimension)
    return c.Fail("C6", "quantization_dimension of lhs and result are not same {} vs {}", c.T(lhs),
                  c.T(result));
  if (r.per_axis && r.dimension != o.dimension)
    return c.Fail("C7", "quantization_dimension of rhs and result are not same {} vs {}", c.T(rhs),
                  c.T(result));
  return true;
}

// add: where one operand is quantized per axis, so is the result (C5), with the axis of that operand.
bool InferAdd(OpCheck& c) {
  if (!IsPerTensor(c.m, c.in_element(0)) || !QuantizedType(c.m, c.in_element(1)).per_axis)
    return InferMostSpecific(c);
  c.Note("releases up to 1.22.0 refuse an lhs that is quantized per tensor where rhs is quantized per axis",
         "swap the operands");
  Dims operands;
  for (size_t i : {1, 0}) operands.push_back(int64_t(c.in(i).v));
  return InferMostSpecificOf(c, operands);
}

bool InferMostSpecific(OpCheck& c) {
  Dims operands;
  for (size_t i = 0; i < c.num_operands(); ++i) operands.push_back(int64_t(c.in(i).v));
  return InferMostSpecificOf(c, operands);
}

// Ops with a result_accuracy: no tolerance is negative, and only mode TOLERANCE has tolerances.
bool VerifyAccuracy(OpCheck& c) {
  const AttrId attr = c.Attr("result_accuracy");
  if (!attr) return true;
  const auto accuracy = c.m.Get<ResultAccuracyAttr>(attr);
  if (std::signbit(accuracy.atol) || std::signbit(accuracy.rtol) || accuracy.ulps < 0)
    return c.FailAt("R1", "result_accuracy", "Negative tolerance");
  const auto mode = c.m.EnumValue(accuracy.mode, AttrKind::kResultAccuracyMode);
  if (!mode) return true;
  const EnumCase* row = FindCase(AttrKind::kResultAccuracyMode, *mode);
  const bool exact = accuracy.atol == 0 && accuracy.rtol == 0 && accuracy.ulps == 0;
  if (!row || row->name == "TOLERANCE" || exact) return true;
  return c.FailAt("R2", "result_accuracy",
                  "Invalid tolerances for ResultAccuracyAttr with mode {}, must be all zero.", row->name);
}

bool InferIsFinite(OpCheck& c) {
  const ShapedType operand = c.In(0);
  Inferred& type = c.InferTensor(operand.shape, ElementRef::Kind(TypeKind::kI1));
  type.ranked = operand.ranked;
  type.encoding = operand.encoding;
  return true;
}

// complex: C2, C3.
bool InferComplex(OpCheck& c) {
  const ShapedType lhs = c.In(0);
  c.InferTensor(lhs.shape, ElementRef::ComplexOf(lhs.element), lhs.encoding);
  return true;
}

namespace {

// The comparison types that fit elements by compare C3. Empty if it does not say.
std::span<const std::string_view> ComparisonTypesFor(const Module& m, TypeId element) {
  static constexpr std::string_view kSigned[] = {"SIGNED"}, kUnsigned[] = {"UNSIGNED"},
                                    kFloat[] = {"FLOAT", "TOTALORDER"};
  const TypeKind kind = m.types.KindOf(element);
  if (kind == TypeKind::kI1 || IsUnsignedInteger(kind)) return kUnsigned;
  if (IsSignlessInteger(kind)) return kSigned;
  if (IsFloat(kind)) return kFloat;
  if (kind == TypeKind::kComplex) return std::span(kFloat).first(1);
  return {};
}

}  // namespace

// compare: C1 to C3, R1.
bool InferCompare(OpCheck& c) {
  const ShapedType lhs = c.In(0);
  const auto value = c.m.EnumValue(c.Attr("compare_type"), AttrKind::kComparisonType);
  const EnumCase* type = value ? FindCase(AttrKind::kComparisonType, *value) : nullptr;
  if (type && type->name == "WEAKORDER") {
    if (!IsFloat(c.m.types.KindOf(lhs.element)))
      return c.Fail("R1",
                    "WEAKORDER comparison type is only supported for floating-point element types, got {}",
                    c.T(lhs.element));
  } else if (type && type->name != "NOTYPE") {
    const auto fitting = ComparisonTypesFor(c.m, lhs.element);
    if (!fitting.empty() && std::ranges::find(fitting, type->name) == fitting.end())
      c.Beyond("C3", "compare_type {} does not fit elements of type {}, which are compared as {}", type->name,
               c.T(lhs.element), fitting[0]);
  }
  c.InferTensor(lhs.shape, ElementRef::Kind(TypeKind::kI1), lhs.encoding);
  return true;
}

bool InferClamp(OpCheck& c) {
  const ShapedType min = c.In(0), operand = c.In(1), max = c.In(2);
  if (min.rank() != 0 && !CompatibleShapes(min.shape, operand.shape))
    return c.Fail("C1", "min shape [{}] is not scalar and is not compatible to operand shape [{}]",
                  c.List(min.shape), c.List(operand.shape));
  if (max.rank() != 0 && !CompatibleShapes(max.shape, operand.shape))
    return c.Fail("C2", "max shape [{}] is not scalar and is not compatible to operand shape [{}]",
                  c.List(max.shape), c.List(operand.shape));
  c.InferTensor(operand.shape, {operand.element});  // C4; bounds are not carried over
  return true;
}

bool InferSelect(OpCheck& c) {
  const ShapedType pred = c.In(0), on_true = c.In(1), on_false = c.In(2);
  if (!CompatibleShapes(on_true.shape, on_false.shape) || on_true.element != on_false.element)
    return c.Fail("C2", "requires compatible types for non-predicate operands");
  if (pred.rank() != 0 && !CompatibleShapes(pred.shape, on_true.shape))
    return c.Fail("C1", "requires the same shape for all operands");
  Dims types;
  types.push_back(int64_t(c.in(1).v));
  types.push_back(int64_t(c.in(2).v));
  return InferMostSpecificOf(c, types);
}

bool VerifyBitcastConvert(OpCheck& c) {
  const ShapedType operand = c.In(0), result = c.Out();
  const auto is_complex = [&](const ShapedType& t) {
    return c.m.types.KindOf(t.element) == TypeKind::kComplex;
  };
  if (is_complex(operand) != is_complex(result))
    return c.Fail("C2", "cannot convert between real and complex types, but got: {} and {}",
                  c.T(operand.type), c.T(result.type));
  const int64_t from = ElementWidth(c.m, operand.element), to = ElementWidth(c.m, result.element);
  const ShapedType& smaller = from < to ? operand : result;
  const ShapedType& bigger = from < to ? result : operand;
  DimSpan prefix = smaller.shape;
  if (from != to) {
    if (smaller.rank() != bigger.rank() + 1)
      return c.Fail(
          "C1",
          "rank of smaller element type ({}) should be 1 more than rank of larger element type ({}), "
          "but {} != {} + 1.",
          smaller.rank(), bigger.rank(), smaller.rank(), bigger.rank());
    prefix = prefix.first(prefix.size() - 1);
    const int64_t last = smaller.shape.back();
    const int64_t narrow = std::min(from, to), wide = std::max(from, to);
    if (last != kDynamic && WrapMul(last, narrow) != wide)
      return c.Fail("C1", "requires compatible bit widths. Got: {} and {}, but {} * {} != {}.",
                    c.T(operand.type), c.T(result.type), narrow, last, wide);
  }
  for (size_t i = 0; i < std::min(prefix.size(), bigger.shape.size()); ++i)
    if (!CompatibleDims(prefix[i], bigger.shape[i]))
      return c.Fail(
          "C1",
          "operand and result shapes must match except for the innermost dimension of the shape with "
          "the smaller element type. Got: {} and {}.",
          c.T(operand.type), c.T(result.type));
  if (from == to) c.InferTensor(operand.shape, {result.element});
  return true;
}

bool VerifyUniformQuantize(OpCheck& c) {
  const QuantizedType from(c.m, c.in_element(0)), to(c.m, c.out_element());
  const TypeId expected = from.ok ? from.expressed : c.in_element(0);
  if (to.expressed == expected) return true;
  return c.Fail("C2", "Expressed type of result expected to be {}, but got {}", c.T(expected),
                c.T(to.expressed));
}

// uniform_dequantize: C1, C2.
bool InferUniformDequantize(OpCheck& c) {
  const ShapedType operand = c.In(0);
  c.InferTensor(operand.shape, {QuantizedType(c.m, operand.element).expressed});
  return true;
}

bool InferMap(OpCheck& c) {
  if (c.num_operands() != c.num_args(0))
    return c.Fail("C4",
                  "expects number of operands to match the arity of map computation, but got: {} and {}",
                  c.num_operands(), c.num_args(0));
  for (size_t i = 0; i < c.num_operands(); ++i) {
    const ShapedType argument(c.m, c.arg(0, i));
    if (!argument.ranked || argument.rank() != 0)
      return c.Fail("C4", "computation arguments must be 0-rank tensor, but got: arg #{} of type {}", i,
                    c.T(argument.type));
    if (argument.element != c.in_element(i))
      return c.Fail("C4", "element type of operands and computation arguments must match, but got: {} and {}",
                    c.T(c.in_element(i)), c.T(argument.element));
  }
  const auto returned = c.Returned(0);
  if (returned.size() != 1)
    return c.Fail("C4", "computation must return single output, but got: {}", returned.size());
  const ShapedType output(c.m, returned[0]);
  if (!output.ranked || output.rank() != 0)
    return c.Fail("C4", "computation must return 0-rank tensor, but got: {}", c.T(output.type));
  const DimSpan dimensions = c.Ints("dimensions");
  for (size_t i = 0; i < dimensions.size(); ++i)
    if (dimensions[i] != int64_t(i))
      return c.Fail("C3", "requires monotonically increasing dimension numbers, but got: {}",
                    c.List(dimensions));
  DimSpan shape;
  for (size_t i = 0; i < c.num_operands(); ++i) {
    shape = c.In(i).shape;
    if (dimensions.size() != shape.size())
      return c.Fail("C3",
                    "applied to a subset of dimensions currently not supported: operand dimensions = {}, "
                    "requested map dimensions size = {}",
                    shape.size(), dimensions.size());
  }
  c.InferTensor(shape, {output.element});  // C4
  return true;
}

}  // namespace shlo
