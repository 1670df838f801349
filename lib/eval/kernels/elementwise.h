// Element-wise evaluation of whole tensors, for kernels that are composed of such ops. Internal to lib/eval.
#pragma once

#include <span>
#include <string_view>

#include "eval/kernel/kernel.h"
#include "eval/loops/element_loop.h"

namespace shlo {

// Applies a loop to tensors of equal shape (splats included). The result has the shape of the operands and
// the given type; it is a splat if all operands are.
Result<Tensor> Apply(KernelHost& host, const ElementLoop& loop, std::span<const Tensor* const> operands,
                     const ValueTypePtr& result);
// Applies an op without attributes ("stablehlo.add") to tensors of equal shape. The result has the inferred
// element type, or `element` if given.
Result<Tensor> ApplyOp(KernelHost& host, RowId op, std::initializer_list<const Tensor*> operands,
                       ElementType element = {});

}  // namespace shlo
