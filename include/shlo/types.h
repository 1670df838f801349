// Views of types and the relations between them that the specification's constraints are stated in:
// compatible shapes, element types and bounds. Read only, nothing is allocated. Not for which types an op
// takes: that is type_class.h.
#pragma once

#include <cstdint>
#include <span>

#include "shlo/module.h"

namespace shlo {

// What tensors, vectors and buffers share, as MLIR's ShapedType. Of other types: without shape, `element` is
// the type itself.
struct ShapedType {
  ShapedType() = default;
  ShapedType(const Module& module, TypeId type);

  TypeId type;
  TypeId element;
  AttrId encoding;
  bool ranked = false;    // a tensor with a rank
  bool unranked = false;  // a tensor or buffer without a rank
  bool vector = false;
  bool shaped = false;  // a tensor, buffer or vector
  std::span<const int64_t> shape;
  std::span<const int64_t> bounds;  // empty, or one per dimension: kDynamic where there is none

  bool has_rank() const { return shaped && !unranked; }
  // What dense elements may be of: a tensor with a rank, or a vector.
  bool IsTensorOrVector() const { return ranked || vector; }
  int64_t rank() const { return int64_t(shape.size()); }
  int64_t dim(int64_t i) const { return shape[size_t(i)]; }
  int64_t bound(int64_t i) const { return bounds.empty() ? kDynamic : bounds[size_t(i)]; }
  bool IsDynamic(int64_t i) const { return shape[size_t(i)] == kDynamic; }
  bool IsStatic() const;
  // Number of elements of a static shape; wraps around where memory could not hold them.
  int64_t NumElements() const;
};

// What quantized element types share, as MLIR's QuantizedType; `ok` is false for other types.
struct QuantizedType {
  QuantizedType(const Module& module, TypeId type);
  QuantizedType(const QuantizedType&) = delete;  // the lists may refer to the object itself
  QuantizedType& operator=(const QuantizedType&) = delete;

  bool ok = false;
  bool per_axis = false;
  TypeId storage, expressed;
  int64_t flags = 0;
  int64_t dimension = 0;
  int64_t storage_min = 0, storage_max = 0;
  NodeList<double> scales;  // one when not per axis
  std::span<const int64_t> zero_points;

 private:
  double scale_ = 0;
  int64_t zero_point_ = 0;
};

// No dimension is dynamic.
bool IsStatic(std::span<const int64_t> shape);
// The element type of a tensor or buffer; other types themselves.
TypeId ElementOf(const Module& module, TypeId type);
bool IsQuantized(const Module& module, TypeId element);
bool IsPerAxis(const Module& module, TypeId element);
bool IsPerTensor(const Module& module, TypeId element);
// Bits of one element: twice for complex, the storage type's for quantized.
int64_t ElementWidth(const Module& module, TypeId element);

// What a memref has that does not say where its layout or its memory is: the identity map, and memory 0.
bool IsDefaultLayout(const Module& module, AttrId layout);
bool IsDefaultMemorySpace(const Module& module, AttrId space);

// A size that is not known fits any.
constexpr bool CompatibleDims(int64_t a, int64_t b) { return a == kDynamic || b == kDynamic || a == b; }
bool CompatibleShapes(std::span<const int64_t> a, std::span<const int64_t> b);
// Shapes of types: tensors without rank fit any; types without shape fit only their like.
bool CompatibleShapes(const Module& module, TypeId a, TypeId b);
// Element types (of tensors, or types themselves): equal, or quantized alike but for scales and zero points.
bool CompatibleElements(const Module& module, TypeId a, TypeId b);
// Types an inferred and a written result may have: compatible shapes within each other's bounds, and
// compatible element types.
bool CompatibleTypes(const Module& module, TypeId a, TypeId b);
// No dimension of `shape` exceeds its bound.
bool WithinBounds(std::span<const int64_t> shape, std::span<const int64_t> bounds);

}  // namespace shlo
