// Inlines `func.call` and erases private functions that become unused.
#pragma once

#include "shlo/diagnostics.h"
#include "shlo/module.h"
#include "shlo/source.h"

namespace shlo {

// Replaces every func.call by the body of its function, if that has one block and is not recursive; other
// calls stay. Erases private functions that are no longer referenced. Inlined ops get the location
// callsite(own location at location of the call). Fails if the result would have too many ops (kLimit).
// Updates `places`, if given, for the new program.
Result<Module> InlineCalls(const Module& module, SourcePlaces* places = nullptr);

}  // namespace shlo
