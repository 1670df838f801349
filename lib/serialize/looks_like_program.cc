// Tells programs from the other files of a folder by their content.
#include "serialize/looks_like_program.h"

#include <algorithm>

#include "shlo/container.h"
#include "shlo/op_table.h"
#include "shlo/program_io.h"

namespace shlo {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";

bool IsWordChar(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$' ||
         c == '.';
}

// Removes blanks from the front.
void SkipBlanks(std::string_view* text) {
  text->remove_prefix(std::min(text->size(), text->find_first_not_of(kBlanks)));
}

void SkipComments(std::string_view* text) {
  for (SkipBlanks(text); text->starts_with("//"); SkipBlanks(text))
    text->remove_prefix(std::min(text->size(), text->find('\n')));
}

// Removes and returns the word at the front, which may be empty.
std::string_view TakeWord(std::string_view* text) {
  const std::string_view word =
      text->substr(0, size_t(std::find_if_not(text->begin(), text->end(), IsWordChar) - text->begin()));
  text->remove_prefix(word.size());
  return word;
}

bool StartsWithOneOf(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::ranges::any_of(words, [&](std::string_view word) { return text.starts_with(word); });
}

// `"dialect.op"(`
bool IsGenericOp(std::string_view text) {
  const size_t dot = TakeWord(&text).find('.');
  if (dot == std::string_view::npos || dot == 0 || !text.starts_with('"')) return false;
  text.remove_prefix(1);
  SkipBlanks(&text);
  return StartsWithOneOf(text, {"(", "<"});
}

// `#name = ` and something that an attribute begins with; a comment of a shell script may look the same but
// for that.
bool IsAttributeAlias(std::string_view text) {
  if (TakeWord(&text).empty()) return false;
  SkipBlanks(&text);
  if (!text.starts_with('=')) return false;
  text.remove_prefix(1);
  SkipBlanks(&text);
  return StartsWithOneOf(text, {"#", "loc(", "affine_map<", "affine_set<", "dense<", "array<"});
}

// `name = `, and for results also `name, ` and `name:2`.
bool IsDefinition(std::string_view text, std::string_view after_name) {
  if (TakeWord(&text).empty()) return false;
  SkipBlanks(&text);
  return !text.empty() && after_name.find(text[0]) != std::string_view::npos;
}

bool LooksLikeProgramText(std::string_view text) {
  SkipComments(&text);
  if (text.empty()) return false;
  if (text.starts_with("{-#")) return true;
  const std::string_view rest = text.substr(1);
  switch (text[0]) {
    case '"':
      return IsGenericOp(rest);
    case '#':
      return IsAttributeAlias(rest);
    case '!':
      return IsDefinition(rest, "=");
    case '%':
      return IsDefinition(rest, "=:,");
    default:
      break;
  }
  const std::string_view word = TakeWord(&text);
  if (word != "module") return bool(FindOp(word));
  // Other languages have modules with names.
  SkipBlanks(&text);
  return StartsWithOneOf(text, {"{", "@", "attributes"});
}

// The kind of a line of a text.
enum class Sign { kNone, kMlir, kOther };

Sign SignOf(std::string_view line) {
  SkipBlanks(&line);
  if (line.empty() || line.starts_with("//") || StartsWithOneOf(line, {"}", ")", "]"})) return Sign::kNone;
  if (LooksLikeProgramText(line) || line.starts_with("^bb")) return Sign::kMlir;
  // An op of another dialect.
  const std::string_view word = TakeWord(&line);
  SkipBlanks(&line);
  const bool has_dialect = word.find('.') != word.npos && word.back() != '.';
  return has_dialect && StartsWithOneOf(line, {"%", "@", "("}) ? Sign::kNone : Sign::kOther;
}

// Returns whether lines begin with these words, in this order.
bool IsDivided(std::string_view text, std::initializer_list<std::string_view> words) {
  for (std::string_view word : words) {
    while (!text.starts_with(word)) {
      const size_t end = text.find('\n');
      if (end == text.npos) return false;
      text.remove_prefix(end + 1);
    }
  }
  return true;
}

}  // namespace

bool LooksLikeOtherText(std::string_view text) {
  constexpr size_t kHead = 64 << 10, kShare = 4;
  text = text.substr(0, kHead);
  if (LooksLikeProgramText(text)) return false;
  size_t mlir = 0, other = 0;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size() - 1);
    const Sign sign = SignOf(text.substr(0, end + 1));
    mlir += sign == Sign::kMlir;
    other += sign == Sign::kOther;
    text.remove_prefix(end + 1);
  }
  return mlir * kShare < mlir + other;
}

bool HasConflictMarkers(std::string_view text) {
  return IsDivided(text, {"<<<<<<< ", "=======", ">>>>>>> "});
}

bool LooksLikeProgram(std::string_view bytes) {
  if (DetectFormat(bytes) != Format::kText) return true;
  return bytes.substr(0, 4096).find('\0') == std::string_view::npos && LooksLikeProgramText(bytes);
}

}  // namespace shlo
