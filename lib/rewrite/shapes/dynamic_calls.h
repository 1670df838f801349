// Custom calls of jax for ops whose attributes depend on dimension variables.
#pragma once

#include "shlo/editor.h"
#include "shlo/limits.h"

namespace shlo::rewrite {

// Replaces a call of stablehlo.dynamic_top_k, dynamic_rng_bit_generator or dynamic_reduce_window, whose last
// operands are constants, by the op that has attributes instead, and whose results have the shapes that
// follow. Computations are those of `original`, the module that the editor began with. Returns whether it was
// one.
bool ReplaceDynamicCall(ModuleEditor* editor, const Module& original, OpId op);

// Makes calls of stablehlo.dynamic_approx_top_k calls of ApproxTopK, with k in their configuration, where
// their results have static shapes and k is their last operand.
Result<void> MakeApproxTopKStatic(ModuleEditor* editor, const Limits& limits);

}  // namespace shlo::rewrite
