// How large a program is: a reduction accepts only what is smaller, so that it ends.
#pragma once

#include <array>
#include <cstdint>

#include "shlo/module.h"

namespace shlo::reduce {

// Counts that are compared in this order. A step may increase those after the one that it decreases.
using Size = std::array<uint64_t, 9>;
Size SizeOf(const Module& module);

}  // namespace shlo::reduce
