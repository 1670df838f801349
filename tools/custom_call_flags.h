// The flag --custom-call TARGET=FILE[:FUNCTION] of commands that evaluate programs.
#pragma once

#include <string>
#include <vector>

#include "common.h"
#include "shlo/evaluate.h"

namespace shlo::tool {

// Reads the programs and binds their functions to the targets in `options`. Fails if `module` does not call a
// target, or calls it with types that the function does not have.
Result<void> BindCustomCalls(Context& ctx, const Module& module, const std::vector<std::string>& flags,
                             EvalOptions* options);

}  // namespace shlo::tool
