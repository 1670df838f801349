// Negotiation: the version of a program that a producer can write and a consumer can read.
#pragma once

#include <optional>
#include <string>

#include "shlo/consumers.h"
#include "shlo/conversion.h"
#include "shlo/program.h"

namespace shlo {

// The versions that one side states: texts as for ParseVersion, or releases newer than all known ones.
// "" for none.
struct StatedVersions {
  std::string minimum;  // oldest
  std::string current;  // newest
};

// The statements of both sides.
struct NegotiationRequest {
  const Program* program = nullptr;    // to send; null: any program
  StatedVersions producer;             // by default from the first release to the newest known one
  StatedVersions consumer;             // `current` by default as for `named`
  std::optional<NamedConsumer> named;  // that reads the program; none: `consumer` has its versions
  Date today;                          // that durations count back from
  ConversionRequest conversion;        // how the program may be converted; its target is not used
};

// Returns the newest release that both sides have and the program can be converted to. Otherwise fails with
// the obstacle: ranges without a common release, the blockers at the newest common release, the window, or
// the gaps of the consumer.
Result<Version> Negotiate(const NegotiationRequest& request);

}  // namespace shlo
