// Converts a module between versions in one pass. Conversion never drops information: anything the target
// cannot represent is reported as a blocker.
#pragma once

#include <string>
#include <vector>

#include "shlo/diagnostics.h"
#include "shlo/limits.h"
#include "shlo/module.h"
#include "shlo/source.h"

namespace shlo {

// Options of Convert and Blockers.
struct ConvertOptions {
  const Source* source = nullptr;     // of the module, for the places of blockers
  bool allow_other_dialects = false;  // allow ops of other dialects for targets older than 1.11.0
  bool portable = false;              // the result becomes a portable artifact, which has fewer attributes
  bool every_place = false;           // a blocker for each place, not for each cause
  size_t max_blockers = 1000;         // limit of listed blockers
  Limits limits;                      // deadline
};

// A conversion step, with the number of ops it was applied to.
struct AppliedStep {
  std::string from;  // "stablehlo.sub", "vhlo.gather_v1"
  std::string to;    // as `from`
  Version boundary;  // first version that has the newer revision
  uint64_t ops = 0;  // number of ops it was applied to
};

// A converted module.
struct Conversion {
  Module module;                   // at the target version
  Diagnostics warnings;            // about locations that the target represents less precisely
  std::vector<AppliedStep> steps;  // in version order
};

// Converts to any known version. On failure returns every blocker: the op, attribute, type or location kind,
// its first place and the number of places, and the first version that can represent it
// (Diagnostic::version). The last diagnostic is a note that names the lowest possible target, or the highest
// one when upgrading.
Result<Conversion> Convert(const Module& module, Version target, const ConvertOptions& options = {});
// Likewise, without a copy: the result is made of `module`, which is unchanged if there are blockers.
Result<Conversion> Convert(Module&& module, Version target, const ConvertOptions& options = {});

// Returns the oldest version that the program can be converted to, such that it can also be converted to
// every version from there to its own. Fails only if memory runs out.
Result<Version> LowestTarget(const Module& module, const ConvertOptions& options = {});

// Returns every version that the program can be converted to, oldest first, including its own. Fails only if
// memory runs out.
Result<std::vector<Version>> PossibleTargets(const Module& module, const ConvertOptions& options = {});

// Returns the blockers of a conversion to `target`; empty if there are none. At most options.max_blockers are
// listed; a note counts the rest.
Diagnostics Blockers(const Module& module, Version target, const ConvertOptions& options = {});

}  // namespace shlo
