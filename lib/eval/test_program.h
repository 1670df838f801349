// Programs and tensors for tests.
#pragma once

#include <vector>

#include "ir/module/test_program.h"
#include "shlo/tensor.h"

namespace shlo {

// Returns the type of a tensor in a program.
inline TypeId TypeIn(TestProgram& p, const ValueType& type) {
  return type.element.complex ? p.ComplexTensor(type.element.kind, type.shape)
                              : p.Tensor(type.element.kind, type.shape);
}

// Creates a tensor from values of the storage type.
template <typename T>
Tensor TensorOf(ElementType element, std::vector<int64_t> shape, std::vector<T> values) {
  return Tensor::Copy(MakeTensorType(element, shape),
                      {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)});
}

}  // namespace shlo
