// Puts functions in the place of their calls. Not an optimizer: nothing else about the program changes.
#pragma once

#include "shlo/diagnostics.h"
#include "shlo/module.h"
#include "shlo/source.h"

namespace shlo {

// The program with every func.call replaced by the body of its function, where that is one block and does not
// call itself in turn; other calls stay. Private functions that nothing refers to any more are dropped.
// Inlined ops say where they come from: callsite(their location at that of the call). Fails on a program that
// would grow beyond what could be of use (kLimit). `places`, when given, become those of the new program.
Result<Module> InlineCalls(const Module& module, SourcePlaces* places = nullptr);

}  // namespace shlo
