#include "shlo/types.h"

#include <algorithm>

#include "base/stack.h"

namespace shlo {

ShapedType::ShapedType(const Module& m, TypeId id) : type(id), element(id) {
  const auto node = m.types[id];
  switch (node.kind) {
    case TypeKind::kTensor: {
      const auto tensor = node.Get<TensorType>();
      element = tensor.element;
      encoding = tensor.encoding;
      shape = tensor.shape;
      ranked = shaped = true;
      if (!encoding) return;
      const auto extensions = m.As<TypeExtensionsAttr>(encoding);
      if (extensions && extensions->bounds.size() == shape.size()) bounds = extensions->bounds;
      return;
    }
    case TypeKind::kMemref: {
      const auto buffer = node.Get<MemRefType>();
      element = buffer.element;
      shape = buffer.shape;
      shaped = true;
      return;
    }
    case TypeKind::kVector: {
      const auto lanes = node.Get<VectorType>();
      element = lanes.element;
      shape = lanes.shape;
      vector = shaped = true;
      return;
    }
    case TypeKind::kUnrankedTensor:
      element = node.Get<UnrankedTensorType>().element;
      unranked = shaped = true;
      return;
    case TypeKind::kUnrankedMemref:
      element = node.Get<UnrankedMemRefType>().element;
      unranked = shaped = true;
      return;
    default:
      return;
  }
}

bool IsStatic(std::span<const int64_t> shape) { return std::ranges::find(shape, kDynamic) == shape.end(); }

bool ShapedType::IsStatic() const { return shlo::IsStatic(shape); }

int64_t ShapedType::NumElements() const {
  uint64_t count = 1;
  for (int64_t d : shape) count *= uint64_t(d);
  return int64_t(count);
}

QuantizedType::QuantizedType(const Module& m, TypeId type) {
  const auto node = m.types[type];
  const auto share = [&](const auto& quantized) {
    ok = true;
    storage = quantized.storage;
    expressed = quantized.expressed;
    flags = quantized.flags;
    storage_min = quantized.storage_min;
    storage_max = quantized.storage_max;
  };
  if (const auto uniform = node.As<UniformQuantizedType>()) {
    share(*uniform);
    scale_ = uniform->scale;
    zero_point_ = uniform->zero_point;
    scales = std::span<const double>(&scale_, 1);
    zero_points = {&zero_point_, 1};
  } else if (const auto axis = node.As<UniformQuantizedPerAxisType>()) {
    share(*axis);
    per_axis = true;
    dimension = axis->quantized_dimension;
    scales = axis->scales;
    zero_points = axis->zero_points;
  } else if (const auto blocks = node.As<UniformQuantizedSubChannelType>()) {
    share(*blocks);
  }
}

TypeId ElementOf(const Module& m, TypeId type) {
  const auto node = m.types[type];
  switch (node.kind) {
    case TypeKind::kTensor:
      return node.Get<TensorType>().element;
    case TypeKind::kUnrankedTensor:
      return node.Get<UnrankedTensorType>().element;
    case TypeKind::kMemref:
      return node.Get<MemRefType>().element;
    case TypeKind::kUnrankedMemref:
      return node.Get<UnrankedMemRefType>().element;
    case TypeKind::kVector:
      return node.Get<VectorType>().element;
    default:
      return type;
  }
}

bool IsQuantized(const Module& m, TypeId element) { return IsQuantized(m.types.KindOf(element)); }
bool IsPerAxis(const Module& m, TypeId element) {
  return m.types.KindOf(element) == TypeKind::kUniformQuantizedPerAxis;
}
bool IsPerTensor(const Module& m, TypeId element) {
  return m.types.KindOf(element) == TypeKind::kUniformQuantized;
}

int64_t ElementWidth(const Module& m, TypeId element) {
  CheckStack();
  const auto node = m.types[element];
  if (const auto complex = node.As<ComplexType>()) return 2 * ElementWidth(m, complex->element);
  if (const auto integer = node.As<IntegerType>()) return integer->width;
  if (const QuantizedType quant(m, element); quant.ok) return BitWidth(m.types.KindOf(quant.storage));
  return BitWidth(node.kind);
}

bool IsDefaultLayout(const Module& m, AttrId layout) {
  const auto map = m.As<AffineMapAttr>(layout);
  if (!map) return false;
  const std::string_view text = m.strings[map->text];
  const size_t arrow = text.find(" -> ");
  return arrow != std::string_view::npos && text.substr(0, arrow) == text.substr(arrow + 4);
}

bool IsDefaultMemorySpace(const Module& m, AttrId space) {
  int64_t number;
  return m.AsInteger(space, &number) && number == 0;
}

bool CompatibleShapes(std::span<const int64_t> a, std::span<const int64_t> b) {
  return std::ranges::equal(a, b, CompatibleDims);
}

bool CompatibleShapes(const Module& m, TypeId a, TypeId b) {
  if (a == b) return true;
  const ShapedType x(m, a), y(m, b);
  if (!x.shaped || !y.shaped) return x.shaped == y.shaped;
  return x.unranked || y.unranked || CompatibleShapes(x.shape, y.shape);
}

bool CompatibleElements(const Module& m, TypeId a, TypeId b) {
  if (a == b) return true;
  a = ElementOf(m, a);
  b = ElementOf(m, b);
  if (a == b) return true;
  const QuantizedType x(m, a), y(m, b);
  return x.ok && y.ok && x.storage == y.storage && x.storage_min == y.storage_min &&
         x.storage_max == y.storage_max && x.expressed == y.expressed && x.per_axis == y.per_axis;
}

bool WithinBounds(std::span<const int64_t> shape, std::span<const int64_t> bounds) {
  // kDynamic is the smallest integer, and so within any bound.
  for (size_t i = 0; i < std::min(shape.size(), bounds.size()); ++i)
    if (bounds[i] != kDynamic && bounds[i] < shape[i]) return false;
  return true;
}

bool CompatibleTypes(const Module& m, TypeId a, TypeId b) {
  if (a == b) return true;
  if (!CompatibleElements(m, a, b)) return false;
  const ShapedType x(m, a), y(m, b);
  if (!x.shaped || !y.shaped) return true;  // as in the reference
  return CompatibleShapes(m, a, b) && WithinBounds(x.shape, y.bounds) && WithinBounds(y.shape, x.bounds);
}

}  // namespace shlo
