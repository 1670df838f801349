// Negotiation: the version of a program that a producer can write and a consumer can read.
#pragma once

#include <optional>
#include <string>

#include "shlo/consumers.h"
#include "shlo/conversion.h"
#include "shlo/program.h"

namespace shlo {

// The versions that one side has, as it states them: texts as for ParseVersion, or releases that are newer
// than all known ones. "" for what it does not state.
struct StatedVersions {
  std::string minimum;  // oldest
  std::string current;  // newest
};

// The statements of both sides.
struct NegotiationRequest {
  const Program* program = nullptr;  // what is to be sent; null: any program
  StatedVersions producer;           // by default from the first release to the newest known one
  StatedVersions consumer;           // `current` by default that of `named`
  std::optional<NamedConsumer> named;  // that reads the program; none: `consumer` has its versions
  Date today;                    // from which durations count back
  ConversionRequest conversion;  // how the program may be converted; its target is not used
};

// Returns the newest release that both sides have and the program can be converted to. Otherwise fails with
// what is in the way: ranges that have no release in common, the blockers at the newest common release, the
// window, or what the consumer lacks.
Result<Version> Negotiate(const NegotiationRequest& request);

}  // namespace shlo
