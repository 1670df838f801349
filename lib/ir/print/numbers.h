// Prints numbers and lexical elements as MLIR text. Each function appends to `out`.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <string_view>

#include "ir/print/text_buffer.h"
#include "shlo/kinds.h"

namespace shlo::text {

// --- Lexical form -----------------------------------------------------------------------------------
void PutInt(TextBuffer& out, int64_t value);
void PutUnsigned(TextBuffer& out, uint64_t value);
// Prints the inside of a quoted string: backslash doubled, quotes and non-printable bytes as \HH.
void PutEscaped(TextBuffer& out, std::string_view bytes);
void PutQuoted(TextBuffer& out, std::string_view bytes);
// Prints an attribute name or keyword, quoted unless it is an identifier.
void PutKeyword(TextBuffer& out, std::string_view name);
// Prints "@name", quoted if needed.
void PutSymbol(TextBuffer& out, std::string_view name);
// Prints bytes as upper-case hexadecimal digits, two each.
void PutHex(TextBuffer& out, std::string_view bytes);

// --- Numbers ----------------------------------------------------------------------------------------
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
