// Reads and writes NumPy files (.npy, format version 1.0): a magic number, a header that is a Python
// dictionary
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
// Reads a tensor of type `type`, whose shape and element size must match the file. Without `type`, the type
// is inferred from the file.
Result<Tensor> ReadNpy(std::string_view bytes, const ValueTypePtr& type = nullptr);

// Reads and writes named tensors as .npz: a ZIP archive of .npy files without compression, as np.savez
// writes. Archives of np.savez_compressed are not supported.
using NamedTensors = std::vector<std::pair<std::string, Tensor>>;
std::string WriteNpz(const NamedTensors& tensors);
Result<NamedTensors> ReadNpz(std::string_view bytes);

}  // namespace shlo
