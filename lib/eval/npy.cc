#include "shlo/npy.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <charconv>

#include "eval/kernels/move_elements.h"
#include "eval/unpack_elements.h"
#include "ir/guarded.h"

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
  return fmt::format("<u{}", element.bytes());
}

tl::unexpected<Diagnostics> Bad(std::string message) { return Error(Code::kMalformed, std::move(message)); }

// Returns the text after 'key':.
std::string_view ValueOf(std::string_view header, std::string_view key) {
  const size_t at = header.find(key);
  if (at == std::string_view::npos) return {};
  header.remove_prefix(at + key.size());
  const size_t colon = header.find(':');
  if (colon == std::string_view::npos) return {};
  header.remove_prefix(colon + 1);
  while (header.starts_with(' ')) header.remove_prefix(1);
  return header;
}

// Parses "(2, 3)", "(2,)" or "()". Returns false for anything else.
bool ParseShape(std::string_view text, std::vector<int64_t>* shape) {
  const size_t end = text.find(')');
  if (!text.starts_with('(') || end == std::string_view::npos) return false;
  text = text.substr(1, end - 1);
  while (!text.empty()) {
    int64_t extent = 0;
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), extent);
    if (parsed.ec != std::errc() || extent < 0) return false;
    shape->push_back(extent);
    text.remove_prefix(size_t(parsed.ptr - text.data()));
    if (text.starts_with('L')) text.remove_prefix(1);  // Python 2
    if (!text.empty() && !text.starts_with(',')) return false;
    text.remove_prefix(std::min<size_t>(text.size(), 1));
    while (text.starts_with(' ')) text.remove_prefix(1);
  }
  return true;
}

// The header of a file, and where its elements start.
struct Header {
  std::string_view descr;
  bool fortran_order = false;
  std::vector<int64_t> shape;
  size_t size = 0;
};

Result<Header> ReadHeader(std::string_view bytes) {
  if (bytes.size() < 10 || !bytes.starts_with("\x93NUMPY")) return Bad("not a NumPy file");
  const bool long_header = uint8_t(bytes[6]) >= 2;
  const size_t prefix = long_header ? 12 : 10;
  if (bytes.size() < prefix) return Bad("truncated NumPy header");
  size_t length = uint8_t(bytes[8]) | size_t(uint8_t(bytes[9])) << 8;
  if (long_header) length |= size_t(uint8_t(bytes[10])) << 16 | size_t(uint8_t(bytes[11])) << 24;
  if (length > bytes.size() - prefix) return Bad("truncated NumPy header");
  const std::string_view text = bytes.substr(prefix, length);
  Header header;
  header.size = prefix + length;
  header.fortran_order = ValueOf(text, "'fortran_order'").starts_with("True");
  const std::string_view descr = ValueOf(text, "'descr'");
  const size_t end = descr.size() > 2 && (descr[0] == '\'' || descr[0] == '"') ? descr.find(descr[0], 1) : 0;
  if (end == 0 || end == std::string_view::npos || end < 3) return Bad("NumPy header has no simple dtype");
  header.descr = descr.substr(1, end - 1);
  if (!ParseShape(ValueOf(text, "'shape'"), &header.shape)) return Bad("NumPy header has no shape");
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
  std::from_chars(descr.data() + 2, descr.data() + descr.size(), size);
  if (size != type.bytes()) return false;
  for (const NpyRow& row : kRows)
    if (row.kind == type.kind && row.complex == type.complex) return descr[1] == 'V';
  return descr[1] == 'V' || descr[1] == 'u' || descr[1] == 'i' || (descr[1] == 'f' && size == 1);
}

Result<Tensor> TensorOf(std::string_view bytes, const ValueTypePtr& type, const Buffer& owner) {
  SHLO_ASSIGN(const Header header, ReadHeader(bytes));
  bytes.remove_prefix(header.size);
  if (type && header.shape != type->shape)
    return Bad(fmt::format("expected a NumPy array of shape {}, got ({})", TypeName(*type),
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
      return Bad(fmt::format("expected NumPy elements of {} for {}, got dtype '{}'",
                             Count(type->element.bytes(), "byte"), TypeName(*type), header.descr));
    } else {
      return Error(Code::kUnsupported, fmt::format("NumPy dtype '{}' does not state a type", header.descr),
                   {}, "pass it as an argument whose type the program states");
    }
  }
  if (!result) return Bad("NumPy array is too large");
  if (bytes.size() != result->bytes)
    return Bad(fmt::format("expected {} of NumPy data for {}, got {}", Count(result->bytes, "byte"),
                           TypeName(*result), bytes.size()));
  const bool swapped = header.descr[0] == (std::endian::native == std::endian::little ? '>' : '<');
  const bool moved = header.fortran_order && result->rank() > 1 && result->count > 0;
  if (!moved) return UnpackElements(result, bytes, swapped, owner);
  // The file is row-major for the dimensions in reverse order.
  std::vector<int64_t> reversed(result->shape.rbegin(), result->shape.rend());
  SHLO_ASSIGN(const Tensor memory,
              UnpackElements(MakeTensorType(result->element, reversed), bytes, swapped, owner));
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
  for (int64_t extent : tensor.type().shape) shape += fmt::format("{}, ", extent);
  if (tensor.type().rank() > 1) shape.resize(shape.size() - 2);
  if (tensor.type().rank() == 1) shape.resize(shape.size() - 1);
  std::string header = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}",
                                   Descr(tensor.element()), shape);
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
        SHLO_ASSIGN(Header header, ReadHeader(bytes));
        return std::move(header.shape);
      },
      {}, Code::kLimit);
}

}  // namespace shlo
