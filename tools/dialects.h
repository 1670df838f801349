// Dialects of the user's files: --dialect.
#pragma once

#include <string>
#include <vector>

#include "common.h"
#include "shlo/dialect.h"

namespace shlo::tool {

// Reads files of dialects, in addition to those that are known. Returns kDone, or reports an error.
int LoadDialects(Context& ctx, const std::vector<std::string>& files);

}  // namespace shlo::tool
