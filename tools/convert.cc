// The command without a name: reads programs, converts them to a version, writes them.
#include "shlo/convert.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <optional>

#include "commands.h"
#include "containers.h"
#include "fold.h"
#include "ir/module/node_versions.h"
#include "ir/nearest.h"
#include "proofs.h"
#include "shlo/expand.h"
#include "shlo/program_io.h"
#include "shlo/verify.h"
#include "shlo/window.h"

namespace shlo::tool {
namespace {

struct ConvertFlags {
  std::string target;
  std::string emit;
  std::string window;
  std::string file;
  ContainerFlags container;
  ProveFlags prove;
  bool allow_outside_window = false;
  bool strip_debuginfo = false;
  bool locations = false;
  bool fold = false;
  bool expand = false;
  bool expand_composites = false;
  uint64_t fold_limit = KnownOptions().max_elements;
};

// The conversion of one program, for --json.
struct Outcome {
  Json program;  // ProgramJson
  Version from;
  Version to;
  std::vector<AppliedStep> steps;
  std::vector<ExpandedOps> expanded;
  std::string bytes;
};

std::string EmitFor(const Context& ctx, const ConvertFlags& flags) {
  if (!flags.emit.empty()) return flags.emit;
  const std::string_view named = EmitOfName(ctx.out);
  return std::string(named.empty() ? "text" : named);
}

// Whether programs are written as they were read.
bool LeavesPrograms(const ConvertFlags& flags) {
  return flags.target.empty() && !flags.expand && !flags.fold && !flags.strip_debuginfo;
}

bool IsArtifact(const std::string& emit) { return emit == "shlo" || emit == "mlirbc"; }

WriteOptions OptionsFor(Context& ctx, const ConvertFlags& flags, const Outcome& outcome) {
  const std::string emit = EmitFor(ctx, flags);
  WriteOptions options;
  if (emit == "shlo") options.format = Format::kShlo;
  if (emit == "mlirbc") options.format = Format::kMlirBytecode;
  options.text.locations = flags.locations;
  options.text.limits = options.shlo.limits = options.bytecode.limits = ctx.limits();
  options.text.generic = emit == "generic";
  options.text.spelling = emit == "vhlo" ? Spelling::kVhlo : Spelling::kStablehlo;
  options.shlo.locations = options.bytecode.locations = !flags.strip_debuginfo;
  options.bytecode.origin = outcome.from;
  options.shlo.producer = fmt::format("shlo-compat {}", SHLO_TOOL_VERSION);
  options.text.trace = options.shlo.trace = options.bytecode.trace = ctx.MakeTrace();
  return options;
}

// Converts one program in place, for a portable artifact if `portable`. Reports all blockers and verification
// errors.
int ConvertOne(Context& ctx, const ConvertFlags& flags, Version target, const CompatibilityWindow& window,
               bool portable, Program* program, Outcome* outcome) {
  Module* const module = &program->module;
  outcome->from = module->version;
  outcome->to = target.valid() ? target : module->version;
  if (outcome->to != module->version && !flags.allow_outside_window) {
    if (auto inside = CheckCompatibilityWindow(module->version, outcome->to, window); !inside)
      return ctx.Fail(inside.error());
  }
  // Fold first, because the target need not have ops that folding removes.
  if (flags.fold) {
    auto folded = FoldConstants(*module, {.max_elements = flags.fold_limit}, &program->source.places);
    if (!folded) return ctx.Fail(folded.error());
    *module = std::move(*folded);
  }
  ConvertOptions options;
  options.limits = ctx.limits();
  // Below kOtherDialects a portable artifact has fewer attributes than text of the same version.
  options.portable = portable;
  options.source = &program->source;
  options.allow_other_dialects = ctx.allow_other_dialects;
  if (flags.expand || flags.expand_composites) {
    ExpandOptions expand;
    expand.target = outcome->to;
    expand.chlo = flags.expand;
    expand.composites = flags.expand_composites;
    expand.convert = options;
    auto expansion = Expand(*module, expand, &program->source.places);
    if (!expansion) return ctx.Fail(expansion.error());
    ctx.Report(expansion->left);
    outcome->expanded = std::move(expansion->ops);
    *module = std::move(expansion->module);
  }
  if (outcome->to != module->version || (options.portable && outcome->to < kOtherDialects)) {
    auto conversion = Convert(*module, outcome->to, options);
    if (!conversion) return ctx.Fail(conversion.error());
    ctx.Report(conversion->warnings);
    outcome->steps = std::move(conversion->steps);
    *module = std::move(conversion->module);
  }
  for (const Consumer& consumer : ctx.consumers.found)
    if (const Diagnostics lacks = ConsumerBlockers(*module, consumer, &program->source); !lacks.empty())
      return ctx.Fail(lacks);
  VerifyOptions verify;
  verify.limits = options.limits;
  verify.source = &program->source;
  verify.strict = ctx.strict;
  const Diagnostics found = Verify(*module, verify);
  ctx.Report(found);
  return HasErrors(found) ? kFinding : kDone;
}

Json ToJson(const Outcome& outcome) {
  Json j = outcome.program;
  j["from"] = tool::ToJson(outcome.from);
  j["to"] = tool::ToJson(outcome.to);
  Json steps = Json::array();
  for (const AppliedStep& step : outcome.steps) {
    Json s;
    s["from"] = step.from;
    s["to"] = step.to;
    s["boundary"] = tool::ToJson(step.boundary);
    s["op_count"] = step.ops;
    steps.push_back(std::move(s));
  }
  j["steps"] = std::move(steps);
  Json expanded = Json::array();
  for (const ExpandedOps& ops : outcome.expanded) {
    Json e;
    e["name"] = ops.op;
    e["op_count"] = ops.count;
    expanded.push_back(std::move(e));
  }
  j["expanded"] = std::move(expanded);
  return j;
}

int Finish(Context& ctx, const std::vector<Outcome>& outcomes, const std::string& text, int code) {
  if (!ctx.json) return code;
  Json j;
  Json programs = Json::array();
  for (const Outcome& outcome : outcomes) programs.push_back(ToJson(outcome));
  j["files"] = Json::array();
  if (!ctx.files.empty()) j["files"].push_back(FileJson(ctx.files[0], std::move(programs)));
  j["output"] = ctx.out;
  if (ctx.out == "-" && code == kDone) j["text"] = text;
  return PrintJson(ctx, j, code);
}

// One certificate is about two files, each with one program.
int CheckProveFlags(Context& ctx, const ProveFlags& flags, const std::string& emit, bool keeps_container,
                    const Input& input) {
  if (!flags.prove.empty() && flags.prove != "*" && flags.prove != "carry")
    return ctx.Fail(Code::kUsage, fmt::format("--prove={} is not known", flags.prove), {},
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

int RunConvert(Context& ctx, const ConvertFlags& flags) {
  if (flags.file.empty()) {
    return Finish(
        ctx, {}, {},
        ctx.Fail(Code::kUsage, "no input file", {}, "pass an input file, or run 'shlo-compat --help'"));
  }
  ctx.files = {flags.file};
  const bool exists = ::access(flags.file.c_str(), F_OK) == 0;
  if (const std::string_view command = exists ? "" : NearestCommand(flags.file); !command.empty())
    return Finish(ctx, {}, {},
                  ctx.Fail(Code::kUsage, fmt::format("'{}' is neither a file nor a command", flags.file), {},
                           DidYouMean(command)));
  const std::string emit = EmitFor(ctx, flags);
  std::vector<Outcome> outcomes;
  std::string text;
  if (IsArtifact(emit) && ctx.json && ctx.out == "-") {
    return Finish(
        ctx, outcomes, text,
        ctx.Fail(Code::kUsage, "cannot write both JSON and an artifact to stdout", {}, "pass -o OUT"));
  }
  Version target;
  if (!flags.target.empty() && !GetVersion(ctx, "--target", flags.target, &target)) {
    return Finish(ctx, outcomes, text, kUsage);
  }
  if (!ctx.consumers.requirements.empty()) {
    if (target.valid())
      return Finish(ctx, outcomes, text,
                    ctx.Fail(Code::kUsage, "--target and --for both state the version to convert to", {},
                             "pass one of them"));
    if (const int code = ResolveConsumers(ctx, &target); code != kDone)
      return Finish(ctx, outcomes, text, code == kIoError ? code : kUsage);
  }
  CompatibilityWindow window;
  if (!flags.window.empty()) {
    auto parsed = ParseCompatibilityWindow(flags.window);
    if (!parsed) {
      ctx.Report(parsed.error());
      return Finish(ctx, outcomes, text, kUsage);
    }
    window = *parsed;
  }
  if (flags.container.extract.size() > 1) ctx.program = flags.container.extract;
  Input input;
  int worst = ReadVerified(ctx, flags.file, &input);
  if (worst == kDone) worst = ChoosePrograms(ctx, flags.container, flags.emit, &input);
  if (worst != kDone) return Finish(ctx, outcomes, text, worst);
  const bool keeps_container = KeepsContainer(ctx, flags.container, input);
  if (IsArtifact(emit) && input.programs.size() != 1) {
    Place place;
    place.file = input.file.name;
    return Finish(
        ctx, outcomes, text,
        ctx.Fail(Code::kUsage,
                 fmt::format("an artifact holds 1 program, but the file has {}", input.programs.size()),
                 std::move(place), "split the file at its '// -----' lines"));
  }
  if (const int code = CheckProveFlags(ctx, flags.prove, emit, keeps_container, input); code != kDone)
    return Finish(ctx, outcomes, text, code);
  ctx.progress.Step("converting " + flags.file);
  std::vector<std::string> held;  // programs to write into the container
  Certificate certificate;
  const bool portable = keeps_container ? !LeavesPrograms(flags) : emit == "mlirbc";
  for (Program& program : input.programs) {
    Outcome& outcome = outcomes.emplace_back();
    outcome.program = ProgramJson(program);
    const Program original = flags.prove.any() ? program : Program();
    int code = ConvertOne(ctx, flags, target, window, portable, &program, &outcome);
    const bool in_memory = flags.prove.any() || !IsArtifact(emit);
    if (code == kDone && (keeps_container ? !LeavesPrograms(flags) : in_memory)) {
      WriteOptions options = OptionsFor(ctx, flags, outcome);
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
        if (!text.empty()) text += "\n// -----\n\n";
        text += *written;
      } else {
        code = ctx.Fail(written.error());
      }
    }
    worst = std::max(worst, code);
  }
  // Write all programs or none: a partial output would look complete.
  if (worst == kDone) {
    if (keeps_container) {
      worst = WriteKeptContainer(ctx, flags.container, input, std::move(held));
    } else if (IsArtifact(emit) && flags.prove.any()) {
      worst = WriteOut(ctx, ctx.out, text, /*binary=*/true);
    } else if (IsArtifact(emit)) {
      ctx.progress.Step("writing " + ctx.out);
      const auto written = WriteProgramFile(input.programs[0], ctx.out, OptionsFor(ctx, flags, outcomes[0]));
      if (!written) worst = ctx.Fail(written.error());
    } else if (!ctx.json || ctx.out != "-") {
      worst = WriteOut(ctx, ctx.out, text, /*binary=*/false);
    }
    if (worst == kDone) worst = WriteCertificate(ctx, flags.prove.certificate, certificate);
  }
  return Finish(ctx, outcomes, text, worst);
}

}  // namespace

void AddConvert(Options& options, Context& ctx) {
  auto flags = std::make_shared<ConvertFlags>();
  options.Argument("FILE", &flags->file, "program to convert", /*required=*/false);
  options.Option("--target", &flags->target, "V", "version to convert to (default: the program's own)");
  AddConsumerFlags(options, ctx);
  options.Choice(
      "--emit", &flags->emit, {"text", "generic", "vhlo", "shlo", "mlirbc"},
      "output format: StableHLO text, generic-form text, VHLO text, .shlo archive, or portable artifact "
      "(MLIR bytecode) (default: by the ending of OUT: .shlo, .mlirbc or .bc, otherwise text)");
  options.Option("-o,--output", &ctx.out, "OUT", "output file (default: -, standard output)");
  options.OptionalValue("--extract", &flags->container.extract, "[=NAME]",
                        "write a program of a jax.export file or SavedModel alone (default: the container "
                        "with its programs converted, if -o is given)");
  options.Option(
      "--container-version", &flags->container.version, "V",
      "release of jax that must read the jax.export file, such as 0.8.1, or its serialization version");
  options.Option(
      "--window", &flags->window, "W",
      "compatibility window, such as backward=180d,forward=3w (default: 5 years back, 2 years forward)");
  options.Flag("--allow-outside-window", &flags->allow_outside_window,
               "skip the check of the compatibility window");
  options.Flag("--allow-other-dialects", &ctx.allow_other_dialects,
               "allow ops of other dialects for targets older than 1.11.0");
  options.Flag("--strict", &ctx.strict, "treat constraint warnings as errors");
  options.Flag("--strip-debuginfo", &flags->strip_debuginfo, "omit debug locations from the artifact");
  options.Flag("--expand", &flags->expand,
               "rewrite ops that the target lacks, and all of CHLO, into ops that it has");
  options.Flag("--expand-composites", &flags->expand_composites,
               "rewrite what the target lacks; composites become calls of their decompositions");
  options.Flag("--fold", &flags->fold, "fold constants");
  options.Number("--fold-limit", &flags->fold_limit, uint64_t(1) << 40,
                 "largest constant to create, in elements (default: 65536)");
  options.Flag("--locations", &flags->locations, "print locations in text");
  AddProveFlags(options, ctx, &flags->prove);
  AddReadFlags(options, ctx);
  AddCommonFlags(options, ctx);
  ctx.run = [&ctx, flags] { return RunConvert(ctx, *flags); };
}

}  // namespace shlo::tool
