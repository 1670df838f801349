// Kernels of the custom calls that LAPACK computes: the evaluator's only way to this library.
#pragma once

#include <string_view>

#include "eval/kernel/kernel.h"

namespace shlo {

// Returns the kernel of a target of lapack_rows.inc, or nullptr.
Kernel LapackKernel(std::string_view target);

}  // namespace shlo
