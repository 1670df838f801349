// `stablehlo-translate`: the reference's tool of this name for portable artifacts, as far as users script
// against it. The binary answers to it when it is called by that name.
#pragma once

#include <string>

#include "common.h"

namespace shlo::tool {

// A release as the reference's tools take it: three numbers. What is wrong is reported in their words.
bool ParseTarget(Context& ctx, const std::string& text, Version* version);

int RunTranslate(int argc, char** argv);

}  // namespace shlo::tool
