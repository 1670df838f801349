// The command without a name: reads programs, converts them to a version, writes them.
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/format.h"
#include "commands.h"
#include "conversion.h"
#include "many.h"
#include "shlo/mhlo.h"
#include "shlo/program_io.h"
#include "shlo/shlo_reader.h"

namespace shlo::tool {
namespace {

// Returns what to write. In a folder, names without the ending of a format keep the format of the input.
std::string EmitFor(const Context& ctx, const ConvertFlags& flags, Format input) {
  if (!flags.emit.empty()) return flags.emit;
  const std::string_view named = EmitOfName(ctx.out);
  if (!named.empty()) return std::string(named);
  return std::string(flags.out_dir.empty() || IsContainer(input) ? "text" : FormatName(input));
}

// Whether programs are written as they were read.
bool LeavesPrograms(const ConvertFlags& flags, const Goal& goal) {
  return !goal.target.valid() && flags.dialect_targets.empty() && !flags.expand && !flags.expand_composites &&
         !flags.fold && !flags.drop_hints && !flags.strip_debuginfo;
}

bool IsArtifact(const std::string& emit) { return emit == "shlo" || emit == "mlirbc"; }

WriteOptions OptionsFor(Context& ctx, const ConvertFlags& flags, const std::string& emit,
                        const Outcome& outcome) {
  WriteOptions options;
  options.sync = ctx.sync;
  if (emit == "shlo") options.format = Format::kShlo;
  if (emit == "mlirbc") options.format = Format::kMlirBytecode;
  options.text.locations = flags.locations;
  options.text.limits = options.shlo.limits = options.bytecode.limits = ctx.limits();
  options.text.generic = emit == "generic";
  options.text.spelling = emit == "vhlo" ? Spelling::kVhlo : Spelling::kStablehlo;
  options.shlo.locations = options.bytecode.locations = !flags.strip_debuginfo;
  options.bytecode.origin = outcome.from;
  options.shlo.producer = ToolName();
  options.text.trace = options.shlo.trace = options.bytecode.trace = ctx.MakeTrace();
  return options;
}

// Converts one program in place, for a portable artifact if `portable`. Reports all blockers and verification
// errors.
int ConvertOne(Context& ctx, const ConvertFlags& flags, const Goal& goal, bool portable, bool keeps_mhlo,
               const Diagnostics& findings, Program* program, Outcome* outcome) {
  ConversionRequest request;
  request.target = goal.target;
  request.window = goal.window;
  request.allow_outside_window = flags.allow_outside_window;
  request.allow_other_dialects = ctx.allow_other_dialects;
  request.portable = portable;
  request.keep_mhlo = keeps_mhlo;
  request.lenient = ctx.lenient;
  request.expand = flags.expand;
  request.expand_composites = flags.expand_composites;
  request.fold = flags.fold;
  request.drop_hints = flags.drop_hints;
  request.every_place = flags.every_place;
  request.fold_limit = flags.fold_limit;
  request.consumers = ctx.consumers.found;
  request.dialects = ctx.Dialects();
  request.dialect_targets = goal.dialects;
  request.limits = ctx.limits();
  Diagnostics reported;
  const auto converted = ConvertProgram(request, findings, program, outcome, &reported);
  ctx.Report(reported);
  if (converted) return kDone;
  const int code = ctx.Fail(converted.error());
  if (!outcome->invalid) return code;
  NoteLenient(ctx, converted.error());
  return kFinding;
}

Json OutcomeJson(const Outcome& outcome) {
  Json j = outcome.program;
  j.update(ConversionJson(outcome));
  return j;
}

int Finish(Context& ctx, const ConvertedFile& file, int code) {
  if (!ctx.json) return code;
  Json j;
  j["files"] = Json::array();
  if (!ctx.files.empty()) j["files"].push_back(FileJson(ctx.files[0], ProgramsJson(file.outcomes)));
  if (!ctx.consumers.resolved.empty()) j["consumers"] = ctx.consumers.resolved;
  j["output"] = ctx.out;
  if (ctx.out == "-" && code == kDone) j["text"] = file.text;
  return PrintJson(ctx, j, code);
}

// One certificate is about two files, each with one program.
int CheckProveFlags(Context& ctx, const ProveFlags& flags, const std::string& emit, bool keeps_container,
                    const Input& input) {
  if (!flags.prove.empty() && flags.prove != "*" && flags.prove != "carry")
    return ctx.Fail(Code::kUsage, StrFormat("--prove={} is not known", flags.prove), {},
                    "pass --prove or --prove=carry");
  if (flags.prove == "carry" && (emit != "shlo" || keeps_container))
    return ctx.Fail(Code::kUsage, "--prove=carry: only a .shlo file can carry a certificate", {},
                    "pass --certificate=OUT");
  const bool certificate = flags.prove == "carry" || !flags.certificate.file.empty();
  if (certificate && (keeps_container || input.programs.size() != 1))
    return ctx.Fail(Code::kUsage, "a certificate is about files with one program each",
                    {.file = input.file.name}, "pass --extract, or convert the programs one by one");
  return kDone;
}

constexpr const char* kNoInputHint = "pass a file: shlo-compat --target=V FILE; '-' is standard input";

// Finds arguments that were not meant as files: `shlo-compat convert m.mlir`, `shlo-compat in.mlir out.mlir`.
int CheckWords(Context& ctx, const ConvertFlags& flags) {
  const auto exists = [](const std::string& path) { return ::access(path.c_str(), F_OK) == 0; };
  const std::string &first = ctx.files[0], &last = ctx.files.back();
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_";
  if (flags.out_dir.empty() && first.size() > 1 && first.find_first_not_of(kLetters) == first.npos &&
      !exists(first))
    return ctx.Fail(Code::kUsage, StrFormat("'{}' is neither a file nor a command", first), {},
                    CommandHint(first));
  if (ctx.files.size() == 2 && flags.out_dir.empty() && ctx.out == "-" && exists(first) &&
      ClaimsToBeProgram(last) && !exists(last))
    return ctx.Fail(Code::kUsage, "there is no such file; -o names the output", {.file = last},
                    StrFormat("run 'shlo-compat -o {} {}'", last, first));
  return kDone;
}

int RunConvert(Context& ctx, const Options& options, const ConvertFlags& flags) {
  if (flags.sync) ctx.sync = Sync::kAlways;
  Goal goal;
  if (ctx.files.empty()) {
    // A flag may have taken the file for its value, which is then wrong.
    const int code = ResolveGoal(ctx, flags, &goal);
    return Finish(ctx, {}, code != kDone ? code : ctx.Fail(Code::kUsage, "no input file", {}, kNoInputHint));
  }
  if (const int code = CheckWords(ctx, flags); code != kDone) return Finish(ctx, {}, code);
  ctx.StopTimer();
  const Inputs inputs = CollectInputs(ctx.files, flags.out_dir);
  if (inputs.many || !flags.out_dir.empty()) return ConvertMany(ctx, options, flags, inputs);
  ctx.StartTimer();
  const auto usage = [&](std::string message, std::string hint) {
    return Finish(ctx, {}, ctx.Fail(Code::kUsage, std::move(message), {}, std::move(hint)));
  };
  if (flags.resume) return usage("--resume requires a folder for the outputs", "pass --out-dir=DIR");
  if (ctx.json && ctx.out == "-" && IsArtifact(flags.emit))
    return usage("cannot write both JSON and an artifact to stdout", "pass -o OUT");
  if (const int code = ResolveGoal(ctx, flags, &goal); code != kDone) return Finish(ctx, {}, code);
  // The process ends next, and takes its memory with it: to free a large program takes longer.
  static ConvertedFile* const file = new ConvertedFile;
  const int code = ConvertFile(ctx, flags, goal, file);
  return Finish(ctx, *file, code);
}

}  // namespace

int ResolveGoal(Context& ctx, const ConvertFlags& flags, Goal* goal) {
  if (!flags.target.empty() && !GetVersion(ctx, "--target", flags.target, &goal->target)) return kUsage;
  if (!ctx.consumers.requirements.empty()) {
    if (goal->target.valid())
      return ctx.Fail(Code::kUsage, "--target and --for both state the version to convert to", {},
                      "pass one of them");
    if (const int code = ResolveConsumers(ctx, &goal->target); code != kDone)
      return code == kIoError ? code : kUsage;
  }
  auto dialects = ParseDialectTargets(flags.dialect_targets, ctx.Dialects());
  if (!dialects) {
    ctx.Report(dialects.error());
    return kUsage;
  }
  goal->dialects = std::move(*dialects);
  if (flags.window.empty()) return kDone;
  auto parsed = ParseCompatibilityWindow(flags.window);
  if (!parsed) {
    ctx.Report(parsed.error());
    return kUsage;
  }
  goal->window = *parsed;
  return kDone;
}

Json ProgramsJson(const std::vector<Outcome>& outcomes) {
  Json programs = Json::array();
  for (const Outcome& outcome : outcomes) programs.push_back(OutcomeJson(outcome));
  return programs;
}

int ConvertFile(Context& ctx, const ConvertFlags& given, const Goal& goal, ConvertedFile* out) {
  ConvertFlags flags = given;
  Input& input = out->input;
  if (flags.container.extract.size() > 1) ctx.program = flags.container.extract;
  ctx.keeps_mhlo = true;
  int worst = ReadVerified(ctx, ctx.files[0], &input);
  // Of many files, only some are containers.
  if (!flags.out_dir.empty() && !IsContainer(input.format)) flags.container = {};
  if (worst == kDone) worst = ChoosePrograms(ctx, flags.container, flags.emit, &input);
  if (worst != kDone) return worst;
  const std::string emit = EmitFor(ctx, flags, input.format);
  const bool keeps_container = KeepsContainer(ctx, flags.container, input);
  if (IsArtifact(emit) && input.programs.size() != 1)
    return ctx.Fail(Code::kUsage,
                    StrFormat("an artifact holds 1 program, but the file has {}", input.programs.size()),
                    {.file = input.file.name}, "split the file at its '// -----' lines");
  if (const int code = CheckProveFlags(ctx, flags.prove, emit, keeps_container, input); code != kDone)
    return code;
  ctx.progress.Step("converting {}", NameText(ctx.files[0]));
  std::vector<std::string> held;  // programs to write into the container
  Certificate certificate;
  const bool portable = keeps_container ? !LeavesPrograms(flags, goal) : emit == "mlirbc";
  const bool keeps_mhlo = !keeps_container && (emit == "text" || emit == "generic");
  const bool keeps_text = ctx.json && ctx.out == "-";
  const bool streams = !flags.prove.any() && (IsArtifact(emit) || !(keeps_text || ctx.captured));
  for (size_t i = 0; i < input.programs.size(); ++i) {
    Program& program = input.programs[i];
    Outcome& outcome = out->outcomes.emplace_back();
    outcome.program = ProgramJson(program);
    Program original;
    if (flags.prove.any()) original = program;
    // Ops that CHLO has are proved as ops of CHLO.
    if (original.source.mhlo) LeaveMhlo(&original.module, nullptr);
    int code = ConvertOne(ctx, flags, goal, portable, keeps_mhlo, input.findings[i], &program, &outcome);
    if (code == kDone && (keeps_container ? !LeavesPrograms(flags, goal) : !streams)) {
      WriteOptions options = OptionsFor(ctx, flags, emit, outcome);
      if (keeps_container) options.format = Format::kMlirBytecode;
      auto written = WriteProgram(program, options);
      if (written && flags.prove.any()) {
        code =
            ProveConverted(ctx, flags.prove, original, input.file, options, program, &*written, &certificate);
        worst = std::max(worst, code);
        if (code != kDone) continue;
      }
      if (written && keeps_container) {
        held.push_back(std::move(*written));
      } else if (written) {
        if (!out->text.empty()) out->text += "\n// -----\n\n";
        out->text += *written;
      } else {
        code = ctx.Fail(written.error());
      }
    }
    worst = std::max(worst, code);
  }
  // Write all programs or none: a partial output would look complete.
  if (worst != kDone) return worst;
  std::error_code error;
  const bool in_place = ctx.out != "-" && std::filesystem::equivalent(ctx.files[0], ctx.out, error);
  if (keeps_container) {
    worst = WriteKeptContainer(ctx, flags.container, input, std::move(held));
  } else if (IsArtifact(emit) && flags.prove.any()) {
    worst = WriteOut(ctx, ctx.out, out->text, /*binary=*/true);
  } else if (streams) {
    ctx.progress.Step("writing {}", NameText(ctx.out));
    if (ctx.out == "-") ctx.progress.Clear();
    std::vector<WriteOptions> options;
    for (const Outcome& outcome : out->outcomes) options.push_back(OptionsFor(ctx, flags, emit, outcome));
    const auto written = WriteProgramsFile(input.programs, ctx.out, options);
    ctx.progress.Clear();
    if (!written) worst = ctx.Fail(written.error());
  } else if (!keeps_text) {
    worst = WriteOut(ctx, ctx.out, out->text, /*binary=*/false);
  }
  if (worst == kDone && in_place) Note(ctx, StrFormat("the output replaced the input '{}'", ctx.out));
  return worst == kDone ? WriteCertificate(ctx, flags.prove.certificate, certificate) : worst;
}

void AddConvert(Options& options, Context& ctx) {
  auto flags = std::make_shared<ConvertFlags>();
  options.Arguments("PATH", &ctx.files,
                    "program to convert; with --out-dir also several, folders and patterns",
                    /*required=*/false);
  options.Option("--target", &flags->target, "V", "version to convert to (default: the program's own)");
  AddConsumerFlags(options, ctx);
  options.Choice(
      "--emit", &flags->emit, {"text", "generic", "vhlo", "shlo", "mlirbc"},
      "output format: StableHLO text, generic-form text, VHLO text, .shlo archive, or portable artifact "
      "(MLIR bytecode) (default: by the ending of OUT: .shlo, .mlirbc or .bc, otherwise text)");
  options.Option("-o,--output", &ctx.out, "OUT", "output file (default: -, standard output)");
  options.Flag("--strip-debuginfo", &flags->strip_debuginfo, "omit debug locations from the artifact");
  options.Flag("--locations", &flags->locations, "print locations in text");
  options.Flag("--sync", &flags->sync,
               "wait until the output is on the disk (default: only if it replaces a file)");
  options.Flag(
      "--all", &flags->every_place,
      "list each place of what the target lacks (default: the first of each cause, with their number)");
  Options rewriting = options.Below("Rewriting");
  rewriting.Flag("--expand", &flags->expand,
                 "rewrite ops that the target lacks, and all of CHLO, into ops that it has");
  rewriting.Flag("--expand-composites", &flags->expand_composites,
                 "rewrite what the target lacks; composites become calls of their decompositions");
  rewriting.Flag("--drop-hints", &flags->drop_hints,
                 "leave out attributes that change no result, such as sdy.sharding_rule");
  rewriting.Flag("--fold", &flags->fold, "fold constants");
  rewriting.Number("--fold-limit", &flags->fold_limit, uint64_t(1) << 40,
                   "largest constant to create, in elements (default: 65536)");
  Options many = options.Below("Many files");
  many.Option("--out-dir", &flags->out_dir, "DIR",
              "folder for the outputs of several inputs, with the paths that these have");
  AddJobsFlag(many, &flags->jobs);
  many.Flag("--keep-going", &flags->keep_going, "go on with other files after one that fails");
  many.Flag("--resume", &flags->resume,
            "skip inputs whose output was made from the same content with the same options");
  Options containers = options.Below("Containers");
  containers.OptionalValue("--extract", &flags->container.extract, "[=NAME]",
                           "write a program of a jax.export file or SavedModel alone (default: the container "
                           "with its programs converted, if -o is given)");
  containers.Option(
      "--container-version", &flags->container.version, "V",
      "release of jax (0.8.1) or TensorFlow (2.17) that must read the container, or the version of its "
      "layout or of XlaCallModule");
  AddWindowFlags(options, ctx, &flags->window, &flags->allow_outside_window);
  options.Below(kWindowFlags)
      .Repeated("--dialect-target", &flags->dialect_targets, "NAME=V",
                "version of a dialect of --dialect to convert to (default: the one that goes with --target)");
  AddProveFlags(options, ctx, &flags->prove);
  AddReadFlags(options, ctx);
  AddCommonFlags(options, ctx);
  ctx.run = [&ctx, options, flags] { return RunConvert(ctx, options, *flags); };
}

}  // namespace shlo::tool
