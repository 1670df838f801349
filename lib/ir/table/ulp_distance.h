// The error of floating-point results, for tests.
#pragma once

#include <algorithm>
#include <cmath>

#include "ir/table/float_format.h"

namespace shlo {

// Returns the distance of a value to the right one in units of its last place; of numbers below `floor`, in
// the last places of `floor`.
inline double UlpDistance(TypeKind kind, double value, double right, double floor) {
  if (std::isnan(value) || std::isnan(right)) return std::isnan(value) == std::isnan(right) ? 0 : INFINITY;
  if (value == right) return 0;
  if (std::isinf(value) || std::isinf(right)) return INFINITY;
  const FloatFormat& format = *FloatFormatOf(kind);
  const int exponent = std::max(std::ilogb(std::max(std::fabs(right), floor)), 1 - format.bias);
  return std::fabs(value - right) / std::ldexp(1.0, exponent - format.mantissa_bits);
}

}  // namespace shlo
