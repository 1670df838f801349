// `reduce`: makes a program small that still shows something.
#include "shlo/reduce.h"

#include <chrono>
#include <cstdio>
#include <optional>

#include "base/format.h"
#include "child.h"
#include "commands.h"
#include "counterexample.h"
#include "parts.h"
#include "shlo/prove.h"
#include "still.h"

namespace shlo::tool {
namespace {

struct ReduceFlags {
  std::string file;
  std::string still;
  uint64_t exit_code = 0;
  std::string output_has;
  bool invalid = false;
  std::string blocked;
  std::string differs;
  bool keep_signatures = false;
  uint64_t max_tests = ReduceOptions().max_tests;
  uint64_t test_timeout = 0;
};

WriteOptions WriteOptionsFor(const Context& ctx) {
  WriteOptions options;
  options.limits = ctx.limits();
  options.format = FormatOfEmit(EmitOfName(ctx.out));
  options.text.locations = true;
  options.shlo.producer = ToolName();
  return options;
}

// Reads the one program of a file, which may be invalid if that is what it shows.
int ReadProgramTo(Context& ctx, const ReduceFlags& flags, Program* out) {
  if (!flags.invalid) return ReadOne(ctx, flags.file, out);
  Input input;
  if (const int code = ReadInput(ctx, flags.file, &input); code != kDone) return code;
  if (input.programs.size() != 1)
    return ctx.Fail(Code::kUsage, StrFormat("expected 1 program, but the file has {}", input.programs.size()),
                    {.file = input.file.name}, ChooseHint(input));
  *out = std::move(input.programs[0]);
  return kDone;
}

int NumTests(const ReduceFlags& flags) {
  return !flags.still.empty() + flags.invalid + !flags.blocked.empty() + !flags.differs.empty();
}

// Changes of one program alone would make others differ that do not: the pair is cut down to the part that
// differs.
int ReducePair(Context& ctx, const ReduceFlags& flags, const Program& program) {
  if (ctx.json && ctx.out == "-")
    return ctx.Fail(Code::kUsage, "cannot write both JSON and a program to stdout", {}, "pass -o OUT");
  Program other;
  if (const int code = ReadOne(ctx, flags.differs, &other); code != kDone) return code;
  ProveOptions options;
  options.limits = ctx.ProofLimits();
  options.source_a = &program.source;
  options.source_b = &other.source;
  ctx.progress.Step("comparing {}", NameText(flags.file));
  const auto proof = SHLO_TAKE(ctx, Prove(program.module, other.module, options));
  return WriteCounterexample(ctx, proof, program.module, other.module, ctx.out, /*required=*/true);
}

// Returns the test that the flags ask for, or reports an error and returns nullopt.
std::optional<StillShows> TestFor(Context& ctx, const ReduceFlags& flags, const Module& module,
                                  TemporaryFolder* folder, std::string* how, int* code) {
  if (NumTests(flags) != 1) {
    *code = ctx.Fail(
        Code::kUsage, "expected one of --still, --still-invalid, --still-blocked and --still-differs", {},
        "pass --still='command {}' with a command that succeeds as long as the program shows it");
    return std::nullopt;
  }
  if (flags.invalid) return ByInvalidity(module);
  if (!flags.blocked.empty()) {
    Version target;
    if (!GetVersion(ctx, "--still-blocked", flags.blocked == "*" ? "minimum" : flags.blocked, &target)) {
      *code = kUsage;
      return std::nullopt;
    }
    return ByBlocker(module, target);
  }
  if (auto created = folder->Create(); !created) {
    *code = ctx.Fail(created.error());
    return std::nullopt;
  }
  return ByCommand({.command = flags.still,
                    .exit_code = flags.exit_code,
                    .text = flags.output_has,
                    .write = WriteOptionsFor(ctx),
                    .timeout = std::chrono::seconds(flags.test_timeout),
                    .deadline = ctx.deadline,
                    .how = how},
                   folder);
}

// Returns what ended a reduction early.
std::string WhyEnded(const Context& ctx, Limits::Clock::time_point deadline) {
  if (const int signal = KeepSignal::Kept()) return StrFormat("signal {}", signal);
  return Limits::Clock::now() >= deadline ? StrFormat("--timeout={}", ctx.timeout) : "--max-tests";
}

int ReduceFile(Context& ctx, const ReduceFlags& flags, Json* out) {
  Json& j = *out;
  j["files"] = Json::array({FileJson(flags.file, Json::array())});
  TemporaryFolder folder;
  Program program;
  int code = ReadProgramTo(ctx, flags, &program);
  if (code != kDone) return code;
  j["files"] = Json::array({FileJson(flags.file, Json::array({ProgramJson(program)}))});
  if (!flags.differs.empty() && NumTests(flags) == 1) return ReducePair(ctx, flags, program);
  std::string how;
  const auto test = TestFor(ctx, flags, program.module, &folder, &how, &code);
  if (!test) return code;
  uint64_t tests = 0;
  ReduceOptions options;
  const KeepSignal keep_signal;
  options.stopped = [] { return KeepSignal::Kept() != 0; };
  options.limits = ctx.limits();
  options.max_tests = flags.max_tests;
  options.keep_signatures = flags.keep_signatures;
  options.allow_invalid = flags.invalid;
  options.progress = [&](std::string_view step, uint64_t ops) {
    ctx.progress.Step("reducing {}: {} left, {} run, now {}", NameText(flags.file), Count(ops, "op"),
                      Count(tests, "test"), step);
  };
  const StillShows counted = [&](const Module& candidate) {
    ++tests;
    return (*test)(candidate);
  };
  // The smallest program is written after the time limit.
  const Limits::Clock::time_point deadline = ctx.deadline;
  ctx.StopTimer();
  auto reduced = Reduce(program.module, counted, options);
  if (!reduced) {
    Diagnostic& why = reduced.error()[0];
    if (why.code == Code::kNotEqual && why.hint.empty()) why.hint = how;
    return ctx.Fail(reduced.error());
  }
  Program smallest;
  smallest.module = std::move(reduced->module);
  const WriteOptions write = WriteOptionsFor(ctx);  // without the deadline, which may have passed
  auto bytes = SHLO_TAKE(ctx, WriteProgram(smallest, write));
  j["ops_before"] = reduced->ops_before;
  j["ops_after"] = reduced->ops_after;
  j["tests"] = reduced->tests;
  j["complete"] = reduced->complete;
  j["output"] = ctx.out;
  if (ctx.json && ctx.out == "-")
    j["text"] = bytes;
  else
    code = WriteOut(ctx, ctx.out, bytes, write.format != Format::kText);
  if (code == kDone && !ctx.json)
    Note(ctx,
         StrFormat(
             "{} of {} left after {}{}", reduced->ops_after, Count(reduced->ops_before, "op"),
             Count(reduced->tests, "test"),
             reduced->complete ? "" : StrFormat("; {} ended the reduction early", WhyEnded(ctx, deadline))));
  return code;
}

int RunReduce(Context& ctx, const ReduceFlags& flags) {
  Answer answer;
  const int reduced = ReduceFile(ctx, flags, &answer.json);
  const int code = PrintAnswer(ctx, answer, reduced);
  const int signal = KeepSignal::Kept();
  if (signal == 0) return code;
  // As whoever sent it expects: a loop of the shell ends, too.
  ctx.progress.Clear();
  std::fflush(nullptr);
  EndBySignal(signal);
}

}  // namespace

void AddReduce(Options& options, Context& ctx) {
  auto flags = AddRun<ReduceFlags>(options, ctx, RunReduce);
  options.Argument("FILE", &flags->file, "program to reduce");
  options.Option("--still", &flags->still, "COMMAND",
                 "shell command that exits with 0 while a program shows the failure; {} is replaced by its "
                 "file (default: append the file)");
  options.Number("--exit-code", &flags->exit_code, 255,
                 "exit code of the command to look for; 128 + N after signal N (default: 0)");
  options.Option("--output-has", &flags->output_has, "TEXT", "text that the command must print, too");
  options.Flag("--still-invalid", &flags->invalid, "keep the first error that 'verify' reports");
  options.OptionalValue("--still-blocked", &flags->blocked, "[=V]",
                        "keep the first blocker of a conversion to V (default: minimum)");
  options.Option("--still-differs", &flags->differs, "OTHER",
                 "write the part in which FILE and OTHER differ, as one program whose evaluation shows it");
  options.Flag("--keep-signatures", &flags->keep_signatures,
               "keep arguments and results of public functions, and shapes");
  options.Number("--test-timeout", &flags->test_timeout, uint64_t(1) << 30,
                 "time limit of a run of the command, in seconds; a run that takes longer does not show it "
                 "(default: none)");
  options.Number("--max-tests", &flags->max_tests, ~uint64_t(0), "maximum number of tests (default: 2000)");
  options.Option("-o,--output", &ctx.out, "OUT",
                 "output file; its ending decides how the command gets programs: .shlo, .mlirbc or .bc, "
                 "otherwise text (default: -, standard output)");
  AddEvaluationFlags(options, ctx);
  AddReadFlags(options, ctx);
}

}  // namespace shlo::tool
