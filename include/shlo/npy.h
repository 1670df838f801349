// Tensors as NumPy files (.npy, format version 1.0): a magic number, a header that is a Python dictionary
// ('descr', 'fortran_order', 'shape'), and the elements, row-major and little-endian. Types that NumPy does
// not have (bf16, f8, ...) are written as the unsigned integers of their bits, complex<f32> as c8.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "shlo/tensor.h"

namespace shlo {

std::string WriteNpy(const Tensor& tensor);
// `type`, when given, says what the elements are: those of the file must have that size and fit it, and the
// shape must be the same. Otherwise it follows from the file.
Result<Tensor> ReadNpy(std::string_view bytes, const ValueTypePtr& type = nullptr);

// Several named tensors as a .npz: a ZIP archive of .npy files, stored without compression (as np.savez
// writes them; archives of np.savez_compressed are not read).
using NamedTensors = std::vector<std::pair<std::string, Tensor>>;
std::string WriteNpz(const NamedTensors& tensors);
Result<NamedTensors> ReadNpz(std::string_view bytes);

}  // namespace shlo
