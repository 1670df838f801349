// Expands ops into equivalent ops: CHLO into StableHLO, and ops that a target version lacks into ops that it
// has. The expansions are rows of schema/expansions.inc, or those of the reference.
#pragma once

#include <string>
#include <vector>

#include "shlo/convert.h"
#include "shlo/diagnostics.h"
#include "shlo/module.h"
#include "shlo/source.h"

namespace shlo {

// The expansions to use.
enum class Expansions : uint8_t {
  kOwn,            // schema/expansions.inc: of proved accuracy
  kReferenceChlo,  // schema/reference_expansions.inc: the ops that a pass of the reference makes
  kReferenceMath,
  kReferenceTest,
};

// Options of Expand.
struct ExpandOptions {
  Expansions expansions = Expansions::kOwn;  // which rows
  // The version that must be able to represent the expansions; the module's own if invalid.
  Version target;
  bool chlo = true;     // expand all ops of CHLO
  bool lacking = true;  // expand ops that the target cannot represent
  // Also call the decompositions of composites that the target cannot represent. The names by which compilers
  // recognize composites are lost; the reference refuses such programs.
  bool composites = false;
  // Leave gathers and scatters with batching dimensions and indices of dynamic shape, as the reference does.
  bool static_batching_only = false;
  ConvertOptions convert;
};

// How often ops of one name were expanded.
struct ExpandedOps {
  std::string op;      // "chlo.erf"
  uint64_t count = 0;  // number of ops that were replaced
};

// An expanded module.
struct Expansion {
  Module module;                 // has the version of the original
  std::vector<ExpandedOps> ops;  // in the order of schema/expansions.inc
  std::vector<OpId> expanded;    // ops of the original that are no longer there
  Diagnostics left;              // a warning per op that has an expansion, but not for its types
  Diagnostics remarks;           // the reference's warnings
};

// Expands the ops that the options choose. The result has the same functions, and computes the same values;
// the error of functions that are approximated is stated in docs/expansion.md. Updates `places`, if
// given, for the new module. Fails if the module is too large (kLimit).
Result<Expansion> Expand(const Module& module, const ExpandOptions& options = {},
                         SourcePlaces* places = nullptr);

}  // namespace shlo
