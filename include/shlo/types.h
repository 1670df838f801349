// Views of types, and the relations between types that the specification's constraints use: compatible
// shapes, element types and bounds. Nothing is allocated.
#pragma once

#include <cstdint>
#include <span>

#include "shlo/module.h"

namespace shlo {

// View of a tensor, vector or buffer, as MLIR's ShapedType. Other types have no shape, and `element` is the
// type itself.
struct ShapedType {
  ShapedType() = default;
  // The view of `type`; its lists are valid until a type or attribute is interned.
  ShapedType(const Module& module, TypeId type);

  TypeId type;                      // the type viewed
  TypeId element;                   // its element type
  AttrId encoding;                  // of a ranked tensor; none: no encoding
  bool ranked = false;              // a tensor with a rank
  bool unranked = false;            // a tensor or buffer without a rank
  bool vector = false;              // a vector
  bool shaped = false;              // a tensor, buffer or vector
  std::span<const int64_t> shape;   // one size per dimension: kDynamic where it is dynamic
  std::span<const int64_t> bounds;  // empty, or one per dimension: kDynamic where there is none

  // Returns whether the number of dimensions is known.
  bool has_rank() const { return shaped && !unranked; }
  // Returns whether dense elements may have this type: a ranked tensor or a vector.
  bool IsTensorOrVector() const { return ranked || vector; }
  // Properties of a type with a rank, and of its dimension `i`.
  int64_t rank() const { return int64_t(shape.size()); }
  int64_t dim(int64_t i) const { return shape[size_t(i)]; }
  int64_t bound(int64_t i) const { return bounds.empty() ? kDynamic : bounds[size_t(i)]; }
  bool IsDynamic(int64_t i) const { return shape[size_t(i)] == kDynamic; }
  bool IsStatic() const;
  // Returns the number of elements of a static shape; wraps around on overflow.
  int64_t NumElements() const;
};

// View of a quantized element type, as MLIR's QuantizedType; `ok` is false for other types.
struct QuantizedType {
  // The view of `type`; its lists are valid until a type is interned.
  QuantizedType(const Module& module, TypeId type);
  QuantizedType(const QuantizedType&) = delete;  // the lists may refer to the object itself
  QuantizedType& operator=(const QuantizedType&) = delete;

  bool ok = false;                       // whether the type is quantized
  bool per_axis = false;                 // one scale per index of `dimension`
  TypeId storage;                        // integer type of the stored elements
  TypeId expressed;                      // float type of the represented values
  int64_t flags = 0;                     // bit 0: the storage type is signed
  int64_t dimension = 0;                 // quantized dimension, if per axis
  int64_t storage_min = 0;               // least stored integer
  int64_t storage_max = 0;               // greatest stored integer
  NodeList<double> scales;               // one if not per axis
  std::span<const int64_t> zero_points;  // as many as scales

 private:
  double scale_ = 0;
  int64_t zero_point_ = 0;
};

// Returns whether no dimension is dynamic.
bool IsStatic(std::span<const int64_t> shape);
// Returns the element type of a tensor or buffer; other types unchanged.
TypeId ElementOf(const Module& module, TypeId type);
bool IsQuantized(const Module& module, TypeId element);
bool IsPerAxis(const Module& module, TypeId element);
bool IsPerTensor(const Module& module, TypeId element);
// Returns the number of bits of one element: both parts of complex, the storage type of quantized.
int64_t ElementWidth(const Module& module, TypeId element);

// Return whether a memref's layout or memory space is the default: the identity map, and memory space 0.
bool IsDefaultLayout(const Module& module, AttrId layout);
bool IsDefaultMemorySpace(const Module& module, AttrId space);

// Returns whether two sizes may be equal; a dynamic size is compatible with any.
constexpr bool CompatibleDims(int64_t a, int64_t b) { return a == kDynamic || b == kDynamic || a == b; }
bool CompatibleShapes(std::span<const int64_t> a, std::span<const int64_t> b);
// As above, for the shapes of types: unranked tensors are compatible with any shape, types without shape only
// with each other.
bool CompatibleShapes(const Module& module, TypeId a, TypeId b);
// Returns whether element types are equal, or quantized and equal except for scales and zero points.
bool CompatibleElements(const Module& module, TypeId a, TypeId b);
// Returns whether an inferred and a written result type are compatible: shapes within each other's bounds,
// and compatible element types.
bool CompatibleTypes(const Module& module, TypeId a, TypeId b);
// Returns whether no dimension of `shape` exceeds its bound.
bool WithinBounds(std::span<const int64_t> shape, std::span<const int64_t> bounds);

}  // namespace shlo
