#include "base/utf8.h"

#include "base/hex.h"

namespace shlo {
namespace {

// Returns the length of the character at the beginning of a text, or 0 if there is none (the Unicode
// standard, table 3-7).
size_t LengthOfCharacter(std::string_view text) {
  const auto at = [&](size_t i) { return i < text.size() ? uint8_t(text[i]) : uint8_t(0); };
  const uint8_t first = at(0);
  if (first < 0x80) return 1;
  const size_t length = first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 0;
  for (size_t i = 1; i < length; ++i)
    if (at(i) >> 6 != 2) return 0;
  // Forms that are too long, surrogates, and what is beyond the last character.
  const bool bad = (first == 0xE0 && at(1) < 0xA0) || (first == 0xED && at(1) > 0x9F) ||
                   (first == 0xF0 && at(1) < 0x90) || (first == 0xF4 && at(1) > 0x8F);
  return bad ? 0 : length;
}

}  // namespace

size_t CharacterAt(std::string_view text, uint32_t* code_point) {
  const size_t length = LengthOfCharacter(text);
  if (length == 0 || text.empty()) return 0;
  uint32_t c = uint8_t(text[0]);
  if (length > 1) c &= 0x7Fu >> length;
  for (size_t i = 1; i < length; ++i) c = c << 6 | (uint8_t(text[i]) & 0x3F);
  *code_point = c;
  return length;
}

size_t FirstNotUtf8(std::string_view text) {
  for (size_t i = 0; i < text.size();) {
    const size_t length = LengthOfCharacter(text.substr(i));
    if (length == 0) return i;
    i += length;
  }
  return text.npos;
}

std::string SymbolToJson(std::string_view symbol) {
  if (FirstNotUtf8(symbol) == symbol.npos && !symbol.starts_with('\0')) return std::string(symbol);
  std::string out(1, '\0');
  AppendHex(symbol, &out);
  return out;
}

std::string SymbolFromJson(std::string_view text) {
  if (!text.starts_with('\0')) return std::string(text);
  std::string out(text.size() / 2, '\0');
  return DecodeHex(text.substr(1), reinterpret_cast<uint8_t*>(out.data())) ? out : std::string(text);
}

}  // namespace shlo
