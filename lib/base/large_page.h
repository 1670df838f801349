// The size of large pages, which the system maps and gives back at once where it can.
#pragma once

#include <cstddef>

namespace shlo {

// That of x86-64, and of other machines with base pages of 4 KiB.
inline constexpr std::size_t kLargePage = std::size_t(2) << 20;

}  // namespace shlo
