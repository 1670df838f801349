// Arithmetic of quantized values on their stored integers, in the ops that the reference emits for it:
// constants, numbers of f32, and ops of CHLO that broadcast scales and zero points.
#pragma once

#include "rewrite/legalizer.h"
#include "shlo/types.h"

namespace shlo::rewrite {

// Returns the type that replaces a type in math on stored integers: the storage type for a quantized one, a
// tensor or buffer of it for one of these. Other types, tuples among them, stay.
TypeId StorageType(Module& m, TypeId type);
// The same for the numbers that quantized values represent.
TypeId ExpressedType(Module& m, TypeId type);
// Returns whether these types differ from StorageType.
bool IsQuantizedType(const Module& m, TypeId type);
bool IsAnyQuantized(const Module& m, std::span<const TypeId> types);

// Emit math for a stored value of the quantized type `from`, or for a number of f32, and return the result,
// whose type is `to`:
//   (stored - zero point) * scale, with the subtraction in i32
ValueId EmitDequantize(Legalizer& l, ValueId stored, TypeId from, TypeId to);
//   clamp(storage_min, number / scale + zero point, storage_max), rounded; as stored value of `to`
ValueId EmitQuantize(Legalizer& l, ValueId number, TypeId to);
// Changes a stored value from one quantized element type to another. `type` is that of the result: a tensor
// of the storage type, or of i32, in which nothing is clamped. Types per axis must have the same axis, and as
// many scales.
ValueId EmitRequantize(Legalizer& l, ValueId stored, TypeId from, TypeId to, TypeId type);

// Emits an op of CHLO that broadcasts its second operand, one number per index of the quantized dimension.
ValueId EmitBroadcasting(Legalizer& l, RowId row, ValueId lhs, ValueId rhs, TypeId type,
                         const QuantizedType& by);
// The same for a scalar.
ValueId EmitBroadcasting(Legalizer& l, RowId row, ValueId lhs, ValueId rhs, TypeId type);
// Emit the scales and zero points of a type: a scalar, or a vector if they are per axis.
ValueId EmitScales(Legalizer& l, const QuantizedType& q);
ValueId EmitZeroPoints(Legalizer& l, const QuantizedType& q);
ValueId EmitFloatZeroPoints(Legalizer& l, const QuantizedType& q);
// Returns whether a zero point is not 0.
bool HasZeroPoint(const QuantizedType& q);

}  // namespace shlo::rewrite
