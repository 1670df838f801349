// Codecs of float formats of at most 19 bits, written so that loops over them vectorize: exact conversion to
// f32, and rounding from f32 to nearest, ties to even.
//
// Kernels compute on these formats in f32 and round again. The second rounding is harmless for sums and
// differences: f32 has 24 significant bits, and 2p + 2 are enough for operands of p bits; the widest formats
// here, f16 and tf32, have p = 11. The exponent range of f32 includes that of every format, including
// subnormals. Outside kernels use ir/table/float_format.h, against which these codecs are tested.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

#include "ir/table/float_format.h"
#include "shlo/kinds.h"

namespace shlo {

// Format parameters at compile time, and special codes.
template <TypeKind kKind>
struct SmallFloat;

template <FloatFormat::Flavour kFlavourArg, int kWidthArg, int kExponentArg, int kMantissaArg, int kBiasArg>
struct SmallFloatBase {
  static constexpr FloatFormat::Flavour kFlavour = kFlavourArg;
  static constexpr int kWidth = kWidthArg;
  static constexpr int kMantissa = kMantissaArg;
  static constexpr int kBias = kBiasArg;
  static constexpr bool kSigned = kFlavour != FloatFormat::kFnu;
  static constexpr uint32_t kSign = kSigned ? 1u << (kWidth - 1) : 0;
  static constexpr uint32_t kMagnitudes =
      kSigned ? kSign - 1 : (1u << kWidth) - 1;  // all bits except the sign
  // The first magnitude that is not finite, or one past the last if all are finite.
  static constexpr uint32_t kFirstSpecial = kFlavour == FloatFormat::kIeee
                                                ? ((1u << kExponentArg) - 1) << kMantissa
                                            : kFlavour == FloatFormat::kFn  ? kMagnitudes
                                            : kFlavour == FloatFormat::kFnu ? kMagnitudes
                                                                            : kMagnitudes + 1;
  // The positive quiet NaN, or negative zero if there is no NaN.
  static constexpr uint32_t kNan = kFlavour == FloatFormat::kIeee  ? kFirstSpecial | 1u << (kMantissa - 1)
                                   : kFlavour == FloatFormat::kFn  ? kMagnitudes
                                   : kFlavour == FloatFormat::kFnu ? kMagnitudes
                                                                   : kSign;
  // Replaces magnitudes that are out of range (with the sign of the value, except for NaN).
  static constexpr uint32_t kOverflow = kFlavour == FloatFormat::kIeee      ? kFirstSpecial
                                        : kFlavour == FloatFormat::kFnNoNan ? kMagnitudes
                                                                            : kNan;
  static constexpr bool kHasNan = kFlavour != FloatFormat::kFnNoNan;
};

// sign | exponent | mantissa of each format, as in its name.
template <>
struct SmallFloat<TypeKind::kF4E2M1FN> : SmallFloatBase<FloatFormat::kFnNoNan, 4, 2, 1, 1> {};
template <>
struct SmallFloat<TypeKind::kF6E2M3FN> : SmallFloatBase<FloatFormat::kFnNoNan, 6, 2, 3, 1> {};
template <>
struct SmallFloat<TypeKind::kF6E3M2FN> : SmallFloatBase<FloatFormat::kFnNoNan, 6, 3, 2, 3> {};
template <>
struct SmallFloat<TypeKind::kF8E3M4> : SmallFloatBase<FloatFormat::kIeee, 8, 3, 4, 3> {};
template <>
struct SmallFloat<TypeKind::kF8E4M3> : SmallFloatBase<FloatFormat::kIeee, 8, 4, 3, 7> {};
template <>
struct SmallFloat<TypeKind::kF8E4M3FN> : SmallFloatBase<FloatFormat::kFn, 8, 4, 3, 7> {};
template <>
struct SmallFloat<TypeKind::kF8E4M3FNUZ> : SmallFloatBase<FloatFormat::kFnuz, 8, 4, 3, 8> {};
template <>
struct SmallFloat<TypeKind::kF8E4M3B11FNUZ> : SmallFloatBase<FloatFormat::kFnuz, 8, 4, 3, 11> {};
template <>
struct SmallFloat<TypeKind::kF8E5M2> : SmallFloatBase<FloatFormat::kIeee, 8, 5, 2, 15> {};
template <>
struct SmallFloat<TypeKind::kF8E5M2FNUZ> : SmallFloatBase<FloatFormat::kFnuz, 8, 5, 2, 16> {};
template <>
struct SmallFloat<TypeKind::kF8E8M0FNU> : SmallFloatBase<FloatFormat::kFnu, 8, 8, 0, 127> {};
template <>
struct SmallFloat<TypeKind::kBF16> : SmallFloatBase<FloatFormat::kIeee, 16, 8, 7, 127> {};
template <>
struct SmallFloat<TypeKind::kF16> : SmallFloatBase<FloatFormat::kIeee, 16, 5, 10, 15> {};
template <>
struct SmallFloat<TypeKind::kTF32> : SmallFloatBase<FloatFormat::kIeee, 19, 8, 10, 127> {};

inline constexpr float PowerOfTwo(int exponent) {
  return std::bit_cast<float>(uint32_t(127 + exponent) << 23);
}

template <TypeKind kKind>
constexpr bool IsNanCode(uint32_t bits) {
  using F = SmallFloat<kKind>;
  switch (F::kFlavour) {
    case FloatFormat::kIeee:
      return (bits & F::kMagnitudes) > F::kFirstSpecial;
    case FloatFormat::kFn:
      return (bits & F::kMagnitudes) == F::kMagnitudes;
    case FloatFormat::kFnuz:
      return bits == F::kNan;
    case FloatFormat::kFnu:
      return bits == F::kNan;
    case FloatFormat::kFnNoNan:
      return false;
  }
  return false;
}

// Returns the value, which is exact.
template <TypeKind kKind>
constexpr float DecodeSmall(uint32_t bits) {
  using F = SmallFloat<kKind>;
  constexpr uint32_t kInfinity = 0x7F800000u;
  if (F::kFlavour == FloatFormat::kFnu)  // 2^(bits - 127); the smallest one is subnormal in f32
    return std::bit_cast<float>(bits == F::kNan ? 0x7FC00000u : bits == 0 ? 0x00400000u : bits << 23);
  const uint32_t magnitude = bits & F::kMagnitudes;
  const uint32_t sign = F::kSigned ? (bits & F::kSign) << (32 - F::kWidth) : 0;
  uint32_t out = magnitude << (23 - F::kMantissa);
  // Scaling moves the exponent to f32's bias and normalizes subnormals, exactly.
  if (F::kBias != 127) out = std::bit_cast<uint32_t>(std::bit_cast<float>(out) * PowerOfTwo(127 - F::kBias));
  if (F::kFlavour == FloatFormat::kIeee && magnitude >= F::kFirstSpecial)
    out = kInfinity | uint32_t(magnitude > F::kFirstSpecial) << 22;
  if (F::kFlavour != FloatFormat::kIeee && IsNanCode<kKind>(bits)) return std::bit_cast<float>(0x7FC00000u);
  return std::bit_cast<float>(out | sign);
}

// Returns the nearest code of a value. NaN becomes the format's positive quiet NaN (kNan above).
template <TypeKind kKind>
inline uint32_t EncodeSmall(float value) {
  using F = SmallFloat<kKind>;
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  const uint32_t magnitude = bits & 0x7FFFFFFFu;
  const bool nan = magnitude > 0x7F800000u;
  if constexpr (F::kFlavour == FloatFormat::kFnu) {
    // Powers of two only: the significand 1 is odd, so ties round up. There is no zero and no sign: values
    // below the smallest one become it, and negative values become NaN.
    uint32_t code = (magnitude + 0x400000u) >> 23;
    if (magnitude < 0x00800000u) code = magnitude >= 0x00600000u ? 1 : 0;
    const bool negative = bits >> 31 != 0 && magnitude != 0;
    return nan || negative || code >= F::kNan ? F::kNan : code;
  } else {
    constexpr int kShift = 23 - F::kMantissa;
    uint32_t code = (magnitude + ((1u << (kShift - 1)) - 1) + (magnitude >> kShift & 1)) >> kShift;
    if constexpr (F::kBias != 127) {
      // Subnormals: adding a number whose ULP is the step of the format rounds to that step.
      constexpr float kRounder = PowerOfTwo(24 - F::kBias - F::kMantissa);
      const float rounded = std::bit_cast<float>(magnitude) + kRounder;
      const uint32_t subnormal = std::bit_cast<uint32_t>(rounded) - std::bit_cast<uint32_t>(kRounder);
      code -= uint32_t(127 - F::kBias) << F::kMantissa;
      code = magnitude < uint32_t(128 - F::kBias) << 23 ? subnormal : code;
    }
    const bool overflow = code >= F::kFirstSpecial;
    const uint32_t sign = bits >> (32 - F::kWidth) & F::kSign;
    uint32_t out = (overflow ? F::kOverflow : code) | sign;
    // The code of negative zero is the only NaN.
    if constexpr (F::kFlavour == FloatFormat::kFnuz) out = overflow ? F::kNan : code == 0 ? 0 : out;
    // Overflow to NaN yields the positive NaN.
    if constexpr (F::kFlavour == FloatFormat::kFn) out = overflow ? F::kNan : out;
    return nan ? F::kNan : out;
  }
}

}  // namespace shlo
