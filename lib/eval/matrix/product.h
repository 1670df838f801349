// Products of batches of matrices, in tiles (tile.h). Internal to lib/eval.
#pragma once

#include <vector>

#include "eval/kernel/kernel.h"
#include "eval/loops/element_loop.h"

namespace shlo {

// Loops for multiplication and addition of elements; empty if the type has none.
struct ArithmeticLoops {
  ElementLoop multiply, add;
};
ArithmeticLoops LoopsOf(ElementType element);

// Returns whether elements of this type can be multiplied and added.
bool CanContract(ElementType element);

// Offsets of the matrices of one product of a batch, in elements.
struct MatrixBatch {
  int64_t a = 0, b = 0, c = 0;
};

// Operands of a batch of products of (m, k) and (k, n) matrices. Steps are in elements; columns of `c` are
// adjacent. `a` and `b` may be unaligned.
struct MatrixOperands {
  int64_t m = 0, k = 0, n = 0;
  std::vector<MatrixBatch> batches;
  const uint8_t* a = nullptr;
  int64_t a_row = 0, a_column = 1;
  const uint8_t* b = nullptr;
  int64_t b_row = 0, b_column = 1;
  uint8_t* c = nullptr;
  int64_t c_row = 0;
  TypeKind operand = TypeKind::kInvalid;   // f16 or bf16: elements of `a` and `b`, if those of `c` are f32
  TypeKind rounding = TypeKind::kInvalid;  // f16 or bf16: the format to round f32 to, in every operation
  bool fast = false;                       // products may be exact
};

// The rows of left operands that are not matrices in memory, such as the windows of a convolution.
class MatrixRows {
 public:
  // Columns are in segments of this many; in each, they are `column_step` elements apart.
  int64_t run = 1, column_step = 1;
  int64_t scratch_bytes = 0;  // that Locate needs, per row
  // If not 0: all columns are one segment of adjacent elements in memory, and rows are this many bytes apart.
  int64_t row_bytes = 0;
  // Sets at[r] to the first element of a segment of row first + r: in memory that outlives the product, or in
  // `scratch`. With a column step other than 1, nullptr is a segment of zeros. Called on several threads.
  virtual void Locate(int64_t batch, int64_t segment, int64_t first, int64_t count, uint8_t* scratch,
                      const uint8_t** at) const = 0;

 protected:
  ~MatrixRows() = default;
};

// Computes c[i][j] = sum over p of a[i][p] * b[p][j] for each product of the batch, starting at zero, in the
// order of p. Each product and sum rounds to the element type. If `rows` is given, it has the elements of
// `a`.
void MatrixProduct(KernelHost& host, ElementType element, const MatrixOperands& operands,
                   const MatrixRows* rows = nullptr);

}  // namespace shlo
