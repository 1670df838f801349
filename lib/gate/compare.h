// The comparison of frozen data with working facts, apart from how both are made, so that tests can plant
// changes.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "gate/released.h"
#include "gate/witness.h"

namespace shlo::gate {

// Replays the frozen witnesses, and adds their parts.
using Replayer = std::function<WitnessParts(std::string_view text, const ReplayOptions& options)>;
void AddWitnessFacts(const Released& frozen, const Limits& limits, Facts* working,
                     const Replayer& replay = Replay);

// Returns the findings, in the order of the rules.
std::vector<GateFinding> CompareReleases(const Released& frozen, const Facts& working,
                                         const Versions& versions = StablehloVersions());

// The facts that are frozen up to a version, so that the next ones can be added.
struct FrozenState {
  Version last;                           // none: nothing is frozen
  std::string checksum = "-";             // of its file
  std::map<FactName, std::string> facts;  // that hold in it
};
Result<FrozenState> StateOf(std::span<const ReleasedFile> released);
// Returns the files of the versions after `state`.
std::vector<ReleasedFile> WriteReleases(const Versions& versions, FrozenState state, const Facts& facts,
                                        const std::map<std::string, Witness>& witnesses);

// Returns the known consumers whose release is in an interval: "jaxlib 0.4.29 to 0.12.0.1".
std::vector<std::string> ConsumersIn(Version since, Version until);

}  // namespace shlo::gate
