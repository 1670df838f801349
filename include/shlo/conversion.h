// Converts a program with everything that a conversion needs: the compatibility window, dialects of the user,
// folding, expansion, what consumers lack, and verification of the program and the result. convert.h has the
// bare conversion of a module between versions.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "shlo/consumers.h"
#include "shlo/convert.h"
#include "shlo/dialect.h"
#include "shlo/expand.h"
#include "shlo/hints.h"
#include "shlo/limits.h"
#include "shlo/program.h"
#include "shlo/window.h"

namespace shlo {

// The versions of dialects to convert to, by the name of the dialect.
using DialectTargets = std::map<std::string, uint16_t>;
// Parses requests such as "acme=2". Fails with kUsage.
Result<DialectTargets> ParseDialectTargets(std::span<const std::string> requests,
                                           std::span<const Dialect> dialects);

// Folds the constants of a program. FoldingOf of shlo/known_values.h makes one.
using Folding = std::function<Result<void>(Program* program, const Limits& limits)>;
// Fails unless a converted program is equal to the original. ProofOf of shlo/prove.h makes one.
using ConversionProof =
    std::function<Result<void>(const Program& original, const Module& converted, const Limits& limits)>;

// A request to convert a program. What is referred to must outlive it.
struct ConversionRequest {
  Version target;                       // invalid: the program's own
  bool portable = false;                // the result becomes a portable artifact (Format::kMlirBytecode)
  CompatibilityWindow window;           // of versions that may be converted to each other
  bool allow_outside_window = false;    // skip the check of the window
  bool allow_other_dialects = false;    // as ConvertOptions::allow_other_dialects
  bool keep_mhlo = false;               // without a target, an MHLO program remains one
  bool lenient = false;                 // violated constraints are warnings, not errors
  bool expand = false;                  // as ExpandOptions::chlo and ExpandOptions::lacking
  bool expand_composites = false;       // as ExpandOptions::composites and ExpandOptions::lacking
  bool drop_hints = false;              // as DropHints
  Folding fold;                         // called before expansion; null: constants are not folded
  std::span<const Consumer> consumers;  // that must read the result
  std::span<const Dialect> dialects;    // dialects of the user
  DialectTargets dialect_targets;       // of these; others go with the target
  bool every_place = false;             // as ConvertOptions::every_place
  size_t max_blockers = ConvertOptions().max_blockers;  // as ConvertOptions::max_blockers
  bool verify = true;                                   // verify the program, and the result if it differs
  // What VerifyProgram found in the program with Strictness::kReference, or kLenient if `lenient`. Null:
  // Convert calls it.
  const Diagnostics* findings = nullptr;
  ConversionProof prove;  // called with the result; null: nothing is proved
  Limits limits;          // of each part of the conversion

  // Returns whether it rewrites programs in their own version.
  bool rewrites() const { return drop_hints || fold || expand || expand_composites; }
};

// The conversion of one dialect.
struct ConvertedDialect {
  std::string name;                // of the dialect
  uint16_t from = 0;               // version before
  uint16_t to = 0;                 // version after
  std::vector<DialectStep> steps;  // in version order
};

// The record of a conversion.
struct ConversionReport {
  Version from;                            // version before
  Version to;                              // version after
  std::vector<AppliedStep> steps;          // in version order
  std::vector<ExpandedOps> expanded;       // as in Expansion
  std::vector<DroppedHints> dropped;       // as in WithoutHints
  std::vector<ConvertedDialect> dialects;  // in the order of the request
  Diagnostics warnings;                    // and notes
  bool invalid = false;                    // the program, or the result, does not verify
};

// Converts a program. Fails with every blocker, or with the diagnostics of the verifier. `report`, if given,
// is filled in as far as the conversion got.
Result<Program> Convert(Program program, const ConversionRequest& request,
                        ConversionReport* report = nullptr);

// Returns the options of LowestTarget and PossibleTargets for a request. The program must outlive them.
ConvertOptions OptionsOf(const ConversionRequest& request, const Program& program);

// Returns what keeps a program from the target, what consumers lack included; empty if nothing does. The
// window is not considered, and the program is not verified.
Diagnostics Blockers(const Program& program, const ConversionRequest& request);

}  // namespace shlo
