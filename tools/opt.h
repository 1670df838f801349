// The drop-in face `stablehlo-opt`: the command line of the reference's tool over this library. main.cc comes
// here when the binary is called by that name; bin/dropin holds the links. Not for anything new: new
// commands are subcommands of shlo-compat.
#pragma once

namespace shlo::tool {

// Runs `stablehlo-opt ARGS...` and returns the exit code (Exit).
int RunOpt(int argc, char** argv);

}  // namespace shlo::tool
