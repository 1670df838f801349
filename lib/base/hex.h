// Bytes as hexadecimal digits, two each, in wide code: constants of text.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "shlo/bytes.h"
#include "shlo/sink.h"

namespace shlo {

// Returns the value of a digit of either case, or 255.
inline uint8_t HexValue(char digit) {
  static constexpr std::array<uint8_t, 256> kValues = [] {
    std::array<uint8_t, 256> table{};
    for (uint8_t& value : table) value = 255;
    for (uint8_t i = 0; i < 10; ++i) table['0' + size_t(i)] = i;
    for (uint8_t i = 10; i < 16; ++i) table['a' + size_t(i) - 10] = table['A' + size_t(i) - 10] = i;
    return table;
  }();
  return kValues[uint8_t(digit)];
}

// Writes the upper-case digits of bytes: 2 * bytes.size() characters at `out`.
void EncodeHex(std::string_view bytes, char* out);
// Appends them.
void AppendHex(std::string_view bytes, std::string* out);

// Writes the bytes of pairs of digits of either case: digits.size() / 2 bytes at `out`. Returns false, with
// anything in `out`, if a character is not a digit or one is left over.
bool DecodeHex(std::string_view digits, uint8_t* out);

// Returns the number of upper-case digits at the beginning of a text.
size_t CountUpperHex(std::string_view text);

// Calls visit(piece) for consecutive pieces of the bytes, or of their digits, until it returns false, and
// gives back the pages of those that are in a mapped file. A piece is valid until `visit` returns. Threads
// convert pieces of a large constant ahead. Returns whether all were visited.
bool VisitBytes(const StoredBytes& bytes, const Sink& visit, size_t threads = 1);
bool VisitDigits(const StoredBytes& bytes, const Sink& visit, size_t threads = 1);

// Returns bytes in memory, for a few of them.
std::string CopyOf(const StoredBytes& bytes);
// Returns whether two constants have the same bytes.
bool EqualStored(const StoredBytes& a, const StoredBytes& b);

}  // namespace shlo
