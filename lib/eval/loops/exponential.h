// `exponential` and `logistic` of f32, several elements at a time. Internal to lib/eval.
#pragma once

#include "eval/loops/element_loop.h"

namespace shlo {

// Return loops that compute float(exp(double(x))) and float(1 / (1 + exp(-double(x)))), with the C library's
// exp, bit for bit; nullptr if this machine has no vectors for it.
ElementLoop::Run WideExponential();
ElementLoop::Run WideLogistic();

}  // namespace shlo
