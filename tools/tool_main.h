// The command line as a function, for the binary and for the Python package.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace shlo::tool {

// Runs a command line and returns its exit code. It handles signals and uses the standard streams, so nothing
// else should run in the process. `canceled`, if given, is called about every 50 ms on threads that work;
// when it returns true, the command fails.
int Main(int argc, char** argv, std::function<bool()> canceled = nullptr);

// Returns a text as the tool prints it: "xml" and "terminal" are media (base/printable.h); "name", "symbol",
// "message" and "lines" are for a terminal, too; "json" is a document, and "diagnostic" one of a diagnostic.
std::string PrintedText(std::string_view text, std::string_view medium);

}  // namespace shlo::tool
