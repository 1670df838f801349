#include "shlo/types.h"

#include <algorithm>

namespace shlo {

TensorParts::TensorParts(const Module& m, TypeId id) : type(id), element(id) {
  const auto node = m.types[id];
  FieldReader r(node.words);
  switch (node.kind) {
    case TypeKind::kTensor: {
      element = r.Type();
      encoding = r.Attr();
      shape = r.Ints();
      ranked = shaped = true;
      if (!encoding) return;
      const auto extension = m.attrs[encoding];
      if (extension.kind != AttrKind::kTypeExtensions) return;
      bounds = FieldReader(extension.words).Ints();
      if (bounds.size() != shape.size()) bounds = {};
      return;
    }
    case TypeKind::kMemref:
      element = r.Type();
      r.Attr();
      r.Attr();
      shape = r.Ints();
      shaped = true;
      return;
    case TypeKind::kVector:
      element = r.Type();
      shape = r.Ints();
      shaped = true;
      return;
    case TypeKind::kUnrankedTensor:
    case TypeKind::kUnrankedMemref:
      element = r.Type();
      shaped = true;
      return;
    default:
      return;
  }
}

bool TensorParts::IsStatic() const { return std::ranges::find(shape, kDynamic) == shape.end(); }

int64_t TensorParts::NumElements() const {
  uint64_t count = 1;
  for (int64_t d : shape) count *= uint64_t(d);
  return int64_t(count);
}

QuantView::QuantView(const Module& m, TypeId type) {
  const auto node = m.types[type];
  if (node.kind != TypeKind::kUniformQuantized && node.kind != TypeKind::kUniformQuantizedPerAxis &&
      node.kind != TypeKind::kUniformQuantizedSubChannel)
    return;
  ok = true;
  FieldReader r(node.words);
  storage = r.Type();
  expressed = r.Type();
  flags = r.Int();
  if (node.kind == TypeKind::kUniformQuantized) {
    // Fields of one word each: views of the scale and of the zero point.
    scales = node.words.subspan(3, 1);
    zero_points = {reinterpret_cast<const int64_t*>(node.words.data()) + 4, 1};
    storage_min = int64_t(node.words[5]);
    storage_max = int64_t(node.words[6]);
    return;
  }
  per_axis = node.kind == TypeKind::kUniformQuantizedPerAxis;
  if (per_axis) dimension = r.Int();
  storage_min = r.Int();
  storage_max = r.Int();
  if (!per_axis) return;
  scales = r.List();
  zero_points = r.Ints();
}

TypeId ElementOf(const Module& m, TypeId type) {
  const auto node = m.types[type];
  switch (node.kind) {
    case TypeKind::kTensor:
    case TypeKind::kUnrankedTensor:
    case TypeKind::kMemref:
    case TypeKind::kUnrankedMemref:
    case TypeKind::kVector:
      return TypeId(uint32_t(node.words[0]));
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
  const auto node = m.types[element];
  if (node.kind == TypeKind::kComplex) return 2 * ElementWidth(m, TypeId(uint32_t(node.words[0])));
  if (node.kind == TypeKind::kInteger) return int64_t(node.words[0]);
  if (const QuantView quant(m, element); quant.ok) return BitWidth(m.types.KindOf(quant.storage));
  return BitWidth(node.kind);
}

bool IsDefaultLayout(const Module& m, AttrId layout) {
  const auto node = m.attrs[layout];
  if (node.kind != AttrKind::kAffineMap) return false;
  const std::string_view text = m.strings[StringId(uint32_t(node.words[0]))];
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
  const TensorParts x(m, a), y(m, b);
  if (!x.shaped || !y.shaped) return x.shaped == y.shaped;
  const auto unranked = [&](TypeId t) {
    const TypeKind kind = m.types.KindOf(t);
    return kind == TypeKind::kUnrankedTensor || kind == TypeKind::kUnrankedMemref;
  };
  return unranked(a) || unranked(b) || CompatibleShapes(x.shape, y.shape);
}

bool CompatibleElements(const Module& m, TypeId a, TypeId b) {
  if (a == b) return true;
  a = ElementOf(m, a);
  b = ElementOf(m, b);
  if (a == b) return true;
  const QuantView x(m, a), y(m, b);
  return x.ok && y.ok && x.storage == y.storage && x.storage_min == y.storage_min &&
         x.storage_max == y.storage_max && x.expressed == y.expressed && x.per_axis == y.per_axis;
}

bool WithinBounds(std::span<const int64_t> shape, std::span<const int64_t> bounds) {
  // A dimension that is not known is the smallest integer, and so within any bound.
  for (size_t i = 0; i < std::min(shape.size(), bounds.size()); ++i)
    if (bounds[i] != kDynamic && bounds[i] < shape[i]) return false;
  return true;
}

bool CompatibleTypes(const Module& m, TypeId a, TypeId b) {
  if (a == b) return true;
  if (!CompatibleElements(m, a, b)) return false;
  const TensorParts x(m, a), y(m, b);
  if (!x.shaped || !y.shaped) return true;  // as the reference has it
  return CompatibleShapes(m, a, b) && WithinBounds(x.shape, y.bounds) && WithinBounds(y.shape, x.bounds);
}

}  // namespace shlo
