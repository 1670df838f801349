// Constant folding by evaluation. Results are bit-identical to evaluating the original program.
#pragma once

#include "shlo/diagnostics.h"
#include "shlo/known_values.h"
#include "shlo/module.h"
#include "shlo/source.h"

namespace shlo::tool {

// The program with constants in place of the ops whose results follow from constants alone, without the pure
// ops that nobody uses then. `places`, when given, become those of the new program.
Module FoldConstants(const Module& module, const KnownOptions& options = {}, SourcePlaces* places = nullptr);

}  // namespace shlo::tool
