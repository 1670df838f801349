// Compatibility windows are policy, computed from dates: how far back a reader accepts and how far forward
// a writer may aim.
#pragma once

#include <string>
#include <string_view>

#include "shlo/diagnostics.h"
#include "shlo/version.h"

namespace shlo {

struct CompatibilityWindow {
  int64_t backward_days = 5 * 365 + 1;
  int64_t forward_days = 2 * 365;
};

// "backward=180d,forward=3w"; units d, w, m (30 days), y (365 days). Either key may be left out.
Result<CompatibilityWindow> ParseCompatibilityWindow(std::string_view text);

// Whether a module of version `from` may be converted to `to` by a tool whose current version is the newest
// of the line, released on its date. Upgrades: `from` may be at most backward_days older than the current
// release. Downgrades: `to` may be at most forward_days older. A target that is not older than the program
// itself counts as an upgrade, however old it is: whoever reads it could have read something older. The
// error states the dates and the flag that goes on anyway.
Result<bool> CheckCompatibilityWindow(Version from, Version to, const CompatibilityWindow& window);

}  // namespace shlo
