// Tensors in memory of the caller: by pointer, type and strides, in and out. Elements lie as in Tensor.
#pragma once

#include <cstdint>
#include <span>

#include "shlo/diagnostics.h"
#include "shlo/tensor.h"

namespace shlo {

// A tensor of what lies at `data`. `strides` are in elements, one per dimension, of any sign; without them
// the elements are row-major. Row-major elements are not copied: they must stay as they are while the tensor
// lives.
Result<Tensor> TensorAt(const ValueTypePtr& type, const void* data, std::span<const int64_t> strides = {});

// Copies all elements to `data`, where they will lie with these strides (as above).
Result<void> CopyTo(const Tensor& tensor, void* data, std::span<const int64_t> strides = {});

}  // namespace shlo
