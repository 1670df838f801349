#include "serialize/text/op_lines.h"

#include <algorithm>
#include <bit>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace shlo::text {
namespace {

uint64_t Load(const char* p) {
  uint64_t word;
  std::memcpy(&word, p, 8);
  return word;
}

// Returns the bytes of a word before the first one below '$', such as a space, a quote or a bracket; others
// are 0.
uint64_t WordStart(uint64_t word) {
  constexpr uint64_t ones = 0x0101010101010101;
  const uint64_t below = (word - ones * '$') & ~word & ones * 0x80;
  return below ? word & (((below & -below) >> 7) - 1) : word;
}

// Hashes some bytes of an op: those of its name after the dialect, and of what follows the last value
// name. At least 16 bytes of the text are at `name`. A collision costs time only.
uint32_t Sample(const char* name, const char* tail, const char* end) {
  constexpr uint64_t k = 0x9E3779B97F4A7C15ull;
  const size_t size = size_t(end - tail);
  uint64_t hash = (WordStart(Load(name + 8)) ^ std::rotl(size, 56)) * k;
  hash ^= hash >> 32;
  if (size >= 16) {
    hash = (hash ^ Load(end - 8)) * k;
    hash ^= hash >> 32;
    hash = (hash ^ Load(end - 16) ^ std::rotl(Load(tail + size / 2), 17) ^
            std::rotl(Load(tail + size / 4), 31) ^ std::rotl(Load(tail), 47)) *
           k;
  }
  return uint32_t(hash >> 32);
}

}  // namespace

bool OpLine::Find(const char* from, const char* end_of_text) {
  begin = nullptr;
  const char* const most = from + std::min(size_t(end_of_text - from), kMostBytes);
  const char* q = from;
  uint32_t found = 0;
#ifdef __SSE2__
  const __m128i newlines = _mm_set1_epi8('\n'), percents = _mm_set1_epi8('%');
  for (; most - q >= 16; q += 16) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(q));
    const unsigned newline = unsigned(_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, newlines)));
    unsigned sigils = unsigned(_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, percents)));
    if (newline) sigils &= newline ^ (newline - 1);
    for (; sigils; sigils &= sigils - 1) {
      if (found == kMostNames) return false;
      names[found++] = uint16_t(q - from + std::countr_zero(sigils));
    }
    if (newline) {
      q += std::countr_zero(newline);
      break;
    }
  }
#endif
  for (; q < most && *q != '\n'; ++q)
    if (*q == '%') {
      if (found == kMostNames) return false;
      names[found++] = uint16_t(q - from);
    }
  if (q == most) return false;

  end = q;
  while (end > from && (end[-1] == ' ' || end[-1] == '\r')) --end;
  if (end - from < 16 || end[-1] == '{') return false;
  has_loc = false;
  if (end[-1] == ')') {
    const std::string_view line(from, size_t(end - from));
    if (const size_t at = line.rfind(" loc("); at != line.npos) {
      has_loc = true;
      end = from + at;
      while (found && names[found - 1] >= at) --found;
    }
  }
  num_names = found;
  name_at = from;
  if (*from == '%') {
    name_at = EndOfName(from + 1);
    if (end - name_at < 3 + 16 || name_at[0] != ' ' || name_at[1] != '=' || name_at[2] != ' ') return false;
    name_at += 3;
  }
  const char* const tail = found ? EndOfName(from + names[found - 1] + 1) : name_at;
  hash = Sample(name_at, tail, end);
  begin = from;
  return true;
}

}  // namespace shlo::text
