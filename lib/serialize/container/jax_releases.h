// Which releases of jax read a jax.export file, and what a file needs so that another release reads it. jax
// ignores fields that it does not know, so a file for an older release says the same thing a second time, in
// old fields.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "serialize/container/flat_tree.h"
#include "shlo/diagnostics.h"

namespace shlo::container {

// Returns the releases that read the file: "0.4.35 to 0.8.1", "0.10.0 and later".
std::vector<std::string> ReadingReleases(const FlatTable& exported);

// Returns the releases that write such a file, as far as its fields tell them apart; "" if none does.
std::string WritingReleases(const FlatTable& exported);
// Returns the releases that write a calling convention version, or "".
std::string CallingConventionReleases(uint32_t version);

// Changes an exported function so that a release ("0.8.1") or the releases of a serialization version ("4")
// read it. Fails with kBlocked, and a reason for each thing that they cannot read.
Result<void> AdaptToRelease(std::string_view release, FlatTable* exported, FlatStrings* strings,
                            const std::string& file);

}  // namespace shlo::container
