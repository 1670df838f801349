#include "eval/npy.h"

#include <fmt/format.h>

#include <charconv>

namespace shlo {
namespace {

constexpr std::string_view kMagic("\x93NUMPY\x01\x00", 8);

struct NpyRow {
  TypeKind kind;
  bool complex;
  std::string_view descr;
};
constexpr NpyRow kRows[] = {
    {TypeKind::kI1, false, "|b1"},  {TypeKind::kI8, false, "|i1"},   {TypeKind::kI16, false, "<i2"},
    {TypeKind::kI32, false, "<i4"}, {TypeKind::kI64, false, "<i8"},  {TypeKind::kUI8, false, "|u1"},
    {TypeKind::kUI16, false, "<u2"}, {TypeKind::kUI32, false, "<u4"}, {TypeKind::kUI64, false, "<u8"},
    {TypeKind::kF16, false, "<f2"}, {TypeKind::kF32, false, "<f4"},  {TypeKind::kF64, false, "<f8"},
    {TypeKind::kF32, true, "<c8"},  {TypeKind::kF64, true, "<c16"},
};

std::string Descr(ElementType element) {
  for (const NpyRow& row : kRows)
    if (row.kind == element.kind && row.complex == element.complex) return std::string(row.descr);
  if (element.bytes() == 1) return element.is_integer() && !element.is_unsigned() ? "|i1" : "|u1";
  return fmt::format("<u{}", element.bytes());
}

tl::unexpected<Diagnostics> Bad(std::string message) { return Error(Code::kMalformed, std::move(message)); }

// The text behind 'key':.
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

}  // namespace

std::string WriteNpy(const Tensor& tensor) {
  std::string shape;
  for (int64_t extent : tensor.type().shape) shape += fmt::format("{}, ", extent);
  if (tensor.type().rank() > 1) shape.resize(shape.size() - 2);
  if (tensor.type().rank() == 1) shape.resize(shape.size() - 1);
  std::string header =
      fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}", Descr(tensor.element()), shape);
  // The elements begin at a multiple of 64 bytes.
  const size_t before = kMagic.size() + 2 + header.size() + 1;
  header.append((64 - before % 64) % 64, ' ');
  header += '\n';
  std::string out(kMagic);
  out += char(header.size() & 0xFF);
  out += char(header.size() >> 8);
  return out + header + tensor.ToBytes();
}

Result<Tensor> ReadNpy(std::string_view bytes, const TensorTypePtr& type) {
  if (bytes.size() < 10 || !bytes.starts_with("\x93NUMPY")) return Bad("this is no NumPy file");
  const bool long_header = uint8_t(bytes[6]) >= 2;
  const size_t prefix = long_header ? 12 : 10;
  if (bytes.size() < prefix) return Bad("the NumPy header is cut off");
  size_t length = uint8_t(bytes[8]) | size_t(uint8_t(bytes[9])) << 8;
  if (long_header) length |= size_t(uint8_t(bytes[10])) << 16 | size_t(uint8_t(bytes[11])) << 24;
  if (length > bytes.size() - prefix) return Bad("the NumPy header is cut off");
  const std::string_view header = bytes.substr(prefix, length);
  bytes.remove_prefix(prefix + length);
  if (!ValueOf(header, "'fortran_order'").starts_with("False"))
    return Error(Code::kUnsupported, "only NumPy arrays in C order are read");
  std::string_view descr = ValueOf(header, "'descr'");
  if (descr.size() < 2 || (descr[0] != '\'' && descr[0] != '"')) return Bad("the NumPy header has no simple type");
  descr = descr.substr(1, descr.find(descr[0], 1) - 1);
  std::string_view list = ValueOf(header, "'shape'");
  if (!list.starts_with('(')) return Bad("the NumPy header has no shape");
  list = list.substr(1, list.find(')') - 1);
  std::vector<int64_t> shape;
  for (const char *p = list.data(), *end = p + list.size(); p < end;) {
    int64_t extent = 0;
    const auto parsed = std::from_chars(p, end, extent);
    if (parsed.ec != std::errc() || extent < 0) {
      ++p;
      continue;
    }
    shape.push_back(extent);
    p = parsed.ptr;
  }
  TensorTypePtr result = type;
  if (type) {
    if (shape != type->shape) return Bad(fmt::format("the NumPy array has another shape than {}", TypeName(*type)));
    uint32_t size = 0;
    if (descr.size() > 2) std::from_chars(descr.data() + 2, descr.data() + descr.size(), size);
    if (size != type->element.bytes())
      return Bad(fmt::format("the NumPy array has elements of type {}, not those of {}", descr, TypeName(*type)));
  } else {
    ElementType element;
    for (const NpyRow& row : kRows)
      if (row.descr.substr(1) == descr.substr(1)) element = {row.kind, row.complex};
    if (element.kind == TypeKind::kInvalid || descr.starts_with('>'))
      return Error(Code::kUnsupported, fmt::format("NumPy arrays of type '{}' are not read", descr));
    result = MakeTensorType(element, shape);
  }
  if (!result || bytes.size() != result->bytes) return Bad("the NumPy array has the wrong number of bytes");
  Tensor tensor = Tensor::Copy(result, bytes);
  if (!tensor) return Error(Code::kLimit, "not enough memory for the array");
  return tensor;
}

}  // namespace shlo
