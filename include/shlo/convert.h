// Module@v -> Module@w: the steps of versioning/steps.inc applied in one pass over the program. Nothing is
// lost: what the target cannot say is a blocker, and every blocker is reported.
#pragma once

#include <string>
#include <vector>

#include "shlo/diagnostics.h"
#include "shlo/module.h"
#include "shlo/source.h"

namespace shlo {

struct ConvertOptions {
  const Source* source = nullptr;     // of the module, for the places of blockers
  bool allow_other_dialects = false;  // programs may hold ops of other dialects below 1.11.0 too
  size_t max_blockers = 1000;
};

struct AppliedStep {
  std::string from;  // "stablehlo.sub", "vhlo.gather_v1"
  std::string to;
  Version boundary;  // first version that has the newer shape
  uint64_t ops = 0;  // how many ops it was applied to
};

struct Conversion {
  Module module;
  Diagnostics warnings;
  std::vector<AppliedStep> steps;  // in version order
};

// Converts to any version of the line. On refusal every blocker: the op, attribute, type or location kind,
// its place, the first version that can say it (Diagnostic::version), and as the last diagnostic a note
// with the lowest target this program could have.
Result<Conversion> Convert(const Module& module, Version target, const ConvertOptions& options = {});

// The oldest version that the program could be converted to, going down without a gap from its own.
Version LowestTarget(const Module& module, const ConvertOptions& options = {});

// Every version that the program could be converted to, its own among them.
std::vector<Version> PossibleTargets(const Module& module, const ConvertOptions& options = {});

// What hinders a conversion to `target`; empty when nothing does.
Diagnostics Blockers(const Module& module, Version target, const ConvertOptions& options = {});

}  // namespace shlo
