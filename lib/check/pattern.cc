#include <algorithm>
#include <bitset>
#include <vector>

#include "shlo/check.h"

namespace shlo {
namespace {

// A class such as [a-z0-9]. Patterns come back to it for many characters.
struct Class {
  size_t begin = 0, end = 0;  // in the pattern; the end is npos if there is none
  std::bitset<256> has;
};

Class ParseClass(std::string_view pattern, size_t at) {
  Class out{at, 0, {}};
  size_t i = at + 1;
  const bool negated = i < pattern.size() && (pattern[i] == '!' || pattern[i] == '^');
  if (negated) ++i;
  for (const size_t first = i; i < pattern.size() && (pattern[i] != ']' || i == first); ++i) {
    const bool range = i + 2 < pattern.size() && pattern[i + 1] == '-' && pattern[i + 2] != ']';
    for (unsigned c = uint8_t(pattern[i]); c <= uint8_t(pattern[range ? i + 2 : i]); ++c) out.has.set(c);
    if (range) i += 2;
  }
  out.end = i < pattern.size() ? i + 1 : pattern.npos;
  if (negated) out.has.flip();
  out.has.reset('/');
  return out;
}

class Classes {
 public:
  explicit Classes(std::string_view pattern) : pattern_(pattern) {}

  // Returns whether `c` is one of the class at a position, and sets `end` to the position after it.
  bool Has(size_t at, char c, size_t* end) {
    auto known = std::ranges::lower_bound(known_, at, {}, &Class::begin);
    if (known == known_.end() || known->begin != at) known = known_.insert(known, ParseClass(pattern_, at));
    *end = known->end;
    return known->has[uint8_t(c)];
  }

 private:
  std::string_view pattern_;
  std::vector<Class> known_;  // by where they begin
};

}  // namespace

bool MatchesPattern(std::string_view text, std::string_view pattern) {
  // The last star, and the text after what it stands for: a longer piece is tried if the rest does not
  // match. A double star is kept apart, because only it can take a '/'.
  constexpr size_t kNone = std::string_view::npos;
  Classes classes(pattern);
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
                           : pattern[p] == '[' ? classes.Has(p, text[t], &next)
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
