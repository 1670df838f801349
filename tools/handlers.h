// Handlers of signals that the whole process has: only a program installs them, never a library.
#pragma once

#include <string_view>

namespace shlo::tool {

// Removes named temporary files, and then ends the process as usual, on signals that end it, can be handled,
// and have the default handler.
void RemoveTemporariesOnSignals();

// Ends the process with this exit code and a message on standard error if a file that OpenInput mapped
// becomes shorter while it is used; by default the system does, with SIGBUS. Then `document`, up to 1 kB of
// it, is written to standard output.
void ExitOnShrunkenFiles(int exit_code, std::string_view document = {});

}  // namespace shlo::tool
