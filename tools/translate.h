// `stablehlo-translate`: the reference's tool of this name for portable artifacts, as far as users script
// against it. The binary answers to it when it is called by that name.
#pragma once

namespace shlo::tool {

int RunTranslate(int argc, char** argv);

}  // namespace shlo::tool
