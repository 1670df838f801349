#include "shlo/npy.h"

#include <fmt/format.h>

#include <array>
#include <charconv>

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

std::string NpyOf(const Tensor& tensor) {
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
  std::string out(kMagic);
  out += char(header.size() & 0xFF);
  out += char(header.size() >> 8);
  return out + header + tensor.ToBytes();
}

Result<Tensor> TensorOf(std::string_view bytes, const ValueTypePtr& type) {
  if (bytes.size() < 10 || !bytes.starts_with("\x93NUMPY")) return Bad("not a NumPy file");
  const bool long_header = uint8_t(bytes[6]) >= 2;
  const size_t prefix = long_header ? 12 : 10;
  if (bytes.size() < prefix) return Bad("truncated NumPy header");
  size_t length = uint8_t(bytes[8]) | size_t(uint8_t(bytes[9])) << 8;
  if (long_header) length |= size_t(uint8_t(bytes[10])) << 16 | size_t(uint8_t(bytes[11])) << 24;
  if (length > bytes.size() - prefix) return Bad("truncated NumPy header");
  const std::string_view header = bytes.substr(prefix, length);
  bytes.remove_prefix(prefix + length);
  if (!ValueOf(header, "'fortran_order'").starts_with("False"))
    return Error(Code::kUnsupported, "NumPy arrays in Fortran order are not supported", {},
                 "convert it with np.ascontiguousarray");
  std::string_view descr = ValueOf(header, "'descr'");
  if (descr.size() < 2 || (descr[0] != '\'' && descr[0] != '"'))
    return Bad("NumPy header has no simple dtype");
  descr = descr.substr(1, descr.find(descr[0], 1) - 1);
  std::string_view list = ValueOf(header, "'shape'");
  if (!list.starts_with('(')) return Bad("NumPy header has no shape");
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
  ValueTypePtr result = type;
  if (type) {
    if (shape != type->shape)
      return Bad(
          fmt::format("expected a NumPy array of shape {}, got ({})", TypeName(*type), list.substr(0, 64)));
    uint32_t size = 0;
    if (descr.size() > 2) std::from_chars(descr.data() + 2, descr.data() + descr.size(), size);
    if (size != type->element.bytes())
      return Bad(fmt::format("expected NumPy elements of {} for {}, got dtype '{}'",
                             Count(type->element.bytes(), "byte"), TypeName(*type), descr));
  } else {
    ElementType element;
    for (const NpyRow& row : kRows)
      if (row.descr.substr(1) == descr.substr(1)) element = {row.kind, row.complex};
    if (element.kind == TypeKind::kInvalid || descr.starts_with('>'))
      return Error(Code::kUnsupported, fmt::format("NumPy dtype '{}' is not supported", descr));
    result = MakeTensorType(element, shape);
  }
  if (!result) return Bad("NumPy array is too large");
  if (bytes.size() != result->bytes)
    return Bad(fmt::format("expected {} of NumPy data for {}, got {}", Count(result->bytes, "byte"),
                           TypeName(*result), bytes.size()));
  Tensor tensor = Tensor::Copy(result, bytes);
  if (!tensor) return Error(Code::kLimit, "not enough memory for the array");
  return tensor;
}

uint32_t Crc32(std::string_view bytes) {
  static constexpr auto kTable = [] {
    std::array<uint32_t, 256> table{};
    for (uint32_t i = 0; i < 256; ++i) {
      uint32_t c = i;
      for (int k = 0; k < 8; ++k) c = c & 1 ? 0xEDB88320u ^ (c >> 1) : c >> 1;
      table[i] = c;
    }
    return table;
  }();
  uint32_t crc = ~0u;
  for (char ch : bytes) crc = kTable[(crc ^ uint8_t(ch)) & 0xFF] ^ (crc >> 8);
  return ~crc;
}

void Put(std::string& out, uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) out += char(value >> (8 * i));
}
uint64_t Get(std::string_view bytes, size_t at, int count) {
  uint64_t value = 0;
  for (int i = 0; i < count && at + size_t(i) < bytes.size(); ++i)
    value |= uint64_t(uint8_t(bytes[at + size_t(i)])) << (8 * i);
  return value;
}

constexpr uint32_t kLocalFile = 0x04034B50, kCentralFile = 0x02014B50, kEndOfDirectory = 0x06054B50;

Result<std::string> NpzOf(const NamedTensors& tensors) {
  std::string out, directory;
  for (const auto& [name, tensor] : tensors) {
    const std::string file = name + ".npy", bytes = NpyOf(tensor);
    std::string common;  // fields of both headers: version, flags, method, time, date, crc, sizes, lengths
    Put(common, 20, 2), Put(common, 0, 2), Put(common, 0, 2), Put(common, 0, 2), Put(common, 0x21, 2);
    Put(common, Crc32(bytes), 4), Put(common, bytes.size(), 4), Put(common, bytes.size(), 4);
    Put(common, file.size(), 2), Put(common, 0, 2);
    Put(directory, kCentralFile, 4), Put(directory, 20, 2);
    directory += common;
    Put(directory, 0, 2), Put(directory, 0, 2), Put(directory, 0, 2), Put(directory, 0, 4);
    Put(directory, out.size(), 4);
    directory += file;
    Put(out, kLocalFile, 4);
    out.append(common).append(file).append(bytes);
  }
  const size_t start = out.size();
  // Larger archives need ZIP64, which is not written.
  if (tensors.size() > 0xFFFF || start + directory.size() > 0xFFFFFFFF)
    return Error(Code::kLimit, "a .npz file holds at most 65535 arrays and 4 GiB");
  out += directory;
  Put(out, kEndOfDirectory, 4), Put(out, 0, 4), Put(out, tensors.size(), 2), Put(out, tensors.size(), 2);
  Put(out, directory.size(), 4), Put(out, start, 4), Put(out, 0, 2);
  return out;
}

Result<NamedTensors> TensorsOf(std::string_view bytes) {
  constexpr size_t kEndSize = 22;
  size_t end = bytes.size();
  for (size_t i = bytes.size() < kEndSize ? 0 : bytes.size() - kEndSize + 1; i-- > 0;) {
    if (Get(bytes, i, 4) != kEndOfDirectory) continue;
    end = i;
    break;
  }
  if (end == bytes.size()) return Bad("not a .npz file");
  NamedTensors tensors;
  size_t at = Get(bytes, end + 16, 4);
  for (uint64_t n = Get(bytes, end + 10, 2); n > 0; --n) {
    if (at + 46 > bytes.size() || Get(bytes, at, 4) != kCentralFile) return Bad("malformed .npz directory");
    const uint64_t method = Get(bytes, at + 10, 2), size = Get(bytes, at + 24, 4);
    const uint64_t name_size = Get(bytes, at + 28, 2), local = Get(bytes, at + 42, 4);
    if (method != 0)
      return Error(Code::kUnsupported, "compressed .npz is not supported", {}, "write it with np.savez");
    std::string name(bytes.substr(std::min<size_t>(at + 46, bytes.size()), name_size));
    const size_t data = local + 30 + Get(bytes, local + 26, 2) + Get(bytes, local + 28, 2);
    if (data > bytes.size() || size > bytes.size() - data) return Bad("truncated .npz file");
    Result<Tensor> tensor = TensorOf(bytes.substr(data, size), nullptr);
    if (!tensor) return tl::make_unexpected(std::move(tensor.error()));
    if (name.ends_with(".npy")) name.resize(name.size() - 4);
    tensors.emplace_back(std::move(name), std::move(*tensor));
    at += 46 + name_size + Get(bytes, at + 30, 2) + Get(bytes, at + 32, 2);
  }
  return tensors;
}

}  // namespace

Result<std::string> WriteNpy(const Tensor& tensor) {
  return Guarded([&]() -> Result<std::string> { return NpyOf(tensor); });
}

Result<Tensor> ReadNpy(std::string_view bytes, const ValueTypePtr& type) {
  return Guarded([&] { return TensorOf(bytes, type); }, {}, Code::kLimit);
}

Result<std::string> WriteNpz(const NamedTensors& tensors) {
  return Guarded([&] { return NpzOf(tensors); });
}

Result<NamedTensors> ReadNpz(std::string_view bytes) {
  return Guarded([&] { return TensorsOf(bytes); }, {}, Code::kLimit);
}

}  // namespace shlo
