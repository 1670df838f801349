#include "shlo/npy.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <utility>

#include "base/format.h"
#include "base/guarded.h"
#include "base/try.h"
#include "eval/kernel/move_elements.h"
#include "eval/unpack_elements.h"

namespace shlo {
namespace {

constexpr std::string_view kMagic("\x93NUMPY\x01\x00", 8);

struct NpyRow {
  TypeKind kind;
  bool complex;
  std::string_view descr;
};
constexpr NpyRow kRows[] = {
    {TypeKind::kI1, false, "|b1"},   {TypeKind::kI8, false, "|i1"},   {TypeKind::kI16, false, "<i2"},
    {TypeKind::kI32, false, "<i4"},  {TypeKind::kI64, false, "<i8"},  {TypeKind::kUI8, false, "|u1"},
    {TypeKind::kUI16, false, "<u2"}, {TypeKind::kUI32, false, "<u4"}, {TypeKind::kUI64, false, "<u8"},
    {TypeKind::kF16, false, "<f2"},  {TypeKind::kF32, false, "<f4"},  {TypeKind::kF64, false, "<f8"},
    {TypeKind::kF32, true, "<c8"},   {TypeKind::kF64, true, "<c16"},
};

std::string Descr(ElementType element) {
  for (const NpyRow& row : kRows)
    if (row.kind == element.kind && row.complex == element.complex) return std::string(row.descr);
  if (element.bytes() == 1) return element.is_integer() && !element.is_unsigned() ? "|i1" : "|u1";
  return StrFormat("<u{}", element.bytes());
}

tl::unexpected<Diagnostics> Bad(std::string message) { return Error(Code::kMalformed, std::move(message)); }

// The header of a file, and where its elements start.
struct Header {
  std::string_view descr;
  bool fortran_order = false;
  std::vector<int64_t> shape;
  size_t size = 0;
};

// Reads the dictionary of a header: {'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }, with the
// keys in any order, each once. It is an expression of Python; of those, only what NumPy writes has a meaning
// here.
class HeaderText {
 public:
  explicit HeaderText(std::string_view text) : rest_(text) {}

  bool Parse(Header* header) {
    bool descr = false, order = false, shape = false;
    if (!Eat("{")) return false;
    while (!Eat("}")) {
      std::string_view key;
      if (!String(&key) || !Eat(":")) return false;
      bool* const seen = key == "descr"           ? &descr
                         : key == "fortran_order" ? &order
                         : key == "shape"         ? &shape
                                                  : nullptr;
      if (!seen || std::exchange(*seen, true)) return false;
      if (!(seen == &descr   ? String(&header->descr)
            : seen == &order ? Bool(&header->fortran_order)
                             : Shape(header)))
        return false;
      if (!Eat(",") && !rest_.starts_with('}')) return false;
    }
    return descr && order && shape && rest_.find_first_not_of(" \n") == rest_.npos;
  }

 private:
  // Skips a word and the spaces after it, if the word is next.
  bool Eat(std::string_view word) {
    if (!rest_.starts_with(word)) return false;
    rest_.remove_prefix(word.size());
    rest_.remove_prefix(std::min(rest_.find_first_not_of(' '), rest_.size()));
    return true;
  }
  bool String(std::string_view* out) {
    const size_t end =
        rest_.starts_with('\'') || rest_.starts_with('"') ? rest_.find(rest_[0], 1) : rest_.npos;
    if (end == rest_.npos) return false;
    *out = rest_.substr(1, end - 1);
    return out->find_first_of("\\\n") == out->npos && Eat(rest_.substr(0, end + 1));
  }
  bool Bool(bool* out) { return (*out = Eat("True")) || Eat("False"); }
  // A tuple: "(2, 3)", "(2,)" or "()".
  bool Shape(Header* header) {
    if (!Eat("(")) return false;
    bool comma = true;
    while (!Eat(")")) {
      int64_t extent = 0;
      const auto parsed = std::from_chars(rest_.data(), rest_.data() + rest_.size(), extent);
      const auto digits = size_t(parsed.ptr - rest_.data());
      if (!comma || parsed.ec != std::errc() || extent < 0 || rest_[0] == '-' ||
          (rest_[0] == '0' && digits > 1))
        return false;
      header->shape.push_back(extent);
      Eat(rest_.substr(0, digits));
      Eat("L");  // of Python 2
      comma = Eat(",");
    }
    return comma || header->shape.size() > 1;  // "(2)" is a number
  }

  std::string_view rest_;
};

Result<Header> ReadHeader(std::string_view bytes) {
  if (bytes.size() < 10 || !bytes.starts_with("\x93NUMPY")) return Bad("not a NumPy file");
  const uint8_t version = uint8_t(bytes[6]);
  if (version < 1 || version > 3 || bytes[7] != 0)
    return Error(Code::kUnsupported,
                 StrFormat("unknown version {}.{} of NumPy files", version, uint8_t(bytes[7])));
  const size_t prefix = version >= 2 ? 12 : 10;
  if (bytes.size() < prefix) return Bad("truncated NumPy header");
  size_t length = uint8_t(bytes[8]) | size_t(uint8_t(bytes[9])) << 8;
  if (version >= 2) length |= size_t(uint8_t(bytes[10])) << 16 | size_t(uint8_t(bytes[11])) << 24;
  if (length > bytes.size() - prefix) return Bad("truncated NumPy header");
  Header header;
  header.size = prefix + length;
  if (!HeaderText(bytes.substr(prefix, length)).Parse(&header))
    return Bad(bytes.substr(prefix, length).find('[') == std::string_view::npos
                   ? "malformed NumPy header"
                   : "NumPy header has no simple dtype");
  if (header.descr.size() < 3 || std::string_view("<>|=").find(header.descr[0]) == std::string_view::npos)
    return Bad("NumPy header has no simple dtype");
  return header;
}

// Returns the element type of a dtype such as "<f4", whose byte order does not matter, or kInvalid.
ElementType ElementOf(std::string_view descr) {
  for (const NpyRow& row : kRows)
    if (row.descr.substr(1) == descr.substr(1)) return {row.kind, row.complex};
  return {};
}

// Returns whether elements of a dtype may be those of `type`, which NumPy does not have: opaque bytes, and
// integers that hold the bits, as WriteNpy and frameworks write them.
bool MayHold(std::string_view descr, ElementType type) {
  uint32_t size = 0;
  const auto parsed = std::from_chars(descr.data() + 2, descr.data() + descr.size(), size);
  if (parsed.ptr != descr.data() + descr.size() || size != type.bytes()) return false;
  for (const NpyRow& row : kRows)
    if (row.kind == type.kind && row.complex == type.complex) return descr[1] == 'V';
  return descr[1] == 'V' || descr[1] == 'u' || descr[1] == 'i' || (descr[1] == 'f' && size == 1);
}

Result<Tensor> TensorOf(std::string_view bytes, const ValueTypePtr& type, const Buffer& owner) {
  const Header header = SHLO_TRY(ReadHeader(bytes));
  bytes.remove_prefix(header.size);
  if (type && header.shape != type->shape)
    return Bad(StrFormat("expected a NumPy array of shape {}, got ({})", TypeName(*type),
                         fmt::join(header.shape, ", ")));
  const ElementType stated = ElementOf(header.descr);
  ValueTypePtr result = type;
  if (!type || stated != type->element || type->quantization) {
    if (type && MayHold(header.descr, type->element)) {
      // Bits of a type that NumPy does not have, or of a quantized type.
    } else if (type && type->quantization && stated == type->element) {
      // Stored integers.
    } else if (stated.kind != TypeKind::kInvalid) {
      result = MakeTensorType(stated, header.shape);
    } else if (type) {
      return Bad(StrFormat("expected NumPy elements of {} for {}, got dtype '{}'",
                           Count(type->element.bytes(), "byte"), TypeName(*type), header.descr));
    } else {
      return Error(Code::kUnsupported, StrFormat("NumPy dtype '{}' does not state a type", header.descr), {},
                   "pass it as an argument whose type the program states");
    }
  }
  if (!result) return Bad("NumPy array is too large");
  if (bytes.size() != result->bytes)
    return Bad(StrFormat("expected {} of NumPy data for {}, got {}", Count(result->bytes, "byte"),
                         TypeName(*result), bytes.size()));
  // Opaque bytes have no order.
  const bool swapped =
      header.descr[0] == (std::endian::native == std::endian::little ? '>' : '<') && header.descr[1] != 'V';
  const bool moved = header.fortran_order && result->rank() > 1 && result->count > 0;
  if (!moved) return UnpackElements(result, bytes, swapped, owner);
  // The file is row-major for the dimensions in reverse order.
  std::vector<int64_t> reversed(result->shape.rbegin(), result->shape.rend());
  const Tensor memory =
      SHLO_TRY(UnpackElements(MakeTensorType(result->element, reversed), bytes, swapped, owner));
  Tensor tensor = Tensor::Uninitialized(result);
  if (!tensor) return Error(Code::kLimit, "not enough memory for the array");
  Ints strides = StridesOf(reversed);
  std::reverse(strides.begin(), strides.end());
  CopyStrided(result->shape, memory.data(), strides, tensor.mutable_data(), StridesOf(result->shape),
              result->element.bytes());
  return tensor;
}

}  // namespace

std::string NpyHeader(const Tensor& tensor) {
  std::string shape;
  for (int64_t extent : tensor.type().shape) shape += StrFormat("{}, ", extent);
  if (tensor.type().rank() > 1) shape.resize(shape.size() - 2);
  if (tensor.type().rank() == 1) shape.resize(shape.size() - 1);
  std::string header =
      StrFormat("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}", Descr(tensor.element()), shape);
  // NumPy aligns the elements to 64 bytes.
  const size_t before = kMagic.size() + 2 + header.size() + 1;
  header.append((64 - before % 64) % 64, ' ');
  header += '\n';
  std::string out;
  out += kMagic;
  out += char(header.size() & 0xFF);
  out += char(header.size() >> 8);
  out += header;
  return out;
}

Result<std::string> WriteNpy(const Tensor& tensor) {
  return Guarded([&]() -> Result<std::string> { return NpyHeader(tensor) + tensor.ToBytes(); });
}

Result<Tensor> ReadNpy(std::string_view bytes, const ValueTypePtr& type, const Buffer& owner) {
  return Guarded([&] { return TensorOf(bytes, type, owner); }, {}, Code::kLimit);
}

Result<std::vector<int64_t>> ReadNpyShape(std::string_view bytes) {
  return Guarded(
      [&]() -> Result<std::vector<int64_t>> {
        Header header = SHLO_TRY(ReadHeader(bytes));
        return std::move(header.shape);
      },
      {}, Code::kLimit);
}

}  // namespace shlo
