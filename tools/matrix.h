// `inspect --matrix`: which releases can represent each program.
#pragma once

#include "common.h"

namespace shlo::tool {

// Prints one row per program and one column per release.
int RunMatrix(Context& ctx);

}  // namespace shlo::tool
