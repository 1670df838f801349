#include "shlo/check.h"

namespace shlo {
namespace {

// Returns whether `c` is one of a class such as [a-z0-9], and sets `end` to the position after it; npos if
// the class has no end.
bool InClass(std::string_view pattern, size_t at, char c, size_t* end) {
  size_t i = at + 1;
  const bool negated = i < pattern.size() && (pattern[i] == '!' || pattern[i] == '^');
  if (negated) ++i;
  bool found = false;
  for (const size_t first = i; i < pattern.size() && (pattern[i] != ']' || i == first); ++i) {
    const bool range = i + 2 < pattern.size() && pattern[i + 1] == '-' && pattern[i + 2] != ']';
    const auto low = uint8_t(pattern[i]), high = uint8_t(pattern[range ? i + 2 : i]);
    found = found || (low <= uint8_t(c) && uint8_t(c) <= high);
    if (range) i += 2;
  }
  *end = i < pattern.size() ? i + 1 : pattern.npos;
  return found != negated && c != '/';
}

}  // namespace

bool MatchesPattern(std::string_view text, std::string_view pattern) {
  // The last star, and the text after what it stands for: a longer piece is tried if the rest does not
  // match. A double star is kept apart, because only it can take a '/'.
  constexpr size_t kNone = std::string_view::npos;
  size_t t = 0, p = 0;
  size_t star = kNone, star_text = 0, stars = kNone, stars_text = 0;
  while (true) {
    if (pattern.substr(p, 2) == "**") {
      p += 2;
      // "a/**/b" is also "a/b".
      stars = p;
      stars_text = t;
      star = kNone;
      if (p < pattern.size() && pattern[p] == '/' && (t == 0 || text[t - 1] == '/')) ++p;
      continue;
    }
    if (p < pattern.size() && pattern[p] == '*') {
      star = ++p;
      star_text = t;
      continue;
    }
    if (t == text.size() && p == pattern.size()) return true;
    if (t < text.size() && p < pattern.size()) {
      size_t next = p + 1;
      const bool matches = pattern[p] == '?'   ? text[t] != '/'
                           : pattern[p] == '[' ? InClass(pattern, p, text[t], &next)
                                               : pattern[p] == text[t];
      if (matches && next != kNone) {
        ++t;
        p = next;
        continue;
      }
    }
    if (star != kNone && star_text < text.size() && text[star_text] != '/') {
      t = ++star_text;
      p = star;
    } else if (stars != kNone && stars_text < text.size()) {
      t = ++stars_text;
      p = stars;
      star = kNone;
      if (p < pattern.size() && pattern[p] == '/' && text[t - 1] == '/') ++p;
    } else {
      return false;
    }
  }
}

}  // namespace shlo
