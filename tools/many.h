// Work on many files: in several threads, with the output and the exit code that one thread would have.
// Which files these are is decided in inputs.h.
//
// One process does all of it. An error of a file is its own, also running out of memory and --timeout. Limits
// hold for each file, so J threads may use J times the memory. Files below 16 MiB are copied before they are
// used; if another program shortens a larger one while it is used, the process ends with kIoError, as it does
// for a single file.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "common.h"
#include "serialize/inputs.h"

namespace shlo::tool {

// Adds -j. 0, the default, is one thread per processor.
void AddJobsFlag(Options& options, uint64_t* jobs);
// Adds the inputs of a command, which go to ctx.files, -j, and the function of the command.
void AddInputs(Options& options, Context& ctx, const char* help,
               int (*run)(Context& ctx, const uint64_t& jobs, Answer* out));

// The result of one file. Its document is its entry in "files"; its text is printed if there is no document.
struct FileResult : Answer {
  int code = kDone;
  bool up_to_date = false;  // there was nothing to do
};

// A command's work on many files.
struct ManyWork {
  std::string verb;                                  // for the progress line: "converting"
  std::string done;                                  // for the summary: "converted"
  uint64_t jobs = 0;                                 // -j
  bool keep_going = true;                            // false: no file is started after the first that fails
  std::string between;                               // printed between the outputs of two files
  Json unreadable;                                   // more keys of the entry of a file without a result
  size_t not_programs = 0;                           // for the summary
  std::vector<std::string> names;                    // of the files
  std::function<FileResult(Context&, size_t)> file;  // from any thread; the Context is the file's own
};

// The results of all.
struct ManyResult {
  int code = kDone;  // the highest of the files
  size_t done = 0, up_to_date = 0, failed = 0;
  size_t not_programs = 0;
  size_t left = 0;  // after the first failure, without keep_going
  Json files;       // an entry for each but those left, with its "exit" and "diagnostics"
};

// Does the work. Output of the files is printed in their order, whatever the number of threads, and `ctx`
// reports their diagnostics. Files after the first failure, without keep_going, are left out of all that even
// if other threads were done with them. Then prints the summary to stderr.
ManyResult RunMany(Context& ctx, const ManyWork& work);

// Reports inputs among which there is no program: a check of nothing must not pass. Returns an exit code.
int CheckInputs(Context& ctx, const Inputs& inputs, const std::vector<std::string>& arguments);

// The key "summary" of --json.
Json SummaryJson(const ManyResult& result);

// A command that only reads.
struct ReadingCommand {
  std::string verb, done;  // as in ManyWork
  std::string between;     // as in ManyWork
  Json unreadable;         // as in ManyWork
  std::function<FileResult(Context&, const std::string& path)> file;
};

// Does its work on ctx.files. A single file is worked on by `ctx` itself: its output appears as it is made,
// and its document has no summary.
int RunOnInputs(Context& ctx, uint64_t jobs, const ReadingCommand& command, Answer* out);

}  // namespace shlo::tool
