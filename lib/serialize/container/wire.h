// Fields of protobuf messages as they are in the bytes. Messages are not decoded into objects: a file keeps
// what this code does not know, and the order in which it was written.
#pragma once

#include <climits>
#include <cstdint>
#include <string_view>

#include "serialize/varint.h"

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

// Wire types, the low bits of a tag.
enum class WireType : uint32_t { kVarint, kFixed64, kLength, kStartGroup, kEndGroup, kFixed32 };
inline WireType WireTypeOf(uint64_t tag) { return WireType(tag & 7); }
inline uint64_t WireNumberOf(uint64_t tag) { return tag >> 3; }

// Skips the value of a field; groups are nested up to `depth` levels. Returns false if there is none.
inline bool SkipValue(Cursor* in, uint64_t tag, int depth = 100) {
  switch (WireTypeOf(tag)) {
    case WireType::kVarint:
      in->Varint();
      return in->ok();
    case WireType::kFixed64:
      in->Bytes(8);
      return in->ok();
    case WireType::kLength:
      in->Bytes(in->Varint());
      return in->ok();
    case WireType::kStartGroup:
      while (in->left() != 0) {
        const uint64_t inner = in->Varint();
        if (WireTypeOf(inner) == WireType::kEndGroup) return WireNumberOf(inner) == WireNumberOf(tag);
        if (depth == 0 || !SkipValue(in, inner, depth - 1)) return false;
      }
      return false;
    case WireType::kFixed32:
      in->Bytes(4);
      return in->ok();
    default:
      return false;
  }
}

// Calls visit(field) for each field of a message, in order. Returns false if the bytes are not a message.
template <typename Visit>
bool ForEachField(std::string_view message, Visit visit) {
  if (message.size() > INT_MAX) return false;
  Cursor in(message);
  while (in.left() != 0) {
    const uint64_t tag = in.Varint();
    WireField field;
    field.number = uint32_t(WireNumberOf(tag));
    if (field.number == 0 || tag > UINT32_MAX) return false;
    switch (WireTypeOf(tag)) {
      case WireType::kVarint:
        field.varint = in.Varint();
        break;
      case WireType::kLength:
        field.has_length = true;
        field.length_at = message.size() - in.left();
        field.bytes = in.Bytes(in.Varint());
        break;
      default:
        if (!SkipValue(&in, tag)) return false;
    }
    if (!in.ok()) return false;
    visit(field);
  }
  return true;
}

}  // namespace shlo::container
