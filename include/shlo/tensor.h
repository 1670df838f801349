// Tensors: the values that programs compute. A tensor is a type (element type and shape) and bytes, in the
// layout of a constant's payload: row-major, ceil(width / 8) bytes per element, little-endian, unused high
// bits zero, complex as (real, imaginary). The bytes are shared, either owned or a view into memory that an
// owner keeps alive; copying a Tensor never copies them. A splat stores one element. A quantized tensor holds
// elements of its storage type; scales and zero points are part of the type. The class also represents tokens
// and tuples: a token has no bytes, a tuple has members.
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
#include "shlo/sink.h"

namespace shlo {

// The type of one element.
struct ElementType {
  TypeKind kind = TypeKind::kInvalid;  // of the element, or of each part if complex
  bool complex = false;                // two parts: real, imaginary
  bool spelled_signed = false;         // written `si32`: same values as `i32`, but a different type
  friend bool operator==(ElementType, ElementType) = default;
  // Returns the number of bits that carry information.
  uint32_t width() const { return uint32_t(BitWidth(kind)) * (complex ? 2 : 1); }
  // Returns the size in a tensor's bytes, of each part or of all parts.
  uint32_t part_bytes() const { return (uint32_t(BitWidth(kind)) + 7) / 8; }
  uint32_t bytes() const { return part_bytes() * (complex ? 2 : 1); }
  // Classification of real element types; an integer is neither a float nor a boolean.
  bool is_float() const { return IsFloat(kind) && !complex; }
  bool is_integer() const { return !IsFloat(kind) && kind != TypeKind::kI1; }
  bool is_unsigned() const { return IsUnsignedInteger(kind); }
  bool is_bool() const { return kind == TypeKind::kI1; }
};

// Returns the element type of a module's type, or nullopt if it cannot be evaluated (quantized, f80, i3,
// ...).
std::optional<ElementType> ElementTypeOf(const Module& module, TypeId type);
// Returns "i32", "complex<f32>".
std::string ElementName(ElementType element);

// Parameters of a quantized type (specification, "Quantized types"): a stored integer represents
// (stored - zero point) * scale. Scales and zero points are row-major over `blocks`; one of each if `blocks`
// is empty (per tensor). An element at index i uses block i[d] / block_sizes[d], for the dimensions listed.
struct Quantization {
  TypeKind expressed = TypeKind::kInvalid;  // float type of the represented values
  int64_t storage_min = 0;                  // least stored integer
  int64_t storage_max = 0;                  // greatest stored integer
  std::vector<int64_t> dimensions;          // along which scales differ; empty: per tensor
  std::vector<int64_t> block_sizes;         // per dimension
  std::vector<int64_t> blocks;              // number of blocks per dimension
  std::vector<double> scales;               // one per block
  std::vector<int64_t> zero_points;         // one per block
  friend bool operator==(const Quantization&, const Quantization&) = default;
};
// Returns whether the numbers of scales, zero points and blocks agree, and the expressed type is a float that
// can be evaluated. Holds for the parameters of every type of a value.
bool IsConsistent(const Quantization& quantization);
// Shared by all types with these parameters; null: not quantized.
using QuantizationPtr = std::shared_ptr<const Quantization>;

struct ValueType;
// Shared by all values of a type; null: no such type.
using ValueTypePtr = std::shared_ptr<const ValueType>;

// The type of a value. Shared, because a program has many values of few types.
struct ValueType {
  ElementType element;                // kToken or kTuple for values without elements
  std::vector<int64_t> shape;         // static
  uint64_t count = 0;                 // elements
  uint64_t bytes = 0;                 // of all elements
  QuantizationPtr quantization;       // null unless quantized
  std::vector<ValueTypePtr> members;  // of a tuple
  // Returns whether values have elements: they are not tokens or tuples.
  bool is_tensor() const { return element.kind != TypeKind::kToken && element.kind != TypeKind::kTuple; }
  int64_t rank() const { return int64_t(shape.size()); }  // number of dimensions
  friend bool operator==(const ValueType& a, const ValueType& b);
};

// Returns a tensor type, or nullptr if a dimension is negative or dynamic, the element type cannot be
// evaluated, or the size overflows.
ValueTypePtr MakeTensorType(ElementType element, std::span<const int64_t> shape,
                            QuantizationPtr quantization = nullptr);
ValueTypePtr MakeTokenType();
ValueTypePtr MakeTupleType(std::vector<ValueTypePtr> members);
// Returns the type of a module's static tensor, token, tuple or future (a tuple of its future values);
// nullptr for other types.
ValueTypePtr TensorTypeOf(const Module& module, TypeId type);
// Returns the parameters of a quantized element type and sets its storage type; nullptr for other types.
QuantizationPtr QuantizationOf(const Module& module, TypeId type, ElementType* storage);
// Returns "tensor<2x3xf32>".
std::string TypeName(const ValueType& type);

// A value: a tensor, token or tuple. See the top of this file.
class Tensor {
 public:
  // An empty object, which converts to false.
  Tensor() = default;
  // Allocates uninitialized bytes. Empty if allocation fails.
  static Tensor Uninitialized(ValueTypePtr type, bool splat = false);
  // Copies `bytes`, which hold one element for a splat and all elements otherwise. Empty if the size is
  // wrong.
  static Tensor Copy(ValueTypePtr type, std::string_view bytes, bool splat = false);
  // Wraps borrowed bytes. Without an owner they must outlive the tensor.
  static Tensor View(ValueTypePtr type, const uint8_t* data, Buffer owner, bool splat = false);

  // Values without elements.
  static Tensor Token();
  static Tensor Tuple(std::vector<Tensor> members);

  // Returns false for an empty object, which has none of the following properties.
  explicit operator bool() const { return type_ != nullptr; }
  // Return the type, shared or by reference, its element type and its number of elements.
  const ValueTypePtr& type_ptr() const { return type_; }
  const ValueType& type() const { return *type_; }
  ElementType element() const { return type_->element; }
  uint64_t count() const { return type_->count; }
  bool splat() const { return splat_; }          // `data` holds one element for all
  const uint8_t* data() const { return data_; }  // row-major; see the top of this file
  // Returns the number of bytes at `data`.
  uint64_t stored_bytes() const { return splat_ ? type_->element.bytes() : type_->bytes; }
  // Returns the bytes of an element, by row-major index.
  const uint8_t* at(uint64_t i) const { return data_ + (splat_ ? 0 : i * type_->element.bytes()); }
  // Returns the members of a tuple; empty for other values.
  std::span<const Tensor> members() const {
    return members_ ? std::span<const Tensor>(*members_) : std::span<const Tensor>();
  }
  // Returns the same bytes with a different type of the same size, without a copy.
  Tensor As(ValueTypePtr type) const;
  // For initialization by the creator; nullptr for views.
  uint8_t* mutable_data() { return own_.get(); }

  // Returns the same values without splat storage. Empty if allocation fails.
  Tensor Expanded() const;
  // Returns the same values in owned bytes, so that the memory of a view may be freed.
  Tensor Owned() const;
  // Returns all elements, row-major.
  std::string ToBytes() const;
  // Passes all elements to the sink, a splat's in blocks. Returns false if the sink stopped.
  bool BytesTo(const Sink& sink) const;

  // Clears the tensor and returns its buffer for reuse, or nullptr if the buffer is shared.
  std::shared_ptr<uint8_t[]> Reclaim();
  // Creates a tensor in a buffer, which must be large enough.
  static Tensor Reuse(ValueTypePtr type, std::shared_ptr<uint8_t[]> buffer, bool splat = false);

 private:
  ValueTypePtr type_;
  const uint8_t* data_ = nullptr;
  std::shared_ptr<uint8_t[]> own_;
  Buffer owner_;
  std::shared_ptr<const std::vector<Tensor>> members_;
  bool splat_ = false;
};

// Returns the value of an elements attribute (dense or dense_resource) as a view into the module's payloads,
// which must outlive it; see Owned(). Errors have no place; the caller knows the op.
Result<Tensor> TensorFromAttr(const Module& module, AttrId attr);
// As above, with a known type.
Result<Tensor> TensorFromAttr(const Module& module, AttrId attr, ValueTypePtr type);

// Returns the index of the first element whose bits differ, or nullopt. The types must be equal.
std::optional<uint64_t> FirstDifference(const Tensor& a, const Tensor& b);
// Returns whether types and all bits are equal.
bool BitEqual(const Tensor& a, const Tensor& b);

// Returns the bits of one part of an element, zero-extended (part 1: imaginary).
uint64_t ElementBits(const Tensor& tensor, uint64_t i, int part = 0);
// Returns the index of the i-th element, such as "[1, 0]".
std::string IndexString(const ValueType& type, uint64_t i);

// Returns the literal of one element as in `dense`; reading it yields the same bits. Floats are printed as
// MLIR does: decimal if that is exact, the bit pattern otherwise ("0x7FC00000" is a NaN).
std::string PrintElement(const Tensor& tensor, uint64_t i);
// Returns "dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>", with "..." for elements beyond `max_elements`.
std::string PrintTensor(const Tensor& tensor, uint64_t max_elements = ~0ull);
// Returns only the literal, without "dense" and type. `lines` puts each nested list on its own line.
std::string PrintValues(const Tensor& tensor, uint64_t max_elements = ~0ull, bool lines = false);

// Returns a value as the reference interpreter prints it: "tensor<2x2xi8> {\n  [\n    [1, 2],\n    [3, 4]\n
// ]\n}".
std::string PrintAsReference(const Tensor& tensor);
// Returns a value as the reference interpreter prints it as a dense attribute.
std::string PrintDense(const Tensor& tensor);

}  // namespace shlo
