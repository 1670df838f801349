#include "rewrite/quant/quant_math.h"

#include <algorithm>

#include "ir/table/ops.h"
#include "rewrite/element_types.h"

namespace shlo::rewrite {
namespace {

constexpr int64_t kFreeWidth = 32;  // integers of this width are not clamped

std::vector<double> FloatsOf(std::span<const int64_t> numbers) { return {numbers.begin(), numbers.end()}; }

// Scales and zero points that change one quantization to another:
// stored * scale + zero_point, with one of each per index of `axis`.
struct Merged {
  std::vector<double> scales, zero_points;
  const QuantizedType& axis;
};

Merged Merge(const QuantizedType& from, const QuantizedType& to) {
  Merged merged{{}, {}, to.per_axis ? to : from};
  for (size_t i = 0; i < merged.axis.scales.size(); ++i) {
    const size_t f = from.per_axis ? i : 0, t = to.per_axis ? i : 0;
    const double scale = from.scales[f] / to.scales[t];
    merged.scales.push_back(scale);
    merged.zero_points.push_back(double(to.zero_points[t]) - double(from.zero_points[f]) * scale);
  }
  return merged;
}

ValueId EmitClamp(Legalizer& l, ValueId number, const QuantizedType& q) {
  const ValueId least = l.Float(double(q.storage_min)), greatest = l.Float(double(q.storage_max));
  return l.Emit(ops::kClamp, {least, number, greatest}, l.TypeOf(number));
}

}  // namespace

TypeId StorageType(Module& m, TypeId type) {
  const QuantizedType q(m, ElementOf(m, type));
  return q.ok ? WithElement(m, type, q.storage) : type;
}

TypeId ExpressedType(Module& m, TypeId type) {
  const QuantizedType q(m, ElementOf(m, type));
  return q.ok ? WithElement(m, type, q.expressed) : type;
}

bool IsQuantizedType(const Module& m, TypeId type) { return IsQuantized(m, ElementOf(m, type)); }

bool IsAnyQuantized(const Module& m, std::span<const TypeId> types) {
  return std::ranges::any_of(types, [&](TypeId type) { return IsQuantizedType(m, type); });
}

bool HasZeroPoint(const QuantizedType& q) {
  return std::ranges::any_of(q.zero_points, [](int64_t zero_point) { return zero_point != 0; });
}

ValueId EmitBroadcasting(Legalizer& l, RowId row, ValueId lhs, ValueId rhs, TypeId type) {
  return l.Emit(row, {lhs, rhs}, type);
}

ValueId EmitBroadcasting(Legalizer& l, RowId row, ValueId lhs, ValueId rhs, TypeId type,
                         const QuantizedType& by) {
  if (!by.per_axis) return EmitBroadcasting(l, row, lhs, rhs, type);
  return l.Emit(row, {lhs, rhs}, type, {{"broadcast_dimensions", l.out().I64s({&by.dimension, 1})}});
}

ValueId EmitScales(Legalizer& l, const QuantizedType& q) { return l.Floats(q.scales.ToVector(), q.per_axis); }

ValueId EmitZeroPoints(Legalizer& l, const QuantizedType& q) { return l.Integers(q.zero_points, q.per_axis); }

ValueId EmitFloatZeroPoints(Legalizer& l, const QuantizedType& q) {
  return l.Floats(FloatsOf(q.zero_points), q.per_axis);
}

ValueId EmitDequantize(Legalizer& l, ValueId stored, TypeId from, TypeId to) {
  const QuantizedType q(l.from(), ElementOf(l.from(), from));
  const ValueId scales = EmitScales(l, q), zero_points = EmitZeroPoints(l, q);
  const TypeId i32 = l.WithElement(l.TypeOf(stored), TypeKind::kI32);
  const TypeId f32 = l.WithElement(i32, TypeKind::kF32);
  ValueId number = l.Emit(ops::kConvert, {stored}, i32);
  number = EmitBroadcasting(l, ops::kChloBroadcastSubtract, number, zero_points, i32, q);
  number = l.Emit(ops::kConvert, {number}, f32);
  return EmitBroadcasting(l, ops::kChloBroadcastMultiply, number, scales, to, q);
}

ValueId EmitQuantize(Legalizer& l, ValueId number, TypeId to) {
  const QuantizedType q(l.from(), ElementOf(l.from(), to));
  const ValueId scales = EmitScales(l, q), zero_points = EmitFloatZeroPoints(l, q);
  const TypeId f32 = l.TypeOf(number);
  // Here the constants of the clamp precede what they clamp.
  const ValueId least = l.Float(double(q.storage_min)), greatest = l.Float(double(q.storage_max));
  number = EmitBroadcasting(l, ops::kChloBroadcastDivide, number, scales, f32, q);
  number = EmitBroadcasting(l, ops::kChloBroadcastAdd, number, zero_points, f32, q);
  number = l.Emit(ops::kClamp, {least, number, greatest}, f32);
  number = l.Emit(ops::kRoundNearestEven, {number}, f32);
  return l.Emit(ops::kConvert, {number}, StorageType(l.out(), to));
}

ValueId EmitRequantize(Legalizer& l, ValueId stored, TypeId from, TypeId to, TypeId type) {
  if (from == to) return l.Emit(ops::kConvert, {stored}, type);
  const QuantizedType a(l.from(), from), b(l.from(), to);
  const Merged merged = Merge(a, b);
  const TypeId f32 = l.WithElement(type, TypeKind::kF32);
  ValueId number = l.Emit(ops::kConvert, {stored}, f32);
  number = EmitBroadcasting(l, ops::kChloBroadcastMultiply, number,
                            l.Floats(merged.scales, merged.axis.per_axis), f32, merged.axis);
  if (std::ranges::any_of(merged.zero_points, [](double zero_point) { return zero_point != 0; }))
    number = EmitBroadcasting(l, ops::kChloBroadcastAdd, number,
                              l.Floats(merged.zero_points, merged.axis.per_axis), f32, merged.axis);
  if (ElementWidth(l.out(), ElementOf(l.out(), type)) < kFreeWidth) number = EmitClamp(l, number, b);
  number = l.Emit(ops::kRoundNearestEven, {number}, f32);
  return l.Emit(ops::kConvert, {number}, type);
}

}  // namespace shlo::rewrite
