// Simplifies locations that a target version cannot represent. Locations have no semantics, so they never
// block a conversion; one warning counts the changed ones.
#pragma once

#include "shlo/convert.h"
#include "shlo/module.h"

namespace shlo {

// Replaces file ranges by their start, and drops metadata that the target cannot represent.
void LowerLocations(Module* module, Version target, const ConvertOptions& options, Diagnostics* warnings);

}  // namespace shlo
