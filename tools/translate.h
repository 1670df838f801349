// `stablehlo-translate`, a drop-in for the reference's tool: main.cc runs it if the binary is called by that
// name.
#pragma once

#include <string>

#include "common.h"

namespace shlo::tool {

// Parses a release as the reference's tools do: three numbers. Errors are in their words.
bool ParseTarget(Context& ctx, const std::string& text, Version* version);

int RunTranslate(int argc, char** argv);

}  // namespace shlo::tool
