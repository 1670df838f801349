// Compatibility windows: how old a program may be to be upgraded, and how old a target may be to be written.
// A window is policy, computed from release dates; reading a program has none.
#pragma once

#include <string>
#include <string_view>

#include "shlo/diagnostics.h"
#include "shlo/version.h"

namespace shlo {

// A window; by default StableHLO's compatibility guarantees: 5 years backward, 2 years forward.
struct CompatibilityWindow {
  int64_t backward_days = 5 * 365 + 1;  // greatest age of a program that is upgraded
  int64_t forward_days = 2 * 365;       // greatest age of a target
};

// Parses "backward=180d,forward=3w"; units d, w, m (30 days), y (365 days). Each key is optional and
// keeps its default if absent. Fails with kUsage.
Result<CompatibilityWindow> ParseCompatibilityWindow(std::string_view text);

// Checks that a module of version `from` may be converted to `to`. Ages are counted back from the newest
// release whose exact date is known. Upgrades: `from` may be at most backward_days old. Downgrades: `to` may
// be at most forward_days old. Converting to the same version counts as an upgrade. The error states both
// ages and names the flag that skips the check.
Result<void> CheckCompatibilityWindow(Version from, Version to, const CompatibilityWindow& window);

}  // namespace shlo
