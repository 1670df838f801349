// The meaning of the element-wise ops for one element, after the specification. Where it leaves a choice,
// docs/evaluation.md has the answer.
#pragma once

#include <functional>

#include "eval/naive/number.h"

namespace shlo::naive {

struct ComplexNumber {
  Wide re, im;
};

// The meaning of an op by class of element type; an empty function: it has none.
struct Meaning {
  std::string_view op;
  int arity = 2;
  std::function<bool(bool, bool)> on_bools = {};
  std::function<__int128(const Type&, __int128, __int128)> on_integers = {};
  std::function<Wide(const Format&, Wide, Wide)> on_floats = {};
  std::function<ComplexNumber(const Format&, ComplexNumber, ComplexNumber)> on_complex = {};
  // Instead of the above where bits matter: they are given and returned.
  std::function<std::optional<Scalar>(const Type&, const Scalar*)> on_codes = {};
  enum Result { kSame, kBool, kPart } result = kSame;  // kPart: the real type of a complex one
  int ulps = 0;  // by which f64 and complex numbers may differ: the function is not computed exactly there
};

// sqrt(x), by one step of Newton's from 64 bits.
inline Wide SquareRoot(Wide x) {
  if (!(x > 0) || IsInfinite(x)) return x == 0 || IsInfinite(Abs(x)) ? (x < 0 ? kNan : x) : kNan;
  // Keep long double within its range.
  const int half = Exponent(x) / 2;
  const Wide scaled = Scale(x, -2 * half);
  const Wide root = Wide(std::sqrt((long double)scaled));
  return Scale((root + scaled / root) / 2, half);
}

// x - y * trunc(x / y), by subtracting multiples of y.
inline Wide Remainder(Wide x, Wide y) {
  if (IsNan(x) || IsNan(y) || IsInfinite(x) || y == 0) return kNan;
  if (IsInfinite(y)) return x;
  Wide rest = Abs(x);
  const Wide by = Abs(y);
  for (int k = rest == 0 ? -1 : Exponent(rest) - Exponent(by); k >= 0; --k)
    if (rest >= Scale(by, k)) rest -= Scale(by, k);
  return IsNegative(x) ? -rest : rest;
}

// base^exponent modulo 2^128.
inline __int128 Power(__int128 base, unsigned __int128 exponent) {
  if (exponent == 0) return 1;
  using U = unsigned __int128;
  const U root = U(Power(base, exponent / 2));
  return __int128(root * root * (exponent % 2 ? U(base) : U(1)));
}

inline ComplexNumber DecodeParts(const Type& type, Scalar v) {
  return {Decode(*type.format, v.re), Decode(*type.format, v.im)};
}
inline Type PartOf(const Type& type) {
  return type.complex ? *TypeOf(type.name.substr(8, type.name.size() - 9)) : type;
}
inline Type ResultType(const Meaning& meaning, const Type& type) {
  if (meaning.result == Meaning::kBool) return *TypeOf("i1");
  return meaning.result == Meaning::kPart ? PartOf(type) : type;
}

// The result for operands of one type; nullopt: no meaning.
inline std::optional<Scalar> Apply(const Meaning& m, const Type& type, const Scalar* operands) {
  if (m.on_codes) {
    const std::optional<Scalar> result = m.on_codes(type, operands);
    if (result) return result;
  }
  const Scalar a = operands[0], b = m.arity > 1 ? operands[1] : operands[0];
  const Type to = ResultType(m, type);
  if (type.complex) {
    if (!m.on_complex) return std::nullopt;
    const ComplexNumber z = m.on_complex(*type.format, DecodeParts(type, a), DecodeParts(type, b));
    if (to.is_bool()) return Scalar{z.re != 0};
    return Scalar{Encode(*type.format, z.re), to.complex ? Encode(*type.format, z.im) : 0};
  }
  if (type.is_float()) {
    if (!m.on_floats) return std::nullopt;
    const Wide r = m.on_floats(*type.format, Decode(*type.format, a.re), Decode(*type.format, b.re));
    return to.is_bool() ? Scalar{r != 0} : Scalar{Encode(*type.format, r)};
  }
  if (type.is_bool())
    return m.on_bools ? std::optional(Scalar{m.on_bools(a.re != 0, b.re != 0)}) : std::nullopt;
  if (!m.on_integers) return std::nullopt;
  return Scalar{Wrap(to, m.on_integers(type, Integer(type, a.re), Integer(type, b.re)))};
}

// Whether a has NaN, or a and b are in ascending order with -0 before +0.
inline bool Less(Wide a, Wide b) { return a < b || (a == b && IsNegative(a) && !IsNegative(b)); }
inline bool LexicographicLess(ComplexNumber a, ComplexNumber b) {
  return a.re == b.re ? a.im < b.im : a.re < b.re;
}
// Selects operands of complex numbers by their bits: NaN parts keep theirs.
template <bool kMaximum>
std::optional<Scalar> Extreme(const Type& type, const Scalar* v) {
  if (!type.complex) return std::nullopt;
  const ComplexNumber a = DecodeParts(type, v[0]), b = DecodeParts(type, v[1]);
  return (kMaximum ? LexicographicLess(b, a) : LexicographicLess(a, b)) ? v[0] : v[1];
}
// Flips or clears the sign of a float, in NaN as well. Formats without -0 round the result instead.
template <bool kFlip>
std::optional<Scalar> ChangeSign(const Type& type, const Scalar* v) {
  if (!type.format) return std::nullopt;
  const Format& f = *type.format;
  if (type.complex && !kFlip) return std::nullopt;
  if (f.special == Special::kPowers) return kFlip ? Scalar{NanCode(f)} : v[0];
  if (f.special == Special::kNegativeZero) {
    const Wide x = Decode(f, v[0].re);
    return Scalar{Encode(f, kFlip ? -x : Abs(x))};
  }
  const uint64_t sign = 1ull << (type.width - 1);
  if (type.complex) return Scalar{v[0].re ^ sign, v[0].im ^ sign};
  return Scalar{kFlip ? v[0].re ^ sign : v[0].re & ~sign};
}

template <typename F>
Meaning Bits(std::string_view op, F f) {
  return {.op = op,
          .on_bools = [f](bool a, bool b) { return (f(uint64_t(a), uint64_t(b)) & 1) != 0; },
          .on_integers = [f](const Type&, __int128 a,
                             __int128 b) { return __int128(f(uint64_t(a), uint64_t(b))); }};
}
// An amount as an unsigned number; all of at least the width are the same.
inline int Amount(const Type& type, __int128 by) {
  const uint64_t amount = Wrap(type, by);
  return amount >= uint64_t(type.width) ? type.width : int(amount);
}
template <typename F>
Meaning Shift(std::string_view op, F f) {
  return {.op = op,
          .on_integers = [f](const Type& t, __int128 a, __int128 b) { return f(t, a, Amount(t, b)); }};
}
// A function of real numbers, from the C library's long double.
template <typename F>
Meaning Function(std::string_view op, F f, int ulps = 1) {
  return {.op = op,
          .arity = 1,
          .on_floats = [f](const Format&, Wide x, Wide) { return Wide(f((long double)(x))); },
          .ulps = ulps};
}
template <typename F>
Meaning Rounding(std::string_view op, F f) {
  return {.op = op, .arity = 1, .on_floats = [f](const Format&, Wide x, Wide) {
            if (!IsFinite(x) || x == 0) return x;
            const Wide r = f(x);
            return r == 0 && x < 0 ? -Wide(0) : r;  // the sign stays
          }};
}
template <typename F>
Meaning Predicate(std::string_view op, F f) {
  return {.op = op,
          .arity = 1,
          .on_floats = [f](const Format&, Wide x, Wide) { return Wide(f(x)); },
          .result = Meaning::kBool};
}

// (a + bi) / (c + di): the textbook formula. Infinite where the divisor is zero, zero where it is infinite
// (annex G).
inline ComplexNumber Quotient(ComplexNumber x, ComplexNumber y) {
  const Wide size = y.re * y.re + y.im * y.im;
  if (size == 0) {
    const Wide infinity = IsNegative(y.re) ? -kInfinity : kInfinity;
    return {infinity * x.re, infinity * x.im};
  }
  return {(x.re * y.re + x.im * y.im) / size, (x.im * y.re - x.re * y.im) / size};
}
inline Wide Modulus(ComplexNumber z) {
  if (IsInfinite(z.re) || IsInfinite(z.im)) return kInfinity;
  return SquareRoot(z.re * z.re + z.im * z.im);
}

inline const std::vector<Meaning>& Meanings() {
  static const std::vector<Meaning> kMeanings = [] {
    using L = long double;
    const auto subtract = [](std::string_view op) {
      return Meaning{.op = op,
                     .on_bools = [](bool a, bool b) { return a != b; },
                     .on_integers = [](const Type&, __int128 a, __int128 b) { return a - b; },
                     .on_floats = [](const Format&, Wide a, Wide b) { return a - b; },
                     .on_complex =
                         [](const Format&, ComplexNumber a, ComplexNumber b) {
                           return ComplexNumber{a.re - b.re, a.im - b.im};
                         }};
    };
    return std::vector<Meaning>{
        {.op = "stablehlo.add",
         .on_bools = [](bool a, bool b) { return a || b; },
         .on_integers = [](const Type&, __int128 a, __int128 b) { return a + b; },
         .on_floats = [](const Format&, Wide a, Wide b) { return a + b; },
         .on_complex =
             [](const Format&, ComplexNumber a, ComplexNumber b) {
               return ComplexNumber{a.re + b.re, a.im + b.im};
             }},
        subtract("stablehlo.subtract"),
        subtract("stablehlo.sub"),
        {.op = "stablehlo.multiply",
         .on_bools = [](bool a, bool b) { return a && b; },
         .on_integers = [](const Type&, __int128 a,
                           __int128 b) { return __int128((unsigned __int128)a * (unsigned __int128)b); },
         .on_floats = [](const Format&, Wide a, Wide b) { return a * b; },
         .on_complex =
             [](const Format& f, ComplexNumber a, ComplexNumber b) {
               const auto times = [&](Wide x, Wide y) { return Round(f, x * y); };
               return ComplexNumber{times(a.re, b.re) - times(a.im, b.im),
                                    times(a.re, b.im) + times(a.im, b.re)};
             }},
        {.op = "stablehlo.divide",
         .on_integers = [](const Type&, __int128 a, __int128 b) { return b == 0 ? __int128(-1) : a / b; },
         .on_floats = [](const Format&, Wide a, Wide b) { return a / b; },
         .on_complex = [](const Format&, ComplexNumber a, ComplexNumber b) { return Quotient(a, b); },
         .ulps = 4},
        {.op = "stablehlo.remainder",
         .on_integers = [](const Type&, __int128 a, __int128 b) { return b == 0 ? a : a % b; },
         .on_floats = [](const Format&, Wide a, Wide b) { return Remainder(a, b); }},
        {.op = "stablehlo.maximum",
         .on_bools = [](bool a, bool b) { return a || b; },
         .on_integers = [](const Type&, __int128 a, __int128 b) { return a < b ? b : a; },
         .on_floats = [](const Format&, Wide a,
                         Wide b) { return IsNan(a) || IsNan(b) ? kNan
                                          : Less(a, b)         ? b
                                                               : a; },
         .on_codes = Extreme<true>},
        {.op = "stablehlo.minimum",
         .on_bools = [](bool a, bool b) { return a && b; },
         .on_integers = [](const Type&, __int128 a, __int128 b) { return a < b ? a : b; },
         .on_floats = [](const Format&, Wide a,
                         Wide b) { return IsNan(a) || IsNan(b) ? kNan
                                          : Less(a, b)         ? a
                                                               : b; },
         .on_codes = Extreme<false>},
        Bits("stablehlo.and", [](uint64_t a, uint64_t b) { return a & b; }),
        Bits("stablehlo.or", [](uint64_t a, uint64_t b) { return a | b; }),
        Bits("stablehlo.xor", [](uint64_t a, uint64_t b) { return a ^ b; }),
        {.op = "stablehlo.not",
         .arity = 1,
         .on_bools = [](bool a, bool) { return !a; },
         .on_integers = [](const Type&, __int128 a, __int128) { return -1 - a; }},
        Shift("stablehlo.shift_left",
              [](const Type& t, __int128 a, int by) {
                return by == t.width ? 0 : __int128((unsigned __int128)a << by);
              }),
        Shift("stablehlo.shift_right_arithmetic",
              [](const Type& t, __int128 a, int by) {
                const uint64_t code = Wrap(t, a);
                __int128 r = 0;  // bit by bit; the sign fills
                for (int i = 0; i < t.width; ++i)
                  r |= __int128(code >> std::min(i + by, t.width - 1) & 1) << i;
                return r;
              }),
        Shift(
            "stablehlo.shift_right_logical",
            [](const Type& t, __int128 a, int by) { return by == t.width ? 0 : __int128(Wrap(t, a)) >> by; }),
        {.op = "chlo.mulhi",
         .on_integers =
             [](const Type& t, __int128 a, __int128 b) {
               using U = unsigned __int128;
               return t.is_unsigned ? __int128(U(a) * U(b) >> t.width) : a * b >> t.width;
             }},
        {.op = "stablehlo.popcnt",
         .arity = 1,
         .on_integers =
             [](const Type& t, __int128 a, __int128) {
               __int128 n = 0;
               for (uint64_t code = Wrap(t, a); code != 0; code /= 2) n += code % 2;
               return n;
             }},
        {.op = "stablehlo.count_leading_zeros",
         .arity = 1,
         .on_integers =
             [](const Type& t, __int128 a, __int128) {
               __int128 n = t.width;
               for (uint64_t code = Wrap(t, a); code != 0; code /= 2) --n;
               return n;
             }},
        {.op = "stablehlo.power",
         .on_integers =
             [](const Type&, __int128 a, __int128 b) {
               if (b < 0) return a == 1 ? __int128(1) : a == -1 ? (b % 2 ? __int128(-1) : 1) : __int128(0);
               return Power(a, (unsigned __int128)b);
             },
         .on_floats = [](const Format&, Wide a, Wide b) { return Wide(std::pow(L(a), L(b))); },
         .ulps = 1},
        {.op = "stablehlo.atan2",
         .on_floats = [](const Format&, Wide a, Wide b) { return Wide(std::atan2(L(a), L(b))); },
         .ulps = 1},
        {.op = "stablehlo.negate",
         .arity = 1,
         .on_integers = [](const Type&, __int128 a, __int128) { return -a; },
         .on_codes = ChangeSign<true>},
        {.op = "stablehlo.abs",
         .arity = 1,
         .on_integers = [](const Type&, __int128 a, __int128) { return a < 0 ? -a : a; },
         .on_complex =
             [](const Format&, ComplexNumber z, ComplexNumber) {
               return ComplexNumber{Modulus(z), 0};
             },
         .on_codes = ChangeSign<false>,
         .result = Meaning::kPart,
         .ulps = 1},
        {.op = "stablehlo.sign",
         .arity = 1,
         .on_integers = [](const Type&, __int128 a, __int128) { return __int128(a > 0) - __int128(a < 0); },
         .on_floats = [](const Format&, Wide a,
                         Wide) { return a == 0 || IsNan(a) ? a : Wide(a < 0 ? -1 : 1); },
         .on_complex =
             [](const Format&, ComplexNumber z, ComplexNumber) {
               if (IsNan(z.re) || IsNan(z.im)) return ComplexNumber{kNan, kNan};
               if (z.re == 0 && z.im == 0) return ComplexNumber{0, 0};
               const Wide size = Modulus(z);
               return ComplexNumber{z.re / size, z.im / size};
             },
         .ulps = 2},
        {.op = "chlo.square",
         .arity = 1,
         .on_floats = [](const Format&, Wide a, Wide) { return a * a; },
         .on_complex =
             [](const Format&, ComplexNumber z, ComplexNumber) {
               return ComplexNumber{z.re * z.re - z.im * z.im, 2 * z.re * z.im};
             },
         .ulps = 2},
        {.op = "chlo.conj",
         .arity = 1,
         .on_codes = [](const Type& t, const Scalar* v) -> std::optional<Scalar> {
           if (!t.format) return std::nullopt;
           return t.complex ? Scalar{v->re, v->im ^ 1ull << (t.width - 1)} : *v;
         }},
        {.op = "stablehlo.real",
         .arity = 1,
         .on_codes = [](const Type& t, const Scalar* v) -> std::optional<Scalar> {
           return t.format ? std::optional(Scalar{v->re}) : std::nullopt;
         },
         .result = Meaning::kPart},
        {.op = "stablehlo.imag",
         .arity = 1,
         .on_codes = [](const Type& t, const Scalar* v) -> std::optional<Scalar> {
           return t.format ? std::optional(Scalar{v->im}) : std::nullopt;
         },
         .result = Meaning::kPart},
        Rounding("stablehlo.ceil", [](Wide x) { return -Floor(-x); }),
        Rounding("stablehlo.floor", [](Wide x) { return Floor(x); }),
        Rounding("stablehlo.round_nearest_afz",
                 [](Wide x) { return x < 0 ? -Floor(-x + Wide(0.5)) : Floor(x + Wide(0.5)); }),
        Rounding("stablehlo.round_nearest_even",
                 [](Wide x) {
                   const Wide below = Floor(x), rest = x - below;
                   if (rest != Wide(0.5)) return rest < Wide(0.5) ? below : below + 1;
                   return Floor(below / 2) * 2 == below ? below : below + 1;
                 }),
        Predicate("stablehlo.is_finite", [](Wide x) { return IsFinite(x); }),
        Predicate("chlo.is_inf", [](Wide x) { return IsInfinite(x); }),
        Predicate("chlo.is_pos_inf", [](Wide x) { return x == kInfinity; }),
        Predicate("chlo.is_neg_inf", [](Wide x) { return x == -kInfinity; }),
        {.op = "stablehlo.sqrt",
         .arity = 1,
         .on_floats = [](const Format&, Wide x, Wide) { return SquareRoot(x); }},
        Function("stablehlo.rsqrt", [](L x) { return 1 / std::sqrt(x); }),
        Function("stablehlo.cbrt", [](L x) { return std::cbrt(x); }),
        Function("stablehlo.cosine", [](L x) { return std::cos(x); }),
        Function("stablehlo.sine", [](L x) { return std::sin(x); }),
        Function("stablehlo.tan", [](L x) { return std::tan(x); }),
        Function("chlo.tan", [](L x) { return std::tan(x); }),
        Function("stablehlo.tanh", [](L x) { return std::tanh(x); }),
        Function("stablehlo.exponential", [](L x) { return std::exp(x); }),
        Function("stablehlo.exponential_minus_one", [](L x) { return std::expm1(x); }),
        Function("stablehlo.log", [](L x) { return std::log(x); }),
        Function("stablehlo.log_plus_one", [](L x) { return std::log1p(x); }),
        Function("stablehlo.logistic", [](L x) { return 1 / (1 + std::exp(-x)); }),
        Function("chlo.acos", [](L x) { return std::acos(x); }),
        Function("chlo.acosh", [](L x) { return std::acosh(x); }),
        Function("chlo.asin", [](L x) { return std::asin(x); }),
        Function("chlo.asinh", [](L x) { return std::asinh(x); }),
        Function("chlo.atan", [](L x) { return std::atan(x); }),
        Function("chlo.atanh", [](L x) { return std::atanh(x); }),
        Function("chlo.cosh", [](L x) { return std::cosh(x); }),
        Function("chlo.sinh", [](L x) { return std::sinh(x); }),
        Function("chlo.erf", [](L x) { return std::erf(x); }),
        Function("chlo.erfc", [](L x) { return std::erfc(x); }),
        Function("chlo.lgamma", [](L x) { return std::lgamma(x); }),
        {.op = "chlo.next_after",
         .on_codes = [](const Type& t, const Scalar* v) -> std::optional<Scalar> {
           if (!t.is_float()) return std::nullopt;
           const Format& f = *t.format;
           if (f.special == Special::kNegativeZero || f.special == Special::kPowers) return std::nullopt;
           const Wide x = Decode(f, v[0].re), y = Decode(f, v[1].re);
           if (IsNan(x) || IsNan(y)) return Scalar{NanCode(f)};
           if (x == y) return v[1];
           const uint64_t sign = 1ull << (f.width() - 1);
           if (x == 0) return Scalar{y < 0 ? sign + 1 : 1};
           return Scalar{(x < y) == (x > 0) ? v[0].re + 1 : v[0].re - 1};
         }},
    };
  }();
  return kMeanings;
}

inline const Meaning* MeaningOf(std::string_view op) {
  for (const Meaning& meaning : Meanings())
    if (meaning.op == op) return &meaning;
  return nullptr;
}

}  // namespace shlo::naive
