#include "ir/table/float_format.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "ir/table/element_rows.h"

namespace shlo {
namespace {

constexpr auto kFormats = [] {
  std::array<FloatFormat, kMaxKind> formats{};  // width 0: none
  for (const ElementRow& row : kElementRows)
    if (row.kind_class == KindClass::kFloat && row.format.fits_f64()) formats[size_t(row.kind)] = row.format;
  return formats;
}();

constexpr uint64_t Mask(int bits) { return bits >= 64 ? ~0ull : (1ull << bits) - 1; }

uint64_t NanBits(const FloatFormat& f) {
  switch (f.flavor) {
    case FloatFormat::kIeee:
      return Mask(f.exponent_bits) << f.mantissa_bits | 1ull << (f.mantissa_bits - 1);
    case FloatFormat::kFn:
      return Mask(f.width - 1);
    case FloatFormat::kFnNoNan:
      return 1ull << (f.width - 1);
    case FloatFormat::kFnuz:
      return 1ull << (f.width - 1);
    case FloatFormat::kFnu:
      return Mask(f.width);
    case FloatFormat::kX87:
      break;
  }
  return 0;
}

}  // namespace

uint64_t MaxFinite(const FloatFormat& f) {
  switch (f.flavor) {
    case FloatFormat::kIeee:
      return (Mask(f.exponent_bits) << f.mantissa_bits) - 1;
    case FloatFormat::kFn:
      return Mask(f.width - 1) - 1;
    case FloatFormat::kFnNoNan:
    case FloatFormat::kFnuz:
      return Mask(f.width - 1);
    case FloatFormat::kFnu:
      return Mask(f.width) - 1;
    case FloatFormat::kX87:
      break;
  }
  return 0;
}

namespace {

uint64_t Overflow(const FloatFormat& f) {
  switch (f.flavor) {
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
  return uint64_t(code) > MaxFinite(f) ? NanBits(f) : uint64_t(code);
}

}  // namespace

const FloatFormat* FloatFormatOf(TypeKind kind) {
  const size_t id = size_t(kind);
  return id < kMaxKind && kFormats[id].width ? &kFormats[id] : nullptr;
}

bool IsNan(TypeKind kind, uint64_t bits) {
  const FloatFormat* f = FloatFormatOf(kind);
  if (!f) return false;
  switch (f->flavor) {
    case FloatFormat::kIeee:
      return (bits & Mask(f->width - 1)) > Mask(f->exponent_bits) << f->mantissa_bits;
    case FloatFormat::kFn:
      return (bits & Mask(f->width - 1)) == Mask(f->width - 1);
    case FloatFormat::kFnNoNan:
      return false;
    case FloatFormat::kFnuz:
      return bits == 1ull << (f->width - 1);
    case FloatFormat::kFnu:
      return bits == Mask(f->width);
    case FloatFormat::kX87:
      break;
  }
  return false;
}

bool IsInf(TypeKind kind, uint64_t bits) {
  const FloatFormat* f = FloatFormatOf(kind);
  return f && f->flavor == FloatFormat::kIeee &&
         (bits & Mask(f->width - 1)) == Mask(f->exponent_bits) << f->mantissa_bits;
}

double DecodeFloat(TypeKind kind, uint64_t bits) {
  const FloatFormat* f = FloatFormatOf(kind);
  if (!f) return std::numeric_limits<double>::quiet_NaN();
  if (kind == TypeKind::kF64) return std::bit_cast<double>(bits);
  if (kind == TypeKind::kF32) return double(std::bit_cast<float>(uint32_t(bits)));
  const bool negative = f->is_signed() && (bits >> (f->width - 1) & 1);
  if (IsNan(kind, bits)) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    return negative && f->flavor != FloatFormat::kFnuz ? -nan : nan;
  }
  if (f->flavor == FloatFormat::kFnu) return std::ldexp(1.0, int(bits & Mask(f->width)) - f->bias);
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
  const uint64_t sign = std::signbit(value) && f->is_signed() ? 1ull << (f->width - 1) : 0;
  if (std::isnan(value)) {
    // Formats with a single NaN lose the sign of a NaN; others keep it.
    return f->flavor == FloatFormat::kIeee || f->flavor == FloatFormat::kFn ? sign | NanBits(*f)
                                                                            : NanBits(*f);
  }
  if (kind == TypeKind::kF32) return std::bit_cast<uint32_t>(float(value));
  if (f->flavor == FloatFormat::kFnu) return EncodePowerOfTwo(*f, value);
  const auto signed_code = [&](uint64_t code) {
    if (code == 0 && f->flavor == FloatFormat::kFnuz) return uint64_t(0);
    return code == NanBits(*f) && f->flavor == FloatFormat::kFnuz ? code : sign | code;
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
