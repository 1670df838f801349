// Limits of recursion over programs that the input controls.
#pragma once

#include <cstdint>

namespace shlo {

// Nesting of regions, of types and of attributes in writers and printers. Readers stop earlier by default.
inline constexpr uint32_t kMaxNesting = 2000;

}  // namespace shlo
