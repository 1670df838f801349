// Tensors as NumPy files (.npy, format version 1.0): a magic number, a header that is a Python dictionary
// ('descr', 'fortran_order', 'shape'), and the elements, row-major and little-endian. Types that NumPy does
// not have (bf16, f8, ...) are written as the unsigned integers of their bits, complex<f32> as c8.
#pragma once

#include <string>
#include <string_view>

#include "eval/tensor.h"

namespace shlo {

std::string WriteNpy(const Tensor& tensor);
// `type`, when given, says what the elements are: those of the file must have that size and fit it, and the
// shape must be the same. Otherwise it follows from the file.
Result<Tensor> ReadNpy(std::string_view bytes, const TensorTypePtr& type = nullptr);

}  // namespace shlo
