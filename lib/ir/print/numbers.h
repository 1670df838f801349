// Prints numbers as MLIR text. Each function appends to `out`.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <string_view>

#include "base/lexical.h"
#include "shlo/kinds.h"

namespace shlo::text {

// Prints a floating-point value as MLIR does in attributes: seven significant digits if these are exact,
// else as many as the format can distinguish, else (NaN, infinities and long integers) the bits:
// "0x7FC00000". All printing of floats uses this, so results can be pasted into a program as constants.
void PutFloat(TextBuffer& out, TypeKind kind, uint64_t bits);
inline void PutDouble(TextBuffer& out, double value) {
  PutFloat(out, TypeKind::kF64, std::bit_cast<uint64_t>(value));
}
// Prints an integer of little-endian 64-bit words, sign-extended.
void PutBigInt(TextBuffer& out, std::span<const int64_t> limbs, bool is_unsigned);

}  // namespace shlo::text
