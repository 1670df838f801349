// Converts between tensors and strided memory of the caller. Elements have the layout of Tensor.
#pragma once

#include <cstdint>
#include <span>

#include "shlo/diagnostics.h"
#include "shlo/tensor.h"

namespace shlo {

// Wraps strided memory as a tensor; copies unless it is row-major. `strides` are in elements, one per
// dimension, of any sign; empty means row-major. Row-major memory must outlive the tensor unchanged.
Result<Tensor> TensorAt(const ValueTypePtr& type, const void* data, std::span<const int64_t> strides = {});

// Copies all elements to `data` with the given strides (as above).
Result<void> CopyTo(const Tensor& tensor, void* data, std::span<const int64_t> strides = {});

}  // namespace shlo
