// Hints: attributes that tell a compiler how to run a program, and change no result, such as
// `sdy.sharding_rule`. The names are rows of schema/hints.inc.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "shlo/diagnostics.h"
#include "shlo/module.h"
#include "shlo/source.h"

namespace shlo {

// How often hints of one name were dropped.
struct DroppedHints {
  std::string name;    // "sdy.sharding_rule"
  uint64_t count = 0;  // ops, arguments and results that had it
};

// A program without hints.
struct WithoutHints {
  Module module;  // has the version of the original
  std::vector<DroppedHints>
      dropped;  // in the order of schema/hints.inc, then meshes that nothing names any more
};

// Drops the hints of ops, arguments and results. The result computes the same values. Updates `places`, if
// given, for the new module.
Result<WithoutHints> DropHints(const Module& module, SourcePlaces* places = nullptr);

}  // namespace shlo
