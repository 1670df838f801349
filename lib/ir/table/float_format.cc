#include "ir/table/float_format.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

namespace shlo {
namespace {

constexpr size_t kFirst = size_t(TypeKind::kF4E2M1FN);
constexpr std::array<FloatFormat, 16> kFormats = {{
    {FloatFormat::kFnNoNan, 4, 2, 1, 1},     // f4E2M1FN
    {FloatFormat::kFnNoNan, 6, 2, 3, 1},     // f6E2M3FN
    {FloatFormat::kFnNoNan, 6, 3, 2, 3},     // f6E3M2FN
    {FloatFormat::kIeee, 8, 3, 4, 3},        // f8E3M4
    {FloatFormat::kIeee, 8, 4, 3, 7},        // f8E4M3
    {FloatFormat::kFn, 8, 4, 3, 7},          // f8E4M3FN
    {FloatFormat::kFnuz, 8, 4, 3, 8},        // f8E4M3FNUZ
    {FloatFormat::kFnuz, 8, 4, 3, 11},       // f8E4M3B11FNUZ
    {FloatFormat::kIeee, 8, 5, 2, 15},       // f8E5M2
    {FloatFormat::kFnuz, 8, 5, 2, 16},       // f8E5M2FNUZ
    {FloatFormat::kFnu, 8, 8, 0, 127},       // f8E8M0FNU
    {FloatFormat::kIeee, 16, 8, 7, 127},     // bf16
    {FloatFormat::kIeee, 16, 5, 10, 15},     // f16
    {FloatFormat::kIeee, 19, 8, 10, 127},    // tf32
    {FloatFormat::kIeee, 32, 8, 23, 127},    // f32
    {FloatFormat::kIeee, 64, 11, 52, 1023},  // f64
}};
static_assert(size_t(TypeKind::kF64) - kFirst + 1 == kFormats.size());

constexpr uint64_t Mask(int bits) { return bits >= 64 ? ~0ull : (1ull << bits) - 1; }

uint64_t NanBits(const FloatFormat& f) {
  switch (f.flavour) {
    case FloatFormat::kIeee:
      return Mask(f.exponent_bits) << f.mantissa_bits | 1ull << (f.mantissa_bits - 1);
    case FloatFormat::kFn:
      return Mask(f.width - 1);
    case FloatFormat::kFnNoNan:
      return 1ull << (f.width - 1);
    case FloatFormat::kFnuz:
      return 1ull << (f.width - 1);
    case FloatFormat::kFnu:
      return 0xFF;
  }
  return 0;
}

// Code of the largest finite magnitude.
uint64_t MaxFinite(const FloatFormat& f) {
  switch (f.flavour) {
    case FloatFormat::kIeee:
      return (Mask(f.exponent_bits) << f.mantissa_bits) - 1;
    case FloatFormat::kFn:
      return Mask(f.width - 1) - 1;
    case FloatFormat::kFnNoNan:
    case FloatFormat::kFnuz:
      return Mask(f.width - 1);
    case FloatFormat::kFnu:
      return 0xFE;
  }
  return 0;
}

uint64_t Overflow(const FloatFormat& f) {
  switch (f.flavour) {
    case FloatFormat::kIeee:
      return Mask(f.exponent_bits) << f.mantissa_bits;
    case FloatFormat::kFnNoNan:
      return MaxFinite(f);
    default:
      return NanBits(f);
  }
}

uint64_t EncodePowerOfTwo(const FloatFormat& f, double value) {
  if (std::signbit(value) && value != 0) return NanBits(f);
  if (std::isinf(value)) return NanBits(f);
  if (value == 0) return 0;  // the format has no zero: the smallest value is nearest
  int exponent = std::ilogb(value);
  if (std::nearbyint(std::ldexp(value, -exponent)) == 2) ++exponent;
  const int code = exponent + f.bias;
  if (code < 0) return 0;
  return code > 0xFE ? NanBits(f) : uint64_t(code);
}

}  // namespace

const FloatFormat* FloatFormatOf(TypeKind kind) {
  const size_t index = size_t(kind) - kFirst;
  return size_t(kind) >= kFirst && index < kFormats.size() ? &kFormats[index] : nullptr;
}

bool IsNan(TypeKind kind, uint64_t bits) {
  const FloatFormat* f = FloatFormatOf(kind);
  if (!f) return false;
  switch (f->flavour) {
    case FloatFormat::kIeee:
      return (bits & Mask(f->width - 1)) > Mask(f->exponent_bits) << f->mantissa_bits;
    case FloatFormat::kFn:
      return (bits & Mask(f->width - 1)) == Mask(f->width - 1);
    case FloatFormat::kFnNoNan:
      return false;
    case FloatFormat::kFnuz:
      return bits == 1ull << (f->width - 1);
    case FloatFormat::kFnu:
      return bits == 0xFF;
  }
  return false;
}

bool IsInf(TypeKind kind, uint64_t bits) {
  const FloatFormat* f = FloatFormatOf(kind);
  return f && f->flavour == FloatFormat::kIeee &&
         (bits & Mask(f->width - 1)) == Mask(f->exponent_bits) << f->mantissa_bits;
}

double DecodeFloat(TypeKind kind, uint64_t bits) {
  const FloatFormat* f = FloatFormatOf(kind);
  if (!f) return std::numeric_limits<double>::quiet_NaN();
  if (kind == TypeKind::kF64) return std::bit_cast<double>(bits);
  if (kind == TypeKind::kF32) return double(std::bit_cast<float>(uint32_t(bits)));
  const bool negative = f->flavour != FloatFormat::kFnu && (bits >> (f->width - 1) & 1);
  if (IsNan(kind, bits)) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    return negative && f->flavour != FloatFormat::kFnuz ? -nan : nan;
  }
  if (f->flavour == FloatFormat::kFnu) return std::ldexp(1.0, int(bits & 0xFF) - f->bias);
  if (IsInf(kind, bits)) {
    const double inf = std::numeric_limits<double>::infinity();
    return negative ? -inf : inf;
  }
  const int exponent = int(bits >> f->mantissa_bits & Mask(f->exponent_bits));
  const uint64_t mantissa = bits & Mask(f->mantissa_bits);
  const double magnitude = exponent == 0 ? std::ldexp(double(mantissa), 1 - f->bias - f->mantissa_bits)
                                         : std::ldexp(double(mantissa | 1ull << f->mantissa_bits),
                                                      exponent - f->bias - f->mantissa_bits);
  return negative ? -magnitude : magnitude;
}

uint64_t EncodeFloat(TypeKind kind, double value) {
  const FloatFormat* f = FloatFormatOf(kind);
  if (!f) return 0;
  if (kind == TypeKind::kF64) return std::bit_cast<uint64_t>(value);
  const uint64_t sign = std::signbit(value) && f->flavour != FloatFormat::kFnu ? 1ull << (f->width - 1) : 0;
  if (std::isnan(value)) {
    // One NaN for the formats that have only one; the sign of a NaN is kept elsewhere.
    return f->flavour == FloatFormat::kIeee || f->flavour == FloatFormat::kFn ? sign | NanBits(*f)
                                                                              : NanBits(*f);
  }
  if (kind == TypeKind::kF32) return std::bit_cast<uint32_t>(float(value));
  if (f->flavour == FloatFormat::kFnu) return EncodePowerOfTwo(*f, value);
  const auto signed_code = [&](uint64_t code) {
    if (code == 0 && f->flavour == FloatFormat::kFnuz) return uint64_t(0);
    return code == NanBits(*f) && f->flavour == FloatFormat::kFnuz ? code : sign | code;
  };
  const double magnitude = std::fabs(value);
  if (std::isinf(value)) return signed_code(Overflow(*f));
  if (magnitude == 0) return signed_code(0);
  const int min_exponent = 1 - f->bias;
  const int exponent = std::max(std::ilogb(magnitude), min_exponent);
  // Units in the last place at this exponent; the default rounding mode is to nearest, ties to even.
  const uint64_t units = uint64_t(std::nearbyint(std::ldexp(magnitude, f->mantissa_bits - exponent)));
  // A carry out of the mantissa moves into the exponent by itself.
  const uint64_t code = (uint64_t(exponent - min_exponent) << f->mantissa_bits) + units;
  return signed_code(code > MaxFinite(*f) ? Overflow(*f) : code);
}

}  // namespace shlo
