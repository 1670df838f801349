#include "common.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>

#include "shlo/mlirbc_reader.h"
#include "shlo/shlo_reader.h"
#include "shlo/text_reader.h"
#include "shlo/verify.h"

namespace shlo::tool {
namespace {

bool WantColor(const Context& ctx) {
  const char* no_color = std::getenv("NO_COLOR");
  return !ctx.no_color && !(no_color && *no_color) && isatty(STDERR_FILENO);
}

Place FileOnly(const std::string& name) {
  Place place;
  place.file = name;
  return place;
}

// A program that cannot be read is invalid input, whatever the code of the diagnostic.
int FailToRead(Context& ctx, const Diagnostics& why) {
  const int code = ctx.Fail(why);
  return code == kIoError ? kIoError : kBadInput;
}

// Appends the program of an artifact. Artifacts state their version, so --from must agree with it.
int TakeArtifact(Context& ctx, Input* out, Result<Module> module) {
  if (!module) return FailToRead(ctx, module.error());
  Version from;
  if (!ctx.from.empty()) {
    if (!GetVersion(ctx, "--from", ctx.from, &from)) return kUsage;
    if (from != module->version) {
      return ctx.Fail(Code::kUsage,
                      fmt::format("--from={} conflicts with the artifact's version {}", ctx.from,
                                  VersionName(module->version)),
                      FileOnly(out->file.name), "drop --from, artifacts state their version");
    }
  }
  out->programs.push_back({std::move(*module)});
  return kDone;
}

int ReadShloInput(Context& ctx, Input* out) {
  ShloReadOptions options;
  options.source_name = out->file.name;
  options.max_depth = uint32_t(ctx.max_depth);
  options.trace = ctx.MakeTrace();
  return TakeArtifact(ctx, out, ReadShlo(out->file.bytes, out->file.owner, options));
}

int ReadMlirBytecodeInput(Context& ctx, Input* out) {
  MlirBytecodeReadOptions options;
  options.source_name = out->file.name;
  options.max_depth = uint32_t(ctx.max_depth);
  options.max_unpacked = ctx.max_unpacked;
  options.trace = ctx.MakeTrace();
  Diagnostics warnings;
  auto module = ReadMlirBytecode(out->file.bytes, out->file.owner, options, &warnings);
  ctx.Report(warnings);
  return TakeArtifact(ctx, out, std::move(module));
}

int ReadTextInput(Context& ctx, Input* out) {
  TextReadOptions options;
  options.source_name = out->file.name;
  options.max_depth = uint32_t(ctx.max_depth);
  options.trace = ctx.MakeTrace();
  if (!ctx.from.empty() && !GetVersion(ctx, "--from", ctx.from, &options.version)) return kUsage;
  int worst = kDone;
  for (const TextChunk& chunk : SplitText(out->file.bytes)) {
    options.first_line = chunk.first_line;
    auto module = ReadText(chunk.text, out->file.owner, options);
    if (module) {
      out->programs.push_back({std::move(*module), chunk.first_line});
    } else {
      worst = std::max(worst, FailToRead(ctx, module.error()));
    }
  }
  return worst;
}

}  // namespace

Trace Context::MakeTrace() {
  if (!trace) return {};
  return [this](std::string_view line) {
    progress.Clear();
    std::fprintf(stderr, "%.*s\n", int(line.size()), line.data());
  };
}

void Context::Report(const Diagnostic& diagnostic) {
  progress.Clear();
  const std::string text = Render(diagnostic, WantColor(*this));
  std::fwrite(text.data(), 1, text.size(), stderr);
  reported.push_back(diagnostic);
}

void Context::Report(const Diagnostics& diagnostics) {
  for (const Diagnostic& d : diagnostics) Report(d);
}

int Context::Fail(const Diagnostics& diagnostics) {
  Report(diagnostics);
  for (const Diagnostic& d : diagnostics) {
    if (d.severity == Severity::kError) return ExitCodeOf(d.code);
  }
  return kFinding;
}

int Context::Fail(Code code, std::string message, Place place, std::string hint) {
  return Fail(Error(code, std::move(message), std::move(place), std::move(hint)).value());
}

int ExitCodeOf(Code code) {
  switch (code) {
    case Code::kSyntax:
    case Code::kMalformed:
    case Code::kChecksum:
    case Code::kLimit:
    case Code::kUnknownVersion:
    case Code::kNewerVersion:
    case Code::kUnsupported:
      return kBadInput;
    case Code::kInvalidProgram:
    case Code::kConstraint:
    case Code::kBlocked:
    case Code::kOutsideWindow:
    case Code::kEvaluation:
    case Code::kNotEqual:
      return kFinding;
    case Code::kUsage:
      return kUsage;
    case Code::kIo:
      return kIoError;
  }
  return kBadInput;
}

void AddCommonFlags(Options& options, Context& ctx) {
  options.Flag("--json", &ctx.json, "print one JSON document instead of text");
  options.Flag("--no-color", &ctx.no_color, "disable colors (also: set NO_COLOR)");
}

void AddReadFlags(Options& options, Context& ctx) {
  options.Option("--from", &ctx.from, "V", "version of MLIR text that does not state one");
  // Readers and writers recurse; deeper nesting could overflow the stack.
  constexpr uint64_t kDeepest = 2000;
  options.Number("--max-depth", &ctx.max_depth, kDeepest,
                 "maximum nesting depth of regions, types and attributes (default: 500)");
  options.Number("--max-unpacked", &ctx.max_unpacked, ~uint64_t(0),
                 "memory limit for unpacking bit-packed booleans, in bytes (default: 4 GiB)");
  options.Flag("--trace", &ctx.trace, "trace every attribute and type read or written, to stderr");
}

std::string_view FormatName(Format format) {
  switch (format) {
    case Format::kShlo:
      return "shlo";
    case Format::kMlirBytecode:
      return "mlirbc";
    case Format::kText:
      break;
  }
  return "text";
}

int ReadInput(Context& ctx, const std::string& path, Input* out) {
  ctx.progress.Step("reading " + path);
  auto file = OpenInput(path);
  if (!file) return ctx.Fail(file.error());
  out->file = std::move(*file);
  out->programs.clear();
  const std::string_view bytes = out->file.bytes;
  out->format = IsMlirBytecode(bytes) ? Format::kMlirBytecode : IsShlo(bytes) ? Format::kShlo : Format::kText;
  if (out->format == Format::kMlirBytecode) return ReadMlirBytecodeInput(ctx, out);
  if (out->format == Format::kShlo) return ReadShloInput(ctx, out);
  // Binary data would cause one syntax error per byte.
  const size_t nul = bytes.substr(0, 4096).find('\0');
  if (nul != std::string_view::npos) {
    Place place = FileOnly(out->file.name);
    place.offset = nul;
    return ctx.Fail(Code::kMalformed,
                    "unrecognized format: not MLIR text (contains a NUL byte), MLIR bytecode or .shlo", place,
                    "check that the file is complete");
  }
  return ReadTextInput(ctx, out);
}

int ReadVerified(Context& ctx, const std::string& path, Input* out, bool show_warnings) {
  if (const int code = ReadInput(ctx, path, out); code != kDone) return code;
  ctx.progress.Step("checking " + path);
  VerifyOptions options;
  options.strict = ctx.strict && show_warnings;
  int worst = kDone;
  for (Program& program : out->programs) {
    const Diagnostics found = Verify(program.module, options);
    if (HasErrors(found)) worst = kFinding;
    for (const Diagnostic& d : found) {
      if (show_warnings || d.severity != Severity::kWarning) ctx.Report(d);
    }
  }
  return worst;
}

int ReadOne(Context& ctx, const std::string& path, Module* out, Buffer* owner) {
  Input input;
  if (const int code = ReadVerified(ctx, path, &input); code != kDone) return code;
  if (input.programs.size() != 1) {
    return ctx.Fail(Code::kUsage,
                    fmt::format("expected 1 program, but the file has {}", input.programs.size()),
                    FileOnly(input.file.name), "split the file at its '// -----' lines");
  }
  *out = std::move(input.programs[0].module);
  *owner = input.file.owner;
  return kDone;
}

bool GetVersion(Context& ctx, std::string_view flag, const std::string& text, Version* out) {
  auto version = ParseVersion(text);
  if (!version) {
    ctx.Fail(Code::kUnknownVersion, fmt::format("{}={}: {}", flag, text, version.error()), {},
             "run 'shlo-compat versions' for the list");
    return false;
  }
  *out = *version;
  return true;
}

int Print(Context& ctx, std::string_view text) {
  ctx.progress.Clear();
  return WriteOut(ctx, "-", text, false);
}

int WriteOut(Context& ctx, const std::string& path, std::string_view bytes, bool binary) {
  ctx.progress.Step("writing " + path);
  OutputFile file(path);
  if (auto opened = file.Open(binary); !opened) return ctx.Fail(opened.error());
  ctx.progress.Clear();
  file.Append(bytes);  // Commit reports a failure
  if (auto committed = file.Commit(); !committed) return ctx.Fail(committed.error());
  return kDone;
}

}  // namespace shlo::tool
