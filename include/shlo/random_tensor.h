// Random inputs for trying out a program: the same on every machine for the same seed. `prove` uses boundary
// values instead (eval/input_generator.h).
#pragma once

#include <cstdint>

#include "shlo/tensor.h"

namespace shlo {

// Returns a tensor of floats (and parts of complex numbers) in [-1, 1), integers in [0, 9] or the range of
// the type, booleans, or quantized elements of the whole storage range. Empty if allocation fails.
Tensor RandomTensor(const ValueTypePtr& type, uint64_t seed);

}  // namespace shlo
