// Fields of a line: what tabs and line ends separate. Internal to the library.
#pragma once

#include <string>
#include <string_view>

namespace shlo {

// Returns a text without tabs and line ends: \t, \n, and \\ for a backslash.
std::string EscapedField(std::string_view text);

// Returns the text that EscapedField() made a field of. Any other character after a backslash stands for
// itself.
std::string UnescapedField(std::string_view field);

}  // namespace shlo
