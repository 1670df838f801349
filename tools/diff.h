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
  std::function<void(Json*, TerminalText*)> more;
};

// Compares two programs and reports the differences.
int RunDiff(Context& ctx, const DiffRequest& request);

}  // namespace shlo::tool
