// Constant folding by evaluation. Results are bit-identical to evaluating the original program.
#pragma once

#include "shlo/diagnostics.h"
#include "shlo/known_values.h"
#include "shlo/module.h"
#include "shlo/source.h"

namespace shlo::tasks {

// Replaces ops whose results are computed from constants only by constants, and erases pure ops without uses.
// `places`, if given, are replaced by those of the new program.
Result<Module> FoldConstants(const Module& module, const KnownOptions& options = {},
                             SourcePlaces* places = nullptr);

}  // namespace shlo::tasks
