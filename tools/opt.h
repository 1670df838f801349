// `stablehlo-opt`, a drop-in for the reference's tool: main.cc runs it if the binary is called by that name
// (see bin/dropin). New features are subcommands of shlo-compat instead.
#pragma once

namespace shlo::tool {

// Runs `stablehlo-opt ARGS...` and returns the exit code (Exit).
int RunOpt(int argc, char** argv);

}  // namespace shlo::tool
