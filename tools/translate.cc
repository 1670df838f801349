// `stablehlo-translate`: converts programs to and from portable artifacts, and interprets them.
#include <string>

#include "base/format.h"
#include "base/try.h"
#include "dropin.h"
#include "interpret.h"
#include "serialize/vhlo_casts.h"
#include "shlo/mhlo.h"
#include "shlo/mlirbc_reader.h"

namespace shlo::tool {
namespace {

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
    "  --mlir-print-debuginfo      print locations of a deserialized program\n"
    "  --allow-other-dialects      allow values to flow between VHLO ops and other\n"
    "                              dialects\n"
    "  --chlo-pre-serialization-pipeline\n"
    "                              rewrite CHLO into StableHLO before serializing\n"
    "  --print-stablehlo-version   print the release of the artifact first\n"
    "  -o FILE                     output file (default: standard output)\n\n"
    "FILE defaults to standard input. Flags may begin with one or two dashes.\n";

// The reference has two exit codes.
constexpr int kFailed = 1;

int FailWith(Context& ctx, const Diagnostics& why) { return ctx.Report(why), kFailed; }
int FailWith(Context& ctx, std::string message) {
  ctx.Fail(Code::kUsage, std::move(message));
  return kFailed;
}

Result<Program> ReadFile(const DropinFile& file, bool text_locations) {
  ReadOptions options = ReadChunkOptions(file, file.chunks[0]);
  // As the reference's parser does, unless locations are left out anyway.
  if (text_locations) options.implicit_locations = file.file.name;
  auto program = ReadProgram(file.file.bytes, file.file.owner, options);
  if (!program || !program->source.mhlo) return program;
  SHLO_TRY(LeaveMhlo(&*program));
  return program;
}

// The reference keeps ops of other dialects. Unless they are allowed, it rejects values that flow from one
// dialect to another.
Diagnostics CastsBetweenDialects(const Program& program) {
  const Module& m = program.module;
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
    d.place = PlaceOf(m, from ? from : m.top, &program.source);
    d.message = StrFormat(
        "failed to legalize unresolved materialization from ('{}') to ('{}') that remained "
        "live after conversion",
        types[0], types[1]);
    d.hint = "pass --allow-other-dialects to insert a cast";
    found.push_back(std::move(d));
  }
  return found;
}

int Serialize(Context& ctx, const DropinFlags& flags, const DropinFile& file) {
  std::string release = flags.target.value_or("");
  if (release == "current") release = FindVersion(kCurrentVersion)->release;
  auto program = ReadFile(file, !flags.strip_debug_info);
  if (!program) return FailWith(ctx, program.error());
  Version target;
  WriteOptions write;
  write.format = Format::kMlirBytecode;
  write.bytecode.writer = kCurrentVersion;
  if (!ParseTarget(ctx, release, &target)) return kFailed;
  if (const std::string writer = flags.writer.value_or(""); !writer.empty())
    if (!ParseTarget(ctx, writer, &write.bytecode.writer)) return kFailed;
  const Diagnostics found = Verify(*program, {.strictness = Strictness::kReference});
  ctx.Report(found);
  if (HasErrors(found)) return kFailed;
  if (flags.legalize_chlo)
    if (const auto expanded = RunPasses(std::array{PassCall{"chlo-legalize-to-stablehlo", {}}}, &*program);
        !expanded)
      return FailWith(ctx, expanded.error());
  if (!flags.allow_other_dialects)
    if (const Diagnostics others = CastsBetweenDialects(*program); !others.empty())
      return FailWith(ctx, others);
  if (target != program->module.version)
    program = ConvertTo(target, /*allow_other_dialects=*/true, std::move(*program));
  if (!program) {
    ctx.Report(program.error());
    // Mirrors MLIR.
    return FailWith(ctx, StrFormat("failed to convert VHLO to v{}", FindVersion(target)->release));
  }
  write.bytecode.locations = !flags.strip_debug_info;
  write.bytecode.other_dialects = flags.allow_other_dialects;
  write.bytecode.producer = "StableHLO_v" + release;
  const auto written = WriteProgramFile(*program, flags.out.value_or("-"), write);
  return written ? kDone : FailWith(ctx, written.error());
}

// Returns the text of a portable artifact.
Result<std::string> Deserialized(const DropinFile& file, bool locations) {
  auto program = SHLO_TRY(ReadFile(file, false));
  const auto upgraded = SHLO_TRY(UpgradeToNewest(std::move(program)));
  Diagnostics found = Verify(upgraded, {.strictness = Strictness::kReference});
  if (HasErrors(found)) return tl::unexpected(std::move(found));
  WriteOptions write = MlirText();
  write.text.locations = locations;
  return WriteProgram(upgraded, write);
}

int Deserialize(Context& ctx, const DropinFlags& flags, const DropinFile& file) {
  TerminalText text;
  if (flags.print_version) {
    // Mirrors MLIR.
    const std::string_view release = PortableArtifactVersion(file.file.bytes);
    if (release.empty())
      text += "// Failed parsing StableHLO version from portable artifact\n";
    else
      text.Add("// Reading portable artifact with StableHLO version: {}\n", release);
  }
  const auto written = Deserialized(file, flags.debug_info && !flags.strip_debug_info);
  if (!written) {
    Print(ctx, text);
    ctx.Report(written.error());
    // Mirrors MLIR.
    return FailWith(ctx, StrFormat("failed to deserialize portable artifact using StableHLO_v{}",
                                   FindVersion(kCurrentVersion)->release));
  }
  const std::string path = flags.out.value_or("-");
  return WriteOut(ctx, path, text.str() + *written, /*binary=*/false) == kDone ? kDone : kFailed;
}

// The command of StableHLO's compatibility prototype: text of one version to text of another.
int ConvertText(Context& ctx, const DropinFlags& flags, const DropinFile& file) {
  Version target = kCurrentVersion;
  if (const std::string text = flags.target.value_or(""); !text.empty())
    if (!GetVersion(ctx, "--target", text, &target)) return kFailed;
  auto program = ReadFile(file, /*text_locations=*/false);
  if (!program) return FailWith(ctx, program.error());
  // Not the program that was read: the prototype verified nothing, but the target may be a release.
  Diagnostics warnings;
  const auto converted = ConvertTo(target, /*allow_other_dialects=*/true, std::move(*program), &warnings);
  if (!converted) return FailWith(ctx, converted.error());
  ctx.Report(warnings);
  const Diagnostics found = Verify(*converted, {.strictness = Strictness::kReference});
  ctx.Report(found);
  if (HasErrors(found)) return kFailed;
  const auto written = WriteProgram(*converted);
  if (!written) return FailWith(ctx, written.error());
  return WriteOut(ctx, flags.out.value_or("-"), *written, /*binary=*/false) == kDone ? kDone : kFailed;
}

int RunCommand(Context& ctx, const DropinFlags& flags) {
  if (flags.interpret) return RunInterpret(ctx, flags) == kDone ? kDone : kFailed;
  const auto file = OpenDropinFile(flags.file, /*split=*/false);
  if (!file) return FailWith(ctx, file.error());
  if (flags.compat) return ConvertText(ctx, flags, *file);
  return flags.serialize ? Serialize(ctx, flags, *file) : Deserialize(ctx, flags, *file);
}

}  // namespace

int RunTranslate(int argc, char** argv) {
  Context ctx;
  DropinFlags flags;
  if (!ParseDropinFlags(ctx, Dropin::kTranslate, argc, argv, &flags)) return kFailed;
  if (flags.help) return Print(ctx, TerminalText::Lines(kTranslateHelp));
  if (int(flags.serialize) + int(flags.deserialize) + int(flags.interpret) + int(flags.compat) == 1)
    return RunCommand(ctx, flags);
  DropinUsageError(ctx, Dropin::kTranslate,
                   "expected one of --serialize, --deserialize, --interpret and --compat");
  return kFailed;
}

}  // namespace shlo::tool
