// Shared by all subcommands of shlo-compat: exit codes, options, reading programs, reporting diagnostics, and
// writing results.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/printable.h"
#include "base/try.h"
#include "exit_codes.h"
#include "inspect/release_diff.h"
#include "ir/json.h"
#include "options.h"
#include "serialize/inputs.h"
#include "shlo/consumers.h"
#include "shlo/diagnostics.h"
#include "shlo/dialect.h"
#include "shlo/file_io.h"
#include "shlo/limits.h"
#include "shlo/module.h"
#include "shlo/outside.h"
#include "shlo/program_io.h"
#include "shlo/sink.h"
#include "shlo/trace.h"
#include "shlo/verify.h"

namespace shlo::archive {
class Archive;
}

namespace shlo::tool {

class OutsideFinder;

// Evaluates to the value of a Result, or reports its error and returns the exit code from the enclosing
// function. Like SHLO_TRY, it is a statement, or the whole right side of one.
#define SHLO_TAKE(ctx, ...)                \
  __extension__({                          \
    auto result_ = (__VA_ARGS__);          \
    if (!result_) [[unlikely]]             \
      return (ctx).Fail(result_.error());  \
    ::shlo::TakeValue(std::move(result_)); \
  })

using shlo::ToJson;

// Shows a progress line on a terminal after 0.2 s. Silent if stderr is not a terminal.
class Progress {
 public:
  explicit Progress(bool shown = true);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  // Shows what is done now, formatted as TerminalText::Of does: Step("reading {}", NameText(path)).
  template <typename... Args>
  void Step(std::type_identity_t<printable::Format<Medium::kTerminal, Args...>> what, const Args&... args) {
    if (shown_) Show(TerminalText::Of(what, args...));
  }
  // Returns what counts how much of this step is done, for Limits::work_done; null if nothing is shown.
  WorkDone* Counted(const char* unit);
  void Clear();  // erases the line, so that other output can follow
  void Hide() { shown_ = false; }

 private:
  void Show(const TerminalText& what);
  struct State;
  std::unique_ptr<State> state_;
  bool shown_;
};

// Erases the progress line when a signal ends the process, which says so if it was an interrupt. Follows
// RemoveTemporariesOnSignals.
void LeaveTerminalOnSignals();

// The consumers that a command converts for (--for), with those of the user's files (--consumers).
struct ConsumerFlags {
  std::vector<std::string> requirements;
  std::vector<std::string> files;
  std::vector<Consumer> found;
  std::vector<Json> resolved;  // ConsumerJson, by requirement
};

// Writes text to stderr. Nothing else does, but Context::PutError, which calls this.
void WriteToStderr(const TerminalText& text);

// The options that several subcommands share.
struct Settings {
  std::string command = "convert";
  bool json = false;
  bool trace = false;
  std::string color = "auto";   // --color
  bool no_color = false;        // --no-color: --color=never
  bool quiet = false;           // --quiet: errors only
  std::string program;          // --program: name of the program in a container
  std::string from;             // --from: version of MLIR text that does not state one
  bool lenient = false;         // --lenient: violated constraints of the specification are warnings
  bool strict = false;          // --strict of verify
  bool offers_lenient = false;  // the command has that flag
  bool allow_other_dialects = false;
  bool matrix = false;  // inspect --matrix
  std::string today;    // --today: the day from which durations such as WEEK_4 count back
  ConsumerFlags consumers;
  std::vector<std::string> dialect_files;                // --dialect
  std::vector<std::string> weights;                      // --weights
  std::shared_ptr<const std::vector<Dialect>> dialects;  // what they define; null: none
  // Limits of the readers.
  uint64_t max_depth = Limits().max_depth;
  static constexpr uint64_t kBySize = ~uint64_t(0);     // a limit that depends on the size of the input
  uint64_t max_memory = kBySize, max_output = kBySize;  // MiB
  uint64_t max_steps = kBySize, max_work = kBySize;     // work in milliseconds
  uint64_t timeout = 0;                                 // seconds; 0: none
  uint64_t threads = 0;                                 // of one program; 0: one per processor
  uint64_t copy_below = 0;                              // see OpenInput
  bool check_constants = true;                          // see ReadOptions
  bool keeps_mhlo = false;      // ReadInput leaves MHLO programs as they are, and does not call LeaveMhlo
  Sync sync = Sync::kReplaced;  // see OutputFile
  const Cancellation* cancellation = nullptr;  // see Limits
};

// The output of a Context that keeps it: bytes for the standard output, which are programs, documents or
// texts that were escaped already.
struct Captured {
  std::string out;
  TerminalText err;
};

// The state of one run.
struct Context : Settings {
  Context() = default;
  // For one file of many: with the settings of the run, but it prints into `captured`, reads no standard
  // input that others may have read, and has its own deadline. Both must outlive this object. Contexts of the
  // same run may be used in different threads.
  Context(Context& run, Captured* captured);

  std::string about;             // the file of diagnostics that name none
  Captured* captured = nullptr;  // null: output goes to the standard streams
  Limits::Clock::time_point deadline = Limits().deadline;
  std::string out = "-";  // -o
  std::vector<std::string> files;
  bool read_stdin = false;                 // a program was read from standard input
  std::shared_ptr<OutsideFinder> outside;  // finds constants of files; made when the first is read
  // If not null, receives the constants that were found.
  std::shared_ptr<std::vector<std::pair<OutsideConstant, InputFile>>> found_outside;
  std::optional<InputFile> provided;          // the file that is read, whatever its path
  const archive::Archive* archive = nullptr;  // paths are models in it
  uint64_t bytes_read = 0;                    // of all programs

  std::function<int()> run;  // the chosen command
  Diagnostics reported;      // everything printed so far, for --json
  Progress progress;
  std::shared_ptr<std::atomic<bool>> timer_stopped;  // of the timer that was started

  std::span<const Dialect> Dialects() const {
    return dialects ? std::span<const Dialect>(*dialects) : std::span<const Dialect>();
  }
  Trace MakeTrace();
  // How programs of a file are read, whatever its format.
  ReadOptions MakeReadOptions(const std::string& source_name, uint64_t bytes);
  // Returns the limits for an input of this size: those of the flags, or by default.
  Limits LimitsFor(uint64_t bytes) const;
  // Returns the limits for what was read.
  Limits limits() const { return LimitsFor(bytes_read); }
  // Returns how many bytes are read of a stream, which takes as much memory.
  uint64_t MaxStream() const;
  // Likewise for proofs, which evaluate a program many times: steps are limited by the flag alone.
  Limits ProofLimits() const;
  // Sets the deadline, if there is a --timeout. If the command does not end then by itself, because it
  // reads from a pipe, the process ends with kBadInput.
  void StartTimer();
  // Ends all that. For commands in which each file has its own deadline.
  void StopTimer();
  // Shows a diagnostic on stderr and remembers it.
  void Report(const Diagnostic& diagnostic);
  void Report(const Diagnostics& diagnostics);
  // Reports diagnostics and returns the exit code of the first error.
  int Fail(const Diagnostics& diagnostics);
  int Fail(Code code, std::string message, Place place = {}, std::string hint = {});
  // Writes to stderr, or to what is captured of it.
  void PutError(const TerminalText& text);
};

// Adds the flags of every subcommand (--json, --color, --quiet), and those of commands that read programs
// (--from,
// --trace, limits).
void AddCommonFlags(Options& options, Context& ctx);
void AddReadFlags(Options& options, Context& ctx);
// Adds --lenient alone.
void AddLenientFlag(Options& options, Context& ctx);
// The limits among them; `memory_help` is that of --max-memory.
void AddLimitFlags(Options& options, Context& ctx, const char* memory_help);
// Adds the flags that say which targets are allowed (--window, --allow-outside-window,
// --allow-other-dialects).
void AddWindowFlags(Options& options, Context& ctx, std::string* window, bool* allow_outside_window);
// Makes the flags of a command, which `run` receives if the command is chosen.
template <typename FlagsT, typename RunT>
std::shared_ptr<FlagsT> AddRun(Options& options, Context& ctx, RunT run) {
  auto flags = std::make_shared<FlagsT>();
  options.OnChosen([&ctx, flags, run] { ctx.run = [&ctx, flags, run] { return run(ctx, *flags); }; });
  return flags;
}
// What a command answers: the keys of its document, and its text.
struct Answer {
  Json json;
  TerminalText text;
};
// Prints the document with --json, otherwise the text, if there is any. Returns `code`, or what printing
// fails with if that is worse.
int PrintAnswer(Context& ctx, const Answer& answer, int code);
// Likewise, for a command whose function fills in the answer, which is printed even if it fails.
template <typename FlagsT>
std::shared_ptr<FlagsT> AddAnswer(Options& options, Context& ctx,
                                  int (*run)(Context& ctx, const FlagsT& flags, Answer* answer)) {
  return AddRun<FlagsT>(options, ctx, [run](Context& of, const FlagsT& flags) {
    Answer answer;
    const int code = run(of, flags, &answer);
    return PrintAnswer(of, answer, code);
  });
}
struct NoFlags {};  // of a command without flags of its own

// A file as commands read it.
struct Input : ProgramFile {
  std::vector<Diagnostics> findings = {};  // of each program, from ReadVerified
  bool was_mhlo = false;                   // LeaveMhlo made its programs StableHLO
};
// Returns the remedy for a file that has several programs where one is expected.
std::string ChooseHint(const Input& input);

// Reads a file; the format is detected from its first bytes. Returns kDone, or reports errors and returns
// their exit code. Text with several programs is read to the end, so that the errors of all programs are
// reported.
int ReadInput(Context& ctx, const std::string& path, Input* out);
// Like ReadInput, and verifies every program, for a command that gives a verdict on it (kSpecification, with
// warnings) or works on it (kReference, without them). Without --lenient, that is.
int ReadVerified(Context& ctx, const std::string& path, Input* out,
                 Strictness strictness = Strictness::kReference);
// Says how to accept a program, if only violated constraints are in the way.
void NoteLenient(Context& ctx, const Diagnostics& found);
// As ReadVerified, for commands that work on exactly one program. In a jax.export file this is the function,
// not its gradients. Sets *file, which may be null.
int ReadOne(Context& ctx, const std::string& path, Program* out, InputFile* file = nullptr);

// Returns --today, or the current day; reports an error and returns false if it is not a day.
bool GetToday(Context& ctx, Date* out);
// Reports as a note which version a date or a duration stands for; silent for other notations.
void NoteRelease(Context& ctx, std::string_view flag, const std::string& text, Version version);
// Parses a version argument, or reports an error and returns false. Calls NoteRelease.
bool GetVersion(Context& ctx, std::string_view flag, const std::string& text, Version* out);

// Parses "A..B"; a bound that is left out is the oldest or the newest version. Returns false for other words,
// and reports bad versions, which sets *code.
bool GetRange(Context& ctx, std::string_view flag, const std::string& text, VersionRange* out, int* code);

// Reports how a request was understood.
void Note(Context& ctx, std::string message, std::string hint = {}, Code code = Code::kUsage);

// Adds --for and --consumers, and resolves them to the version that all consumers read. Returns an exit code
// (consumers.cc).
void AddConsumerFlags(
    Options& options, Context& ctx,
    const char* help =
        "consumer that must read the output, such as jaxlib==0.9.0 or WEEK_12; of several, the "
        "oldest decides");
int ResolveConsumers(Context& ctx, Version* target);
// Lists the consumers of --consumers, then the known ones. Returns an exit code.
int ListConsumers(Context& ctx, std::vector<Consumer>* out);
// Reads consumers from a JSON file. Fails with kUsage.
Result<std::vector<Consumer>> ReadConsumers(const std::string& path);

// Writes text to stdout. Returns kDone, or reports the error.
int Print(Context& ctx, const TerminalText& text);
// Ends the process, because a file was not done `timeout` seconds after its deadline: shows the diagnostic,
// and with --json prints a document with nothing else.
[[noreturn]] void EndByTimeout(const Settings& settings, bool color, const std::string& file);
// Returns whether text for a stream (diagnostics: STDERR_FILENO) is shown in color.
bool WantColor(const Settings& settings, int stream);

// Writes a program or a document to a file atomically, or to stdout ("-"). Text for people goes to Print.
int WriteOut(Context& ctx, const std::string& path, std::string_view bytes, bool binary);
// Likewise, in pieces, which `write` passes to its sink.
int StreamOut(Context& ctx, const std::string& path, bool binary,
              const std::function<Result<void>(const Sink&)>& write);

// Prints a document of --json: an object between the keys that all documents have. Returns `code`, or
// kIoError.
int PrintJson(Context& ctx, const Json& content, int code);
// Returns the place of a message about a whole file.
Place FileOnly(const std::string& name);

}  // namespace shlo::tool
