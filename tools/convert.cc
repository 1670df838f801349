// The command without a name: reads programs, converts them to a version, writes them.
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/format.h"
#include "commands.h"
#include "conversion.h"
#include "conversion/conversion_json.h"
#include "many.h"
#include "shlo/mhlo.h"
#include "shlo/program_io.h"

namespace shlo::tool {
namespace {

// Returns what to write. In a folder, names without the ending of a format keep the format of the input.
std::string EmitFor(const std::string& to, const ConvertFlags& flags, Format input) {
  if (!flags.emit.empty()) return flags.emit;
  const std::string_view named = EmitOfName(to);
  if (!named.empty()) return std::string(named);
  return std::string(flags.out_dir.empty() || IsContainer(input) ? "text" : FormatName(input));
}

// Whether programs are written as they were read.
bool LeavesPrograms(const ConvertFlags& flags, const ConversionRequest& request) {
  return !request.target.valid() && request.dialect_targets.empty() && !request.rewrites() &&
         !flags.strip_debuginfo;
}

bool IsArtifact(const std::string& emit) { return emit == "shlo" || emit == "mlirbc"; }

WriteOptions OptionsFor(Context& ctx, const ConvertFlags& flags, const std::string& emit,
                        const Outcome& outcome) {
  WriteOptions options;
  options.sync = ctx.sync;
  options.format = FormatOfEmit(emit);
  options.text.locations = flags.locations;
  options.limits = ctx.limits();
  options.text.generic = emit == "generic";
  options.text.spelling = emit == "vhlo" ? Spelling::kVhlo : Spelling::kStablehlo;
  options.shlo.locations = options.bytecode.locations = !flags.strip_debuginfo;
  options.bytecode.origin = outcome.from;
  options.shlo.producer = ToolName();
  options.trace = ctx.MakeTrace();
  return options;
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
  ConversionRequest request;
  if (ctx.files.empty()) {
    // A flag may have taken the file for its value, which is then wrong.
    const int code = ResolveRequest(ctx, flags, &request);
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
  if (const int code = ResolveRequest(ctx, flags, &request); code != kDone) return Finish(ctx, {}, code);
  // The process ends next, and takes its memory with it: to free a large program takes longer.
  static ConvertedFile* const file = new ConvertedFile;
  const int code = ConvertFile(ctx, flags, request, {ctx.files[0], ctx.out}, file);
  return Finish(ctx, *file, code);
}

}  // namespace

int ResolveRequest(Context& ctx, const ConvertFlags& flags, ConversionRequest* request) {
  *request = flags.request;
  request->fold = FoldingFor(flags.fold);
  if (!flags.target.empty() && !GetVersion(ctx, "--target", flags.target, &request->target)) return kUsage;
  if (!ctx.consumers.requirements.empty()) {
    if (request->target.valid())
      return ctx.Fail(Code::kUsage, "--target and --for both state the version to convert to", {},
                      "pass one of them");
    if (const int code = ResolveConsumers(ctx, &request->target); code != kDone)
      return code == kIoError ? code : kUsage;
  }
  auto dialects = ParseDialectTargets(flags.dialect_targets, ctx.Dialects());
  if (!dialects) {
    ctx.Report(dialects.error());
    return kUsage;
  }
  request->dialect_targets = std::move(*dialects);
  if (!flags.window.empty()) request->window = SHLO_TAKE(ctx, ParseCompatibilityWindow(flags.window));
  return kDone;
}

Json ProgramsJson(const std::vector<Outcome>& outcomes) {
  Json programs = Json::array();
  for (const Outcome& outcome : outcomes) programs.push_back(OutcomeJson(outcome));
  return programs;
}

namespace {

// The conversion of one file.
class FileConversion {
 public:
  FileConversion(Context& ctx, const ConvertFlags& flags, const ConversionRequest& request,
                 const ConvertedPaths& paths, ConvertedFile* out)
      : ctx_(ctx), flags_(flags), request_(request), paths_(paths), out_(*out), input_(out->input) {}

  int Run() {
    if (const int code = Read(); code != kDone) return code;
    if (const int code = ChooseWay(); code != kDone) return code;
    ctx_.progress.Step("converting {}", NameText(paths_.from));
    int worst = kDone;
    for (size_t i = 0; i < input_.programs.size(); ++i)
      worst = std::max(worst, ConvertProgram(input_.findings[i], &input_.programs[i]));
    // Write all programs or none: a partial output would look complete.
    return worst == kDone ? Write() : worst;
  }

 private:
  // What becomes of the programs once they are converted.
  enum class Way : uint8_t {
    kStream,         // written at the end, without a copy in memory
    kBytes,          // each becomes bytes, which are proved, captured, or a part of the document
    kContainer,      // each becomes bytes in the input's container
    kSameContainer,  // nothing: the container is written again as it was
  };

  int Read() {
    if (flags_.container.extract.size() > 1) ctx_.program = flags_.container.extract;
    ctx_.keeps_mhlo = true;
    const int code = ReadVerified(ctx_, paths_.from, &input_);
    // Of many files, only some are containers.
    if (!flags_.out_dir.empty() && !IsContainer(input_.format)) flags_.container = {};
    return code == kDone ? ChoosePrograms(ctx_, paths_, flags_.container, flags_.emit, &input_) : code;
  }

  int ChooseWay() {
    const bool keeps_container = KeepsContainer(paths_, flags_.container, input_);
    emit_ = keeps_container ? "mlirbc" : EmitFor(paths_.to, flags_, input_.format);
    if (keeps_container)
      way_ = LeavesPrograms(flags_, request_) ? Way::kSameContainer : Way::kContainer;
    else if (flags_.prove.any() || (!IsArtifact(emit_) && (IsInDocument() || ctx_.captured)))
      way_ = Way::kBytes;
    if (!keeps_container && IsArtifact(emit_) && input_.programs.size() != 1)
      return ctx_.Fail(Code::kUsage,
                       StrFormat("an artifact holds 1 program, but the file has {}", input_.programs.size()),
                       {.file = input_.file.name}, "split the file at its '// -----' lines");
    return CheckProveFlags(ctx_, flags_.prove, emit_, keeps_container, input_);
  }

  bool IsInDocument() const { return ctx_.json && paths_.to == "-"; }

  int ConvertProgram(const Diagnostics& findings, Program* program) {
    Outcome& outcome = out_.outcomes.emplace_back();
    outcome.program = ProgramJson(*program);
    Program original;
    if (flags_.prove.any()) original = *program;
    // Ops that CHLO has are proved as ops of CHLO.
    if (original.source.mhlo) LeaveMhlo(&original.module, nullptr);
    auto converted = Convert(std::move(*program), RequestFor(findings), &outcome);
    ctx_.Report(outcome.warnings);
    if (!converted) {
      const int code = ctx_.Fail(converted.error());
      if (outcome.invalid) NoteLenient(ctx_, converted.error());
      return outcome.invalid ? int(kFinding) : code;
    }
    *program = std::move(*converted);
    if (way_ == Way::kStream || way_ == Way::kSameContainer) return kDone;
    const WriteOptions options = OptionsFor(ctx_, flags_, emit_, outcome);
    auto written = SHLO_TAKE(ctx_, WriteProgram(*program, options));
    if (flags_.prove.any()) {
      const int code = ProveConverted(ctx_, flags_.prove, original, input_.file, options, *program, paths_.to,
                                      &written, &certificate_);
      if (code != kDone) return code;
    }
    held_.push_back(std::move(written));
    return kDone;
  }

  ConversionRequest RequestFor(const Diagnostics& findings) const {
    ConversionRequest request = request_;
    request.portable = emit_ == "mlirbc" && way_ != Way::kSameContainer;
    request.allow_other_dialects = ctx_.allow_other_dialects;
    request.keep_mhlo = emit_ == "text" || emit_ == "generic";
    request.lenient = ctx_.lenient;
    request.consumers = ctx_.consumers.found;
    request.dialects = ctx_.Dialects();
    request.findings = &findings;
    request.limits = ctx_.limits();
    return request;
  }

  int Write() {
    std::error_code error;
    const bool in_place = paths_.to != "-" && std::filesystem::equivalent(paths_.from, paths_.to, error);
    const int code = way_ == Way::kStream ? WriteStream()
                     : way_ == Way::kBytes
                         ? WriteBytes()
                         : WriteKeptContainer(ctx_, paths_, flags_.container, input_, std::move(held_));
    if (code != kDone) return code;
    if (in_place) Note(ctx_, StrFormat("the output replaced the input '{}'", paths_.to));
    const std::string& to = flags_.prove.certificate.file;
    return to.empty() ? int(kDone) : WriteOut(ctx_, to, certificate_, /*binary=*/false);
  }

  int WriteStream() {
    ctx_.progress.Step("writing {}", NameText(paths_.to));
    if (paths_.to == "-") ctx_.progress.Clear();
    std::vector<WriteOptions> options;
    for (const Outcome& outcome : out_.outcomes) options.push_back(OptionsFor(ctx_, flags_, emit_, outcome));
    const auto written = WriteProgramsFile(input_.programs, paths_.to, options);
    ctx_.progress.Clear();
    return written ? kDone : ctx_.Fail(written.error());
  }

  int WriteBytes() {
    for (const std::string& bytes : held_) out_.text += (out_.text.empty() ? "" : "\n// -----\n\n") + bytes;
    const bool binary = IsArtifact(emit_);
    return !binary && IsInDocument() ? int(kDone) : WriteOut(ctx_, paths_.to, out_.text, binary);
  }

  Context& ctx_;
  ConvertFlags flags_;
  const ConversionRequest& request_;
  const ConvertedPaths& paths_;
  ConvertedFile& out_;
  Input& input_;
  std::string emit_;  // as the value of --emit
  Way way_ = Way::kStream;
  std::vector<std::string> held_;  // bytes of programs
  std::string certificate_;        // if one is wanted
};

}  // namespace

int ConvertFile(Context& ctx, const ConvertFlags& flags, const ConversionRequest& request,
                const ConvertedPaths& paths, ConvertedFile* out) {
  return FileConversion(ctx, flags, request, paths, out).Run();
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
  options.Flag("--all", &flags->request.every_place,
               "list every place of each blocker (default: the first per cause, with their number)");
  Options rewriting = options.Below("Rewriting");
  rewriting.Flag("--expand", &flags->request.expand,
                 "rewrite ops that the target lacks, and all of CHLO, into ops that it has");
  rewriting.Flag("--expand-composites", &flags->request.expand_composites,
                 "rewrite what the target lacks; composites become calls of their decompositions");
  rewriting.Flag("--drop-hints", &flags->request.drop_hints,
                 "leave out attributes that change no result, such as sdy.sharding_rule");
  AddFoldFlags(rewriting, &flags->fold);
  Options many = options.Below("Many files");
  many.Option("--out-dir", &flags->out_dir, "DIR",
              "folder for the outputs of several inputs, with their relative paths");
  AddJobsFlag(many, &flags->jobs);
  many.Flag("--keep-going", &flags->keep_going, "continue with other files after a failure");
  many.Flag("--resume", &flags->resume,
            "skip files that an earlier run already converted with the same options");
  Options containers = options.Below("Containers");
  containers.OptionalValue("--extract", &flags->container.extract, "[=NAME]",
                           "write a program of a jax.export file or SavedModel alone (default: the container "
                           "with its programs converted, if -o is given)");
  containers.Option("--container-version", &flags->container.version, "V",
                    "oldest release of jax (0.8.1) or TensorFlow (2.17) that must load the container, or "
                    "version of its layout or of XlaCallModule");
  AddWindowFlags(options, ctx, &flags->window, &flags->request.allow_outside_window);
  options.Below(kWindowFlags)
      .Repeated("--dialect-target", &flags->dialect_targets, "NAME=V",
                "target version of a dialect of --dialect (default: the one for --target)");
  AddProveFlags(options, ctx, &flags->prove);
  AddReadFlags(options, ctx);
  ctx.run = [&ctx, options, flags] { return RunConvert(ctx, options, *flags); };
}

}  // namespace shlo::tool
