// Runs git on a repository that nobody needs to trust.
//
// A repository's configuration can name programs: fsmonitor, hooks, filters, textconv, external diffs,
// pagers, editors, helpers of credentials and transports. Only plumbing that reads names and objects is run
// here, and flags and the environment, which no repository can override, switch off what even that could
// start.
#pragma once

#include <string>
#include <vector>

#include "shlo/diagnostics.h"

namespace shlo::tool {

// The end of a process: its exit code and what it wrote.
struct GitOutput {
  int code = 0;
  std::string text;
};

// Runs git in a folder with these arguments and without input; its messages are dropped. Fails with kIo if
// there is no git on the PATH, or if it does not end by itself.
Result<GitOutput> RunGit(const std::string& folder, const std::vector<std::string>& arguments);

}  // namespace shlo::tool
