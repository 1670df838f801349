#include "shlo/tensor_file.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <unordered_set>
#include <utility>

#include "base/format.h"
#include "base/guarded.h"
#include "base/try.h"
#include "base/utf8.h"
#include "eval/kernel/kernel_args.h"
#include "eval/unpack_elements.h"
#include "eval/zip.h"
#include "shlo/npy.h"

namespace shlo {
namespace {

using Json = nlohmann::json;

tl::unexpected<Diagnostics> BadFile(std::string message) {
  return Error(Code::kMalformed, std::move(message));
}

// Adds the file to diagnostics that have no place.
tl::unexpected<Diagnostics> In(const std::string& file, Diagnostics why) {
  for (Diagnostic& d : why)
    if (d.place.file.empty()) d.place.file = file;
  return tl::make_unexpected(std::move(why));
}

// The element types of safetensors.
struct DtypeRow {
  std::string_view name;
  TypeKind kind;
  bool complex = false;
};
constexpr DtypeRow kDtypes[] = {
    {"BOOL", TypeKind::kI1},        {"I8", TypeKind::kI8},
    {"I16", TypeKind::kI16},        {"I32", TypeKind::kI32},
    {"I64", TypeKind::kI64},        {"U8", TypeKind::kUI8},
    {"U16", TypeKind::kUI16},       {"U32", TypeKind::kUI32},
    {"U64", TypeKind::kUI64},       {"BF16", TypeKind::kBF16},
    {"F16", TypeKind::kF16},        {"F32", TypeKind::kF32},
    {"F64", TypeKind::kF64},        {"F8_E4M3", TypeKind::kF8E4M3FN},
    {"F8_E5M2", TypeKind::kF8E5M2}, {"F8_E8M0", TypeKind::kF8E8M0FNU},
    {"C64", TypeKind::kF32, true},
};

// A safetensors file: the size of the header in 8 bytes, the header (JSON: name to dtype, shape and place of
// the elements after the header), and the elements.
constexpr size_t kPrefix = 8;
constexpr std::string_view kMetadata = "__metadata__";
constexpr uint64_t kMostHeader = 100'000'000;  // the limit of the format

uint64_t HeaderSize(std::string_view bytes) {
  uint64_t size = 0;
  for (size_t i = 0; i < kPrefix && i < bytes.size(); ++i) size |= uint64_t(uint8_t(bytes[i])) << (8 * i);
  return size;
}
bool IsSafetensors(std::string_view bytes) {
  const uint64_t size = HeaderSize(bytes);
  return bytes.size() > kPrefix && size >= 2 && size <= bytes.size() - kPrefix && bytes[kPrefix] == '{';
}

struct Stored {
  std::string name;
  ValueTypePtr type;
  std::string_view bytes;
  uint64_t begin = 0;
};

// Reads the header event by event, because destroying a parsed document may need memory (and end the process
// without it). The depth of nesting is that of the format. Keys are never repeated: readers differ in which
// one they take.
class HeaderReader {
 public:
  struct Array {
    std::string name, dtype;
    std::vector<int64_t> shape;
    std::vector<uint64_t> place;
    bool has_dtype = false, has_shape = false, has_place = false;
  };
  std::vector<Array> arrays;

  // The events of nlohmann::json_sax; false ends the parsing.
  bool start_object(size_t) { return !list_ && ++depth_ <= 2; }
  bool end_object() { return --depth_, true; }
  bool key(std::string& name) {
    if (depth_ == 1) {
      metadata_ = name == kMetadata;
      metadata_keys_.clear();
      if (!names_.insert(name).second) return false;
      if (!metadata_) arrays.push_back({.name = name});
      return true;
    }
    if (metadata_) return metadata_keys_.insert(name).second;
    Array& array = arrays.back();
    field_ = name == "dtype"          ? &array.has_dtype
             : name == "shape"        ? &array.has_shape
             : name == "data_offsets" ? &array.has_place
                                      : nullptr;
    return field_ && !std::exchange(*field_, true);
  }
  bool string(std::string& value) {
    if (depth_ != 2 || list_) return false;
    if (metadata_) return true;
    if (field_ != &arrays.back().has_dtype) return false;
    arrays.back().dtype = value;
    return true;
  }
  bool start_array(size_t) {
    return depth_ == 2 && !metadata_ && field_ != &arrays.back().has_dtype && !std::exchange(list_, true);
  }
  bool end_array() { return std::exchange(list_, false); }
  bool number_unsigned(uint64_t value) {
    if (!list_ || value >= (1ull << 62)) return false;
    if (field_ == &arrays.back().has_shape)
      arrays.back().shape.push_back(int64_t(value));
    else
      arrays.back().place.push_back(value);
    return true;
  }
  bool null() { return false; }
  bool boolean(bool) { return false; }
  bool number_integer(int64_t) { return false; }
  bool number_float(double, const std::string&) { return false; }
  bool binary(std::vector<uint8_t>&) { return false; }
  template <typename Exception>
  bool parse_error(size_t, const std::string&, const Exception&) {
    return false;
  }

 private:
  int depth_ = 0;
  bool list_ = false, metadata_ = false;
  bool* field_ = nullptr;  // what the value belongs to
  std::unordered_set<std::string> names_, metadata_keys_;
};

Result<Stored> ToStored(HeaderReader::Array array, std::string_view bytes) {
  if (!array.has_dtype || !array.has_shape || array.place.size() != 2)
    return BadFile(StrFormat("array '{}' has a malformed header", array.name));
  ElementType element;
  for (const DtypeRow& row : kDtypes)
    if (row.name == array.dtype) element = {row.kind, row.complex};
  if (element.kind == TypeKind::kInvalid)
    return Error(Code::kUnsupported,
                 StrFormat("array '{}' has unsupported dtype '{}'", array.name, array.dtype));
  const uint64_t begin = array.place[0], end = array.place[1];
  const ValueTypePtr type = MakeTensorType(element, array.shape);
  if (begin > end || end > bytes.size()) return BadFile(StrFormat("array '{}' is truncated", array.name));
  if (!type || end - begin != type->bytes)
    return BadFile(
        StrFormat("array '{}' has {}, which do not match its shape", array.name, Count(end - begin, "byte")));
  return Stored{std::move(array.name), type, bytes.substr(begin, end - begin), begin};
}

Result<std::vector<Stored>> ReadSafetensors(std::string_view bytes) {
  const uint64_t size = HeaderSize(bytes);
  if (size > kMostHeader)
    return Error(Code::kLimit, StrFormat("safetensors header exceeds the limit of {} bytes", kMostHeader));
  HeaderReader header;
  const std::string_view text = bytes.substr(kPrefix, size);
  // A zero byte would end the text for this parser.
  if (text.find('\0') != text.npos || !Json::sax_parse(text, &header))
    return BadFile("malformed safetensors header");
  bytes.remove_prefix(kPrefix + size);
  std::vector<Stored> out;
  for (HeaderReader::Array& array : header.arrays) {
    Stored stored = SHLO_TRY(ToStored(std::move(array), bytes));
    out.push_back(std::move(stored));
  }
  // The order of the elements is the order in which the arrays were given.
  std::ranges::stable_sort(out, {}, [](const Stored& x) { return std::pair(x.begin, x.bytes.size()); });
  uint64_t at = 0;
  for (const Stored& array : out) {
    if (array.begin != at)
      return BadFile(StrFormat("array '{}' begins at byte {}, but the arrays before it end at {}", array.name,
                               array.begin, at));
    at += array.bytes.size();
  }
  if (at != bytes.size())
    return BadFile(StrFormat("the arrays end at byte {}, but the file has {}", at,
                             Count(bytes.size(), "byte") + " of elements"));
  return out;
}

}  // namespace

Result<TensorFile> TensorFile::Open(std::string_view bytes, Buffer owner, std::string name,
                                    const TensorFileOptions& options) {
  TensorFile file;
  file.file_ = std::move(name);
  const auto read = [&]() -> Status {
    if (bytes.starts_with("\x93NUMPY")) {
      file.arrays_.push_back({"", bytes, nullptr, owner});
    } else if (IsZip(bytes)) {
      std::vector<ZipMember> members = SHLO_TRY(ReadZip(bytes, owner, options.limits.max_memory));
      for (ZipMember& member : members) {
        if (!member.name.ends_with(".npy"))
          return BadFile(StrFormat("'{}' in the ZIP archive is not a .npy file", member.name));
        member.name.resize(member.name.size() - 4);
        file.arrays_.push_back({std::move(member.name), member.bytes, nullptr, std::move(member.owner)});
      }
    } else if (IsSafetensors(bytes)) {
      std::vector<Stored> stored = SHLO_TRY(ReadSafetensors(bytes));
      for (Stored& array : stored)
        file.arrays_.push_back({std::move(array.name), array.bytes, std::move(array.type), owner});
    } else {
      return Error(Code::kMalformed, "not a file of tensors", {}, "pass a .npz, .npy or .safetensors file");
    }
    return {};
  };
  return Guarded(
      options.limits,
      [&]() -> Result<TensorFile> {
        if (Status s = read(); !s) return In(file.file_, std::move(s.error()));
        return std::move(file);
      },
      file.file_, Code::kLimit);
}

Result<Tensor> TensorFile::Read(size_t i, const ValueTypePtr& type) const {
  return Guarded(
      [&]() -> Result<Tensor> {
        const Array& array = arrays_[i];
        Result<Tensor> tensor = array.type
                                    ? UnpackElements(array.type, array.bytes, /*swapped=*/false, array.owner)
                                    : ReadNpy(array.bytes, type, array.owner);
        if (!tensor) return At(i, std::move(tensor.error()));
        return tensor;
      },
      file_, Code::kLimit);
}

Result<std::vector<int64_t>> TensorFile::Shape(size_t i) const {
  return Guarded(
      [&]() -> Result<std::vector<int64_t>> {
        const Array& array = arrays_[i];
        if (array.type) return array.type->shape;
        Result<std::vector<int64_t>> shape = ReadNpyShape(array.bytes);
        if (!shape) return At(i, std::move(shape.error()));
        return shape;
      },
      file_, Code::kLimit);
}

tl::unexpected<Diagnostics> TensorFile::At(size_t i, Diagnostics why) const {
  if (!arrays_[i].name.empty())
    for (Diagnostic& d : why) d.message = StrFormat("array '{}': {}", arrays_[i].name, d.message);
  return In(file_, std::move(why));
}

namespace {

// An error unless a writer wrote all.
Status Written(bool all) {
  if (!all) return Error(Code::kIo, "cannot write the whole file");
  return {};
}

// Fails if a name has no meaning, or another one, in a file.
Status CheckNames(const NamedTensors& tensors) {
  constexpr size_t kLongest = 65000;  // ZIP has 16 bits for a length
  std::unordered_set<std::string_view> names;
  for (const auto& [name, tensor] : tensors) {
    if (name.size() > kLongest)
      return Error(Code::kUnsupported,
                   StrFormat("a name of {} is too long for a file of tensors", Count(name.size(), "byte")));
    if (name.find('\0') != name.npos || FirstNotUtf8(name) != std::string_view::npos)
      return Error(Code::kUnsupported, StrFormat("'{}' is not a name of UTF-8 text", name));
    if (!names.insert(name).second)
      return Error(Code::kUnsupported, StrFormat("two arrays are called '{}'", name));
  }
  return {};
}

Status NpzTo(const NamedTensors& tensors, const Sink& sink) {
  SHLO_TRY(CheckNames(tensors));
  std::vector<NewMember> members;
  for (const auto& [name, tensor] : tensors) {
    std::string header = NpyHeader(tensor);
    const uint64_t size = header.size() + tensor.type().bytes;
    members.push_back({name + ".npy", size, [header = std::move(header), t = &tensor](const Sink& to) {
                         return to(header) && t->BytesTo(to);
                       }});
  }
  return Written(WriteZip(members, sink));
}

Status SafetensorsTo(const NamedTensors& tensors, const Sink& sink) {
  SHLO_TRY(CheckNames(tensors));
  std::string text = "{";
  uint64_t at = 0;
  for (const auto& [name, tensor] : tensors) {
    std::string_view dtype;
    for (const DtypeRow& row : kDtypes)
      if (row.kind == tensor.element().kind && row.complex == tensor.element().complex) dtype = row.name;
    if (name == kMetadata)
      return Error(Code::kUnsupported, StrFormat("safetensors has another use for the name '{}'", name));
    if (dtype.empty())
      return Error(Code::kUnsupported,
                   StrFormat("safetensors has no element type {}, which '{}' has",
                             ElementName(tensor.element()), name),
                   {}, "write a .npz file");
    const std::string quoted = Json(name).dump();
    text +=
        StrFormat(R"({}{}:{{"dtype":"{}","shape":[{}],"data_offsets":[{},{}]}})", text.size() > 1 ? "," : "",
                  quoted, dtype, fmt::join(tensor.type().shape, ","), at, at + tensor.type().bytes);
    at += tensor.type().bytes;
  }
  text += '}';
  text.append((8 - text.size() % 8) % 8, ' ');  // the elements are aligned
  std::string prefix;
  for (size_t i = 0; i < kPrefix; ++i) prefix += char(uint64_t(text.size()) >> (8 * i));
  bool ok = sink(prefix + text);
  for (const auto& [name, tensor] : tensors) ok = ok && tensor.BytesTo(sink);
  return Written(ok);
}

// Returns what a writer writes.
template <typename WriteT>
Result<std::string> InMemory(const WriteT& write, const NamedTensors& tensors) {
  return Guarded([&]() -> Result<std::string> {
    std::string out;
    SHLO_TRY(write(tensors, [&](std::string_view piece) {
      out += piece;
      return true;
    }));
    return out;
  });
}

}  // namespace

Status WriteNpzTo(const NamedTensors& tensors, const Sink& sink) {
  return Guarded([&] { return NpzTo(tensors, sink); });
}
Status WriteSafetensorsTo(const NamedTensors& tensors, const Sink& sink) {
  return Guarded([&] { return SafetensorsTo(tensors, sink); });
}
Result<std::string> WriteNpz(const NamedTensors& tensors) { return InMemory(NpzTo, tensors); }
Result<std::string> WriteSafetensors(const NamedTensors& tensors) { return InMemory(SafetensorsTo, tensors); }

}  // namespace shlo
