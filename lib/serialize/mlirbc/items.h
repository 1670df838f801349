// The items of an encoding (schema/bytecode.inc): one walk for the reader and the writer of types and
// attributes.
#pragma once

#include <cstddef>
#include <cstdint>

namespace shlo::mlirbc {

// Returns the number of fields that an item covers from `field` on; 0 for an unknown letter.
constexpr size_t FieldsOf(char letter, size_t num_fields, size_t field) {
  switch (letter) {
#define SHLO_WIRE_ITEM(letter, fields, Name) \
  case letter:                               \
    return fields ? fields : num_fields - field;
#define SHLO_WIRE_LIST(letter, bytes, Name) \
  case letter:                              \
    return 1;
#include "schema/bytecode.inc"
    default:
      return 0;
  }
}

// Returns whether a text is letters and numbers of fields.
constexpr bool IsEncoding(const char* text) {
  for (; *text; text += 2)
    if (!FieldsOf(text[0], 10, 0) || text[1] < '0' || text[1] > '9') return false;
  return true;
}

// Moves the items of an encoding between the bytes and the fields of a node. The codec has a function for
// each item; Begin starts a field, Count moves the count of a list whose items take some bytes each, and ok()
// says whether to go on.
template <typename CodecT>
void WalkItems(const char* encoding, CodecT& codec) {
  for (const char* item = encoding; *item && codec.ok(); item += 2) {
    codec.Begin(size_t(item[1] - '0'));
    switch (*item) {
#define SHLO_WIRE_ITEM(letter, fields, Name) \
  case letter:                               \
    codec.Name();                            \
    break;
#define SHLO_WIRE_LIST(letter, bytes, Name)                                       \
  case letter:                                                                    \
    for (uint64_t i = codec.Count(bytes); i > 0 && codec.ok(); --i) codec.Name(); \
    break;
#include "schema/bytecode.inc"
    }
    codec.End();
  }
}

}  // namespace shlo::mlirbc
