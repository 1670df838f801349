// Reads and writes NumPy files (.npy, format versions 1.0 to 3.0): a magic number, a header that is a Python
// dictionary ('descr', 'fortran_order', 'shape'), and the elements.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "shlo/tensor.h"

namespace shlo {

// Returns the file of a tensor, which must not be a token or tuple: version 1.0, row-major, little-endian.
// Types that NumPy does not have (bf16, f8, ...) are written as the unsigned integers of their bits,
// complex<f32> as c8.
Result<std::string> WriteNpy(const Tensor& tensor);
// Returns what comes before the elements in that file.
std::string NpyHeader(const Tensor& tensor);

// Reads an array of either order of dimensions and of bytes. With `type`, its shape must match, and elements
// of a type that NumPy lacks get their type from it: ml_dtypes ('V2', 'f1'), and unsigned integers of the
// same size. Other elements keep the type in the file; without `type`, the former
// fail with kUnsupported. If `owner` keeps `bytes`
// alive, the tensor is a view of them unless elements have to be moved.
Result<Tensor> ReadNpy(std::string_view bytes, const ValueTypePtr& type = nullptr,
                       const Buffer& owner = nullptr);

// Returns only the shape that a file states.
Result<std::vector<int64_t>> ReadNpyShape(std::string_view bytes);

}  // namespace shlo
