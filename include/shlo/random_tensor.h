// Tensors to try a program on: the same on every machine for the same seed. Not for proofs, which want the
// values at which kernels err (input_generator.h).
#pragma once

#include <cstdint>

#include "shlo/tensor.h"

namespace shlo {

// Floats (and parts of complex numbers) from [-1, 1), integers from 0 to 9 as far as the type has them,
// booleans either, quantized elements from their whole range. Not a tensor when there is no memory.
Tensor RandomTensor(const ValueTypePtr& type, uint64_t seed);

}  // namespace shlo
