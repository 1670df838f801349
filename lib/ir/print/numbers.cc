#include "ir/print/numbers.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <iterator>
#include <vector>

#include "base/hex.h"
#include "ir/table/float_format.h"

namespace shlo::text {

// --- Floating point -----------------------------------------------------------------------------------
// MLIR prints decimal digits of a value's exact expansion: six at first, and if these do not read back as
// the value, as many as its format can distinguish. It cuts both from the expansion after a binary estimate
// of how many digits to drop, and rounds half up if one digit too many remains. We compute the same digits
// from a correctly rounded long expansion instead of big integers.
namespace {

constexpr char kDigits[] = "0123456789ABCDEF";

struct Decimal {
  char digits[48];  // most significant first
  int count = 0;
  int exponent = 0;  // of the last digit: the value is digits * 10^exponent

  // Returns `size` digits from the one at `from` on. They are always in the array; a compiler that does not
  // see why would compile a copy of more bytes than it has, and warn.
  std::string_view Part(int from, int size) const {
    const size_t begin = std::min(size_t(from), sizeof digits);
    return {digits + begin, std::min(size_t(size), sizeof digits - begin)};
  }
};

// A finite, positive value whose exact expansion is an integer times 10^-places.
class Expansion {
 public:
  explicit Expansion(double value) : value_(value) {
    int exp2;
    uint64_t significand = uint64_t(std::ldexp(std::frexp(value, &exp2), 53));
    exp2 -= 53;
    const int zeros = std::countr_zero(significand);
    significand >>= zeros;
    exp2 += zeros;
    places_ = exp2 < 0 ? -exp2 : 0;
    bits_ = exp2 >= 0 ? int(std::bit_width(significand)) + exp2 : BitsOf(significand, places_);
  }
  int places() const { return places_; }
  // The bits of the integer.
  int bits() const { return bits_; }

  // Puts the first digits at `digits`: at least `count` of them, or kMost. Later ones may be rounded.
  // Returns their number.
  static constexpr int kMost = 39;
  int Digits(int count, char* digits, int* exponent) const {
    const int some = std::min(std::max(count, 0) + kGuard, kMost);
    Print(some, digits, exponent);
    // Rounding changes the digits in front only if it turns all after them to zeros.
    const bool exact = *exponent + 1 + places_ <= some;
    if (exact || std::any_of(digits + some - kGuard, digits + some, [](char c) { return c != '0'; }))
      return some;
    Print(kMost, digits, exponent);
    return kMost;
  }

 private:
  static constexpr int kGuard = 8;
  static int BitsOf(uint64_t significand, int places) {
    const double estimate = std::log2(double(significand)) + places * 2.32192809488736234787;
    const double next = std::round(estimate);
    if (std::fabs(estimate - next) > 1e-6) return int(std::floor(estimate)) + 1;
    return int(std::floor(std::log2((long double)significand) +
                          places * 2.32192809488736234787031942948939017586L)) +
           1;
  }
  // Puts `count` digits, and sets the exponent of the first.
  void Print(int count, char* digits, int* exponent) const {
    char buffer[64];
    const auto end =
        std::to_chars(buffer, buffer + sizeof buffer, value_, std::chars_format::scientific, count - 1).ptr;
    const char* e = end;
    while (*--e != 'e') {
    }
    *exponent = 0;
    std::from_chars(e + 1 + (e[1] == '+'), end, *exponent);
    for (const char* p = buffer; p != e; ++p)
      if (*p != '.') *digits++ = *p;
  }

  double value_;
  int places_, bits_;
};

// `wanted` is at most 24.
Decimal CutDecimal(const Expansion& value, int wanted) {
  const int k = value.places();
  const int bits_required = (wanted * 196 + 58) / 59;
  const int removable = value.bits() <= bits_required ? 0 : (value.bits() - bits_required) * 59 / 196;
  char all[Expansion::kMost];
  int dec_exp;
  int n_all = value.Digits(wanted + 2, all, &dec_exp);
  const int length = dec_exp + 1 + k;
  if (length - removable > wanted + 2) n_all = value.Digits(Expansion::kMost, all, &dec_exp);
  Decimal d;
  const int kept = length - removable;
  d.count = kept < n_all ? kept : n_all;
  d.exponent = removable - k + (kept - d.count);
  if (d.count <= 0) {
    d.count = 1;
    d.digits[0] = '0';
    return d;
  }
  std::memcpy(d.digits, all, size_t(d.count));
  const auto strip = [&] {
    while (d.count > 1 && d.digits[d.count - 1] == '0') {
      --d.count;
      ++d.exponent;
    }
  };
  strip();
  if (d.count > wanted) {
    const bool up = d.digits[wanted] >= '5';
    d.exponent += d.count - wanted;
    d.count = wanted;
    if (up) {
      int i = wanted - 1;
      while (i >= 0 && d.digits[i] == '9') --i;
      if (i < 0) {
        d.digits[0] = '1';
        d.exponent += d.count;
        d.count = 1;
      } else {
        ++d.digits[i];
        d.exponent += d.count - (i + 1);
        d.count = i + 1;
      }
    }
    strip();
  }
  return d;
}

// Prints d.dddddde+XX, with zeros up to six decimals.
void PutScientific(TextBuffer& out, const Decimal& d) {
  out.push_back(d.digits[0]);
  out.push_back('.');
  out.append(d.Part(1, d.count - 1));
  if (d.count < 7) out.Fill(size_t(7 - d.count), '0');
  int exponent = d.exponent + d.count - 1;
  out.push_back('e');
  out.push_back(exponent < 0 ? '-' : '+');
  exponent = exponent < 0 ? -exponent : exponent;
  if (exponent < 10) out.push_back('0');
  PutInt(out, exponent);
}

// Prints the longer form; returns false if it would look like an integer.
bool PutLong(TextBuffer& out, const Decimal& d, int wanted) {
  constexpr int kMaxPadding = 3;
  const int leading = d.exponent + d.count - 1;
  bool scientific;
  if (d.exponent >= 0)
    scientific = d.exponent > kMaxPadding || d.count + d.exponent > wanted;
  else
    scientific = leading < 0 && -leading > kMaxPadding;
  if (scientific) {
    out.push_back(d.digits[0]);
    out.push_back('.');
    if (d.count == 1)
      out.push_back('0');
    else
      out.append(d.Part(1, d.count - 1));
    out.push_back('E');
    out.push_back(leading < 0 ? '-' : '+');
    PutInt(out, leading < 0 ? -leading : leading);
    return true;
  }
  if (d.exponent >= 0) return false;
  const int whole = d.exponent + d.count;
  if (whole > 0) {
    out.append(d.Part(0, whole));
    out.push_back('.');
    out.append(d.Part(whole, d.count - whole));
  } else {
    out.append("0.");
    out.Fill(size_t(-whole), '0');
    out.append(d.Part(0, d.count));
  }
  return true;
}

// Returns the bits of a decimal text in the format of `kind`.
uint64_t Reparse(TypeKind kind, std::string_view text) {
  if (kind == TypeKind::kF32) {
    float f = 0;
    std::from_chars(text.data(), text.data() + text.size(), f);
    return std::bit_cast<uint32_t>(f);
  }
  double d = 0;
  std::from_chars(text.data(), text.data() + text.size(), d);
  return kind == TypeKind::kF64 ? std::bit_cast<uint64_t>(d) : EncodeFloat(kind, d);
}

void PutHexBits(TextBuffer& out, uint64_t bits) {
  char buffer[20];
  char* p = buffer + sizeof buffer;
  do {
    *--p = kDigits[bits & 15];
    bits >>= 4;
  } while (bits);
  out.append("0x");
  out.append({p, size_t(buffer + sizeof buffer - p)});
}

// Returns whether only decimals with at least `digits` digits read back as a value. May return false for
// formats other than f32 and f64.
bool NeedsDigits(TypeKind kind, double value, int digits) {
  char buffer[32];
  char* end;
  if (kind == TypeKind::kF32)
    end = std::to_chars(buffer, buffer + sizeof buffer, float(value), std::chars_format::scientific).ptr;
  else if (kind == TypeKind::kF64)
    end = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::scientific).ptr;
  else
    return false;
  const char* const e = std::find(buffer, end, 'e');
  return e - buffer - (e - buffer > 1) >= digits;
}

}  // namespace

void PutFloat(TextBuffer& out, TypeKind kind, uint64_t bits) {
  const FloatFormat* format = FloatFormatOf(kind);
  if (!format) return PutHexBits(out, bits);
  const double value = kind == TypeKind::kF64   ? std::bit_cast<double>(bits)
                       : kind == TypeKind::kF32 ? double(std::bit_cast<float>(uint32_t(bits)))
                                                : DecodeFloat(kind, bits);
  if (!std::isfinite(value) || IsNan(kind, bits)) return PutHexBits(out, bits);
  const double magnitude = std::fabs(value);
  const bool negative = std::signbit(value);
  // Fast path: small whole numbers, the bulk of most programs, need no expansion.
  if (magnitude < 1e6 && magnitude == double(int64_t(magnitude))) {
    char digits[] = "0000000";
    const int count = int(std::to_chars(digits, std::end(digits), int64_t(magnitude)).ptr - digits);
    if (negative) out.push_back('-');
    out.push_back(digits[0]);
    out.push_back('.');
    out.append({digits + 1, 6});
    out.append("e+0");
    out.push_back(char('0' + count - 1));
    return;
  }
  const size_t begin = out.size();
  const Expansion expansion(magnitude);
  if (!NeedsDigits(kind, magnitude, 7)) {
    if (negative) out.push_back('-');
    PutScientific(out, CutDecimal(expansion, 6));
    if (Reparse(kind, out.view().substr(begin)) == bits) return;
    out.Cut(begin);
  }
  if (negative) out.push_back('-');
  const int wanted = 2 + (format->mantissa_bits + 1) * 59 / 196;
  if (PutLong(out, CutDecimal(expansion, wanted), wanted) && Reparse(kind, out.view().substr(begin)) == bits)
    return;
  out.Cut(begin);
  PutHexBits(out, bits);
}

void PutBigInt(TextBuffer& out, std::span<const int64_t> limbs, bool is_unsigned) {
  if (limbs.empty()) return out.push_back('0');
  if (limbs.size() == 1) return is_unsigned ? PutUnsigned(out, uint64_t(limbs[0])) : PutInt(out, limbs[0]);
  // Divide by 10^18 until the quotient is 0.
  std::vector<uint64_t> rest(limbs.begin(), limbs.end());
  if (!is_unsigned && limbs.back() < 0) {
    out.push_back('-');
    unsigned __int128 carry = 1;
    for (uint64_t& limb : rest) {
      carry += uint64_t(~limb);
      limb = uint64_t(carry);
      carry >>= 64;
    }
  }
  constexpr uint64_t kChunk = 1000000000000000000ull;
  std::vector<uint64_t> chunks;
  while (!rest.empty()) {
    unsigned __int128 remainder = 0;
    for (size_t i = rest.size(); i-- > 0;) {
      remainder = remainder << 64 | rest[i];
      rest[i] = uint64_t(remainder / kChunk);
      remainder %= kChunk;
    }
    chunks.push_back(uint64_t(remainder));
    while (!rest.empty() && rest.back() == 0) rest.pop_back();
  }
  PutUnsigned(out, chunks.back());
  for (size_t i = chunks.size() - 1; i-- > 0;) {
    constexpr int kWidth = 18;
    uint64_t rest_of_chunk = chunks[i];
    char* const at = out.Room(kWidth);
    for (char* digit = at + kWidth; digit != at; rest_of_chunk /= 10)
      *--digit = char('0' + rest_of_chunk % 10);
    out.EndAt(at + kWidth);
  }
}

}  // namespace shlo::text
