// The comparison of frozen data with working facts, apart from how both are made, so that tests can plant
// changes.
#pragma once

#include "gate/released.h"

namespace shlo::gate {

// Replays the frozen witnesses, and adds their parts.
void AddWitnessFacts(const Released& frozen, const Limits& limits, Facts* working);

// Returns the findings, in the order of the rules.
std::vector<GateFinding> CompareReleases(const Released& frozen, const Facts& working);

// Returns the known consumers whose release is in an interval: "jaxlib 0.4.29 to 0.12.0.1".
std::vector<std::string> ConsumersIn(Version since, Version until);

}  // namespace shlo::gate
