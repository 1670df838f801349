// Fields of protobuf messages as they are in the bytes, read by protobuf's own stream. Messages are not
// decoded into objects: a file keeps what this code does not know, and the order in which it was written.
#pragma once

#include <google/protobuf/io/coded_stream.h>

#include <climits>
#include <cstdint>
#include <string_view>

namespace shlo::container {

// A field. `bytes` is the payload if it has a length, otherwise empty; `length_at` is where its length is
// written.
struct WireField {
  uint32_t number = 0;
  bool has_length = false;
  uint64_t varint = 0;
  std::string_view bytes;
  size_t length_at = 0;
};

// Wire types of protobuf's encoding, the low bits of a tag.
enum class WireType : uint32_t { kVarint, kFixed64, kLength, kStartGroup, kEndGroup, kFixed32 };
inline WireType WireTypeOf(uint32_t tag) { return WireType(tag & 7); }
inline uint32_t WireNumberOf(uint32_t tag) { return tag >> 3; }

// Skips the value of a field; groups are nested up to `depth` levels. protobuf's own
// WireFormatLite::SkipField links all of its messages, whose thread-local storage no shared library can have.
inline bool SkipValue(google::protobuf::io::CodedInputStream* in, uint32_t tag, int depth = 100) {
  uint64_t varint = 0;
  uint32_t size = 0;
  switch (WireTypeOf(tag)) {
    case WireType::kVarint:
      return in->ReadVarint64(&varint);
    case WireType::kFixed64:
      return in->Skip(8);
    case WireType::kLength:
      return in->ReadVarint32(&size) && size <= INT_MAX && in->Skip(int(size));
    case WireType::kFixed32:
      return in->Skip(4);
    case WireType::kStartGroup:
      while (const uint32_t inner = in->ReadTagNoLastTag()) {
        if (WireTypeOf(inner) == WireType::kEndGroup) return WireNumberOf(inner) == WireNumberOf(tag);
        if (depth == 0 || !SkipValue(in, inner, depth - 1)) return false;
      }
      return false;
    default:
      return false;
  }
}

// Calls visit(field) for each field of a message, in order. Returns false if the bytes are not a message.
template <typename Visit>
bool ForEachField(std::string_view message, Visit visit) {
  if (message.size() > INT_MAX) return false;
  google::protobuf::io::CodedInputStream in(reinterpret_cast<const uint8_t*>(message.data()),
                                            int(message.size()));
  while (const uint32_t tag = in.ReadTagNoLastTag()) {
    WireField field;
    field.number = WireNumberOf(tag);
    switch (WireTypeOf(tag)) {
      case WireType::kVarint:
        if (!in.ReadVarint64(&field.varint)) return false;
        break;
      case WireType::kLength: {
        field.has_length = true;
        field.length_at = size_t(in.CurrentPosition());
        uint32_t size = 0;
        if (!in.ReadVarint32(&size)) return false;
        const size_t at = size_t(in.CurrentPosition());
        if (size > message.size() - at) return false;
        field.bytes = message.substr(at, size);
        if (!in.Skip(int(size))) return false;
        break;
      }
      default:
        if (!SkipValue(&in, tag)) return false;
    }
    if (field.number == 0) return false;
    visit(field);
  }
  return size_t(in.CurrentPosition()) == message.size();
}

}  // namespace shlo::container
