// `stablehlo-translate`, a drop-in for the reference's tool: main.cc runs it if the binary is called by that
// name.
#pragma once

#include <string>

#include "common.h"
#include "shlo/expand.h"

namespace shlo::tool {

// Parses a release as the reference's tools do: three numbers. Errors are in their words.
bool ParseTarget(Context& ctx, const std::string& text, Version* version);

// Expands a program in place, for passes of the reference that do. Returns an error, in its words, per op of
// CHLO that is left.
Diagnostics ExpandProgram(Program* program, ExpandOptions options);

int RunTranslate(int argc, char** argv);

}  // namespace shlo::tool
