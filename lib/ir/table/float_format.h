// Number formats of the float kinds: encoding and decoding of one value. Exact for every format; rounding
// is to nearest, ties to even. Not vectorised: kernels have their own loops.
#pragma once

#include <cstdint>

#include "shlo/kinds.h"

namespace shlo {

// A binary floating-point format: sign, `exponent_bits`, `mantissa_bits`. (IEEE 754-2019 section 3.4; OCP
// MX formats; FN: no infinities, NaN is all ones; FNUZ: no infinities, one NaN in place of -0; FNU: no sign,
// no zero, exponent only.)
struct FloatFormat {
  enum Flavour : uint8_t { kIeee, kFn, kFnNoNan, kFnuz, kFnu } flavour;
  int width;  // bits, sign included
  int exponent_bits;
  int mantissa_bits;
  int bias;
};

// The format of a float kind; nullptr for f80, f128 and kinds that are not float.
const FloatFormat* FloatFormatOf(TypeKind kind);

// Value of a bit pattern; NaN payloads become a quiet NaN of the same sign.
double DecodeFloat(TypeKind kind, uint64_t bits);
// Nearest bit pattern. A value out of range becomes infinity, or where the format has none NaN, or where it
// has neither (f4E2M1FN, f6) the largest finite value. NaN in a format without NaN becomes -0.
uint64_t EncodeFloat(TypeKind kind, double value);
bool IsNan(TypeKind kind, uint64_t bits);
bool IsInf(TypeKind kind, uint64_t bits);

}  // namespace shlo
