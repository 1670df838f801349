// Release numbers, and which known version one stands for. A patch of StableHLO changes no op, attribute or
// type, so it stands for the release before it. For versions in any notation see shlo/version.h.
#pragma once

#include <optional>
#include <string_view>

#include "shlo/version.h"

namespace shlo {

struct ReleaseNumber {
  int major = 0, minor = 0, patch = 0;
  friend constexpr auto operator<=>(const ReleaseNumber&, const ReleaseNumber&) = default;
};

// Parses "1.9.5", or "1.9" for 1.9.0.
std::optional<ReleaseNumber> ParseReleaseNumber(std::string_view text);

// Returns the number of a version that has a release.
ReleaseNumber NumberOf(Version version);

// Returns the newest version whose release is not newer than `release`; none if no known release is as old,
// or if all are older.
Version VersionOfRelease(ReleaseNumber release);

}  // namespace shlo
