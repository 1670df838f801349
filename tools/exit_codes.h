// Exit codes, documented in --help and docs/command-line.md.
#pragma once

#include "base/request_status.h"

namespace shlo::tool {

enum Exit : int {
  kDone = int(RequestStatus::kDone),
  kFinding = int(RequestStatus::kNegative),
  kUsage = int(RequestStatus::kUsage),
  kBadInput = int(RequestStatus::kBadInput),
  kIoError = int(RequestStatus::kSystem),
};

// Returns the exit code for a code, for diagnostics or for a report.
template <typename T>
int ExitCodeOf(const T& found) {
  return int(StatusOf(found));
}

}  // namespace shlo::tool
