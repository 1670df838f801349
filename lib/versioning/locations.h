// Locations that a target version cannot say are brought to what it can. They are not part of what a
// program means, so they never block a conversion; that some were changed is one warning.
#pragma once

#include "shlo/convert.h"
#include "shlo/module.h"

namespace shlo {

// File ranges become their start, metadata that the target cannot say is dropped.
void LowerLocations(Module* module, Version target, const ConvertOptions& options, Diagnostics* warnings);

}  // namespace shlo
