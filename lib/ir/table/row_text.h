// Checks the text of a row at compile time, before the compiler parses the row: a missing comma or an unknown
// word is then reported with its row, before the compiler's own errors.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

// A name of the row that is written at a line.
#define SHLO_JOINED(a, b) a##b
#define SHLO_AT_LINE(prefix, line) SHLO_JOINED(prefix, line)

namespace shlo::table {

struct Token {
  enum Kind : uint8_t { kEnd, kWord, kNumber, kString, kOpen, kClose, kComma, kOther } kind = kEnd;
  std::string_view text;
};

constexpr bool IsWordChar(char c) {
  return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

// Removes the next token from `text`. A qualified name ("Form::kOneLine") is one word.
constexpr Token Next(std::string_view* text) {
  size_t i = 0;
  while (i < text->size() && ((*text)[i] == ' ' || (*text)[i] == '\n')) ++i;
  if (i == text->size()) return {};
  const size_t begin = i;
  const char c = (*text)[i];
  Token token;
  if (c == '"') {
    for (++i; i < text->size() && (*text)[i] != '"'; ++i) i += (*text)[i] == '\\';
    ++i;
    token.kind = Token::kString;
  } else if (IsWordChar(c)) {
    while (i < text->size() && (IsWordChar((*text)[i]) || ((*text)[i] == ':' && i + 1 < text->size() &&
                                                           ((*text)[i + 1] == ':' || (*text)[i - 1] == ':'))))
      ++i;
    token.kind = c >= '0' && c <= '9' ? Token::kNumber : Token::kWord;
  } else {
    ++i;
    token.kind = c == '('   ? Token::kOpen
                 : c == ')' ? Token::kClose
                 : c == ',' ? Token::kComma
                            : Token::kOther;
  }
  if (i > text->size()) i = text->size();
  token.text = text->substr(begin, i - begin);
  text->remove_prefix(i);
  return token;
}

constexpr uint32_t HashText(std::string_view text) {
  uint32_t h = 2166136261u;  // FNV-1a
  for (char c : text) h = (h ^ uint8_t(c)) * 16777619u;
  return h ^ h >> 15;
}

// A set of words, hashed.
struct WordSet {
  static constexpr size_t kSlots = 2048;
  std::array<std::string_view, kSlots> slots{};

  constexpr void Add(std::string_view word) {
    size_t at = HashText(word) % kSlots;
    while (!slots[at].empty()) at = (at + 1) % kSlots;
    slots[at] = word;
  }
  constexpr bool Has(std::string_view word) const {
    for (size_t at = HashText(word) % kSlots; !slots[at].empty(); at = (at + 1) % kSlots)
      if (slots[at] == word) return true;
    return false;
  }
};

enum class Flaw : uint8_t { kNone, kComma, kWord };

// Returns the first flaw of a row: values are separated by one comma each, and words are known. Without a set
// every word is known. With `pieces`, strings may be split; fields of a kind have no commas between them.
constexpr Flaw FlawOf(const WordSet* known, std::string_view text, bool pieces = false) {
  Token last{Token::kComma, {}};
  for (;;) {
    const Token token = Next(&text);
    const bool after_value = last.kind == Token::kWord || last.kind == Token::kNumber ||
                             last.kind == Token::kString || last.kind == Token::kClose;
    const bool value =
        token.kind == Token::kWord || token.kind == Token::kNumber || token.kind == Token::kString;
    const bool joined = pieces && token.kind == Token::kString && last.kind == Token::kString;
    const bool field = last.kind == Token::kClose && token.text.starts_with("SHLO_FIELD");
    if (value && after_value && !joined && !field) return Flaw::kComma;
    if (token.kind == Token::kOpen && after_value && last.kind != Token::kWord) return Flaw::kComma;
    if (token.kind == Token::kComma && !after_value) return Flaw::kComma;
    if ((token.kind == Token::kClose || token.kind == Token::kEnd) && last.kind == Token::kComma)
      return Flaw::kComma;
    if (token.kind == Token::kWord && known && !known->Has(token.text)) return Flaw::kWord;
    if (token.kind == Token::kEnd) return Flaw::kNone;
    last = token;
  }
}

}  // namespace shlo::table

// Checks the commas of a row. Takes the row as text: arguments of a macro that are passed on are expanded.
#define SHLO_ROW_COMMAS(row)                                                   \
  static_assert(shlo::table::FlawOf(nullptr, row) == shlo::table::Flaw::kNone, \
                "a comma is missing, or one too many, in the row " row);
