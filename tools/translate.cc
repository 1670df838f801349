#include "translate.h"

#include <string>

#include "base/format.h"
#include "common.h"
#include "flag_words.h"
#include "interpret.h"
#include "ir/table/release.h"
#include "serialize/vhlo_casts.h"
#include "shlo/convert.h"
#include "shlo/mlirbc_reader.h"
#include "shlo/mlirbc_writer.h"
#include "shlo/shlo_reader.h"
#include "shlo/text_reader.h"
#include "shlo/text_writer.h"
#include "shlo/verify.h"
#include "tasks/program_file.h"

namespace shlo::tool {
namespace {

struct TranslateFlags {
  std::string file = "-";
  std::string out = "-";
  std::string target;
  std::string writer;
  bool serialize = false;
  bool deserialize = false;
  bool strip_debuginfo = false;
  bool allow_other_dialects = false;
  bool print_version = false;
  bool verify_diagnostics = false;
  bool split = false;
  bool interpret = false;
  bool compat = false;
  bool legalize_chlo = false;
  bool print_dense = false;
  std::string args;
  std::string probe_dir;
  bool help = false;
};

constexpr const char* kTranslateHelp =
    "stablehlo-translate --serialize|--deserialize|--interpret|--compat [FLAGS] [FILE]:\n"
    "convert programs to and from portable artifacts, interpret them, or convert\n"
    "text between versions.\n\n"
    "  --serialize                 write a portable artifact\n"
    "  --deserialize               read a portable artifact and print the program\n"
    "  --interpret                 evaluate the program and print its results\n"
    "  --compat                    print the program for the version of --target,\n"
    "                              which may be a number, such as 40\n"
    "  --args=[T, ...]             arguments, such as [dense<1> : tensor<2xi32>]\n"
    "  --probe-output-dir=DIR      directory for the values of interpreter.probe\n"
    "  --interpreter-print-dense   print results as dense attributes\n"
    "  --target=V                  target release, such as 1.9.0, or 'current'\n"
    "  --as-written-by=V           write the bytes of reference release V\n"
    "                              (default: the newest)\n"
    "  --strip-debuginfo           omit debug locations\n"
    "  --allow-other-dialects      allow values to flow between VHLO ops and other\n"
    "                              dialects\n"
    "  --chlo-pre-serialization-pipeline\n"
    "                              rewrite CHLO into StableHLO before serializing\n"
    "  --print-stablehlo-version   print the release of the artifact first\n"
    "  -o FILE                     output file (default: standard output)\n\n"
    "FILE defaults to standard input. Flags may begin with one or two dashes.\n";

struct TranslateFlagRow {
  std::string_view name;
  bool TranslateFlags::*flag;
};
constexpr TranslateFlagRow kTranslateFlags[] = {
    {"serialize", &TranslateFlags::serialize},
    {"deserialize", &TranslateFlags::deserialize},
    {"strip-debuginfo", &TranslateFlags::strip_debuginfo},
    {"allow-other-dialects", &TranslateFlags::allow_other_dialects},
    {"print-stablehlo-version", &TranslateFlags::print_version},
    {"verify-diagnostics", &TranslateFlags::verify_diagnostics},
    {"split-input-file", &TranslateFlags::split},
    {"interpret", &TranslateFlags::interpret},
    {"compat", &TranslateFlags::compat},
    {"chlo-pre-serialization-pipeline", &TranslateFlags::legalize_chlo},
    {"interpreter-print-dense", &TranslateFlags::print_dense},
    {"help", &TranslateFlags::help},
};

struct TranslateValueRow {
  std::string_view name;
  std::string TranslateFlags::*value;
};
constexpr TranslateValueRow kTranslateValues[] = {{"o", &TranslateFlags::out},
                                                  {"target", &TranslateFlags::target},
                                                  {"as-written-by", &TranslateFlags::writer},
                                                  {"args", &TranslateFlags::args},
                                                  {"probe-output-dir", &TranslateFlags::probe_dir}};

// The reference has two exit codes.
constexpr int kFailed = 1;

constexpr std::string_view kSeeTranslateHelp = "run 'stablehlo-translate --help' for usage";

int TranslateUsageError(Context& ctx, std::string message,
                        std::string hint = std::string(kSeeTranslateHelp)) {
  ctx.Fail(Code::kUsage, std::move(message), {}, std::move(hint));
  return kFailed;
}

int ParseFlags(Context& ctx, int argc, char** argv, TranslateFlags* flags) {
  FlagWords words(argc, argv);
  while (auto word = words.Next()) {
    if (word->is_file) {
      if (std::string twice = words.TakeFile(*word, &flags->file); !twice.empty())
        return TranslateUsageError(ctx, std::move(twice));
      continue;
    }
    if (const TranslateFlagRow* row = FindFlag<TranslateFlagRow>(kTranslateFlags, word->name)) {
      flags->*row->flag = !word->has_value || word->value == "true" || word->value == "1";
      continue;
    }
    const TranslateValueRow* row = FindFlag<TranslateValueRow>(kTranslateValues, word->name);
    if (!row) {
      Nearest nearest(word->name);
      TryFlags<TranslateFlagRow>(kTranslateFlags, &nearest);
      TryFlags<TranslateValueRow>(kTranslateValues, &nearest);
      return TranslateUsageError(ctx, StrFormat("unknown flag '{}'", word->text),
                                 NearestFlag(*word, nearest, kSeeTranslateHelp));
    }
    if (!words.TakeValue(&*word))
      return TranslateUsageError(ctx, StrFormat("expected a value for '{}'", word->text));
    flags->*row->value = word->value;
  }
  if (flags->help) return kDone;
  if (int(flags->serialize) + int(flags->deserialize) + int(flags->interpret) + int(flags->compat) != 1)
    return TranslateUsageError(ctx, "expected one of --serialize, --deserialize, --interpret and --compat");
  return kDone;
}

int Fail(Context& ctx, std::string message, std::string hint = {}) {
  ctx.Fail(Code::kUsage, std::move(message), {}, std::move(hint));
  return kFailed;
}

Result<Program> ReadFile(const InputFile& file, bool text_locations) {
  ReadOptions options;
  options.source_name = file.name;
  options.allow_empty = true;
  // As the reference's parser does, unless locations are left out anyway.
  if (text_locations) options.implicit_locations = file.name;
  auto program = ReadProgram(file.bytes, file.owner, options);
  if (!program || !program->source.mhlo) return program;
  if (auto left = tasks::LeaveMhlo(&*program); !left) return tl::unexpected(std::move(left.error()));
  return program;
}

// The reference keeps ops of other dialects. Unless they are allowed, it rejects values that flow from one
// dialect to another.
Diagnostics CastsBetweenDialects(const Module& m, const Source& source) {
  Module mixed = m;
  const size_t first = mixed.ops.size();
  AddVhloCasts(&mixed);
  Diagnostics found;
  for (size_t i = first; i < mixed.ops.size() && found.size() < 100; ++i) {
    const Op& cast = mixed.ops[i];
    const OpId from = mixed.values[mixed.OperandsOf(cast)[0].v].op;
    const TypeId type = mixed.TypeOf(mixed.ResultOf(cast, 0));
    const bool to_vhlo = from ? VhloName(mixed.RevisionIdOf(mixed.ops[from.v])).empty() ||
                                    !mixed.RevisionIdOf(mixed.ops[from.v])
                              : false;
    std::string types[] = {TypeText(mixed, type), TypeText(mixed, type, Spelling::kVhlo)};
    if (!to_vhlo) std::swap(types[0], types[1]);
    Diagnostic d;
    d.code = Code::kBlocked;
    d.place = PlaceOf(m, from ? from : m.top, &source);
    d.message = StrFormat(
        "failed to legalize unresolved materialization from ('{}') to ('{}') that remained "
        "live after conversion",
        types[0], types[1]);
    d.hint = "pass --allow-other-dialects to insert a cast";
    found.push_back(std::move(d));
  }
  return found;
}

int Serialize(Context& ctx, const TranslateFlags& flags, const InputFile& file) {
  std::string release = flags.target;
  if (release == "current") release = FindVersion(kCurrentVersion)->release;
  auto program = ReadFile(file, !flags.strip_debuginfo);
  if (!program) return ctx.Report(program.error()), kFailed;
  Module* const module = &program->module;
  Version target;
  WriteOptions write;
  write.format = Format::kMlirBytecode;
  MlirBytecodeWriteOptions& options = write.bytecode;
  if (!ParseTarget(ctx, release, &target)) return kFailed;
  options.writer = kCurrentVersion;
  if (!flags.writer.empty() && !ParseTarget(ctx, flags.writer, &options.writer)) return kFailed;
  const Diagnostics found =
      Verify(*module, {.source = &program->source, .strictness = Strictness::kReference});
  ctx.Report(found);
  if (HasErrors(found)) return kFailed;
  if (flags.legalize_chlo) {
    const Diagnostics failed = ExpandProgram(&*program, {.lacking = false});
    ctx.Report(failed);
    if (HasErrors(failed)) return kFailed;
  }
  if (!flags.allow_other_dialects) {
    if (const Diagnostics others = CastsBetweenDialects(*module, program->source); !others.empty()) {
      ctx.Report(others);
      return kFailed;
    }
  }
  if (target != module->version) {
    ConvertOptions convert;
    convert.source = &program->source;
    convert.allow_other_dialects = true;
    auto conversion = Convert(std::move(*module), target, convert);
    if (!conversion) {
      ctx.Report(conversion.error());
      // Mirrors MLIR.
      return Fail(ctx, StrFormat("failed to convert VHLO to v{}", FindVersion(target)->release));
    }
    *module = std::move(conversion->module);
  }
  options.locations = !flags.strip_debuginfo;
  options.other_dialects = flags.allow_other_dialects;
  options.producer = "StableHLO_v" + release;
  const auto written = WriteProgramFile(*program, flags.out, write);
  return written ? kDone : (ctx.Report(written.error()), kFailed);
}

int Deserialize(Context& ctx, const TranslateFlags& flags, const InputFile& file) {
  TerminalText text;
  if (flags.print_version) {
    // Mirrors MLIR.
    const std::string_view release = PortableArtifactVersion(file.bytes);
    if (release.empty())
      text += "// Failed parsing StableHLO version from portable artifact\n";
    else
      text.Add("// Reading portable artifact with StableHLO version: {}\n", release);
  }
  auto program = ReadFile(file, false);
  const auto refuse = [&](const Diagnostics& why) {
    Print(ctx, text);
    ctx.Report(why);
    // Mirrors MLIR.
    return Fail(ctx, StrFormat("failed to deserialize portable artifact using StableHLO_v{}",
                               FindVersion(kCurrentVersion)->release));
  };
  if (!program) return refuse(program.error());
  Module* const module = &program->module;
  if (module->version != kCurrentVersion) {
    ConvertOptions options;
    options.source = &program->source;
    options.allow_other_dialects = true;
    auto conversion = Convert(std::move(*module), kCurrentVersion, options);
    if (!conversion) return refuse(conversion.error());
    *module = std::move(conversion->module);
  }
  module->DropDefaults();
  const Diagnostics found =
      Verify(*module, {.source = &program->source, .strictness = Strictness::kReference});
  if (HasErrors(found)) return refuse(found);
  TextWriteOptions options;
  options.style = TextStyle::kMlir;
  options.spaced_cases = true;  // as the tools of the releases whose tests run on the drop-ins
  options.source = &program->source;
  auto written = WriteText(*module, options);
  if (!written) return refuse(written.error());
  return WriteOut(ctx, flags.out, text.str() + *written, /*binary=*/false) == kDone ? kDone : kFailed;
}

// The command of StableHLO's compatibility prototype: text of one version to text of another.
int ConvertText(Context& ctx, const TranslateFlags& flags, const InputFile& file) {
  Version target = kCurrentVersion;
  if (!flags.target.empty() && !GetVersion(ctx, "--target", flags.target, &target)) return kFailed;
  auto program = ReadFile(file, /*text_locations=*/false);
  if (!program) return ctx.Report(program.error()), kFailed;
  Module* const module = &program->module;
  // Not the program that was read: the prototype verified nothing, but the target may be a release.
  auto conversion =
      Convert(std::move(*module), target, {.source = &program->source, .allow_other_dialects = true});
  if (!conversion) return ctx.Report(conversion.error()), kFailed;
  ctx.Report(conversion->warnings);
  *module = std::move(conversion->module);
  const Diagnostics found =
      Verify(*module, {.source = &program->source, .strictness = Strictness::kReference});
  ctx.Report(found);
  if (HasErrors(found)) return kFailed;
  const auto written = WriteProgram(*program);
  if (!written) return ctx.Report(written.error()), kFailed;
  return WriteOut(ctx, flags.out, *written, /*binary=*/false) == kDone ? kDone : kFailed;
}

}  // namespace

// As the reference, accepts every release up to the current one, whether it exists or not: "1.4.1" is 1.4.0.
bool ParseTarget(Context& ctx, const std::string& text, Version* version) {
  // Mirrors MLIR.
  const std::string form = "Target version must be of the form `#.#.#`.";
  // Mirrors MLIR.
  if (text.empty()) return Fail(ctx, "No target version specified.", form), false;
  const size_t first = text.find('.');
  const size_t second = first == std::string::npos ? first : text.find('.', first + 1);
  const auto number = [&](size_t from, size_t to) {
    return from < to && text.substr(from, to - from).find_first_not_of("0123456789") == std::string::npos;
  };
  if (second == std::string::npos || !number(0, first) || !number(first + 1, second) ||
      !number(second + 1, text.size()))
    // Mirrors MLIR.
    return Fail(ctx, "Invalid target version argument '" + text + "'", form), false;
  const auto release = ParseReleaseNumber(text);
  *version = release ? VersionOfRelease(*release) : Version();
  if (version->valid()) return true;
  // Mirrors MLIR.
  if (release && *release < NumberOf(kFirstRelease))
    Fail(ctx, StrFormat("target version {} is less than minimum supported {}", text,
                        FindVersion(kFirstRelease)->release));
  else
    Fail(ctx, StrFormat("target version {} is greater than current version {}", text,
                        FindVersion(kCurrentVersion)->release));
  return false;
}

Diagnostics ExpandProgram(Program* program, ExpandOptions options) {
  options.convert.source = &program->source;
  auto expansion = Expand(program->module, options, &program->source.places);
  if (!expansion) return expansion.error();
  Diagnostics failed;
  // The reference's compatibility expander leaves what it does not know, but all of CHLO is illegal
  // afterwards.
  for (Diagnostic& left : expansion->left) {
    if (!left.op.starts_with("chlo.")) continue;
    left.severity = Severity::kError;
    // Mirrors MLIR.
    left.message = StrFormat("failed to legalize operation '{}' that was explicitly marked illegal", left.op);
    failed.push_back(std::move(left));
  }
  program->module = std::move(expansion->module);
  return failed;
}

int RunTranslate(int argc, char** argv) {
  Context ctx;
  TranslateFlags flags;
  if (const int code = ParseFlags(ctx, argc, argv, &flags); code != kDone) return code;
  if (flags.help) return Print(ctx, TerminalText::Lines(kTranslateHelp));
  if (flags.interpret) {
    const InterpretOptions options{flags.file, flags.args, flags.probe_dir, flags.print_dense, flags.split};
    return RunInterpret(ctx, options) == kDone ? kDone : kFailed;
  }
  auto file = OpenInput(flags.file);
  if (!file) return ctx.Report(file.error()), kFailed;
  if (flags.compat) return ConvertText(ctx, flags, *file);
  return flags.serialize ? Serialize(ctx, flags, *file) : Deserialize(ctx, flags, *file);
}

}  // namespace shlo::tool
