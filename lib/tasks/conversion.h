// The conversion of a program with all that belongs to it: the window, dialects of the user, folding,
// expansion, what consumers lack, and verification of the result.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "shlo/consumers.h"
#include "shlo/convert.h"
#include "shlo/dialect.h"
#include "shlo/expand.h"
#include "shlo/hints.h"
#include "shlo/limits.h"
#include "shlo/program_io.h"
#include "shlo/window.h"
#include "tasks/json.h"

namespace shlo::tasks {

// The versions of dialects to convert to, by the name of the dialect.
using DialectTargets = std::map<std::string, uint16_t>;
// Parses requests such as "acme=2". Fails with kUsage.
Result<DialectTargets> ParseDialectTargets(std::span<const std::string> requests,
                                           std::span<const Dialect> dialects);

// A request to convert a program.
struct ConversionRequest {
  Version target;  // invalid: the program's own
  CompatibilityWindow window;
  bool allow_outside_window = false;
  bool allow_other_dialects = false;
  bool portable = false;   // the result becomes a portable artifact
  bool keep_mhlo = false;  // without a target, an MHLO program remains one
  bool lenient = false;    // violated constraints at the target are warnings, not errors
  bool expand = false;
  bool expand_composites = false;
  bool fold = false;
  bool drop_hints = false;
  uint64_t fold_limit = 1 << 16;        // as KnownOptions::max_elements
  std::span<const Consumer> consumers;  // that must read the result
  std::span<const Dialect> dialects;    // dialects of the user
  DialectTargets dialect_targets;       // of these; others go with the target
  bool every_place = false;             // as ConvertOptions::every_place
  size_t max_blockers = ConvertOptions().max_blockers;
  Limits limits;
};

// The conversion of one dialect.
struct ConvertedDialect {
  std::string name;
  uint16_t from = 0, to = 0;
  std::vector<DialectStep> steps;
};

// The record of a conversion.
struct ConversionOutcome {
  Version from, to;
  std::vector<AppliedStep> steps;
  std::vector<ExpandedOps> expanded;
  std::vector<DroppedHints> dropped;
  std::vector<ConvertedDialect> dialects;
  bool invalid = false;  // the result does not verify
};

// Converts a program in place. Appends warnings and notes to `reported`; an error has every blocker, or every
// diagnostic of the verifier. `findings` are the diagnostics of the program before: none means that it
// verifies, and need not be verified again if nothing changes. After a failure the program is neither the old
// one nor the new one.
Result<void> ConvertProgram(const ConversionRequest& request, const Diagnostics& findings, Program* program,
                            ConversionOutcome* outcome, Diagnostics* reported);

// Returns the options of Convert, Blockers and PossibleTargets.
ConvertOptions OptionsOf(const ConversionRequest& request, const Program& program);

// Returns what keeps a program from the target, what consumers lack included; empty if nothing does. The
// window is not considered.
Diagnostics BlockersOf(const ConversionRequest& request, const Program& program);

// Returns the keys of a conversion in the document of `convert`.
Json ConversionJson(const ConversionOutcome& outcome);

}  // namespace shlo::tasks
