#include "rewrite/quant/quant_rows.h"

#include <algorithm>

#include "base/format.h"
#include "ir/table/ops.h"
#include "rewrite/quant/quant_math.h"
#include "shlo/print.h"

namespace shlo::rewrite {
namespace {

constexpr bool kFloats = true;
// Sorted by name.
constexpr QuantRow kQuantRows[] = {
    {"stablehlo.abs", nullptr, kFloats},
    {"stablehlo.add", LowerAdd, kFloats},
    {"stablehlo.atan2", nullptr, kFloats},
    {"stablehlo.batch_norm_grad", nullptr, kFloats},
    {"stablehlo.batch_norm_inference", nullptr, kFloats},
    {"stablehlo.batch_norm_training", nullptr, kFloats},
    {"stablehlo.bitcast_convert", LowerStored},
    {"stablehlo.broadcast_in_dim", LowerStored},
    {"stablehlo.cbrt", nullptr, kFloats},
    {"stablehlo.ceil", nullptr, kFloats},
    {"stablehlo.cholesky", nullptr, kFloats},
    {"stablehlo.clamp", nullptr, kFloats},
    {"stablehlo.compare", nullptr, kFloats},
    {"stablehlo.composite", LowerStored},
    {"stablehlo.concatenate", LowerStored},
    {"stablehlo.constant", LowerStored},
    {"stablehlo.convolution", LowerConvolution, kFloats},
    {"stablehlo.cosine", nullptr, kFloats},
    {"stablehlo.divide", nullptr, kFloats},
    {"stablehlo.dot", LowerDot, kFloats},
    {"stablehlo.dot_general", LowerDot, kFloats},
    {"stablehlo.dynamic_broadcast_in_dim", LowerStored},
    {"stablehlo.dynamic_reshape", LowerStored},
    {"stablehlo.dynamic_slice", LowerStored},
    {"stablehlo.exponential", nullptr, kFloats},
    {"stablehlo.exponential_minus_one", nullptr, kFloats},
    {"stablehlo.floor", nullptr, kFloats},
    {"stablehlo.gather", LowerStored},
    {"stablehlo.get_dimension_size", LowerStored},
    {"stablehlo.log", nullptr, kFloats},
    {"stablehlo.log_plus_one", nullptr, kFloats},
    {"stablehlo.logistic", nullptr, kFloats},
    {"stablehlo.maximum", LowerStoredIfSame, kFloats},
    {"stablehlo.minimum", LowerStoredIfSame, kFloats},
    {"stablehlo.multiply", nullptr, kFloats},
    {"stablehlo.negate", nullptr, kFloats},
    {"stablehlo.pad", LowerStored},
    {"stablehlo.power", nullptr, kFloats},
    {"stablehlo.reduce_precision", nullptr, kFloats},
    {"stablehlo.reduce_window", LowerStored},
    {"stablehlo.remainder", nullptr, kFloats},
    {"stablehlo.reshape", LowerStored},
    {"stablehlo.return", LowerStored},
    {"stablehlo.round_nearest_afz", nullptr, kFloats},
    {"stablehlo.round_nearest_even", nullptr, kFloats},
    {"stablehlo.rsqrt", nullptr, kFloats},
    {"stablehlo.select", LowerStoredIfSame, kFloats},
    {"stablehlo.sign", nullptr, kFloats},
    {"stablehlo.sine", nullptr, kFloats},
    {"stablehlo.slice", LowerStored},
    {"stablehlo.sqrt", nullptr, kFloats},
    {"stablehlo.subtract", nullptr, kFloats},
    {"stablehlo.tan", nullptr, kFloats},
    {"stablehlo.tanh", nullptr, kFloats},
    {"stablehlo.transpose", LowerStored},
    {"stablehlo.triangular_solve", nullptr, kFloats},
    {"stablehlo.uniform_dequantize", LowerDequantize},
    {"stablehlo.uniform_quantize", LowerQuantize},
};
static_assert(std::ranges::is_sorted(kQuantRows, {}, &QuantRow::op));

TypeId QuantizedElement(const Legalizer& l, TypeId type) { return ElementOf(l.from(), type); }

}  // namespace

void FailMaterialization(Legalizer& l, TypeId from, TypeId to) {
  // Mirrors MLIR.
  l.Fail(
      StrFormat("failed to legalize unresolved materialization from ('{}') to ('{}') that remained live "
                "after conversion",
                TypeText(l.out(), from), TypeText(l.out(), to)));
}

const QuantRow* FindQuantRow(std::string_view op) {
  const auto found = std::ranges::lower_bound(kQuantRows, op, {}, &QuantRow::op);
  return found != std::end(kQuantRows) && found->op == op ? found : nullptr;
}

Legalizer::Outcome LowerStored(Legalizer& l, OpId op) {
  const Op& o = l[op];
  for (uint32_t i = 0; i < l.from().NumResults(o); ++i)
    l.editor().SetType(l.from().ResultOf(o, i), StorageType(l.out(), l.ResultType(op, i)));
  for (const RegionId region : l.from().RegionsOf(o))
    for (const BlockId block : l.from().BlocksOf(region)) {
      const Range args = l.from().blocks[block.v].args;
      for (uint32_t i = args.first; i < args.first + args.count; ++i)
        l.editor().SetType(ValueId(i), StorageType(l.out(), l.from().TypeOf(ValueId(i))));
    }
  return Legalizer::kDone;
}

Legalizer::Outcome LowerStoredIfSame(Legalizer& l, OpId op) {
  const TypeId element = QuantizedElement(l, l.ResultType(op));
  for (uint32_t i = 0; i < l.from().NumOperands(l[op]); ++i)
    if (const TypeId other = QuantizedElement(l, l.OperandType(op, i));
        IsQuantized(l.from(), other) && other != element)
      return Legalizer::kLegal;
  return LowerStored(l, op);
}

namespace {

// Per axis, only values of the same type with integers of 32 bits are added: a result of a product and its
// bias.
Legalizer::Outcome AddPerAxis(Legalizer& l, OpId op, const QuantizedType& q) {
  if (l.out().types.KindOf(q.storage) != TypeKind::kI32) return Legalizer::kLegal;
  const TypeId type = StorageType(l.out(), l.ResultType(op));
  ValueId sum = l.Emit(ops::kAdd, {l.Operand(op, 0), l.Operand(op, 1)}, type);
  if (HasZeroPoint(q))
    sum = EmitBroadcasting(l, ops::kChloBroadcastSubtract, sum, EmitZeroPoints(l, q), type, q);
  l.Replace(sum);
  return Legalizer::kDone;
}

}  // namespace

Legalizer::Outcome LowerAdd(Legalizer& l, OpId op) {
  const TypeId lhs = QuantizedElement(l, l.OperandType(op, 0)),
               rhs = QuantizedElement(l, l.OperandType(op, 1)),
               result = QuantizedElement(l, l.ResultType(op));
  const Module& m = l.from();
  const QuantizedType q(m, result);
  if (IsPerAxis(m, result) && lhs == result && rhs == result) return AddPerAxis(l, op, q);
  if (!IsPerTensor(m, lhs) || !IsPerTensor(m, rhs) || !IsPerTensor(m, result)) return Legalizer::kLegal;
  // In the quantization of the result, its integers are lhs + rhs - zero point.
  const TypeId i32 = l.WithElement(l.ResultType(op), TypeKind::kI32);
  const ValueId a = EmitRequantize(l, l.Operand(op, 0), lhs, result, i32);
  const ValueId b = EmitRequantize(l, l.Operand(op, 1), rhs, result, i32);
  const ValueId zero_point = l.Integer(q.zero_points[0]);
  ValueId sum = EmitBroadcasting(l, ops::kChloBroadcastAdd, a, b, i32);
  sum = EmitBroadcasting(l, ops::kChloBroadcastSubtract, sum, zero_point, i32);
  if (l.out().types.KindOf(q.storage) != TypeKind::kI32) {
    const ValueId least = l.Integer(q.storage_min), greatest = l.Integer(q.storage_max);
    sum = l.Emit(ops::kClamp, {least, sum, greatest}, i32);
    sum = l.Emit(ops::kConvert, {sum}, StorageType(l.out(), l.ResultType(op)));
  }
  l.Replace(sum);
  return Legalizer::kDone;
}

Legalizer::Outcome LowerQuantize(Legalizer& l, OpId op) {
  const TypeId from = QuantizedElement(l, l.OperandType(op, 0)), to = QuantizedElement(l, l.ResultType(op));
  if (IsQuantized(l.from(), from)) {
    const QuantizedType a(l.from(), from), b(l.from(), to);
    if (a.per_axis && b.per_axis && a.dimension != b.dimension) {
      // Mirrors MLIR.
      l.Fail("Cannot requantize while changing quantization_axis");
      return Legalizer::kIllegal;
    }
    if (a.per_axis && b.per_axis && a.scales.size() != b.scales.size()) return Legalizer::kIllegal;
    l.Replace(EmitRequantize(l, l.Operand(op, 0), from, to, StorageType(l.out(), l.ResultType(op))));
    return Legalizer::kDone;
  }
  if (l.from().types.KindOf(from) != TypeKind::kF32) {
    // Mirrors MLIR.
    l.Fail("Unsupported input element type.");
    return Legalizer::kIllegal;
  }
  l.Replace(EmitQuantize(l, l.Operand(op, 0), l.ResultType(op)));
  return Legalizer::kDone;
}

Legalizer::Outcome LowerDequantize(Legalizer& l, OpId op) {
  const TypeId type = l.ResultType(op);
  if (l.from().types.KindOf(ElementOf(l.from(), type)) != TypeKind::kF32) {
    FailMaterialization(l, l.WithElement(type, TypeKind::kF32), type);
    return Legalizer::kFailed;
  }
  l.Replace(EmitDequantize(l, l.Operand(op, 0), l.OperandType(op, 0), type));
  return Legalizer::kDone;
}

}  // namespace shlo::rewrite
