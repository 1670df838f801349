// The float formats of at most 19 bits, one value at a time but written so that loops over them vectorize:
// exact conversion to f32, and rounding back from f32 to nearest, ties to even.
//
// Kernels compute on these formats in f32 and round once more. The second rounding does not change a sum
// or a difference: f32 has 24 significant bits, and 2p + 2 are enough for operands of p bits; the widest
// formats here, f16 and tf32, have p = 11. The exponent range of f32 includes that of every format,
// subnormals too. The tests compare with ir/table/float_format.h, which has the functions for single values.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

#include "ir/table/element_rows.h"
#include "shlo/kinds.h"

namespace shlo {

// The format of a kind, from its row.
template <TypeKind kKind>
inline constexpr FloatFormat kFormatOf = [] {
  for (const ElementRow& row : kElementRows)
    if (row.kind == kKind) return row.format;
  return FloatFormat{};
}();

// Whether the loops below serve a format: f32 holds its values, and operations on f32 round as they should.
constexpr bool IsSmallFloat(const FloatFormat& f) {
  if (f.flavor == FloatFormat::kX87) return false;
  if (f.flavor == FloatFormat::kFnu) return f.exponent_bits == 8 && f.mantissa_bits == 0 && f.bias == 127;
  const int largest = (1 << f.exponent_bits) - (f.flavor == FloatFormat::kIeee ? 2 : 1) - f.bias;
  return f.exponent_bits <= 8 && f.mantissa_bits >= 1 && f.mantissa_bits <= 10 && f.bias >= 0 &&
         f.bias <= 127 && largest <= 127;
}

// Format parameters at compile time, and the codes that are special in it.
template <TypeKind kKind>
struct SmallFloat {
  static constexpr FloatFormat kFormat = kFormatOf<kKind>;
  static_assert(IsSmallFloat(kFormat));
  static constexpr FloatFormat::Flavor kFlavor = kFormat.flavor;
  static constexpr int kWidth = kFormat.width;
  static constexpr int kMantissa = kFormat.mantissa_bits;
  static constexpr int kBias = kFormat.bias;
  static constexpr bool kSigned = kFormat.is_signed();
  static constexpr uint32_t kSign = kSigned ? 1u << (kWidth - 1) : 0;
  static constexpr uint32_t kMagnitudes = kSigned ? kSign - 1 : (1u << kWidth) - 1;  // all but the sign
  // The first magnitude that is not finite; one past the largest if all are finite.
  static constexpr uint32_t kFirstSpecial = kFlavor == FloatFormat::kIeee
                                                ? ((1u << kFormat.exponent_bits) - 1) << kMantissa
                                            : kFlavor == FloatFormat::kFn  ? kMagnitudes
                                            : kFlavor == FloatFormat::kFnu ? kMagnitudes
                                                                           : kMagnitudes + 1;
  // The positive quiet NaN; negative zero if the format has no NaN.
  static constexpr uint32_t kNan = kFlavor == FloatFormat::kIeee  ? kFirstSpecial | 1u << (kMantissa - 1)
                                   : kFlavor == FloatFormat::kFn  ? kMagnitudes
                                   : kFlavor == FloatFormat::kFnu ? kMagnitudes
                                                                  : kSign;
  // The code of a magnitude that is out of range, without the sign, which a NaN does not get.
  static constexpr uint32_t kOverflow = kFlavor == FloatFormat::kIeee      ? kFirstSpecial
                                        : kFlavor == FloatFormat::kFnNoNan ? kMagnitudes
                                                                           : kNan;
};

inline constexpr float PowerOfTwo(int exponent) {
  return std::bit_cast<float>(uint32_t(127 + exponent) << 23);
}

template <TypeKind kKind>
constexpr bool IsNanCode(uint32_t bits) {
  using F = SmallFloat<kKind>;
  switch (F::kFlavor) {
    case FloatFormat::kIeee:
      return (bits & F::kMagnitudes) > F::kFirstSpecial;
    case FloatFormat::kFn:
      return (bits & F::kMagnitudes) == F::kMagnitudes;
    case FloatFormat::kFnuz:
      return bits == F::kNan;
    case FloatFormat::kFnu:
      return bits == F::kNan;
    default:
      return false;
  }
  return false;
}

// Returns the value, which is exact.
template <TypeKind kKind>
constexpr float DecodeSmall(uint32_t bits) {
  using F = SmallFloat<kKind>;
  constexpr uint32_t kInfinity = 0x7F800000u;
  if (F::kFlavor == FloatFormat::kFnu)  // 2^(bits - 127); the smallest is subnormal in f32
    return std::bit_cast<float>(bits == F::kNan ? 0x7FC00000u : bits == 0 ? 0x00400000u : bits << 23);
  const uint32_t magnitude = bits & F::kMagnitudes;
  const uint32_t sign = F::kSigned ? (bits & F::kSign) << (32 - F::kWidth) : 0;
  uint32_t out = magnitude << (23 - F::kMantissa);
  // Scaling moves the exponent to f32's bias and normalizes subnormals, exactly.
  if (F::kBias != 127) out = std::bit_cast<uint32_t>(std::bit_cast<float>(out) * PowerOfTwo(127 - F::kBias));
  if (F::kFlavor == FloatFormat::kIeee && magnitude >= F::kFirstSpecial)
    out = kInfinity | uint32_t(magnitude > F::kFirstSpecial) << 22;
  if (F::kFlavor != FloatFormat::kIeee && IsNanCode<kKind>(bits)) return std::bit_cast<float>(0x7FC00000u);
  return std::bit_cast<float>(out | sign);
}

// Returns the nearest code of a value. NaN becomes the format's positive quiet NaN (kNan above).
template <TypeKind kKind>
inline uint32_t EncodeSmall(float value) {
  using F = SmallFloat<kKind>;
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  const uint32_t magnitude = bits & 0x7FFFFFFFu;
  const bool nan = magnitude > 0x7F800000u;
  if constexpr (F::kFlavor == FloatFormat::kFnu) {
    // Powers of two only: the significand 1 is odd, so ties go up. The format has no zero and no sign:
    // smaller values become the smallest one, and negative values become NaN.
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
    // The code of negative zero is the NaN.
    if constexpr (F::kFlavor == FloatFormat::kFnuz) out = overflow ? F::kNan : code == 0 ? 0 : out;
    // An overflow to NaN is a NaN result like any other: positive.
    if constexpr (F::kFlavor == FloatFormat::kFn) out = overflow ? F::kNan : out;
    return nan ? F::kNan : out;
  }
}

}  // namespace shlo
