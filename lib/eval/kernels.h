// The kernels, by family. Semantics stand above each kernel in its .cc.
#pragma once

#include "eval/kernel.h"

namespace shlo {

// elementwise_kernels.cc
Status EvaluateAdd(KernelCall& call);
Status EvaluateSubtract(KernelCall& call);
Status EvaluateSubV37(KernelCall& call);
Status EvaluateMaximum(KernelCall& call);
Status EvaluateMinimum(KernelCall& call);
Status EvaluateAnd(KernelCall& call);
Status EvaluateOr(KernelCall& call);
Status EvaluateXor(KernelCall& call);
Status EvaluateNot(KernelCall& call);

// structural_kernels.cc
Status EvaluateConstant(KernelCall& call);
Status EvaluateCall(KernelCall& call);
Status EvaluateReturn(KernelCall& call);

// check_kernels.cc
Status EvaluateExpectEq(KernelCall& call);
Status EvaluateExpectEqConst(KernelCall& call);
Status EvaluateExpectAlmostEq(KernelCall& call);
Status EvaluateExpectAlmostEqConst(KernelCall& call);
Status EvaluateExpectClose(KernelCall& call);

}  // namespace shlo
