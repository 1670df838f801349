#include "serialize/text/lexer.h"

#include <algorithm>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace shlo::text {

void Cursor::SkipSlow() {
  while (p < end) {
    if (Is(*p, kSpaceChar)) {
      ++p;
    } else if (*p == '/' && At(1) == '/') {
      const void* newline = std::memchr(p, '\n', left());
      p = newline ? static_cast<const char*>(newline) + 1 : end;
    } else {
      return;
    }
  }
}

bool Cursor::RawString(std::string_view* raw, bool* escaped) {
  const char* from = p + 1;
  *escaped = false;
  // Hexadecimal constants are strings of megabytes, without escapes.
  if (end - from > 256) {
    const char* quote = static_cast<const char*>(std::memchr(from, '"', size_t(end - from)));
    const size_t size = quote ? size_t(quote - from) : 0;
    if (size > 256 && !std::memchr(from, '\\', size) && !std::memchr(from, '\n', size)) {
      *raw = {from, size};
      p = quote + 1;
      return true;
    }
  }
  for (const char* q = from; q < end; ++q) {
    if (*q == '"') {
      *raw = {from, size_t(q - from)};
      p = q + 1;
      return true;
    }
    if (*q == '\n') return false;
    if (*q == '\\') {
      *escaped = true;
      if (++q == end) return false;
    }
  }
  return false;
}

bool Cursor::SkipBalanced() {
  std::string open;  // the closing brackets that are expected
  for (; p < end; ++p) {
    switch (*p) {
      case '<':
        open.push_back('>');
        break;
      case '(':
        open.push_back(')');
        break;
      case '[':
        open.push_back(']');
        break;
      case '{':
        open.push_back('}');
        break;
      case '>':
      case ')':
      case ']':
      case '}':
        if (open.empty() || open.back() != *p) return false;
        open.pop_back();
        if (open.empty()) {
          ++p;
          return true;
        }
        break;
      case '-':
        if (At(1) == '>') ++p;
        break;
      case '=':  // "=>" and ">=" in affine maps are not brackets; ">=" is handled at its '>' below
        if (At(1) == '>') ++p;
        break;
      case '"': {
        std::string_view raw;
        bool escaped;
        if (!RawString(&raw, &escaped)) return false;
        --p;
        break;
      }
      case '/':
        if (At(1) == '/') {
          const void* newline = std::memchr(p, '\n', left());
          p = newline ? static_cast<const char*>(newline) : end - 1;
        }
        break;
      default:
        break;
    }
    // "a >= 0" closes nothing. A closing bracket is never followed by "=" and a constraint.
    if (p + 1 < end && p[1] == '>' && p + 2 < end && p[2] == '=' && open.size() && open.back() == ')') p += 2;
  }
  return false;
}

bool Unescape(std::string_view raw, std::string* out) {
  out->clear();
  out->reserve(raw.size());
  for (size_t i = 0; i < raw.size(); ++i) {
    if (raw[i] != '\\') {
      out->push_back(raw[i]);
      continue;
    }
    if (++i == raw.size()) return false;
    switch (raw[i]) {
      case 'n':
        out->push_back('\n');
        break;
      case 't':
        out->push_back('\t');
        break;
      case '"':
        out->push_back('"');
        break;
      case '\\':
        out->push_back('\\');
        break;
      default: {
        if (i + 1 >= raw.size()) return false;
        const uint8_t high = kHexValue[uint8_t(raw[i])], low = kHexValue[uint8_t(raw[i + 1])];
        if (high > 15 || low > 15) return false;
        out->push_back(char(high << 4 | low));
        ++i;
      }
    }
  }
  return true;
}

bool ReadNumber(Cursor& c, Number* out) {
  c.Skip();
  const char* p = c.p;
  out->begin = p;
  out->negative = p < c.end && *p == '-';
  if (out->negative) ++p;
  if (p == c.end || !Is(*p, kDigitChar)) return false;
  const char* from = p;
  out->hex = out->real = false;
  if (*p == '0' && c.end - p > 2 && p[1] == 'x' && IsHexDigit(p[2])) {
    out->hex = true;
    p += 2;
    while (p < c.end && IsHexDigit(*p)) ++p;
  } else {
    while (p < c.end && Is(*p, kDigitChar)) ++p;
    if (p < c.end && *p == '.') {
      out->real = true;
      ++p;
      while (p < c.end && Is(*p, kDigitChar)) ++p;
    }
    if (p < c.end && (*p == 'e' || *p == 'E')) {
      const char* q = p + 1;
      if (q < c.end && (*q == '+' || *q == '-')) ++q;
      if (q < c.end && Is(*q, kDigitChar)) {
        out->real = true;
        while (q < c.end && Is(*q, kDigitChar)) ++q;
        p = q;
      }
    }
  }
  out->text = {from, size_t(p - from)};
  c.p = p;
  return true;
}

bool SmallMagnitude(const Number& number, uint64_t* out) {
  uint64_t value = 0;
  if (number.hex) {
    for (char ch : number.text.substr(2)) {
      if (value >> 60) return false;
      value = value << 4 | kHexValue[uint8_t(ch)];
    }
  } else {
    for (char ch : number.text) {
      const uint64_t digit = uint64_t(ch - '0');
      if (digit > 9 || value > (UINT64_MAX - digit) / 10) return false;
      value = value * 10 + digit;
    }
  }
  *out = value;
  return true;
}

bool IntegerLimbs(const Number& number, std::vector<uint64_t>* limbs) {
  limbs->clear();
  if (number.text.size() > kMaxIntegerDigits) return false;
  const std::string_view digits = number.hex ? number.text.substr(2) : number.text;
  const uint64_t base = number.hex ? 16 : 10;
  for (char ch : digits) {
    // words = words * base + digit, 32 bits at a time so that the carry fits in 64 bits.
    uint64_t carry = kHexValue[uint8_t(ch)];
    for (uint64_t& limb : *limbs) {
      const uint64_t low = (limb & 0xffffffff) * base + carry;
      const uint64_t high = (limb >> 32) * base + (low >> 32);
      limb = high << 32 | (low & 0xffffffff);
      carry = high >> 32;
    }
    if (carry) limbs->push_back(carry);
  }
  return true;
}

bool DecodeHex(std::string_view hex, uint8_t* out) {
  const char* p = hex.data();
  size_t pairs = hex.size() / 2;
#ifdef __SSE2__
  // Decodes 32 digits to 16 bytes per step. A digit's value is its low nibble, plus 9 for letters.
  const __m128i low_nibble = _mm_set1_epi8(0x0f), nine = _mm_set1_epi8(9), case_bit = _mm_set1_epi8(0x20);
  const __m128i before_0 = _mm_set1_epi8('0' - 1), after_9 = _mm_set1_epi8('9' + 1);
  const __m128i before_a = _mm_set1_epi8('a' - 1), after_f = _mm_set1_epi8('f' + 1);
  const __m128i byte_mask = _mm_set1_epi16(0x00ff);
  __m128i good = _mm_set1_epi8(-1);
  const auto nibbles = [&](__m128i x) {
    const __m128i lower = _mm_or_si128(x, case_bit);
    const __m128i digit = _mm_and_si128(_mm_cmpgt_epi8(x, before_0), _mm_cmplt_epi8(x, after_9));
    const __m128i letter = _mm_and_si128(_mm_cmpgt_epi8(lower, before_a), _mm_cmplt_epi8(lower, after_f));
    good = _mm_and_si128(good, _mm_or_si128(digit, letter));
    const __m128i values = _mm_add_epi8(_mm_and_si128(x, low_nibble), _mm_and_si128(letter, nine));
    // Each 16-bit lane holds (high digit, low digit), first in memory first.
    return _mm_and_si128(_mm_or_si128(_mm_slli_epi16(values, 4), _mm_srli_epi16(values, 8)), byte_mask);
  };
  for (; pairs >= 16; pairs -= 16, p += 32, out += 16) {
    const __m128i a = nibbles(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p)));
    const __m128i b = nibbles(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p + 16)));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out), _mm_packus_epi16(a, b));
  }
  if (_mm_movemask_epi8(good) != 0xffff) return false;
#endif
  uint8_t bad = 0;
  for (; pairs; --pairs, p += 2) {
    const uint8_t high = kHexValue[uint8_t(p[0])], low = kHexValue[uint8_t(p[1])];
    bad |= high | low;
    *out++ = uint8_t(high << 4 | (low & 15));
  }
  return bad < 16 && hex.size() % 2 == 0;
}

}  // namespace shlo::text
