// Rules that simplify programs, as the reference's simplification has them (docs/rewrites.md).
#pragma once

#include <span>

#include "rewrite/driver.h"

namespace shlo::rewrite {

// Returns all of them, in the order in which they are tried at an op.
std::span<const Rule> SimplifyRules();

// Returns rules for ops of MLIR's own dialects, as their folders and canonicalization patterns.
std::span<const Rule> UpstreamRules();

// Functions of schema/rewrites.inc.
#define SHLO_REWRITE_FUNCTION(name, row, elements, exactness, function, ...) \
  bool function(Rewriter& r, OpId op);
#include "schema/rewrites.inc"

}  // namespace shlo::rewrite
