// Numbers and lexical elements as MLIR text. Each function appends to `out`.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "shlo/kinds.h"

namespace shlo::text {

// --- Lexical form -----------------------------------------------------------------------------------
void PutInt(std::string& out, int64_t value);
void PutUnsigned(std::string& out, uint64_t value);
// Characters between the quotes of a string: backslash doubled, quotes and non-printable bytes as \HH.
void PutEscaped(std::string& out, std::string_view bytes);
void PutQuoted(std::string& out, std::string_view bytes);
// An attribute name or keyword: bare where it is an identifier, quoted otherwise.
void PutKeyword(std::string& out, std::string_view name);
// "@name", quoted where needed.
void PutSymbol(std::string& out, std::string_view name);
// Upper-case hexadecimal digits of bytes, two each.
void PutHex(std::string& out, std::string_view bytes);

// --- Numbers ----------------------------------------------------------------------------------------
// A floating-point value as MLIR writes it in attributes: seven significant digits when these are the value,
// else as many as the format can tell apart, else (NaN, infinities and long integers) the bits: "0x7FC00000".
// Whoever prints a float calls this, so that a result can be pasted where a constant stands.
void PutFloat(std::string& out, TypeKind kind, uint64_t bits);
inline void PutDouble(std::string& out, double value) {
  PutFloat(out, TypeKind::kF64, std::bit_cast<uint64_t>(value));
}
// An integer of little-endian 64-bit limbs, sign-extended.
void PutBigInt(std::string& out, std::span<const int64_t> limbs, bool is_unsigned);

}  // namespace shlo::text
