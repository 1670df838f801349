// `inspect --matrix`: which releases can represent each program.
#pragma once

#include "common.h"

namespace shlo::tool {

// Answers with one row per program and one column per release.
int RunMatrix(Context& ctx, Answer* out);

}  // namespace shlo::tool
