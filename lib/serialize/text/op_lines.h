// Lines with one op. Programs repeat the same op on other values: such lines differ only in the names of
// values, and otherwise mean the same. The reader looks a line up before it reads it (reader_lines.cc).
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "serialize/text/lexer.h"

namespace shlo::text {

// A line with one op, and the places of the value names in it.
struct OpLine {
  static constexpr size_t kMostNames = 8;
  static constexpr size_t kMostBytes = 512;

  const char* begin = nullptr;    // of the op, or of the name of its result
  const char* name_at = nullptr;  // of the name of the op
  const char* end = nullptr;      // of the op, before a location
  bool has_loc = false;
  uint32_t num_names = 0;
  std::array<uint16_t, kMostNames> names{};  // distances of each '%' from `begin`
  uint32_t hash = 0;                         // of the name of the op and what follows the last value name

  // Finds the parts of the line that begins with an op. Returns false if it has too many bytes or names, no
  // end, names more than one result, or begins a region.
  bool Find(const char* from, const char* end_of_text);
};

// Returns the end of the name that begins after a sigil (see Cursor::Name), which must be before the end of a
// line.
inline const char* EndOfName(const char* p) {
  const uint8_t of_name = Is(*p, kDigitChar) ? kDigitChar : kNameChar;
  while (Is(*p, of_name)) ++p;
  return p;
}

}  // namespace shlo::text
