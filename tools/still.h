// Tests of `reduce`: whether a program still shows what the user looks for.
#pragma once

#include <chrono>
#include <memory>

#include "base/temporaries.h"
#include "common.h"
#include "shlo/reduce.h"

namespace shlo::tool {

// A command of the user.
struct StillCommand {
  std::string command;              // for the shell; "{}" stands for the path of the program
  uint64_t exit_code = 0;           // that means that it still shows it; 128 + N after signal N
  std::string text;                 // that its output must contain; "": anything
  WriteOptions write;               // how programs are written
  std::chrono::seconds timeout{0};  // of a run, which shows nothing if it takes longer; 0: none
  Limits::Clock::time_point deadline = Limits::Clock::time_point::max();  // of all runs
  std::string* how = nullptr;                                             // receives how the last run ended
};
// Fails with kUsage if the shell cannot run the command, and with kIo. The folder must outlive the test.
StillShows ByCommand(StillCommand command, TemporaryFolder* folder);

// Returns whether verification reports an error like the first one of `module`.
StillShows ByInvalidity(const Module& module);
// Returns whether a conversion to `target` has a blocker like the first one of `module`.
StillShows ByBlocker(const Module& module, Version target);

}  // namespace shlo::tool
