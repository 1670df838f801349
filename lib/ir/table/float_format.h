// Number formats of the float kinds: encoding and decoding of one value. Exact for every format; rounding is
// to nearest, ties to even. Kernels have their own vectorized loops.
#pragma once

#include <cstdint>

#include "shlo/kinds.h"

namespace shlo {

// A binary floating-point format: sign, `exponent_bits`, `mantissa_bits`. The flavors are explained in
// schema/element_types.inc, which has a format per float kind.
struct FloatFormat {
  enum Flavor : uint8_t { kIeee, kFn, kFnNoNan, kFnuz, kFnu, kX87 } flavor;
  int width;  // bits, sign included
  int exponent_bits;
  int mantissa_bits;
  int bias;

  constexpr bool is_signed() const { return flavor != kFnu; }
  constexpr bool has_nan() const { return flavor != kFnNoNan; }
  // Returns whether double can represent every value.
  constexpr bool fits_f64() const {
    return flavor != kX87 && width <= 64 && mantissa_bits <= 52 && exponent_bits <= 11 && bias <= 1023;
  }
};

// Returns the format of a float kind; nullptr for formats that double cannot represent (f80, f128), and for
// other kinds.
const FloatFormat* FloatFormatOf(TypeKind kind);

// Returns the value of a bit pattern; NaN payloads become a quiet NaN of the same sign.
double DecodeFloat(TypeKind kind, uint64_t bits);
// Returns the nearest bit pattern. A value out of range becomes infinity, NaN if the format has no infinity,
// or the largest finite value if it has neither (f4E2M1FN, f6). NaN in a format without NaN becomes -0.
uint64_t EncodeFloat(TypeKind kind, double value);
bool IsNan(TypeKind kind, uint64_t bits);
bool IsInf(TypeKind kind, uint64_t bits);
// Returns the bit pattern of the largest finite value.
uint64_t MaxFinite(const FloatFormat& format);

}  // namespace shlo
