#include "rewrite/element_types.h"

#include "shlo/types.h"

namespace shlo::rewrite {

TypeId WithElement(Module& m, TypeId type, TypeId element) {
  const ShapedType shaped(m, type);
  const std::vector<int64_t> shape(shaped.shape.begin(), shaped.shape.end());
  if (const auto tensor = m.As<TensorType>(type)) return m.TensorType(shape, element, tensor->encoding);
  if (m.As<UnrankedTensorType>(type)) return m.Make(UnrankedTensorType{.element = element});
  if (const auto vector = m.As<VectorType>(type)) {
    const std::vector<int64_t> scalable(vector->scalable.begin(), vector->scalable.end());
    return m.Make(VectorType{.element = element, .shape = shape, .scalable = scalable});
  }
  if (const auto buffer = m.As<MemRefType>(type))
    return m.Make(MemRefType{
        .element = element, .layout = buffer->layout, .memory_space = buffer->memory_space, .shape = shape});
  if (const auto buffer = m.As<UnrankedMemRefType>(type))
    return m.Make(UnrankedMemRefType{.element = element, .memory_space = buffer->memory_space});
  return element;
}

}  // namespace shlo::rewrite
