// What all contractions share. Internal to lib/eval.
#pragma once

#include "eval/kernel/kernel_args.h"
#include "eval/matrix/product.h"

namespace shlo {

// The element types of a product.
struct ProductTypes {
  ElementType operand;  // to convert the operands to
  ElementType result;   // of the product, which is to be converted to the declared type
  // For MatrixOperands.
  TypeKind narrow = TypeKind::kInvalid;
  TypeKind rounding = TypeKind::kInvalid;
};
// Returns the types for operands and a result of declared types. Products of f16 and bf16 are computed in
// f32, which operations round to the format again unless the option `fast` is given.
ProductTypes ProductTypesOf(const KernelHost& host, ElementType lhs, ElementType rhs, ElementType declared);

// Converts a tensor to a different element type (like `convert`), without splat storage.
Result<Tensor> DenseAs(KernelHost& host, const Tensor& tensor, ElementType element);

}  // namespace shlo
