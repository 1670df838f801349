// Constant folding by evaluation. Results are bit-identical to evaluating the original program.
#pragma once

#include "shlo/diagnostics.h"
#include "shlo/known_values.h"
#include "shlo/module.h"

namespace shlo::tool {

// Returns the program with constants in place of ops whose operands are all constant, and without the pure
// ops that become unused.
Module FoldConstants(const Module& module, const KnownOptions& options = {});

}  // namespace shlo::tool
