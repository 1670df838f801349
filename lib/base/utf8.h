// Texts that need not be UTF-8, such as symbols of MLIR, where UTF-8 is needed. Internal to the library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace shlo {

// Returns the length of the character at the beginning of a text, or 0 if there is none. Sets *code_point.
size_t CharacterAt(std::string_view text, uint32_t* code_point);

// Returns the offset of the first byte that is not part of a character, or npos.
size_t FirstNotUtf8(std::string_view text);

// Returns a symbol as a string of JSON: itself, or, if it is not UTF-8 or begins with a zero byte, a zero
// byte and its bytes in hexadecimal digits. Different symbols have different strings.
std::string SymbolToJson(std::string_view symbol);
// Returns the symbol of such a string.
std::string SymbolFromJson(std::string_view text);

}  // namespace shlo
