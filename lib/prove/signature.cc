#include "prove/signature.h"

#include <algorithm>

#include "shlo/print.h"
#include "shlo/types.h"

namespace shlo {

bool DeclaredType::is_static() const {
  return std::find(shape.begin(), shape.end(), kDynamic) == shape.end();
}

bool DeclaredType::SameButBounds(const DeclaredType& other) const {
  return element == other.element && shape == other.shape && outside == other.outside &&
         bool(quantization) == bool(other.quantization) &&
         (!quantization || *quantization == *other.quantization);
}

ValueTypePtr DeclaredType::With(std::span<const int64_t> extents) const {
  if (is_token()) return MakeTokenType();
  std::vector<int64_t> sizes = shape;
  size_t next = 0;
  for (int64_t& size : sizes)
    if (size == kDynamic) size = next < extents.size() ? extents[next++] : 1;
  return MakeTensorType(element, sizes, quantization);
}

std::optional<DeclaredType> DeclaredTypeOf(const Module& module, TypeId type) {
  DeclaredType out;
  if (module.types.KindOf(type) == TypeKind::kToken) {
    out.element.kind = TypeKind::kToken;
    return out;
  }
  const ShapedType shaped(module, type);
  if (!shaped.ranked) {
    const ValueTypePtr scalar = TensorTypeOf(module, type);
    out.outside = TypeText(module, type);
    if (out.outside == "!shape.shape") {
      out.element.kind = TypeKind::kIndex;
      out.shape = {kDynamic};
    } else if (scalar && scalar->is_tensor()) {
      out.element = scalar->element;
    } else {
      return std::nullopt;
    }
    return out;
  }
  out.quantization = QuantizationOf(module, shaped.element, &out.element);
  if (!out.quantization) {
    const auto element = ElementTypeOf(module, shaped.element);
    if (!element) return std::nullopt;
    out.element = *element;
  }
  out.shape.assign(shaped.shape.begin(), shaped.shape.end());
  out.bounds.assign(shaped.bounds.begin(), shaped.bounds.end());
  return out;
}

}  // namespace shlo
