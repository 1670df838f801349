// Pickers of element loops that code other than their row calls. All others are declared by
// lib/eval/kernels/kernel_rows.inc.
#pragma once

#include "eval/loops/element_loop.h"

namespace shlo {

// arithmetic.cc
ElementLoop PickAdd(LoopQuery& query);
ElementLoop PickSubtract(LoopQuery& query);
ElementLoop PickMultiply(LoopQuery& query);
ElementLoop PickDivide(LoopQuery& query);
ElementLoop PickMaximum(LoopQuery& query);
ElementLoop PickMinimum(LoopQuery& query);

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
ElementLoop PickAsinAcosKernel(LoopQuery& query);
ElementLoop PickLogistic(LoopQuery& query);
ElementLoop PickSqrt(LoopQuery& query);
ElementLoop PickRsqrt(LoopQuery& query);
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

// choice.cc
ElementLoop PickSelect(LoopQuery& query);

// conversion.cc
ElementLoop PickConvert(LoopQuery& query);

}  // namespace shlo
