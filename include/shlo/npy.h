// Reads and writes NumPy files (.npy): a magic number, a header that is a Python dictionary ('descr',
// 'fortran_order', 'shape'), and the elements, row-major and little-endian. Writes format version 1.0. Types
// that NumPy does not have (bf16, f8, ...) are written as the integers of their bits, complex<f32> as c8.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "shlo/tensor.h"

namespace shlo {

// Returns the bytes of a file that holds `tensor`, which must not be a token or tuple.
Result<std::string> WriteNpy(const Tensor& tensor);
// Reads a tensor of type `type`, whose shape and element size must match the file. Without `type`, the type
// is inferred from the file. Fails with kUnsupported for Fortran order and dtypes without an element type.
Result<Tensor> ReadNpy(std::string_view bytes, const ValueTypePtr& type = nullptr);

// Tensors with their names, in the order of the archive.
using NamedTensors = std::vector<std::pair<std::string, Tensor>>;
// Returns the bytes of a .npz file: a ZIP archive of .npy files without compression, as np.savez writes.
// Fails with kLimit for more than 65535 tensors or 4 GiB.
Result<std::string> WriteNpz(const NamedTensors& tensors);
// Reads a .npz file; each tensor has the type that its .npy file states. Fails with kUnsupported for archives
// of np.savez_compressed.
Result<NamedTensors> ReadNpz(std::string_view bytes);

}  // namespace shlo
