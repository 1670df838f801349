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

bool Cursor::RawString(RawText* text) {
  const char* const from = p + 1;
  *text = {};
  const char* q = from;
  // Hexadecimal constants are strings of megabytes.
  if (end - from > 2 && from[0] == '0' && from[1] == 'x') {
    q = from + 2 + CountUpperHex({from + 2, size_t(end - from - 2)});
    text->upper_hex = q < end && *q == '"';
  }
  for (; q < end; ++q) {
    if (*q == '"') {
      text->raw = {from, size_t(q - from)};
      p = q + 1;
      return true;
    }
    if (*q == '\n') return false;
    if (*q == '\\') {
      text->escaped = true;
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
        RawText text;
        if (!RawString(&text)) return false;
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
        const uint8_t high = HexValue(raw[i]), low = HexValue(raw[i + 1]);
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
      value = value << 4 | HexValue(ch);
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
    uint64_t carry = HexValue(ch);
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

}  // namespace shlo::text
