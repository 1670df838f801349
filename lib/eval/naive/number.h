// Numbers for tests of the evaluator, from the definitions of their formats and slowly: integers as 128 bits
// that wrap, floats as numbers of 113 significant bits, which are rounded once. Shares nothing with the
// evaluator, so that a mistake in one of the two shows.
#pragma once

#include <cfloat>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace shlo::naive {

// At least 2 * 53 + 2 significant bits: rounding a sum, product or quotient of two numbers of f64 to this
// type, and then to f64, is the same as rounding once.
#if LDBL_MANT_DIG >= 113
using Wide = long double;
#else
using Wide = __float128;
#endif

// The meaning of codes with the largest exponent.
enum class Special {
  kInfinities,    // infinity, and NaN for other mantissas
  kOneNan,        // numbers, except that all ones is NaN
  kNone,          // numbers
  kNegativeZero,  // numbers; NaN is the code of -0
  kPowers,        // no sign and no mantissa: powers of two, and all ones is NaN
};
struct Format {
  std::string_view name;
  int exponent_bits, mantissa_bits, bias;
  Special special;
  int width() const { return (special == Special::kPowers ? 0 : 1) + exponent_bits + mantissa_bits; }
};

// IEEE 754-2019; the OCP specifications of 8-bit and microscaling formats; "8-bit numerical formats for deep
// neural networks" (FNUZ); the comments of LLVM's APFloat.
inline constexpr Format kFormats[] = {
    {"f4E2M1FN", 2, 1, 1, Special::kNone},           {"f6E2M3FN", 2, 3, 1, Special::kNone},
    {"f6E3M2FN", 3, 2, 3, Special::kNone},           {"f8E3M4", 3, 4, 3, Special::kInfinities},
    {"f8E4M3", 4, 3, 7, Special::kInfinities},       {"f8E4M3FN", 4, 3, 7, Special::kOneNan},
    {"f8E4M3FNUZ", 4, 3, 8, Special::kNegativeZero}, {"f8E4M3B11FNUZ", 4, 3, 11, Special::kNegativeZero},
    {"f8E5M2", 5, 2, 15, Special::kInfinities},      {"f8E5M2FNUZ", 5, 2, 16, Special::kNegativeZero},
    {"f8E8M0FNU", 8, 0, 127, Special::kPowers},      {"bf16", 8, 7, 127, Special::kInfinities},
    {"f16", 5, 10, 15, Special::kInfinities},        {"tf32", 8, 10, 127, Special::kInfinities},
    {"f32", 8, 23, 127, Special::kInfinities},       {"f64", 11, 52, 1023, Special::kInfinities},
};

inline const Wide kInfinity = Wide(HUGE_VALL);
inline const Wide kNan = Wide(__builtin_nanl(""));

inline bool IsNan(Wide x) { return x != x; }
inline bool IsInfinite(Wide x) { return x == kInfinity || x == -kInfinity; }
inline bool IsFinite(Wide x) { return !IsNan(x) && !IsInfinite(x); }
// Whether the sign is set, also that of zero. Not for NaN.
inline bool IsNegative(Wide x) { return x < 0 || (x == 0 && 1 / x < 0); }
inline Wide Abs(Wide x) { return IsNegative(x) ? -x : x; }

// x * 2^n.
inline Wide Scale(Wide x, int n) {
  Wide power = n < 0 ? Wide(0.5) : Wide(2);
  for (unsigned k = unsigned(n < 0 ? -n : n); k != 0; k >>= 1) {
    if (k & 1) x *= power;
    if (k > 1) power *= power;
  }
  return x;
}
// The integer below or at a number.
inline Wide Floor(Wide x) {
  if (!IsFinite(x) || Abs(x) >= Scale(1, 112)) return x;
  const Wide whole = Wide(__int128(x));
  const Wide floor = whole > x ? whole - 1 : whole;
  return floor == 0 && IsNegative(x) ? -Wide(0) : floor;
}
// e with 2^e <= x < 2^(e + 1).
inline int Exponent(Wide x) {
  int e = 0;
  (void)std::frexp((long double)(x), &e);
  --e;
  while (Scale(1, e) > x) --e;
  while (Scale(1, e + 1) <= x) ++e;
  return e;
}

// A type of elements: an integer ("i4", "ui4", "index"), a boolean ("i1"), a float, or complex
// ("complex<f32>").
struct Type {
  std::string name;
  bool complex = false;
  bool is_unsigned = false;
  const Format* format = nullptr;  // of floats, and of the parts of complex numbers
  int width = 0;                   // bits of a part

  bool is_bool() const { return name == "i1"; }
  bool is_integer() const { return !format && !is_bool(); }
  bool is_float() const { return format && !complex; }
  size_t part_bytes() const { return size_t(width + 7) / 8; }
  size_t bytes() const { return part_bytes() * (complex ? 2 : 1); }
  friend bool operator==(const Type& a, const Type& b) { return a.name == b.name; }
};
// Returns nullopt for a name without a definition here.
inline std::optional<Type> TypeOf(std::string_view name) {
  Type type{.name = std::string(name)};
  if (name.starts_with("complex<")) {
    type.complex = true;
    name = name.substr(8, name.size() - 9);
  }
  for (const Format& format : kFormats)
    if (format.name == name) {
      type.format = &format;
      type.width = format.width();
      return type;
    }
  if (name == "index") {
    type.width = 64;
    return type;
  }
  type.is_unsigned = name.starts_with("ui");
  if (!type.is_unsigned && !name.starts_with("i")) return std::nullopt;
  type.width = std::atoi(std::string(name.substr(type.is_unsigned ? 2 : 1)).c_str());
  return type;
}

inline uint64_t Ones(int n) { return n >= 64 ? ~0ull : (1ull << n) - 1; }

// The number of a code.
inline Wide Decode(const Format& f, uint64_t code) {
  const uint64_t mantissa = code & Ones(f.mantissa_bits);
  const uint64_t exponent = code >> f.mantissa_bits & Ones(f.exponent_bits);
  if (f.special == Special::kPowers) return exponent == Ones(8) ? kNan : Scale(1, int(exponent) - f.bias);
  const bool negative = code >> (f.width() - 1) & 1;
  if (f.special == Special::kNegativeZero && negative && exponent == 0 && mantissa == 0) return kNan;
  if (exponent == Ones(f.exponent_bits)) {
    if (f.special == Special::kInfinities) return mantissa != 0 ? kNan : negative ? -kInfinity : kInfinity;
    if (f.special == Special::kOneNan && mantissa == Ones(f.mantissa_bits)) return kNan;
  }
  const Wide size = exponent == 0 ? Scale(Wide(mantissa), 1 - f.bias - f.mantissa_bits)
                                  : Scale(Wide(mantissa + (1ull << f.mantissa_bits)),
                                          int(exponent) - f.bias - f.mantissa_bits);
  return negative ? -size : size;
}

// The code of NaN: positive and quiet. -0 where the format has no NaN.
inline uint64_t NanCode(const Format& f) {
  switch (f.special) {
    case Special::kInfinities:
      return Ones(f.exponent_bits) << f.mantissa_bits | 1ull << (f.mantissa_bits - 1);
    case Special::kOneNan:
      return Ones(f.width() - 1);
    case Special::kPowers:
      return Ones(f.width());
    default:
      return 1ull << (f.width() - 1);
  }
}
// The code of the largest number.
inline uint64_t LargestCode(const Format& f) {
  if (f.special == Special::kInfinities) return (Ones(f.exponent_bits) << f.mantissa_bits) - 1;
  if (f.special == Special::kPowers) return Ones(8) - 1;
  return Ones(f.width() - 1) - (f.special == Special::kOneNan ? 1 : 0);
}

// The code of the nearest number, ties to even. Beyond the range: infinity, or NaN, or the largest number,
// whichever the format has first.
inline uint64_t Encode(const Format& f, Wide x) {
  if (IsNan(x)) return NanCode(f);
  if (f.special == Special::kPowers) {
    if (x < 0) return NanCode(f);
    if (x <= Scale(1, -f.bias)) return 0;
    if (IsInfinite(x)) return NanCode(f);
    const int e = Exponent(x);
    const int nearest = x >= Scale(Wide(1.5), e) ? e + 1 : e;  // a tie goes up
    return nearest + f.bias > int(LargestCode(f)) ? NanCode(f) : uint64_t(nearest + f.bias);
  }
  const uint64_t sign = IsNegative(x) ? 1ull << (f.width() - 1) : 0;
  uint64_t code = LargestCode(f) + 1;
  const Wide size = Abs(x);
  if (!IsInfinite(size) && size < Scale(2, int(Ones(f.exponent_bits)) - f.bias)) {
    const int least = 1 - f.bias;
    const int e = size == 0 ? least : std::max(Exponent(size), least);
    const Wide steps = Scale(size, f.mantissa_bits - e);
    uint64_t n = uint64_t(steps);
    const Wide rest = steps - Wide(n);
    if (rest > Wide(0.5) || (rest == Wide(0.5) && (n & 1))) ++n;
    code = n + (uint64_t(e - least) << f.mantissa_bits);  // carries into the exponent
  }
  if (code > LargestCode(f)) {
    if (f.special == Special::kInfinities) return (Ones(f.exponent_bits) << f.mantissa_bits) | sign;
    if (f.special == Special::kNone) return LargestCode(f) | sign;
    return NanCode(f);
  }
  if (f.special == Special::kNegativeZero && code == 0) return 0;
  return code | sign;
}
// The nearest number of the format.
inline Wide Round(const Format& f, Wide x) { return Decode(f, Encode(f, x)); }

// The integer of a code, and the code of an integer modulo 2^width.
inline __int128 Integer(const Type& type, uint64_t code) {
  if (type.is_unsigned || type.is_bool() || type.width == 0 || !(code >> (type.width - 1) & 1))
    return __int128(code);
  return __int128(code) - (__int128(1) << type.width);
}
inline uint64_t Wrap(const Type& type, __int128 value) { return uint64_t(value) & Ones(type.width); }

// One element: the code of a number, or of the parts of a complex number.
struct Scalar {
  uint64_t re = 0, im = 0;
  friend bool operator==(Scalar, Scalar) = default;
};

// Codes that matter: all of up to 8 bits; else zeros, ones, the ends of each range, their neighbors, and some
// in between.
inline std::vector<uint64_t> CodesOf(const Type& type) {
  std::vector<uint64_t> codes;
  if (type.width <= 8) {
    for (uint64_t code = 0; code <= Ones(type.width); ++code) codes.push_back(code);
    return codes;
  }
  std::vector<uint64_t> marks = {0, 1ull << (type.width - 1), Ones(type.width), 2, 7, Ones(type.width) / 3};
  if (const Format* f = type.format) {
    marks = {0, Ones(f->exponent_bits) << f->mantissa_bits, 1ull << f->mantissa_bits};
    for (double v : {1.0, 0.5, 1.5, 2.5, 3.0, 1e-3, 0.1, 100.25, 65504.0, 3e38, 1e-38, 1e300})
      marks.push_back(Encode(*f, Wide(v)));
  } else {
    for (int shift : {type.width, type.width - 1, type.width / 2}) marks.push_back(uint64_t(shift));
  }
  for (uint64_t mark : marks)
    for (uint64_t code : {mark - 1, mark, mark + 1}) {
      codes.push_back(code & Ones(type.width));
      if (type.format) codes.push_back((code ^ 1ull << (type.width - 1)) & Ones(type.width));
    }
  uint64_t state = 88172645463325252ull;  // xorshift
  for (int i = 0; i < 40; ++i) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    codes.push_back(state & Ones(type.width));
  }
  return codes;
}

}  // namespace shlo::naive
