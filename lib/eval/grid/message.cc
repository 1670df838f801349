#include "eval/grid/message.h"

#include <bit>
#include <cstring>

#include "base/format.h"
#include "base/stack.h"
#include "shlo/kinds.h"
#include "shlo/verify.h"

namespace shlo {
namespace {

constexpr uint8_t kMessageFormat = 1;
// Tuples recurse.
constexpr int kMostTuples = 64;
// Kinds of values.
enum : uint8_t { kTokenValue = 0, kTupleValue = 1, kTensorValue = 2 };
// Of tensors.
enum : uint8_t { kSplatFlag = 1, kComplexFlag = 2, kSignedFlag = 4, kQuantizedFlag = 8, kTensorFlags = 15 };

std::string_view AsText(const uint8_t* data, uint64_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

}  // namespace

// --- Writing ---------------------------------------------------------------------------------------

MessageWriter::MessageWriter(MessageKind kind) {
  Byte(kMessageFormat);
  Byte(uint8_t(kind));
}

void MessageWriter::Number(uint64_t number) {
  for (int shift = 0; shift < 64; shift += 8) Byte(uint8_t(number >> shift));
}

void MessageWriter::Text(std::string_view text) {
  Number(text.size());
  bytes_ += text;
}

void MessageWriter::Id(ProcessId id) {
  Number(id.replica);
  Number(id.partition);
}

void MessageWriter::Type(const ValueType& type, bool splat) {
  const ElementType element = type.element;
  Byte(uint8_t((splat ? kSplatFlag : 0) | (element.complex ? kComplexFlag : 0) |
               (element.spelled_signed ? kSignedFlag : 0) | (type.quantization ? kQuantizedFlag : 0)));
  Text(RowOf(element.kind).mnemonic);
  const auto integers = [&](const std::vector<int64_t>& list) {
    Number(list.size());
    for (int64_t i : list) Number(uint64_t(i));
  };
  integers(type.shape);
  if (!type.quantization) return;
  const Quantization& q = *type.quantization;
  Text(RowOf(q.expressed).mnemonic);
  Number(uint64_t(q.storage_min));
  Number(uint64_t(q.storage_max));
  integers(q.dimensions);
  integers(q.block_sizes);
  integers(q.blocks);
  Number(q.scales.size());
  for (double scale : q.scales) Number(std::bit_cast<uint64_t>(scale));
  integers(q.zero_points);
}

void MessageWriter::Value(const Tensor& value) {
  CheckStack();
  if (value.element().kind == TypeKind::kToken) return Byte(kTokenValue);
  if (value.element().kind == TypeKind::kTuple) {
    Byte(kTupleValue);
    return Values({value.members().begin(), value.members().end()});
  }
  Byte(kTensorValue);
  Type(value.type(), value.splat());
  bytes_ += AsText(value.data(), value.stored_bytes());
}

void MessageWriter::Values(const std::vector<Tensor>& values) {
  uint64_t bytes = bytes_.size();
  for (const Tensor& value : values) bytes += 128 + value.stored_bytes();
  if (bytes > bytes_.capacity()) bytes_.reserve(bytes);
  Number(values.size());
  for (const Tensor& value : values) Value(value);
}

void MessageWriter::Problems(const Diagnostics& diagnostics) {
  Number(diagnostics.size());
  for (const Diagnostic& d : diagnostics) {
    Byte(uint8_t(d.severity));
    Byte(uint8_t(d.code));
    Number(d.version.n);
    Number(d.place.line);
    Number(d.place.column);
    Number(d.place.offset);
    for (const std::string* text : {&d.place.file, &d.place.section, &d.place.function, &d.place.location,
                                    &d.place.source_line, &d.op, &d.message, &d.hint})
      Text(*text);
  }
}

// --- Reading ---------------------------------------------------------------------------------------

MessageReader::MessageReader(std::string_view bytes, Buffer owner, MessageKind kind)
    : begin_(bytes.data()), left_(bytes), owner_(std::move(owner)) {
  if (Byte() != kMessageFormat) other_format_ = true;
  if (Byte() != uint8_t(kind) || other_format_) Fail();
}

void MessageReader::Fail() {
  if (!failed_) failed_at_ = size_t(left_.data() - begin_);
  failed_ = true;
  left_ = left_.substr(left_.size());
}

std::string_view MessageReader::Take(uint64_t size) {
  if (size > left_.size()) {
    Fail();
    return left_;
  }
  const std::string_view taken = left_.substr(0, size);
  left_.remove_prefix(size);
  return taken;
}

uint8_t MessageReader::Byte() {
  const std::string_view byte = Take(1);
  return byte.empty() ? 0 : uint8_t(byte[0]);
}

bool MessageReader::Flag() {
  const uint8_t byte = Byte();
  if (byte > 1) Fail();
  return byte == 1;
}

uint64_t MessageReader::Number() {
  uint64_t number = 0;
  const std::string_view bytes = Take(8);
  for (size_t i = bytes.size(); i-- > 0;) number = number << 8 | uint8_t(bytes[i]);
  return number;
}

uint32_t MessageReader::Small() {
  const uint64_t number = Number();
  if (number > UINT32_MAX) Fail();
  return number > UINT32_MAX ? 0 : uint32_t(number);
}

uint64_t MessageReader::Count(uint64_t least_bytes) {
  const uint64_t count = Number();
  if (count <= left_.size() / least_bytes) return count;
  Fail();
  return 0;
}

std::string_view MessageReader::Text() { return Take(Number()); }

ProcessId MessageReader::Id() {
  const uint32_t replica = Small();
  return {replica, Small()};
}

std::vector<int64_t> MessageReader::Integers() {
  std::vector<int64_t> out(Count(8));
  for (int64_t& i : out) i = int64_t(Number());
  return out;
}

QuantizationPtr MessageReader::Parameters() {
  auto q = std::make_shared<Quantization>();
  q->expressed = FindTypeKind("", Text());
  q->storage_min = int64_t(Number());
  q->storage_max = int64_t(Number());
  q->dimensions = Integers();
  q->block_sizes = Integers();
  q->blocks = Integers();
  q->scales.resize(Count(8));
  for (double& scale : q->scales) scale = std::bit_cast<double>(Number());
  q->zero_points = Integers();
  if (failed_ || !IsConsistent(*q)) return nullptr;
  return q;
}

ValueTypePtr MessageReader::Type(uint8_t flags) {
  ElementType element{FindTypeKind("", Text()), (flags & kComplexFlag) != 0, (flags & kSignedFlag) != 0};
  const std::vector<int64_t> shape = Integers();
  QuantizationPtr quantization;
  if ((flags & kQuantizedFlag) != 0) {
    quantization = Parameters();
    if (!quantization || !element.is_integer() || element.complex) return nullptr;
  }
  const bool wide = element.kind == TypeKind::kF32 || element.kind == TypeKind::kF64;
  if (failed_ || BitWidth(element.kind) <= 0 || (element.complex && !wide) ||
      (element.spelled_signed && (!element.is_integer() || element.is_unsigned() || element.complex)))
    return nullptr;
  return MakeTensorType(element, shape, std::move(quantization));
}

Tensor MessageReader::Value(int depth) {
  CheckStack();
  switch (Byte()) {
    case kTokenValue:
      if (failed_) return {};
      return Tensor::Token();
    case kTupleValue: {
      if (depth >= kMostTuples) break;
      std::vector<Tensor> members;
      const uint64_t count = Count(1);
      for (uint64_t i = 0; i < count && !failed_; ++i) members.push_back(Value(depth + 1));
      if (failed_) return {};
      return Tensor::Tuple(std::move(members));
    }
    case kTensorValue: {
      const uint8_t flags = Byte();
      const ValueTypePtr type = flags <= kTensorFlags ? Type(flags) : nullptr;
      if (!type) break;
      const bool splat = (flags & kSplatFlag) != 0;
      const std::string_view bytes = Take(splat ? type->element.bytes() : type->bytes);
      if (failed_) return {};
      // The other bits of an element are 0, whatever the sender says.
      if (type->element.width() % 8 != 0) {
        Tensor copy = Tensor::Copy(type, bytes, splat);
        if (!copy) throw std::bad_alloc();
        return copy;
      }
      return Tensor::View(type, reinterpret_cast<const uint8_t*>(bytes.data()), owner_, splat);
    }
    default:
      break;
  }
  Fail();
  return {};
}

std::vector<Tensor> MessageReader::Values() {
  std::vector<Tensor> out;
  const uint64_t count = Count(1);
  for (uint64_t i = 0; i < count && !failed_; ++i) out.push_back(Value(0));
  if (failed_) out.clear();
  return out;
}

Diagnostics MessageReader::Problems(bool failed) {
  Diagnostics out;
  const uint64_t count = Count(2 + 12 * 8);
  for (uint64_t i = 0; i < count && !failed_; ++i) {
    Diagnostic d;
    const uint8_t severity = Byte(), code = Byte();
    const uint32_t version = Small();
    if (severity > uint8_t(Severity::kNote) || code > uint8_t(Code::kIo) || version > UINT16_MAX) Fail();
    d.severity = Severity(severity);
    d.code = Code(code);
    d.version.n = uint16_t(version);
    d.place.line = Small();
    d.place.column = Small();
    d.place.offset = Number();
    for (std::string* text : {&d.place.file, &d.place.section, &d.place.function, &d.place.location,
                              &d.place.source_line, &d.op, &d.message, &d.hint})
      *text = Text();
    out.push_back(std::move(d));
  }
  if (failed && !HasErrors(out)) Fail();
  if (failed_) out.clear();
  return out;
}

std::string_view MessageReader::Rest() { return Take(left_.size()); }

Result<void> MessageReader::End() const {
  if (!failed_ && left_.empty()) return {};
  if (other_format_)
    return Error(Code::kMalformed, "message of a process has another format", {},
                 "run the same release wherever processes are placed");
  return Error(Code::kMalformed, StrFormat("message of a process is damaged at byte {}",
                                           failed_ ? failed_at_ : left_.data() - begin_));
}

}  // namespace shlo
