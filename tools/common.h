// What every subcommand of shlo-compat shares: exit codes, options, reading programs, reporting
// diagnostics, and writing results. Not for anything a library user would want: that is in lib/.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "options.h"
#include "shlo/diagnostics.h"
#include "shlo/file_io.h"
#include "shlo/module.h"
#include "shlo/program_io.h"
#include "shlo/trace.h"
#include "shlo/verify.h"

namespace shlo::tool {

using Json = nlohmann::ordered_json;  // keys stay in the order they were written

// Exit codes, documented in --help and in README.md.
enum Exit : int {
  kDone = 0,
  kFinding = 1,   // does not verify, not equal, cannot go there
  kUsage = 2,     // the command line makes no sense
  kBadInput = 3,  // the input cannot be read, or not be evaluated
  kIoError = 4,   // the operating system said no
};

// Tells a person at a terminal what takes so long, from one second on. Silent when stderr is no terminal.
class Progress {
 public:
  Progress();
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  void Step(std::string what);  // "reading big.mlir"
  void Clear();                 // removes the line, before anything else is printed
 private:
  struct State;
  std::unique_ptr<State> state_;
};

// The state of one run. Options that several subcommands have are here under one name each.
struct Context {
  PoolCache cache;  // memory of programs; first, because it outlives them
  bool json = false;
  bool trace = false;
  bool no_color = false;
  std::string from;     // --from: the version of a text that does not say its own
  bool strict = false;  // constraint warnings are findings
  bool allow_other_dialects = false;
  bool matrix = false;  // inspect --matrix
  // Limits of the readers: what a file may ask for before it is refused.
  uint64_t max_depth = 500;
  uint64_t max_unpacked = uint64_t(1) << 32;
  std::string out = "-";  // -o
  std::vector<std::string> files;

  std::function<int()> run;  // what the chosen command does
  Diagnostics reported;      // everything shown so far, for --json
  Progress progress;

  Trace MakeTrace();
  // How programs of a file are read, whatever its format.
  ReadOptions MakeReadOptions(const std::string& source_name);
  // Shows a diagnostic on stderr and remembers it.
  void Report(const Diagnostic& diagnostic);
  void Report(const Diagnostics& diagnostics);
  // Reports and gives the exit code that fits the first error.
  int Fail(const Diagnostics& diagnostics);
  int Fail(Code code, std::string message, Place place = {}, std::string hint = {});
};

// Flags every subcommand has (--json, --no-color) and those of commands that read programs (--from,
// --trace).
void AddCommonFlags(Options& options, Context& ctx);
void AddReadFlags(Options& options, Context& ctx);

// The exit code that fits a diagnostic.
int ExitCodeOf(Code code);

// A file and the programs in it: the chunks of a text, or the one program of an artifact.
struct Input {
  InputFile file;
  Format format = Format::kText;
  std::vector<Program> programs;
};

// Reads a file, whichever format its first bytes say. Returns kDone, or reports and returns why not.
// A file of several chunks gives all of them; errors of every chunk are reported.
int ReadInput(Context& ctx, const std::string& path, Input* out);
// As ReadInput, and every program must verify. Warnings about constraints are reported if asked for.
int ReadVerified(Context& ctx, const std::string& path, Input* out, bool show_warnings = false);
// As ReadVerified, for commands that work on exactly one program.
int ReadOne(Context& ctx, const std::string& path, Program* out);

// How the verifier spells types and attributes in messages, as text does, and places them.
VerifyOptions MessageOptions(const Source& source);

// Parses a version argument; reports a usage error that names the nearest versions.
bool GetVersion(Context& ctx, std::string_view flag, const std::string& text, Version* out);

// Writes text to stdout, or reports why it cannot.
int Print(Context& ctx, std::string_view text);
// Writes bytes to a path or stdout ("-"), atomically.
int WriteOut(Context& ctx, const std::string& path, std::string_view bytes, bool binary);

// --json output: adds "exit" and "diagnostics" and prints the document. Returns `code`, or kIoError.
int PrintJson(Context& ctx, Json document, int code);
Json ToJson(const Diagnostic& diagnostic);
Json ToJson(Version version);  // {"n": 62, "release": "1.9.0", "date": "2025-01-30"}, null when unknown

// "1 op", "2 ops".
std::string Count(uint64_t n, std::string_view noun);

}  // namespace shlo::tool
