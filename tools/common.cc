#include "common.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <thread>
#include <utility>

#include "base/format.h"
#include "base/temporaries.h"
#include "ir/module/limits.h"
#include "ir/nearest_names.h"
#include "parts.h"
#include "shlo/container.h"
#include "shlo/mhlo.h"
#include "shlo/text_writer.h"

namespace shlo::tool {

Place FileOnly(const std::string& name) {
  Place place;
  place.file = name;
  return place;
}

namespace {

// An artifact states its version: --from may only repeat it.
int CheckFrom(Context& ctx, Version from, const Input& input) {
  if (!from.valid() || input.format == Format::kText) return kDone;
  for (const Program& program : input.programs)
    if (from != program.module.version)
      return ctx.Fail(Code::kUsage,
                      StrFormat("--from={} conflicts with the artifact's version {}", ctx.from,
                                VersionName(program.module.version)),
                      FileOnly(input.file.name), "drop --from, artifacts state their version");
  return kDone;
}

}  // namespace

bool WantColor(const Settings& settings, int stream) {
  if (settings.no_color || settings.color == "never") return false;
  if (settings.color == "always") return true;
  const char* no_color = std::getenv("NO_COLOR");
  return !(no_color && *no_color) && isatty(stream);
}

void WriteToStderr(const TerminalText& text) {
  const std::string bytes = text.str();
  std::fwrite(bytes.data(), 1, bytes.size(), stderr);
}

Context::Context(Context& run_of_all, Captured* into)
    : Settings(run_of_all), captured(into), progress(/*shown=*/false) {
  outside = run_of_all.outside;
  archive = run_of_all.archive;
  if (timeout) deadline = Limits::Clock::now() + std::chrono::seconds(timeout);
}

Trace Context::MakeTrace() {
  if (!trace) return {};
  return [this](std::string_view line) { PutError(TerminalText::Of("{}\n", line)); };
}

void Context::PutError(const TerminalText& text) {
  progress.Clear();
  if (captured)
    captured->err += text;
  else
    WriteToStderr(text);
}

void Context::Report(const Diagnostic& diagnostic) {
  reported.push_back(diagnostic);
  Place& place = reported.back().place;
  if (place.file.empty()) place.file = about;
  if (quiet && diagnostic.severity != Severity::kError) return;
  PutError(RenderText(reported.back(), WantColor(*this, STDERR_FILENO)));
}

void Context::Report(const Diagnostics& diagnostics) {
  for (const Diagnostic& d : diagnostics) Report(d);
}

int Context::Fail(const Diagnostics& diagnostics) {
  Report(diagnostics);
  return ExitCodeOf(diagnostics);
}

int Context::Fail(Code code, std::string message, Place place, std::string hint) {
  return Fail(Error(code, std::move(message), std::move(place), std::move(hint)).value());
}

void AddCommonFlags(Options& of_command, Context& ctx) {
  Options options = of_command.Below(kGeneralFlags);
  options.Flag("--json", &ctx.json, "print one JSON document instead of text");
  options.Choice("--color", &ctx.color, {"auto", "always", "never"},
                 "when to use colors (default: auto, on a terminal unless NO_COLOR is set)");
  options.Flag("--no-color", &ctx.no_color, "the same as --color=never");
  options.Flag("-q,--quiet", &ctx.quiet, "print no warnings, notes, summaries and progress");
}

void AddWindowFlags(Options& of_command, Context& ctx, std::string* window, bool* allow_outside_window) {
  Options options = of_command.Below(kWindowFlags);
  options.Option(
      "--window", window, "W",
      "compatibility window, such as backward=180d,forward=3w (default: 5 years back, 2 years forward)");
  options.Flag("--allow-outside-window", allow_outside_window, "skip the check of the compatibility window");
  options.Flag("--allow-other-dialects", &ctx.allow_other_dialects,
               "allow ops of other dialects for targets older than 1.11.0");
}

void AddLenientFlag(Options& options, Context& ctx) {
  ctx.offers_lenient = true;
  options.Below(kReadingFlags)
      .Flag("--lenient", &ctx.lenient, "accept violated constraints of the specification, with a warning");
}

void AddReadFlags(Options& of_command, Context& ctx) {
  Options options = of_command.Below(kReadingFlags);
  options.Option("--program", &ctx.program, "NAME",
                 "read one program of a jax.export file or SavedModel (see 'inspect')");
  options.Option("--from", &ctx.from, "V", "version of MLIR text that does not state one");
  AddOutsideFlags(options, ctx);
  options.Repeated("--dialect", &ctx.dialect_files, "FILE",
                   "TOML file that defines a dialect, to verify and convert its ops");
  AddLenientFlag(options, ctx);
  AddLimitFlags(options, ctx,
                "memory limit for unpacked data, evaluation and streams, in MiB (default: 160, and 64 times "
                "the input; 1024 for streams)");
  options.Flag("--trace", &ctx.trace, "trace every attribute and type read or written, to stderr");
}

void AddLimitFlags(Options& of_command, Context& ctx, const char* memory_help) {
  Options options = of_command.Below(kLimitFlags);
  // Readers and writers recurse; deeper nesting could overflow the stack.
  options.Number("--max-depth", &ctx.max_depth, kMaxNesting,
                 "maximum nesting depth of regions, types and attributes, up to 2000; of calls, up to 500 "
                 "(default: 500)");
  constexpr uint64_t kMost = uint64_t(1) << 40;
  options.Number("--max-memory", &ctx.max_memory, kMost, memory_help);
  options.Number("--max-output", &ctx.max_output, kMost,
                 "limit of printed text, in MiB (default: 32, and 64 times the input)");
  options.Number("--threads", &ctx.threads, 1024,
                 "threads per program; results do not depend on their number (default: one per processor)");
  // 30 years; a clock counts nanoseconds, of which 64 bits hold 292 years.
  options.Number("--timeout", &ctx.timeout, 1'000'000'000, "time limit in seconds (default: none)");
}

Limits Context::LimitsFor(uint64_t bytes) const {
  Limits limits = Limits::ForInput(bytes);
  if (max_memory != kBySize) limits.max_memory = max_memory << 20;
  if (max_output != kBySize) limits.max_output = max_output << 20;
  if (max_steps != kBySize) limits.max_steps = max_steps;
  if (max_work != kBySize) limits.max_work = max_work * 1'000'000;
  limits.max_depth = uint32_t(max_depth);
  limits.threads = captured ? 1 : uint32_t(threads);
  limits.deadline = deadline;
  limits.cancellation = cancellation;
  return limits;
}

uint64_t Context::MaxStream() const {
  return max_memory == kBySize ? kMaxStream : std::clamp<uint64_t>(max_memory << 20, 1, kMaxStream);
}

Limits Context::ProofLimits() const {
  Limits of_proof = limits();
  if (max_steps == kBySize) of_proof.max_steps = Limits().max_steps;
  return of_proof;
}

void EndByTimeout(const Settings& settings, bool color, const std::string& file) {
  const Diagnostic d = Error(Code::kLimit, StrFormat("stopped after the limit of {} s", settings.timeout),
                             {.file = file}, "raise the limit: --timeout")
                           .value()[0];
  WriteToStderr(RenderText(d, color));
  if (settings.json) {
    const std::string text = JsonText(settings.command, Json::object(), kBadInput, {d});
    std::fwrite(text.data(), 1, text.size(), stdout);
    std::fflush(stdout);
  }
  RemoveTemporaryFiles();
  ::_exit(kBadInput);
}

void Context::StartTimer() {
  if (timeout == 0) return;
  constexpr auto kGrace = std::chrono::milliseconds(250);
  deadline = Limits::Clock::now() + std::chrono::seconds(timeout);
  timer_stopped = std::make_shared<std::atomic<bool>>(false);
  // Copies: the other thread may be changing everything else, or end.
  std::thread([kGrace, settings = Settings(*this), color = WantColor(*this, STDERR_FILENO),
               stopped = timer_stopped] {
    std::this_thread::sleep_for(std::chrono::seconds(settings.timeout) + kGrace);
    if (!*stopped) EndByTimeout(settings, color, {});
  }).detach();
}

void Context::StopTimer() {
  deadline = Limits().deadline;
  if (timer_stopped) *timer_stopped = true;
}

ReadOptions Context::MakeReadOptions(const std::string& source_name, uint64_t bytes) {
  ReadOptions options;
  options.source_name = source_name;
  options.program = program;
  options.limits = LimitsFor(bytes);
  options.check_constants = check_constants;
  options.trace = MakeTrace();
  options.outside = OutsideOf(*this, source_name);
  return options;
}

int ReadInput(Context& ctx, const std::string& path, Input* out) {
  if (path == "-" && std::exchange(ctx.read_stdin, true)) return ctx.Fail(ReadAlready());
  if (path == "-" && isatty(STDIN_FILENO))
    ctx.progress.Clear();  // the user writes there
  else
    ctx.progress.Step("reading {}", NameText(path));
  out->file = SHLO_TAKE(ctx, OpenModelOrFile(ctx, path));
  ctx.bytes_read += out->file.bytes.size();
  ReadOptions options = ctx.MakeReadOptions(out->file.name, out->file.bytes.size());
  if (!ctx.from.empty() && !GetVersion(ctx, "--from", ctx.from, &options.version)) return kUsage;
  Diagnostics errors, warnings;
  static_cast<ProgramFile&>(*out) = ReadPrograms(std::move(out->file), options, &errors, &warnings);
  ctx.Report(warnings);
  ctx.Report(errors);
  if (!errors.empty()) return int(ReadStatusOf(errors));
  if (!ctx.keeps_mhlo) out->was_mhlo = LeaveMhlo(out->programs);
  return CheckFrom(ctx, options.version, *out);
}

void NoteLenient(Context& ctx, const Diagnostics& found) {
  bool violated = false;
  for (const Diagnostic& d : found) {
    if (d.severity == Severity::kError && d.code != Code::kConstraint) return;
    violated |= d.severity == Severity::kError;
  }
  if (!violated || !ctx.offers_lenient) return;
  Note(ctx, "the program violates only constraints of the specification",
       "pass --lenient to accept it with a warning", Code::kConstraint);
}

int ReadVerified(Context& ctx, const std::string& path, Input* out, Strictness strictness) {
  if (const int code = ReadInput(ctx, path, out); code != kDone) return code;
  ctx.progress.Step("checking {}", NameText(path));
  VerifyOptions options;
  options.strictness = ctx.lenient ? Strictness::kLenient : strictness;
  options.limits = ctx.limits();
  Diagnostics found;
  for (const Program& program : out->programs) {
    out->findings.push_back(VerifyProgram(program, ctx.Dialects(), options));
    found.insert(found.end(), out->findings.back().begin(), out->findings.back().end());
  }
  if (strictness == Strictness::kReference)
    std::erase_if(found, [](const Diagnostic& d) { return d.severity == Severity::kWarning; });
  ctx.Report(found);
  NoteLenient(ctx, found);
  return HasErrors(found) ? kFinding : kDone;
}

std::string ChooseHint(const Input& input) {
  if (!IsContainer(input.format)) return "split the file at its '// -----' lines";
  std::string names;
  for (const Program& program : input.programs)
    names += StrFormat("{}{}", names.empty() ? "" : ", ", NameText(program.name));
  return "pass --program=NAME with one of: " + names;
}

int ReadOne(Context& ctx, const std::string& path, Program* out, InputFile* file) {
  Input input;
  if (const int code = ReadVerified(ctx, path, &input); code != kDone) return code;
  if (input.programs.size() != 1 && input.format != Format::kJaxExport) {
    return ctx.Fail(Code::kUsage, StrFormat("expected 1 program, but the file has {}", input.programs.size()),
                    FileOnly(input.file.name), ChooseHint(input));
  }
  *out = std::move(input.programs[0]);
  if (file) *file = std::move(input.file);
  return kDone;
}

bool GetToday(Context& ctx, Date* out) {
  *out = Today();
  if (ctx.today.empty()) return true;
  const auto date = ParseDate(ctx.today);
  if (!date) {
    ctx.Fail(Code::kUsage, StrFormat("--today={}: {}", ctx.today, date.error()), {}, "write YYYY-MM-DD");
    return false;
  }
  *out = *date;
  return true;
}

void NoteRelease(Context& ctx, std::string_view flag, const std::string& text, Version version) {
  if (!text.starts_with("WEEK_") && !ParseDate(text)) return;
  Note(ctx, StrFormat("{}={} is {}, released {}", flag, text, VersionName(version),
                      ReleaseDateString(*FindVersion(version))));
}

bool GetVersion(Context& ctx, std::string_view flag, const std::string& text, Version* out) {
  Date today;
  if (!GetToday(ctx, &today)) return false;
  auto version = ParseVersion(text, today);
  if (!version) {
    // The flag may have taken the file for its value.
    if (ClaimsToBeProgram(text) || ::access(text.c_str(), F_OK) == 0)
      ctx.Fail(Code::kUnknownVersion, StrFormat("{}={}: '{}' is a file, not a version", flag, text, text), {},
               StrFormat("write the version first: {}=VERSION {}", flag, text));
    else if (text == "=")
      ctx.Fail(Code::kUnknownVersion, StrFormat("{} = is not a version", flag), {},
               StrFormat("write {}=VERSION without spaces", flag));
    else if (flag == "--target" && text.find_first_of("=<>~") != text.npos)
      ctx.Fail(Code::kUnknownVersion, StrFormat("{}={}: '{}' is a consumer, not a version", flag, text, text),
               {}, StrFormat("pass --for={}", text));
    else
      ctx.Fail(Code::kUnknownVersion, StrFormat("{}={}: {}", flag, text, version.error()), {},
               DidYouMean(NearestVersionWord(text), "run 'shlo-compat versions' for the list"));
    return false;
  }
  *out = *version;
  NoteRelease(ctx, flag, text, *out);
  return true;
}

bool GetRange(Context& ctx, std::string_view flag, const std::string& text, VersionRange* out, int* code) {
  const size_t dots = text.find("..");
  if (dots == text.npos) return false;
  const std::string from = text.substr(0, dots), to = text.substr(dots + 2);
  out->from = kMinimumVersion;
  out->to = kCurrentVersion;
  if ((!from.empty() && !GetVersion(ctx, flag, from, &out->from)) ||
      (!to.empty() && !GetVersion(ctx, flag, to, &out->to)))
    *code = kUsage;
  return true;
}

void Note(Context& ctx, std::string message, std::string hint, Code code) {
  ctx.Report(
      {.severity = Severity::kNote, .code = code, .message = std::move(message), .hint = std::move(hint)});
}

int PrintJson(Context& ctx, const Json& content, int code) {
  ctx.progress.Clear();
  const int wrote = WriteOut(ctx, "-", JsonText(ctx.command, content, code, ctx.reported), /*binary=*/false);
  return wrote == kDone ? code : wrote;
}

int PrintAnswer(Context& ctx, const Answer& answer, int code) {
  if (ctx.json) return PrintJson(ctx, answer.json, code);
  return answer.text.empty() ? code : std::max(code, Print(ctx, answer.text));
}

int Print(Context& ctx, const TerminalText& text) {
  ctx.progress.Clear();
  return WriteOut(ctx, "-", text.str(), false);
}

int WriteOut(Context& ctx, const std::string& path, std::string_view bytes, bool binary) {
  const auto write = [&](const Sink& sink) -> Result<void> {
    sink(bytes);
    return {};
  };
  return StreamOut(ctx, path, binary, write);
}

int StreamOut(Context& ctx, const std::string& path, bool binary,
              const std::function<Result<void>(const Sink&)>& write) {
  if (path == "-" && ctx.captured) {
    const Result<void> written = write([&](std::string_view piece) {
      ctx.captured->out += piece;
      return true;
    });
    return written ? kDone : ctx.Fail(written.error());
  }
  ctx.progress.Step("writing {}", NameText(path));
  if (path == "-") ctx.progress.Clear();
  OutputFile file(path, ctx.sync);
  SHLO_TAKE(ctx, file.Open(binary));
  const Result<void> written = write([&](std::string_view piece) {
    file.Append(piece);
    return !file.failed();
  });
  // Commit reports a failure of the system, with its reason.
  if (!written && !file.failed()) return ctx.Fail(written.error());
  auto committed = file.Commit();
  ctx.progress.Clear();
  return committed ? kDone : ctx.Fail(committed.error());
}

}  // namespace shlo::tool
