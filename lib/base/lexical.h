// Prints lexical elements of MLIR text. Each function appends to `out`.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/text_buffer.h"

namespace shlo::text {

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

}  // namespace shlo::text
