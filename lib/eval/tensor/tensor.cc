#include "shlo/tensor.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/format.h"
#include "base/guarded.h"
#include "base/mapped_bytes.h"
#include "base/stack.h"
#include "eval/tensor/memory.h"
#include "ir/table/float_format.h"
#include "shlo/print.h"
#include "shlo/types.h"

namespace shlo {
namespace {

// Far below 64 bits, so that sums of sizes cannot overflow.
constexpr uint64_t kMaxBytes = 1ull << 46;
// Printing recurses once per dimension.
constexpr size_t kMaxRank = 1024;

// Tuple types recurse, and the input controls their nesting.
constexpr int kMaxNesting = 64;

bool HasValues(TypeKind kind) { return IsFloat(kind) ? FloatFormatOf(kind) != nullptr : BitWidth(kind) > 0; }

// Unused high bits of the last byte of a part must be zero, because kernels compute on whole bytes.
uint8_t LastByteMask(ElementType element) {
  const int used = BitWidth(element.kind) % 8;
  return used == 0 ? 0xFF : uint8_t((1 << used) - 1);
}

bool IsNormalized(const uint8_t* data, uint64_t size, uint32_t part_bytes, uint8_t mask) {
  uint8_t spill = 0;
  for (uint64_t i = part_bytes - 1; i < size; i += part_bytes) spill |= data[i] & uint8_t(~mask);
  return spill == 0;
}

}  // namespace

std::optional<ElementType> ElementTypeOf(const Module& module, TypeId type) {
  const auto node = module.types[type];
  ElementType element;
  if (const auto complex = node.As<ComplexType>()) {
    const TypeKind part = module.types.KindOf(complex->element);
    if (part != TypeKind::kF32 && part != TypeKind::kF64) return std::nullopt;
    element.kind = part;
    element.complex = true;
    return element;
  }
  if (const auto integer = node.As<IntegerType>()) {
    if (integer->signedness != 1) return std::nullopt;  // other widths than the rows', signless or unsigned
    element.spelled_signed = true;
    element.kind = FindElementType(KindClass::kSignless, integer->width);
    if (element.kind == TypeKind::kInvalid || element.is_bool()) return std::nullopt;
    return element;
  }
  if (!HasValues(node.kind)) return std::nullopt;
  element.kind = node.kind;
  return element;
}

bool operator==(const ValueType& a, const ValueType& b) {
  CheckStack();
  if (a.element != b.element || a.shape != b.shape || a.members.size() != b.members.size()) return false;
  if (a.quantization != b.quantization &&
      (!a.quantization || !b.quantization || *a.quantization != *b.quantization))
    return false;
  for (size_t i = 0; i < a.members.size(); ++i)
    if (a.members[i] != b.members[i] && *a.members[i] != *b.members[i]) return false;
  return true;
}

ValueTypePtr MakeTensorType(ElementType element, std::span<const int64_t> shape,
                            QuantizationPtr quantization) {
  uint64_t count = 1;
  if (!HasValues(element.kind) || shape.size() > kMaxRank) return nullptr;
  for (int64_t extent : shape)
    if (extent < 0) return nullptr;
  if (!Module::ElementCount(shape, &count) || count > kMaxBytes / element.bytes()) return nullptr;
  if (quantization) {
    // Every element needs a scale.
    for (size_t i = 0; i < quantization->dimensions.size(); ++i) {
      const int64_t d = quantization->dimensions[i];
      if (d < 0 || d >= int64_t(shape.size())) return nullptr;
      if (shape[size_t(d)] > quantization->blocks[i] * quantization->block_sizes[i]) return nullptr;
    }
  }
  auto type = std::make_shared<ValueType>();
  type->element = element;
  type->shape.assign(shape.begin(), shape.end());
  type->count = count;
  type->bytes = count * element.bytes();
  type->quantization = std::move(quantization);
  return type;
}

ValueTypePtr MakeTokenType() {
  auto type = std::make_shared<ValueType>();
  type->element.kind = TypeKind::kToken;
  type->count = 1;
  return type;
}

ValueTypePtr MakeTupleType(std::vector<ValueTypePtr> members) {
  auto type = std::make_shared<ValueType>();
  type->element.kind = TypeKind::kTuple;
  type->count = 1;
  type->members = std::move(members);
  return type;
}

bool IsConsistent(const Quantization& q) {
  if (!FloatFormatOf(q.expressed) || q.storage_min > q.storage_max ||
      q.blocks.size() != q.dimensions.size() || q.block_sizes.size() != q.dimensions.size() ||
      q.zero_points.size() != q.scales.size())
    return false;
  uint64_t scales = 1;
  for (size_t i = 0; i < q.blocks.size(); ++i) {
    const int64_t blocks = q.blocks[i], size = q.block_sizes[i];
    if (blocks <= 0 || blocks > int64_t(q.scales.size()) || size <= 0 || size > (1ll << 40)) return false;
    if (size > INT64_MAX / blocks) return false;
    scales *= uint64_t(blocks);
    if (scales > q.scales.size()) return false;
  }
  return scales == q.scales.size();
}

QuantizationPtr QuantizationOf(const Module& module, TypeId type, ElementType* storage) {
  const QuantizedType quantized(module, type);
  if (!quantized.ok) return nullptr;
  auto q = std::make_shared<Quantization>();
  const std::optional<ElementType> stored = ElementTypeOf(module, quantized.storage);
  q->expressed = module.types.KindOf(quantized.expressed);
  q->storage_min = quantized.storage_min;
  q->storage_max = quantized.storage_max;
  const bool is_signed = (quantized.flags & 1) != 0;
  if (!stored || !stored->is_integer()) return nullptr;
  *storage = *stored;
  // The storage type is signless; the flag states the sign.
  if (!is_signed && !stored->is_unsigned())
    storage->kind = FindElementType(KindClass::kUnsigned, BitWidth(stored->kind));
  const auto assign = [](auto& to, auto&& from) { to.assign(from.begin(), from.end()); };
  assign(q->scales, quantized.scales);
  assign(q->zero_points, quantized.zero_points);
  if (quantized.per_axis) {
    q->dimensions.push_back(quantized.dimension);
    q->block_sizes.push_back(1);
    q->blocks.push_back(int64_t(q->scales.size()));
  } else if (const auto sub_channel = module.As<UniformQuantizedSubChannelType>(type)) {
    assign(q->dimensions, sub_channel->quantized_dimensions);
    assign(q->block_sizes, sub_channel->block_sizes);
    assign(q->blocks, sub_channel->scale_shape);
    assign(q->scales, sub_channel->scales);
    assign(q->zero_points, sub_channel->zero_points);
    // The shape of the scales spans all dimensions; those that are not listed have one block.
    if (q->blocks.size() != q->dimensions.size()) {
      std::vector<int64_t> blocks;
      for (int64_t d : q->dimensions)
        if (d >= 0 && size_t(d) < q->blocks.size()) blocks.push_back(q->blocks[size_t(d)]);
      q->blocks = std::move(blocks);
    }
  }
  if (!IsConsistent(*q)) return nullptr;
  return q;
}

namespace {

// `left`: types that may still be nested. A tuple that doubles at each level has more of them than memory.
ValueTypePtr NestedTypeOf(const Module& module, TypeId type, int depth, uint32_t* left) {
  CheckStack();
  const auto node = module.types[type];
  if (node.kind == TypeKind::kToken) return MakeTokenType();
  if (node.kind == TypeKind::kTuple || node.kind == TypeKind::kFuture) {
    if (depth >= kMaxNesting || *left == 0) return nullptr;
    --*left;
    std::vector<ValueTypePtr> members;
    const auto held = node.As<TupleType>();
    for (const TypeId member : held ? held->types : node.Get<FutureType>().types) {
      members.push_back(NestedTypeOf(module, member, depth + 1, left));
      if (!members.back()) return nullptr;
    }
    return MakeTupleType(std::move(members));
  }
  const auto tensor = module.As<TensorType>(type);
  if (!tensor) {
    // A scalar outside a tensor, as arith has them, is a tensor of rank 0.
    if (const auto element = ElementTypeOf(module, type)) return MakeTensorType(*element, {});
    // So are !shape.size and !shape.witness.
    if (node.kind == TypeKind::kWitness) return MakeTensorType({TypeKind::kI1}, {});
    const auto opaque = node.As<OpaqueType>();
    if (opaque && module.strings[opaque->dialect] == "shape" && module.strings[opaque->text] == ".size")
      return MakeTensorType({TypeKind::kIndex}, {});
    return nullptr;
  }
  if (!IsStatic(tensor->shape)) return nullptr;
  ElementType storage;
  if (QuantizationPtr q = QuantizationOf(module, tensor->element, &storage))
    return MakeTensorType(storage, tensor->shape, std::move(q));
  const auto element = ElementTypeOf(module, tensor->element);
  return element ? MakeTensorType(*element, tensor->shape) : nullptr;
}

}  // namespace

ValueTypePtr TensorTypeOf(const Module& module, TypeId type) {
  uint32_t left = 1u << 16;
  return NestedTypeOf(module, type, 0, &left);
}

namespace {

TypeId ElementIn(Module& m, ElementType element) {
  if (element.spelled_signed) return m.IntegerType(BitWidth(element.kind), /*signedness=*/1);
  const TypeId part = m.Type(element.kind);
  return element.complex ? m.ComplexType(part) : part;
}

// The inverse of QuantizationOf. The shape of sub-channel scales needs the tensor's rank.
TypeId QuantizedIn(Module& m, const Quantization& q, ElementType stored, size_t rank) {
  // The storage type is written without a sign; the flag has it.
  FieldWriter fields;
  fields.Type(m.IntegerType(BitWidth(stored.kind))).Type(m.Type(q.expressed)).Int(!stored.is_unsigned());
  if (q.dimensions.empty()) {
    fields.Float(q.scales[0]).Int(q.zero_points[0]).Int(q.storage_min).Int(q.storage_max);
    return m.types.Intern(TypeKind::kUniformQuantized, fields.words());
  }
  const bool per_axis = q.dimensions.size() == 1 && q.block_sizes[0] == 1;
  if (per_axis) fields.Int(q.dimensions[0]);
  fields.Int(q.storage_min).Int(q.storage_max);
  if (!per_axis) {
    std::vector<int64_t> shape(rank, 1);
    for (size_t i = 0; i < q.dimensions.size(); ++i)
      if (size_t(q.dimensions[i]) < rank) shape[size_t(q.dimensions[i])] = q.blocks[i];
    fields.Ints(q.dimensions).Ints(q.block_sizes).Ints(shape);
  }
  fields.Floats(q.scales).Ints(q.zero_points);
  return m.types.Intern(per_axis ? TypeKind::kUniformQuantizedPerAxis : TypeKind::kUniformQuantizedSubChannel,
                        fields.words());
}

// The inverse of TensorTypeOf.
TypeId TypeIn(Module& m, const ValueType& type) {
  CheckStack();
  if (type.element.kind == TypeKind::kToken) return m.Type(TypeKind::kToken);
  if (type.element.kind == TypeKind::kTuple) {
    std::vector<TypeId> members;
    for (const ValueTypePtr& member : type.members) members.push_back(TypeIn(m, *member));
    return m.TupleType(members);
  }
  const TypeId element = type.quantization
                             ? QuantizedIn(m, *type.quantization, type.element, type.shape.size())
                             : ElementIn(m, type.element);
  return m.TensorType(type.shape, element);
}

}  // namespace

std::string ElementName(ElementType element) {
  Module scratch;
  return TypeText(scratch, ElementIn(scratch, element));
}

std::string TypeName(const ValueType& type) {
  Module scratch;
  return TypeText(scratch, TypeIn(scratch, type));
}

Tensor Tensor::Token() {
  static constexpr uint8_t kNothing[1] = {0};
  return View(MakeTokenType(), kNothing, nullptr);
}

Tensor Tensor::Tuple(std::vector<Tensor> members) {
  static constexpr uint8_t kNothing[1] = {0};
  std::vector<ValueTypePtr> types;
  types.reserve(members.size());
  for (const Tensor& member : members) types.push_back(member.type_ptr());
  Tensor tuple = View(MakeTupleType(std::move(types)), kNothing, nullptr);
  tuple.members_ = std::make_shared<const std::vector<Tensor>>(std::move(members));
  return tuple;
}

Tensor Tensor::As(ValueTypePtr type) const {
  Tensor out = *this;
  out.type_ = std::move(type);
  return out;
}

Tensor Tensor::Uninitialized(ValueTypePtr type, bool splat) {
  const uint64_t size = splat ? type->element.bytes() : type->bytes;
  uint8_t* bytes = AllocateBytes(size);
  if (!bytes) return {};
  try {
    return Reuse(std::move(type),
                 std::shared_ptr<uint8_t[]>(bytes, [size](uint8_t* p) { FreeBytes(p, size); }), splat);
  } catch (const std::bad_alloc&) {  // of the reference count
    return {};
  }
}

Tensor Tensor::Reuse(ValueTypePtr type, std::shared_ptr<uint8_t[]> buffer, bool splat) {
  Tensor tensor;
  tensor.type_ = std::move(type);
  tensor.own_ = std::move(buffer);
  tensor.data_ = tensor.own_.get();
  tensor.splat_ = splat;
  return tensor;
}

Tensor Tensor::Copy(ValueTypePtr type, std::string_view bytes, bool splat) {
  if (bytes.size() != (splat ? type->element.bytes() : type->bytes)) return {};
  Tensor tensor = Uninitialized(std::move(type), splat);
  if (!tensor) return tensor;
  uint8_t* out = tensor.mutable_data();
  if (!bytes.empty()) std::memcpy(out, bytes.data(), bytes.size());
  const uint8_t mask = LastByteMask(tensor.element());
  if (mask != 0xFF) {
    const uint32_t step = tensor.element().part_bytes();
    for (uint64_t i = step - 1; i < bytes.size(); i += step) out[i] &= mask;
  }
  return tensor;
}

Tensor Tensor::View(ValueTypePtr type, const uint8_t* data, Buffer owner, bool splat) {
  Tensor tensor;
  tensor.type_ = std::move(type);
  tensor.data_ = data;
  tensor.owner_ = std::move(owner);
  tensor.splat_ = splat;
  return tensor;
}

Tensor Tensor::Expanded() const {
  if (!splat_) return *this;
  Tensor out = Uninitialized(type_);
  if (!out || type_->bytes == 0) return out;
  const uint32_t size = type_->element.bytes();
  uint8_t* to = out.mutable_data();
  if (size == 1) {
    std::memset(to, data_[0], type_->bytes);
    return out;
  }
  // Doubling needs few calls of memcpy.
  std::memcpy(to, data_, size);
  for (uint64_t done = size; done < type_->bytes;) {
    const uint64_t n = std::min(done, type_->bytes - done);
    std::memcpy(to + done, to, n);
    done += n;
  }
  return out;
}

Tensor Tensor::Owned() const {
  CheckStack();
  if (members_) {
    std::vector<Tensor> members;
    for (const Tensor& member : *members_) members.push_back(member.Owned());
    return Tuple(std::move(members));
  }
  if (own_ || !type_ || type_->bytes == 0) return *this;
  return Copy(type_, {reinterpret_cast<const char*>(data_), stored_bytes()}, splat_);
}

std::string Tensor::ToBytes() const {
  std::string all;
  BytesTo([&](std::string_view piece) {
    all += piece;
    return true;
  });
  return all;
}

bool Tensor::BytesTo(const Sink& sink) const {
  if (type_->bytes == 0) return true;
  const std::string_view stored(reinterpret_cast<const char*>(data_), stored_bytes());
  if (!splat_) return VisitPieces(stored, sink);
  constexpr uint64_t kElements = 4096;
  std::string block;
  for (uint64_t i = 0; i < std::min(count(), kElements); ++i) block += stored;
  for (uint64_t left = type_->bytes; left > 0; left -= std::min<uint64_t>(left, block.size()))
    if (!sink(std::string_view(block).substr(0, left))) return false;
  return true;
}

std::shared_ptr<uint8_t[]> Tensor::Reclaim() {
  std::shared_ptr<uint8_t[]> buffer;
  if (own_ && own_.use_count() == 1) buffer = std::move(own_);
  *this = Tensor();
  return buffer;
}

namespace {

tl::unexpected<Diagnostics> NotAConstant() {
  return Error(Code::kUnsupported,
               "expected a dense or dense_resource constant (such as 'dense<1> : tensor<2xi32>')");
}

Result<Tensor> ValueOf(const Module& module, AttrId attr, ValueTypePtr type) {
  const auto node = module.attrs[attr];
  Payload payload;
  bool splat = false;
  if (const auto elements = node.As<ElementsAttr>()) {
    splat = elements->splat != 0;
    payload = module.payloads[elements->payload];
  } else if (const auto resource = node.As<ResourceElementsAttr>()) {
    const StringId key = resource->key;
    // By text: the list is sorted by it, and a key that has no resource is an ordinary mistake.
    const auto found =
        std::lower_bound(module.resources.begin(), module.resources.end(), module.strings[key],
                         [&](const Resource& r, std::string_view k) { return module.strings[r.key] < k; });
    if (found == module.resources.end() || module.strings[found->key] != module.strings[key])
      return Error(Code::kInvalidProgram, StrFormat("there is no resource '{}'", module.strings[key]));
    payload = module.payloads[found->payload];
  } else {
    return NotAConstant();
  }
  const uint64_t expected = splat ? type->element.bytes() : type->bytes;
  // An empty tensor may be a splat.
  if (splat && type->count == 0) splat = false, payload.size = 0;
  if (payload.size != (splat ? expected : type->bytes))
    return Error(Code::kInvalidProgram, StrFormat("expected {} for {}, got {}", Count(expected, "byte"),
                                                  TypeName(*type), payload.size));
  static constexpr uint8_t kNothing[1] = {0};
  const uint8_t* data = payload.size == 0 ? kNothing : payload.data;
  const uint8_t mask = LastByteMask(type->element);
  if (mask == 0xFF || IsNormalized(data, payload.size, type->element.part_bytes(), mask))
    return Tensor::View(std::move(type), data, nullptr, splat);
  Tensor copy = Tensor::Copy(std::move(type), payload.bytes(), splat);
  if (!copy) return Error(Code::kLimit, "not enough memory for the constant");
  return copy;
}

Result<Tensor> ValueOf(const Module& module, AttrId attr) {
  const auto node = module.attrs[attr];
  if (node.kind != AttrKind::kElements && node.kind != AttrKind::kResourceElements) return NotAConstant();
  ValueTypePtr tensor_type = TensorTypeOf(module, module.TypeOf(attr));
  if (!tensor_type) return Error(Code::kUnsupported, "type of the constant cannot be evaluated");
  return ValueOf(module, attr, std::move(tensor_type));
}

}  // namespace

Result<Tensor> TensorFromAttr(const Module& module, AttrId attr) {
  return Guarded([&] { return ValueOf(module, attr); });
}

Result<Tensor> TensorFromAttr(const Module& module, AttrId attr, ValueTypePtr type) {
  return Guarded([&] { return ValueOf(module, attr, std::move(type)); });
}

std::optional<uint64_t> FirstDifference(const Tensor& a, const Tensor& b) {
  const uint64_t n = std::min(a.count(), b.count());
  const uint32_t size = a.element().bytes();
  if (n == 0) return std::nullopt;
  if (a.splat() && b.splat())
    return std::memcmp(a.data(), b.data(), size) == 0 ? std::nullopt : std::optional<uint64_t>(0);
  if (!a.splat() && !b.splat() && std::memcmp(a.data(), b.data(), n * size) == 0) return std::nullopt;
  for (uint64_t i = 0; i < n; ++i)
    if (std::memcmp(a.at(i), b.at(i), size) != 0) return i;
  return std::nullopt;
}

bool BitEqual(const Tensor& a, const Tensor& b) { return a.type() == b.type() && !FirstDifference(a, b); }

uint64_t ElementBits(const Tensor& tensor, uint64_t i, int part) {
  uint64_t bits = 0;
  const uint32_t size = tensor.element().part_bytes();
  std::memcpy(&bits, tensor.at(i) + size * part, size);
  return bits;
}

}  // namespace shlo
