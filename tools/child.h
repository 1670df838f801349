// Commands of the shell that end with the tool, or before.
#pragma once

#include <chrono>
#include <string>

#include "shlo/diagnostics.h"
#include "shlo/limits.h"

namespace shlo::tool {

// How a command ended.
struct ChildEnd {
  int exit_code = 0;     // 128 + N after signal N, as the shell says it
  bool stopped = false;  // it was ended: by a time limit, or because a signal ends the tool
};

// Runs a command in a separate process group, without input; its output goes to a file. Processes that remain
// in the group when the command ends, or at `until`, are killed. Fails with kIo. Not for several threads.
Result<ChildEnd> RunShell(const std::string& command, const std::string& output,
                          Limits::Clock::time_point until);

// In its scope, the first signal that asks the tool to end (HUP, INT, QUIT, TERM, XCPU) only kills the group
// of RunShell and is kept, so that what was done until then can be written. A second one ends the tool.
class KeepSignal {
 public:
  KeepSignal();
  KeepSignal(const KeepSignal&) = delete;
  KeepSignal& operator=(const KeepSignal&) = delete;
  ~KeepSignal();
  // Returns the signal; 0: none.
  static int Kept();
};

// Ends the process by a signal, as if it had not been kept.
[[noreturn]] void EndBySignal(int signal);

}  // namespace shlo::tool
