// Products of batches of matrices, used by all contractions. Internal to lib/eval.
#pragma once

#include "eval/kernels/kernel_args.h"
#include "eval/loops/element_loop.h"

namespace shlo {

// Loops for multiplication and addition of elements; empty if the type has none.
struct ArithmeticLoops {
  ElementLoop multiply, add;
};
ArithmeticLoops LoopsOf(ElementType element);

// Returns whether elements of this type can be multiplied and added.
bool CanContract(ElementType element);

// Computes c[b][m][n] = sum over k of a[b][m][k] * b[b][k][n], row-major, starting at zero, in the order of
// k. Each product and sum rounds to the element type (with the option `fast`, products may be exact). `c`
// must be zero.
void MatrixProduct(KernelHost& host, ElementType element, const uint8_t* a, const uint8_t* b, uint8_t* c,
                   int64_t batches, int64_t m, int64_t k, int64_t n);

// Converts a tensor to a different element type (like `convert`), without splat storage.
Result<Tensor> DenseAs(KernelHost& host, const Tensor& tensor, ElementType element);

}  // namespace shlo
