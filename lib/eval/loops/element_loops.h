// The pickers of the loops of element-wise ops, by family. Comments in each .cc state the semantics.
#pragma once

#include "eval/loops/element_loop.h"

namespace shlo {

// arithmetic.cc
ElementLoop PickAdd(LoopQuery& query);
ElementLoop PickSubtract(LoopQuery& query);
ElementLoop PickSubV37(LoopQuery& query);
ElementLoop PickMultiply(LoopQuery& query);
ElementLoop PickDivide(LoopQuery& query);
ElementLoop PickRemainder(LoopQuery& query);
ElementLoop PickMaximum(LoopQuery& query);
ElementLoop PickMinimum(LoopQuery& query);
ElementLoop PickNegate(LoopQuery& query);
ElementLoop PickAbs(LoopQuery& query);
ElementLoop PickSign(LoopQuery& query);
ElementLoop PickSquare(LoopQuery& query);

// bit.cc
ElementLoop PickAnd(LoopQuery& query);
ElementLoop PickOr(LoopQuery& query);
ElementLoop PickXor(LoopQuery& query);
ElementLoop PickNot(LoopQuery& query);
ElementLoop PickShiftLeft(LoopQuery& query);
ElementLoop PickShiftRightArithmetic(LoopQuery& query);
ElementLoop PickShiftRightLogical(LoopQuery& query);
ElementLoop PickPopcnt(LoopQuery& query);
ElementLoop PickCountLeadingZeros(LoopQuery& query);
ElementLoop PickMulhi(LoopQuery& query);

// math.cc
ElementLoop PickAtan2(LoopQuery& query);
ElementLoop PickPower(LoopQuery& query);
ElementLoop PickCbrt(LoopQuery& query);
ElementLoop PickCosine(LoopQuery& query);
ElementLoop PickSine(LoopQuery& query);
ElementLoop PickTan(LoopQuery& query);
ElementLoop PickTanh(LoopQuery& query);
ElementLoop PickExponential(LoopQuery& query);
ElementLoop PickExponentialMinusOne(LoopQuery& query);
ElementLoop PickLog(LoopQuery& query);
ElementLoop PickLogPlusOne(LoopQuery& query);
ElementLoop PickLogistic(LoopQuery& query);
ElementLoop PickSqrt(LoopQuery& query);
ElementLoop PickRsqrt(LoopQuery& query);
ElementLoop PickCeil(LoopQuery& query);
ElementLoop PickFloor(LoopQuery& query);
ElementLoop PickRoundNearestAfz(LoopQuery& query);
ElementLoop PickRoundNearestEven(LoopQuery& query);
ElementLoop PickAsinAcosKernel(LoopQuery& query);
ElementLoop PickAcos(LoopQuery& query);
ElementLoop PickAcosh(LoopQuery& query);
ElementLoop PickAsin(LoopQuery& query);
ElementLoop PickAsinh(LoopQuery& query);
ElementLoop PickAtan(LoopQuery& query);
ElementLoop PickAtanh(LoopQuery& query);
ElementLoop PickCosh(LoopQuery& query);
ElementLoop PickSinh(LoopQuery& query);
ElementLoop PickErf(LoopQuery& query);
ElementLoop PickErfc(LoopQuery& query);
ElementLoop PickErfInv(LoopQuery& query);
ElementLoop PickLgamma(LoopQuery& query);
ElementLoop PickDigamma(LoopQuery& query);
ElementLoop PickBesselI1e(LoopQuery& query);
ElementLoop PickPolygamma(LoopQuery& query);
ElementLoop PickZeta(LoopQuery& query);
ElementLoop PickNextAfter(LoopQuery& query);

// choice.cc
ElementLoop PickCompare(LoopQuery& query);
ElementLoop PickSelect(LoopQuery& query);
ElementLoop PickClamp(LoopQuery& query);
ElementLoop PickIsFinite(LoopQuery& query);
ElementLoop PickIsInf(LoopQuery& query);
ElementLoop PickIsPosInf(LoopQuery& query);
ElementLoop PickIsNegInf(LoopQuery& query);

// conversion.cc
ElementLoop PickConvert(LoopQuery& query);
ElementLoop PickReal(LoopQuery& query);
ElementLoop PickImag(LoopQuery& query);
ElementLoop PickComplex(LoopQuery& query);
ElementLoop PickConj(LoopQuery& query);
ElementLoop PickReducePrecision(LoopQuery& query);

}  // namespace shlo
