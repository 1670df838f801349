// The command line as a function, for the binary and for the Python package.
#pragma once

namespace shlo::tool {

// Runs a command line and returns its exit code. It handles signals and uses the standard streams, so nothing
// else should run in the process.
int Main(int argc, char** argv);

}  // namespace shlo::tool
