// Memoizes parsed fragments: programs repeat the same few types, constants and attribute dictionaries. A
// short bracketed text is the key of its value, so reading it again is a scan for its end, a hash and a
// comparison. Only for texts whose meaning does not depend on their context.
#pragma once

#include <algorithm>
#include <vector>

#include "serialize/text/lexer.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace shlo::text {

// Direct-mapped: a newer text replaces an older one with the same hash.
template <typename T>
class TextCache {
 public:
  explicit TextCache(size_t entries = 1024) : entries_(entries) {}  // a power of two
  struct Entry {
    const char* text = nullptr;
    size_t size = 0;
    T value{};
    bool Is(std::string_view other) const {
      return size == other.size() && SameText(text, other.data(), size);
    }
    // Likewise; the entry then refers to this place, so that the pages of older ones are not read again.
    bool Moves(std::string_view other) {
      if (!Is(other)) return false;
      text = other.data();
      return true;
    }
    void Set(std::string_view new_text, T new_value) {
      text = new_text.data();
      size = new_text.size();
      value = new_value;
    }
  };
  Entry& operator[](std::string_view text) { return entries_[HashKey(text) & (entries_.size() - 1)]; }

 private:
  std::vector<Entry> entries_;
};

// Longer texts are not cached.
inline constexpr size_t kCachedTextSize = 224;

// Returns the number of bytes from `from` to the bracket <> [] {} that closes the first one; 0 if that is
// too far, or if a string or comment precedes it. An arrow may make the result wrong, so callers must parse
// the text and cache a value only if it was parsed from all of these bytes.
inline size_t BracketedSize(const char* from, const char* end) {
  const char* stop = from + std::min(size_t(end - from), kCachedTextSize);
  const char* q = from;
  int depth = 0;
#ifdef __SSE2__
  const __m128i case_bit = _mm_set1_epi8(0x20);  // maps { and } to [ and ], too
  for (; stop - q >= 16; q += 16) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(q));
    const __m128i lower = _mm_or_si128(bytes, case_bit);
    const auto is = [](__m128i x, char c) { return _mm_cmpeq_epi8(x, _mm_set1_epi8(c)); };
    const unsigned open = unsigned(_mm_movemask_epi8(_mm_or_si128(is(bytes, '<'), is(lower, '{'))));
    const unsigned close = unsigned(_mm_movemask_epi8(_mm_or_si128(is(bytes, '>'), is(lower, '}'))));
    const unsigned other = unsigned(_mm_movemask_epi8(_mm_or_si128(is(bytes, '"'), is(bytes, '/'))));
    for (unsigned found = open | close | other; found; found &= found - 1) {
      const int bit = __builtin_ctz(found);
      if (other >> bit & 1) return 0;
      if (open >> bit & 1)
        ++depth;
      else if (--depth <= 0)
        return depth == 0 ? size_t(q + bit + 1 - from) : 0;
    }
  }
#endif
  for (; q < stop; ++q) {
    if (*q == '"' || *q == '/') return 0;
    if (*q == '<' || *q == '[' || *q == '{')
      ++depth;
    else if ((*q == '>' || *q == ']' || *q == '}') && --depth <= 0)
      return depth == 0 ? size_t(q + 1 - from) : 0;
  }
  return 0;
}

}  // namespace shlo::text
