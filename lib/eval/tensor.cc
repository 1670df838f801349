#include "eval/tensor.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <new>

namespace shlo {
namespace {

// Sizes are kept far below the limits of 64 bits, so that sums of them cannot overflow.
constexpr uint64_t kMaxBytes = 1ull << 46;
// Printing recurses once per dimension.
constexpr size_t kMaxRank = 1024;

bool HasValues(TypeKind kind) {
  return kind != TypeKind::kF80 && kind != TypeKind::kF128 && kind != TypeKind::kInteger &&
         BitWidth(kind) > 0;
}

// Unused high bits of the last byte of a part must be zero: kernels compute on whole bytes.
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
  if (node.kind == TypeKind::kComplex) {
    const TypeKind part = module.types.KindOf(FieldReader(node.words).Type());
    if (part != TypeKind::kF32 && part != TypeKind::kF64) return std::nullopt;
    element.kind = part;
    element.complex = true;
    return element;
  }
  if (node.kind == TypeKind::kInteger) {
    FieldReader fields(node.words);
    const int64_t width = fields.Int();
    if (fields.Int() != 1) return std::nullopt;  // other widths than the rows', signless or unsigned
    element.spelled_signed = true;
    switch (width) {
      case 2:
        element.kind = TypeKind::kI2;
        break;
      case 4:
        element.kind = TypeKind::kI4;
        break;
      case 8:
        element.kind = TypeKind::kI8;
        break;
      case 16:
        element.kind = TypeKind::kI16;
        break;
      case 32:
        element.kind = TypeKind::kI32;
        break;
      case 64:
        element.kind = TypeKind::kI64;
        break;
      default:
        return std::nullopt;
    }
    return element;
  }
  if (!HasValues(node.kind)) return std::nullopt;
  element.kind = node.kind;
  return element;
}

std::string ElementName(ElementType element) {
  const std::string_view name = RowOf(element.kind).mnemonic;
  if (element.complex) return fmt::format("complex<{}>", name);
  return element.spelled_signed ? fmt::format("s{}", name) : std::string(name);
}

TensorTypePtr MakeTensorType(ElementType element, std::span<const int64_t> shape) {
  uint64_t count = 1;
  if (!HasValues(element.kind) || shape.size() > kMaxRank) return nullptr;
  for (int64_t extent : shape)
    if (extent < 0) return nullptr;
  if (!Module::ElementCount(shape, &count) || count > kMaxBytes / element.bytes()) return nullptr;
  auto type = std::make_shared<TensorType>();
  type->element = element;
  type->shape.assign(shape.begin(), shape.end());
  type->count = count;
  type->bytes = count * element.bytes();
  return type;
}

TensorTypePtr TensorTypeOf(const Module& module, TypeId type) {
  Module::TensorView view;
  if (!module.AsTensor(type, &view) || !view.IsStatic()) return nullptr;
  const auto element = ElementTypeOf(module, view.element);
  return element ? MakeTensorType(*element, view.shape) : nullptr;
}

std::string TypeName(const TensorType& type) {
  std::string out = "tensor<";
  for (int64_t extent : type.shape) fmt::format_to(std::back_inserter(out), "{}x", extent);
  return out + ElementName(type.element) + ">";
}

Tensor Tensor::Uninitialized(TensorTypePtr type, bool splat) {
  const uint64_t size = splat ? type->element.bytes() : type->bytes;
  // One byte at least, so that data() is never null.
  std::shared_ptr<uint8_t[]> buffer(new (std::nothrow) uint8_t[std::max<uint64_t>(size, 1)]);
  return buffer ? Reuse(std::move(type), std::move(buffer), splat) : Tensor();
}

Tensor Tensor::Reuse(TensorTypePtr type, std::shared_ptr<uint8_t[]> buffer, bool splat) {
  Tensor tensor;
  tensor.type_ = std::move(type);
  tensor.own_ = std::move(buffer);
  tensor.data_ = tensor.own_.get();
  tensor.splat_ = splat;
  return tensor;
}

Tensor Tensor::Copy(TensorTypePtr type, std::string_view bytes, bool splat) {
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

Tensor Tensor::View(TensorTypePtr type, const uint8_t* data, Buffer owner, bool splat) {
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
  // Doubling keeps the copies long.
  std::memcpy(to, data_, size);
  for (uint64_t done = size; done < type_->bytes;) {
    const uint64_t n = std::min(done, type_->bytes - done);
    std::memcpy(to + done, to, n);
    done += n;
  }
  return out;
}

Tensor Tensor::Owned() const {
  if (own_ || !type_) return *this;
  return Copy(type_, {reinterpret_cast<const char*>(data_), stored_bytes()}, splat_);
}

std::string Tensor::ToBytes() const {
  const Tensor all = Expanded();
  if (!all || all.stored_bytes() == 0) return {};
  return std::string(reinterpret_cast<const char*>(all.data()), all.stored_bytes());
}

std::shared_ptr<uint8_t[]> Tensor::Reclaim() {
  std::shared_ptr<uint8_t[]> buffer;
  if (own_ && own_.use_count() == 1) buffer = std::move(own_);
  *this = Tensor();
  return buffer;
}

Result<Tensor> TensorFromAttr(const Module& module, AttrId attr) {
  const auto node = module.attrs[attr];
  TypeId type;
  if (node.kind == AttrKind::kElements || node.kind == AttrKind::kResourceElements)
    type = FieldReader(node.words).Type();
  else
    return Error(Code::kUnsupported, "only dense and dense_resource elements have a value here");
  TensorTypePtr tensor_type = TensorTypeOf(module, type);
  if (!tensor_type) return Error(Code::kUnsupported, "the type of the elements has no values here");
  return TensorFromAttr(module, attr, std::move(tensor_type));
}

Result<Tensor> TensorFromAttr(const Module& module, AttrId attr, TensorTypePtr type) {
  const auto node = module.attrs[attr];
  Payload payload;
  bool splat = false;
  if (node.kind == AttrKind::kElements) {
    FieldReader fields(node.words);
    fields.Type();
    splat = fields.Int() != 0;
    payload = module.payloads[fields.PayloadRef()];
  } else if (node.kind == AttrKind::kResourceElements) {
    FieldReader fields(node.words);
    fields.Type();
    const StringId key = fields.String();
    // By text: the list is sorted by it, and a key that has no resource is an ordinary mistake.
    const auto found =
        std::lower_bound(module.resources.begin(), module.resources.end(), module.strings[key],
                         [&](const Resource& r, std::string_view k) { return module.strings[r.key] < k; });
    if (found == module.resources.end() || module.strings[found->key] != module.strings[key])
      return Error(Code::kInvalidProgram, fmt::format("there is no resource '{}'", module.strings[key]));
    payload = module.payloads[found->payload];
  } else {
    return Error(Code::kUnsupported, "only dense and dense_resource elements have a value here");
  }
  const uint64_t expected = splat ? type->element.bytes() : type->bytes;
  // An empty tensor may be written as a splat of nothing.
  if (splat && type->count == 0) splat = false, payload.size = 0;
  if (payload.size != (splat ? expected : type->bytes))
    return Error(Code::kInvalidProgram, fmt::format("the elements have {} bytes where {} takes {}",
                                                    payload.size, TypeName(*type), expected));
  static constexpr uint8_t kNothing[1] = {0};
  const uint8_t* data = payload.size == 0 ? kNothing : payload.data;
  const uint8_t mask = LastByteMask(type->element);
  if (mask == 0xFF || IsNormalized(data, payload.size, type->element.part_bytes(), mask))
    return Tensor::View(std::move(type), data, nullptr, splat);
  Tensor copy = Tensor::Copy(std::move(type), payload.bytes(), splat);
  if (!copy) return Error(Code::kLimit, "not enough memory for the elements");
  return copy;
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
