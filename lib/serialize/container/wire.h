// Fields of protobuf messages as they are in the bytes, read by protozero. Messages are not decoded into
// objects: a file keeps what this code does not know, and the order in which it was written.
#pragma once

#include <climits>
#include <cstdint>
#include <protozero/pbf_reader.hpp>
#include <string_view>

namespace shlo::container {

// A field. `bytes` is the payload if it has a length, otherwise empty; `length_at` is where its length is
// written. `raw` is all of it, with its number.
struct WireField {
  uint32_t number = 0;
  bool has_length = false;
  uint64_t varint = 0;
  std::string_view bytes, raw;
  size_t length_at = 0;
};

// Calls visit(field) for each field of a message, in order. Returns false if the bytes are not a message.
template <typename Visit>
bool ForEachField(std::string_view message, Visit visit) {
  if (message.size() > INT_MAX) return false;
  try {
    protozero::pbf_reader in(message.data(), message.size());
    for (size_t begin = 0; in.next();) {
      WireField field;
      field.number = in.tag();
      switch (in.wire_type()) {
        case protozero::pbf_wire_type::varint:
          field.varint = in.get_uint64();
          break;
        case protozero::pbf_wire_type::length_delimited: {
          field.has_length = true;
          field.length_at = message.size() - in.length();
          const protozero::data_view bytes = in.get_view();
          field.bytes = {bytes.data(), bytes.size()};
          break;
        }
        default:
          in.skip();
      }
      const size_t end = message.size() - in.length();
      field.raw = message.substr(begin, end - begin);
      begin = end;
      visit(field);
    }
  } catch (const protozero::exception&) {
    return false;
  }
  return true;
}

}  // namespace shlo::container
