// Fields of protobuf messages as they are in the bytes, read by protobuf's own stream. Messages are not
// decoded into objects: a file keeps what this code does not know, and the order in which it was written.
#pragma once

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/wire_format_lite.h>

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

// Calls visit(field) for each field of a message, in order. Returns false if the bytes are not a message.
template <typename Visit>
bool ForEachField(std::string_view message, Visit visit) {
  using google::protobuf::internal::WireFormatLite;
  if (message.size() > INT_MAX) return false;
  google::protobuf::io::CodedInputStream in(reinterpret_cast<const uint8_t*>(message.data()),
                                            int(message.size()));
  while (const uint32_t tag = in.ReadTagNoLastTag()) {
    WireField field;
    field.number = uint32_t(WireFormatLite::GetTagFieldNumber(tag));
    switch (WireFormatLite::GetTagWireType(tag)) {
      case WireFormatLite::WIRETYPE_VARINT:
        if (!in.ReadVarint64(&field.varint)) return false;
        break;
      case WireFormatLite::WIRETYPE_LENGTH_DELIMITED: {
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
        if (!WireFormatLite::SkipField(&in, tag)) return false;
    }
    if (field.number == 0) return false;
    visit(field);
  }
  return size_t(in.CurrentPosition()) == message.size();
}

}  // namespace shlo::container
