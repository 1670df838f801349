// Conversion of one file and of many: what convert.cc and convert_many.cc share.
#pragma once

#include <string>
#include <vector>

#include "common.h"
#include "containers.h"
#include "parts.h"
#include "serialize/inputs.h"

namespace shlo::tool {

struct ConvertFlags {
  std::string target;
  std::string emit;
  std::string window;
  std::vector<std::string> dialect_targets;
  ContainerFlags container;
  ProveFlags prove;
  FoldFlags fold;
  ConversionRequest request;  // its parts that are flags
  bool strip_debuginfo = false;
  bool locations = false;
  bool sync = false;
  // Of many files.
  std::string out_dir;
  uint64_t jobs = 0;
  bool keep_going = false;
  bool resume = false;
};

// The conversion of one program, for --json.
struct Outcome : ConversionReport {
  Json program;  // ProgramJson
};

// The conversion of one file.
struct ConvertedFile {
  Input input;
  std::vector<Outcome> outcomes;
  std::string text;  // all that is written, if it is text
};

// Adds what --target, --for, --dialect-target and --window state to the request of the flags. Returns kDone,
// or reports an error.
int ResolveRequest(Context& ctx, const ConvertFlags& flags, ConversionRequest* request);

// Converts a file. Returns kDone, or reports errors and writes nothing.
int ConvertFile(Context& ctx, const ConvertFlags& flags, const ConversionRequest& request,
                const ConvertedPaths& paths, ConvertedFile* out);

// The entries of "programs".
Json ProgramsJson(const std::vector<Outcome>& outcomes);

// Converts inputs to files below --out-dir (convert_many.cc). `options` has the flags that were given.
int ConvertMany(Context& ctx, const Options& options, const ConvertFlags& flags, const Inputs& inputs);

}  // namespace shlo::tool
