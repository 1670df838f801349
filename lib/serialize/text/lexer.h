// Characters of MLIR text: a cursor over a view, identifiers, numbers, strings and hexadecimal. There are
// no tokens: the grammar needs one character of lookahead, so one pass over the text is enough.
// reader_impl.h interprets the words.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/hex.h"

namespace shlo::text {

// Character classes, as bits.
inline constexpr uint8_t kSpaceChar = 1;   // space, tab, newline, carriage return
inline constexpr uint8_t kDigitChar = 2;   // 0-9
inline constexpr uint8_t kLetterChar = 4;  // A-Z a-z _
inline constexpr uint8_t kWordChar = 8;    // continues a bare identifier: letters digits $ . _
inline constexpr uint8_t kNameChar = 16;   // continues a %name, ^name, #alias: word characters and -

inline constexpr std::array<uint8_t, 256> kCharClass = [] {
  std::array<uint8_t, 256> table{};
  for (int c : {' ', '\t', '\n', '\r', '\v', '\f'}) table[size_t(c)] = kSpaceChar;
  for (int c = '0'; c <= '9'; ++c) table[size_t(c)] = kDigitChar | kWordChar | kNameChar;
  for (int c = 'a'; c <= 'z'; ++c) table[size_t(c)] = kLetterChar | kWordChar | kNameChar;
  for (int c = 'A'; c <= 'Z'; ++c) table[size_t(c)] = kLetterChar | kWordChar | kNameChar;
  table['_'] = kLetterChar | kWordChar | kNameChar;
  table['$'] = table['.'] = kWordChar | kNameChar;
  table['-'] = kNameChar;
  return table;
}();
inline bool Is(char c, uint8_t classes) { return kCharClass[uint8_t(c)] & classes; }

inline bool IsHexDigit(char c) { return HexValue(c) < 16; }

// The inside of a string literal.
struct RawText {
  std::string_view raw;
  bool escaped = false;    // contains a backslash
  bool upper_hex = false;  // "0x" and upper-case hexadecimal digits
};

// A position in a text. `Skip`, and the functions built on it, first skip white space and comments.
struct Cursor {
  const char* p = nullptr;
  const char* end = nullptr;

  Cursor() = default;
  Cursor(const char* from, const char* to) : p(from), end(to) {}
  explicit Cursor(std::string_view text) : p(text.data()), end(text.data() + text.size()) {}

  size_t left() const { return size_t(end - p); }
  // These are most of what reading does: without a call, each takes a few instructions.
  [[gnu::always_inline]] void Skip() {
    if (p < end && *p == ' ') ++p;  // usually there is one space
    if (p < end && !Is(*p, kSpaceChar) && *p != '/') return;
    SkipSlow();
  }
  bool AtEnd() {
    Skip();
    return p == end;
  }
  // Returns the next character; '\0' at the end, or for a NUL byte, which never begins a token.
  [[gnu::always_inline]] char Peek() {
    Skip();
    return p < end ? *p : '\0';
  }
  // Returns the character `n` after p, without skipping.
  char At(size_t n) const { return left() > n ? p[n] : '\0'; }
  [[gnu::always_inline]] bool Eat(char c) {
    if (Peek() != c || p == end) return false;
    ++p;
    return true;
  }
  // Consumes "->".
  bool EatArrow() {
    if (Peek() != '-' || At(1) != '>') return false;
    p += 2;
    return true;
  }
  // Returns whether a whole word follows.
  bool PeekWord(std::string_view word) {
    Skip();
    return left() >= word.size() && std::memcmp(p, word.data(), word.size()) == 0 &&
           !Is(At(word.size()), kWordChar);
  }
  bool EatWord(std::string_view word) {
    if (!PeekWord(word)) return false;
    p += word.size();
    return true;
  }
  // Reads a bare identifier; empty if none follows.
  std::string_view Word() {
    if (!Is(Peek(), kLetterChar)) return {};
    const char* from = p;
    while (p < end && Is(*p, kWordChar)) ++p;
    return {from, size_t(p - from)};
  }
  // Reads the name after the sigil (% ^ # !) at p: digits, or name characters that do not begin with a
  // digit. Empty if none follows.
  std::string_view Name() {
    const char* from = p;
    if (p < end && Is(*p, kDigitChar))
      while (p < end && Is(*p, kDigitChar)) ++p;
    else
      while (p < end && Is(*p, kNameChar)) ++p;
    return {from, size_t(p - from)};
  }
  // Reads the string literal that begins at p, or returns false if it does not end on its line.
  bool RawString(RawText* text);
  // Skips a balanced run of <> () [] {} that begins at p, with strings, comments and arrows inside.
  bool SkipBalanced();

 private:
  void SkipSlow();
};

// Resolves \n \t \" \\ and \HH. Returns false for unknown escapes.
bool Unescape(std::string_view raw, std::string* out);

// A number as written. `text` spans it without the sign.
struct Number {
  bool negative = false;
  bool hex = false;
  bool real = false;  // has a decimal point
  std::string_view text;
  const char* begin = nullptr;  // of the sign, where there is one
};
// Reads [-]digits, [-]0xHEX, [-]digits.digits[e[+-]digits]. Returns false, and consumes nothing, otherwise.
bool ReadNumber(Cursor& c, Number* out);

// Returns the magnitude of an integer as little-endian 64-bit words, without leading zero words. Fails
// above kMaxIntegerDigits digits, because conversion takes quadratic time.
inline constexpr size_t kMaxIntegerDigits = 4096;
bool IntegerLimbs(const Number& number, std::vector<uint64_t>* limbs);
// Returns the magnitude of an integer that fits in 64 bits.
bool SmallMagnitude(const Number& number, uint64_t* out);

// Returns whether `size` bytes are equal. Optimized for short texts that are usually equal.
inline bool SameText(const char* a, const char* b, size_t size) {
  uint64_t x, y;
  if (size >= 8) {
    for (size_t i = 0; i + 8 < size; i += 8) {
      std::memcpy(&x, a + i, 8);
      std::memcpy(&y, b + i, 8);
      if (x != y) return false;
    }
    std::memcpy(&x, a + size - 8, 8);
    std::memcpy(&y, b + size - 8, 8);
    return x == y;
  }
  for (size_t i = 0; i < size; ++i)
    if (a[i] != b[i]) return false;
  return true;
}
inline bool SameText(std::string_view a, std::string_view b) {
  return a.size() == b.size() && SameText(a.data(), b.data(), a.size());
}

// Hashes short keys. The last word overlaps the one before it, so that no key needs a loop over bytes.
inline uint64_t HashKey(std::string_view key) {
  constexpr uint64_t k = 0x9E3779B97F4A7C15ull;
  const char* p = key.data();
  size_t n = key.size();
  uint64_t h = n * k, w = 0;
  if (n >= 8) {
    const char* last = p + n - 8;
    for (; p < last; p += 8) {
      std::memcpy(&w, p, 8);
      h = (h ^ w) * k;
      h ^= h >> 29;
    }
    std::memcpy(&w, last, 8);
  } else if (n >= 4) {
    uint32_t low, high;
    std::memcpy(&low, p, 4);
    std::memcpy(&high, p + n - 4, 4);
    w = low | uint64_t(high) << 32;
  } else if (n) {
    w = uint64_t(uint8_t(p[0])) | uint64_t(uint8_t(p[n / 2])) << 8 | uint64_t(uint8_t(p[n - 1])) << 16;
  }
  h = (h ^ w) * k;
  h ^= h >> 32;
  h *= k;
  return h ^ h >> 31;
}

}  // namespace shlo::text
