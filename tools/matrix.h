// `inspect --matrix`: for many files, which release can hold each program.
#pragma once

#include "common.h"

namespace shlo::tool {

// Prints one row for each program and one column for each release. Constants are not looked at.
int RunMatrix(Context& ctx);

}  // namespace shlo::tool
