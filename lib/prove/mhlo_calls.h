// A law of one line: jax writes an op of MHLO into portable artifacts as a custom call whose target is the
// op's name, `@mhlo.erf` with `mhlo.attributes` and `mhlo.version`, because VHLO does not have the dialect.
#pragma once

#include <cstdint>

#include "shlo/module.h"

namespace shlo::prove {

// Returns a module in which such custom calls are the ops again; *count is their number. Copies the module
// only if there are any.
Module RestoreMhloOps(const Module& module, uint64_t* count);

}  // namespace shlo::prove
