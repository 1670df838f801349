// The newest version as a constant, for tables that are checked at compile time. Others use kCurrentVersion:
// whatever includes this is compiled again for every new version.
#pragma once

#include "shlo/version.h"

namespace shlo::table {

inline constexpr Version kNewestVersion = [] {
  Version newest;
#define SHLO_VERSION(n, ...) newest = Version{n};
#include "schema/versions.inc"
  return newest;
}();

}  // namespace shlo::table
