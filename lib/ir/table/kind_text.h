// The formats of schema/kind_texts.inc, which the printer and the parser of types and attributes follow.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

#include "shlo/kinds.h"

namespace shlo {

// A format with its fields by number: "<$element>" is "<$0>", and {}, {?}, {A} are the characters of All.
class TextFormat {
 public:
  enum All : char { kAll = '{', kNonzero = '?', kCamelCase = '^' };
  enum class Mistake : uint8_t { kFine, kField, kPart, kLength };

  constexpr TextFormat() = default;
  // Reads a format of a kind; `mistake` says what is wrong with it.
  constexpr TextFormat(std::string_view format, const KindRow& row) {
    bool part = false;
    for (size_t i = 0; i < format.size();) {
      const char ch = format[i++];
      part ^= ch == '|';
      if (ch == '{') {
        Put(format[i] == '}' ? kAll : format[i] == '?' ? kNonzero : kCamelCase);
        i = format.find('}', i) + 1;
        continue;
      }
      Put(ch);
      if (!IsValue(ch)) continue;
      size_t end = i;
      while (end < format.size() && (format[end] == '_' || (format[end] >= 'a' && format[end] <= 'z'))) ++end;
      size_t field = 0;
      while (field < row.num_fields && row.field_rows[field].name != format.substr(i, end - i)) ++field;
      if (field == row.num_fields) mistake = Mistake::kField;
      Put(char('0' + field));
      i = end;
    }
    if (part) mistake = Mistake::kPart;
  }
  constexpr std::string_view view() const { return {text_.data(), size_}; }
  // Returns whether a character is followed by the number of a field.
  static constexpr bool IsValue(char ch) { return ch == '$' || ch == '#' || ch == '@'; }
  static constexpr bool IsAll(char ch) { return ch == kAll || ch == kNonzero || ch == kCamelCase; }

  Mistake mistake = Mistake::kFine;

 private:
  constexpr void Put(char ch) {
    if (size_ == text_.size())
      mistake = Mistake::kLength;
    else
      text_[size_++] = ch;
  }
  std::array<char, 40> text_{};
  uint8_t size_ = 0;
};

// Walks through a format. Calls literal(text); value(how, field, end) with the character after the value; and
// part(first, field) for a part between bars, with the text and the field that it begins with: if that
// returns false, the part is skipped. The walk ends, and returns false, if another call does.
template <typename Literal, typename Value, typename Part>
bool WalkFormat(std::string_view text, Literal&& literal, Value&& value, Part&& part) {
  const auto field = [&](size_t at) { return size_t(text[at + 1] - '0'); };
  bool inside = false;
  while (!text.empty()) {
    size_t end = 2;
    if (TextFormat::IsValue(text[0])) {
      if (!value(text[0], field(0), end < text.size() ? text[end] : '\0')) return false;
    } else if (text[0] != '|') {
      end = std::min(text.find_first_of("$#@|", 1), text.size());
      if (!literal(text.substr(0, end))) return false;
    } else {
      end = 1;
      inside = !inside;
      const size_t first = inside ? text.find_first_of("$#@") : 0;
      if (inside && !part(text.substr(1, first - 1), field(first))) {
        end = text.find('|', 1) + 1;
        inside = false;
      }
    }
    text.remove_prefix(end);
  }
  return true;
}

// Returns whether text has true and false for a number, or "?" for a dynamic one.
constexpr bool IsFlag(const FieldRow& field) { return field.name == "allow_imprecise_accumulation"; }
constexpr bool MayBeDynamic(const FieldRow& field) { return field.name == "shape" || field.name == "bounds"; }

// The formats of a kind in both spellings.
struct KindText {
  TextFormat text, vhlo;
};
// Returns the formats of a kind; empty ones for kinds without a row.
const KindText& TextOf(TypeKind kind);
const KindText& TextOf(AttrKind kind);

}  // namespace shlo
