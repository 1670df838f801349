// The comparison of `diff` and `archive diff`.
#pragma once

#include <functional>
#include <string>

#include "common.h"

namespace shlo::tool {

struct DiffRequest {
  std::string a, b;
  bool locations = false;
  uint64_t limit = 200;
  // Adds to the document, or to the report.
  std::function<void(Answer*)> more;
};

// Adds the arguments and flags of a comparison of two models or programs (`what`).
void AddDiffFlags(Options& options, DiffRequest* request, std::string_view what);
// Compares two programs.
int RunDiff(Context& ctx, const DiffRequest& request, Answer* out);

}  // namespace shlo::tool
