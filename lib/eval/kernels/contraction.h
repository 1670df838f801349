// The product of batches of matrices, at the bottom of every contraction. Internal to lib/eval.
#pragma once

#include "eval/kernels/kernel_args.h"
#include "eval/loops/element_loop.h"

namespace shlo {

// Multiplication and addition of elements of any type; empty loops where there is none.
struct ArithmeticLoops {
  ElementLoop multiply, add;
};
ArithmeticLoops LoopsOf(ElementType element);

// Whether elements of this type can be multiplied and added.
bool CanContract(ElementType element);

// c[b][m][n] = sum over k of a[b][m][k] * b[b][k][n], row-major, beginning with zero, in the order of k, each
// product and each sum rounded to the element type (products need not be, when the host's options are
// `fast`). `c` is zero before.
void MatrixProduct(KernelHost& host, ElementType element, const uint8_t* a, const uint8_t* b, uint8_t* c,
                   int64_t batches, int64_t m, int64_t k, int64_t n);

// The tensor in another element type (as `convert`), with one stored element per element.
Result<Tensor> DenseAs(KernelHost& host, const Tensor& tensor, ElementType element);

}  // namespace shlo
