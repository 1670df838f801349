// Sizes to try for dynamic dimensions. Internal to lib/prove.
#pragma once

#include <span>
#include <vector>

#include "eval/input_generator.h"

namespace shlo {

// A dynamic dimension of an argument.
struct DynamicDim {
  size_t argument = 0;
  size_t dim = 0;
  int64_t bound = 0;  // greatest size, or kDynamic
};

// Returns assignments of sizes to all dynamic dimensions, the most plausible first: equal sizes, then sizes
// that differ by dimension or by argument, then those of constants, then random combinations. Programs accept
// only some of them, because their dimensions depend on each other.
std::vector<std::vector<int64_t>> ExtentsToTry(std::span<const DynamicDim> dims,
                                               std::span<const Number> numbers);

}  // namespace shlo
