// Tensors: the values that programs compute. A tensor is a type (element type and shape) and bytes, laid out
// as the payload of a constant: row-major, ceil(width / 8) bytes per element, little-endian, unused high bits
// zero, complex as (real, imaginary). The bytes are shared, either owned or a view into something that
// someone keeps alive; copying a Tensor never copies them. A splat stores one element for all. Elements of a
// quantized tensor are those of its storage type; what they stand for is part of the type.
// Tokens and tuples are values, too, and travel in the same class: a token has no bytes, a tuple has members.
// Not for arithmetic: that is the kernels' work.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "shlo/diagnostics.h"
#include "shlo/module.h"

namespace shlo {

// The type of one element.
struct ElementType {
  TypeKind kind = TypeKind::kInvalid;  // of the element; of each part, when complex
  bool complex = false;
  bool spelled_signed = false;  // written `si32`: the same values as `i32`, but another type
  friend bool operator==(ElementType, ElementType) = default;
  uint32_t width() const {
    return uint32_t(BitWidth(kind)) * (complex ? 2 : 1);
  }  // bits that carry information
  uint32_t part_bytes() const { return (uint32_t(BitWidth(kind)) + 7) / 8; }
  uint32_t bytes() const { return part_bytes() * (complex ? 2 : 1); }
  bool is_float() const { return IsFloat(kind) && !complex; }
  bool is_integer() const { return !IsFloat(kind) && kind != TypeKind::kI1; }
  bool is_unsigned() const { return IsUnsignedInteger(kind); }
  bool is_bool() const { return kind == TypeKind::kI1; }
};

// The element type of a module's type; nullopt for types that have no values here (quantized, f80, i3, ...).
std::optional<ElementType> ElementTypeOf(const Module& module, TypeId type);
// "i32", "complex<f32>".
std::string ElementName(ElementType element);

// How stored integers stand for numbers (specification, "Quantized types"): (stored - zero point) * scale.
// Scales and zero points lie row-major over `blocks`; one of each when `blocks` is empty (per tensor). An
// element at index i has those of block i[d] / block_sizes[d], for the dimensions listed.
struct Quantization {
  TypeKind expressed = TypeKind::kInvalid;
  int64_t storage_min = 0;
  int64_t storage_max = 0;
  std::vector<int64_t> dimensions;
  std::vector<int64_t> block_sizes;  // per dimension
  std::vector<int64_t> blocks;       // per dimension: how many
  std::vector<double> scales;
  std::vector<int64_t> zero_points;
  friend bool operator==(const Quantization&, const Quantization&) = default;
};
using QuantizationPtr = std::shared_ptr<const Quantization>;

struct ValueType;
using ValueTypePtr = std::shared_ptr<const ValueType>;

// The type of a value. Shared, because the values of a program have few types.
struct ValueType {
  ElementType element;         // kind kToken for a token, kTuple for a tuple: they have no elements
  std::vector<int64_t> shape;  // static
  uint64_t count = 0;          // elements
  uint64_t bytes = 0;          // of all elements
  QuantizationPtr quantization;
  std::vector<ValueTypePtr> members;  // of a tuple
  bool is_tensor() const { return element.kind != TypeKind::kToken && element.kind != TypeKind::kTuple; }
  int64_t rank() const { return int64_t(shape.size()); }
  friend bool operator==(const ValueType& a, const ValueType& b);
};

// nullptr when a dimension is negative or dynamic, the element has no values here, or the size overflows.
ValueTypePtr MakeTensorType(ElementType element, std::span<const int64_t> shape,
                            QuantizationPtr quantization = nullptr);
ValueTypePtr MakeTokenType();
ValueTypePtr MakeTupleType(std::vector<ValueTypePtr> members);
// The type of a module's static tensors, tokens, tuples and futures (which are tuples of what they will
// hold); nullptr for anything else.
ValueTypePtr TensorTypeOf(const Module& module, TypeId type);
// What a quantized element type says, for tensors of this rank; nullptr for other types.
QuantizationPtr QuantizationOf(const Module& module, TypeId type, ElementType* storage);
// "tensor<2x3xf32>".
std::string TypeName(const ValueType& type);

class Tensor {
 public:
  // No tensor: converts to false.
  Tensor() = default;
  // Own bytes, not initialised. Not a tensor when there is no memory.
  static Tensor Uninitialized(ValueTypePtr type, bool splat = false);
  // Own bytes, copied; `bytes` holds one element for a splat, all elements otherwise. Not a tensor when the
  // size is wrong.
  static Tensor Copy(ValueTypePtr type, std::string_view bytes, bool splat = false);
  // Bytes of someone else. Without an owner they must outlive the tensor.
  static Tensor View(ValueTypePtr type, const uint8_t* data, Buffer owner, bool splat = false);

  static Tensor Token();
  static Tensor Tuple(std::vector<Tensor> members);

  explicit operator bool() const { return type_ != nullptr; }
  const ValueTypePtr& type_ptr() const { return type_; }
  const ValueType& type() const { return *type_; }
  ElementType element() const { return type_->element; }
  uint64_t count() const { return type_->count; }
  bool splat() const { return splat_; }
  const uint8_t* data() const { return data_; }
  uint64_t stored_bytes() const { return splat_ ? type_->element.bytes() : type_->bytes; }
  const uint8_t* at(uint64_t i) const { return data_ + (splat_ ? 0 : i * type_->element.bytes()); }
  std::span<const Tensor> members() const {
    return members_ ? std::span<const Tensor>(*members_) : std::span<const Tensor>();
  }
  // The same bytes under another type of as many bytes: no copy.
  Tensor As(ValueTypePtr type) const;
  // For whoever made the tensor; nullptr for views.
  uint8_t* mutable_data() { return own_.get(); }

  // The same values, one stored element per element; not a tensor when there is no memory.
  Tensor Expanded() const;
  // The same values in own bytes, so that whatever a view pointed to may go.
  Tensor Owned() const;
  // All elements, row-major.
  std::string ToBytes() const;

  // The buffer, when nobody else holds it, so that it can serve again; the tensor is none then.
  std::shared_ptr<uint8_t[]> Reclaim();
  // A tensor on a buffer that is large enough.
  static Tensor Reuse(ValueTypePtr type, std::shared_ptr<uint8_t[]> buffer, bool splat = false);

 private:
  ValueTypePtr type_;
  const uint8_t* data_ = nullptr;
  std::shared_ptr<uint8_t[]> own_;
  Buffer owner_;
  std::shared_ptr<const std::vector<Tensor>> members_;
  bool splat_ = false;
};

// The value of an elements attribute (dense or dense_resource). A view into the module's payloads, which
// must outlive it; see Owned(). The error has no place: the caller knows where the attribute is.
Result<Tensor> TensorFromAttr(const Module& module, AttrId attr);
// As above, when the type is known already.
Result<Tensor> TensorFromAttr(const Module& module, AttrId attr, ValueTypePtr type);

// Index of the first element whose bits differ; nullopt when all are equal. The types must be equal.
std::optional<uint64_t> FirstDifference(const Tensor& a, const Tensor& b);
// Whether types and all bits are equal.
bool BitEqual(const Tensor& a, const Tensor& b);

// Bits of one part of an element, zero-extended (part 1: imaginary).
uint64_t ElementBits(const Tensor& tensor, uint64_t i, int part = 0);
// "[1, 0]": the index of the i-th element.
std::string IndexString(const ValueType& type, uint64_t i);

// The literal of one element, as `dense` spells it: reading it gives the same bits. Floats are decimal where
// that is exact, the bit pattern ("0x7FC00000") for infinities and NaN.
std::string PrintElement(const Tensor& tensor, uint64_t i);
// "dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>". Past `max_elements` elements the rest is "...".
std::string PrintTensor(const Tensor& tensor, uint64_t max_elements = ~0ull);
// Only the literal, without "dense" and type; nested lists on lines of their own when `lines`.
std::string PrintValues(const Tensor& tensor, uint64_t max_elements = ~0ull, bool lines = false);

// As the reference interpreter prints a value: "tensor<2x2xi8> {\n  [\n    [1, 2],\n    [3, 4]\n  ]\n}".
std::string PrintAsReference(const Tensor& tensor);
// As it prints one as a dense attribute.
std::string PrintDense(const Tensor& tensor);

}  // namespace shlo
