#include "opt.h"

#include <charconv>
#include <cstdio>
#include <string>

#include "base/format.h"
#include "common.h"
#include "expected_diagnostics.h"
#include "flag_words.h"
#include "shlo/convert.h"
#include "shlo/inline.h"
#include "shlo/mlirbc_reader.h"
#include "shlo/mlirbc_writer.h"
#include "shlo/text_reader.h"
#include "shlo/text_writer.h"
#include "shlo/verify.h"
#include "tasks/fold.h"
#include "translate.h"

namespace shlo::tool {
namespace {

struct OptFlags {
  std::string file = "-";
  std::string out = "-";
  bool split = false;
  bool verify_diagnostics = false;
  bool allow_unregistered = false;
  bool generic = false;
  bool debug_info = false;
  bool local_scope = false;
  bool strip_debug_info = false;
  bool to_vhlo = false;
  bool allow_other_dialects = false;
  bool run_inliner = false;
  bool fold = false;
  bool legalize_chlo = false;
  bool emit_bytecode = false;
  bool deserialize = false;
  int bytecode_format = -1;
  Version writer = kCurrentVersion;
  Version target;
  Version expand_for;  // -stablehlo-compatibility-expander
  bool trace = false;  // bytecode
  uint64_t elide_elements = 0;
  bool help = false;
};

constexpr const char* kHelp =
    "stablehlo-opt [FLAGS] [FILE]: read a StableHLO program and print it.\n\n"
    "  -o FILE                                output file (default: standard output)\n"
    "  -split-input-file                      split FILE at '// -----' lines\n"
    "  -verify-diagnostics                    check expected-error comments\n"
    "  -allow-unregistered-dialect            accept ops of any dialect\n"
    "  -mlir-print-op-generic                 print ops in generic form\n"
    "  -mlir-print-debuginfo                  print locations\n"
    "  -mlir-print-local-scope                print locations and types inline\n"
    "  -mlir-elide-elementsattrs-if-larger=N  elide constants of more than N elements\n"
    "  -strip-debuginfo                       strip locations\n"
    "  -inline                                inline function calls\n"
    "  -stablehlo-aggressive-folder           fold constants\n"
    "  -chlo-legalize-to-stablehlo            rewrite CHLO into StableHLO\n"
    "  -chlo-pre-serialization-pipeline       the same\n"
    "  -stablehlo-compatibility-expander=target=V\n"
    "                                         rewrite ops that version V lacks\n"
    "  -emit-bytecode                         write MLIR bytecode instead of text\n"
    "  -emit-bytecode-version=N               write bytecode format N\n"
    "  -as-written-by=V                       write the bytes of reference release V\n"
    "                                         (default: the newest)\n"
    "  -debug-only=stablehlo-bytecode         trace types and attributes as bytecode is\n"
    "                                         read and written, to standard error\n"
    "  -stablehlo-deserialize                 upgrade VHLO to the newest StableHLO\n"
    "  -stablehlo-legalize-to-vhlo            print VHLO\n"
    "  -stablehlo-legalize-to-vhlo=allow-other-dialects\n"
    "                                         print VHLO, and keep other dialects\n"
    "  -vhlo-to-version=target=V              convert to version V and print VHLO\n\n"
    "Accepted without effect, because --interpret does not need them:\n"
    "  -stablehlo-complex-math-expander, -stablehlo-legalize-composite-to-call\n\n"
    "FILE defaults to standard input. Flags may begin with one or two dashes.\n";

// Name of a flag and the member it sets, or nullptr if it is accepted without effect.
struct FlagRow {
  std::string_view name;
  bool OptFlags::*flag;
};
constexpr FlagRow kFlags[] = {
    {"split-input-file", &OptFlags::split},
    {"verify-diagnostics", &OptFlags::verify_diagnostics},
    {"allow-unregistered-dialect", &OptFlags::allow_unregistered},
    {"mlir-print-op-generic", &OptFlags::generic},
    {"mlir-print-debuginfo", &OptFlags::debug_info},
    {"mlir-print-local-scope", &OptFlags::local_scope},
    {"strip-debuginfo", &OptFlags::strip_debug_info},
    {"mlir-strip-debuginfo", &OptFlags::strip_debug_info},
    {"stablehlo-legalize-to-vhlo", &OptFlags::to_vhlo},
    {"inline", &OptFlags::run_inliner},
    {"stablehlo-aggressive-folder", &OptFlags::fold},
    {"chlo-legalize-to-stablehlo", &OptFlags::legalize_chlo},
    // Expansions have no shape ops, which the pipeline would rewrite next.
    {"chlo-pre-serialization-pipeline", &OptFlags::legalize_chlo},
    // --interpret evaluates complex functions and composites directly.
    {"stablehlo-complex-math-expander", nullptr},
    {"stablehlo-legalize-composite-to-call", nullptr},
    {"emit-bytecode", &OptFlags::emit_bytecode},
    {"stablehlo-deserialize", &OptFlags::deserialize},
    {"help", &OptFlags::help},
};

// Flags with a value. That of a pass is in the same word.
struct ValueRow {
  std::string_view name;
  bool is_pass = false;
};
constexpr ValueRow kValues[] = {
    {"o"},
    {"mlir-elide-elementsattrs-if-larger"},
    {"vhlo-to-version", true},
    {"stablehlo-compatibility-expander", true},
    {"stablehlo-create-compatibility-expander", true},
    {"emit-bytecode-version"},
    {"as-written-by"},
    {"pass-pipeline"},
    {"debug-only"},
};

constexpr std::string_view kSeeHelp = "run 'stablehlo-opt --help' for usage";

int OptUsageError(Context& ctx, std::string message, std::string hint = std::string(kSeeHelp)) {
  return ctx.Fail(Code::kUsage, std::move(message), {}, std::move(hint));
}

int ParseFlags(Context& ctx, int argc, char** argv, OptFlags* flags) {
  FlagWords words(argc, argv);
  while (auto word = words.Next()) {
    if (word->is_file) {
      if (std::string twice = words.TakeFile(*word, &flags->file); !twice.empty())
        return OptUsageError(ctx, std::move(twice));
      continue;
    }
    const std::string_view arg = word->text, name = word->name;
    const bool has_value = word->has_value;
    if (const FlagRow* row = FindFlag<FlagRow>(kFlags, name)) {
      // This pass has its own options.
      if (row->flag == &OptFlags::to_vhlo && word->value == "allow-other-dialects") {
        flags->to_vhlo = flags->allow_other_dialects = true;
        continue;
      }
      if (has_value && word->value != "true" && word->value != "false" && word->value != "0" &&
          word->value != "1")
        return OptUsageError(ctx, StrFormat("expected true or false for '{}'", arg.substr(0, arg.find('='))));
      if (row->flag) flags->*row->flag = !has_value || word->value == "true" || word->value == "1";
      continue;
    }
    const ValueRow* row = FindFlag<ValueRow>(kValues, name);
    if (!row) {
      Nearest nearest(name);
      TryFlags<FlagRow>(kFlags, &nearest);
      TryFlags<ValueRow>(kValues, &nearest);
      return OptUsageError(ctx, StrFormat("unknown flag '{}'", arg), NearestFlag(*word, nearest, kSeeHelp));
    }
    if (!row->is_pass && !words.TakeValue(&*word))
      return OptUsageError(ctx, StrFormat("expected a value for '{}'", arg));
    const std::string_view value = word->value;
    if (name == "o") {
      flags->out = value;
    } else if (row->is_pass) {
      if (has_value && !value.starts_with("target="))
        return OptUsageError(ctx,
                             StrFormat("expected target=VERSION for '{}'", arg.substr(0, arg.find('='))));
      if (!ParseTarget(ctx, std::string(has_value ? value.substr(7) : value),
                       name == "vhlo-to-version" ? &flags->target : &flags->expand_for))
        return kFinding;
    } else if (name == "as-written-by") {
      if (!ParseTarget(ctx, std::string(value), &flags->writer)) return kFinding;
    } else if (name == "debug-only") {
      flags->trace |= value == "stablehlo-bytecode";
    } else if (name == "pass-pipeline") {
      if (value != "builtin.module(stablehlo-deserialize)")
        return OptUsageError(ctx, StrFormat("unknown pass pipeline '{}'", value));
      flags->deserialize = true;
    } else if (name == "emit-bytecode-version") {
      const auto parsed = std::from_chars(value.data(), value.data() + value.size(), flags->bytecode_format);
      if (parsed.ec != std::errc() || parsed.ptr != value.data() + value.size() || flags->bytecode_format < 0)
        return OptUsageError(ctx, StrFormat("invalid bytecode format '{}' for '{}'", value, name));
    } else {
      const auto parsed = std::from_chars(value.data(), value.data() + value.size(), flags->elide_elements);
      if (parsed.ec != std::errc() || parsed.ptr != value.data() + value.size() ||
          flags->elide_elements > UINT32_MAX)
        return OptUsageError(ctx, StrFormat("invalid number '{}' for '{}'", value, name));
    }
  }
  return kDone;
}

// Returns the blockers in the reference's words, one per op.
Diagnostics Losses(const Diagnostics& blockers) {
  Diagnostics found;
  for (const Diagnostic& blocker : blockers) {
    const RowId row = FindOp(blocker.op);
    if (!row || blocker.severity != Severity::kError) continue;
    Diagnostic d;
    d.code = Code::kBlocked;
    d.place = blocker.place;
    // Mirrors MLIR.
    d.message = StrFormat("failed to legalize operation '{}' that was explicitly marked illegal",
                          VhloName(NewestRevision(row)));
    if (found.empty() || found.back().message != d.message || found.back().place.line != d.place.line)
      found.push_back(std::move(d));
  }
  return found;
}

// The output of one program, and its diagnostics.
struct ChunkResult {
  std::string text;
  Diagnostics found;
  // The first error of each function, where the reference stops: a text may expect these only.
  Diagnostics first_found;
};

void TraceCall(std::string_view call) { WriteToStderr(TerminalText::Of("Called: {}\n", call)); }

ChunkResult RunChunk(const OptFlags& flags, const InputFile& file, const TextChunk& chunk) {
  ChunkResult result;
  const auto fail = [&](const Diagnostics& why) {
    result.found.insert(result.found.end(), why.begin(), why.end());
    return result;
  };
  const bool is_bytecode = DetectFormat(file.bytes) == Format::kMlirBytecode;
  ReadOptions read;
  read.source_name = file.name;
  read.allow_empty = true;
  if (flags.trace && is_bytecode) read.trace = TraceCall;
  read.first_line = chunk.first_line;
  if (flags.debug_info && !flags.strip_debug_info)
    read.implicit_locations =
        flags.split ? StrFormat("within split at {}:{} offset ", file.name, chunk.first_line) : file.name;
  auto program = ReadProgram(chunk.text, file.owner, read);
  if (!program) return fail(program.error());
  Module* const module = &program->module;
  const Source& source = program->source;
  VerifyOptions verify;
  verify.source = &source;
  verify.as_reference = true;
  // The specification does not constrain VHLO, so only errors are reported for it.
  if (is_bytecode) verify.strictness = Strictness::kLenient;
  result.found = Verify(*module, verify);
  if (is_bytecode)
    std::erase_if(result.found, [](const Diagnostic& d) { return d.severity != Severity::kError; });
  if (flags.verify_diagnostics && HasErrors(result.found)) {
    verify.first_of_function = true;
    result.first_found = Verify(*module, verify);
  }
  if (HasErrors(result.found)) return result;
  if (flags.deserialize && module->version != kCurrentVersion) {
    ConvertOptions options;
    options.source = &source;
    options.allow_other_dialects = true;
    auto conversion = Convert(*module, kCurrentVersion, options);
    if (!conversion) return fail(conversion.error());
    *module = std::move(conversion->module);
  }
  if (flags.deserialize) module->DropDefaults();
  if (flags.legalize_chlo || flags.expand_for.valid()) {
    const Diagnostics failed =
        ExpandProgram(&*program, {.target = flags.expand_for, .chlo = flags.legalize_chlo});
    if (!failed.empty()) return fail(failed);
  }
  if (flags.target.valid() && flags.target != module->version) {
    auto conversion = Convert(*module, flags.target, {.source = &source});
    if (!conversion) {
      if (!flags.verify_diagnostics) {
        fail(Losses(conversion.error()));
        return fail(conversion.error());
      }
      // Mirrors MLIR: the reference stops at the first op, then names the failed conversion.
      Diagnostics first = Losses(conversion.error());
      first.resize(std::min<size_t>(first.size(), 1));
      Diagnostic doing;
      doing.code = Code::kBlocked;
      doing.place = PlaceOf(*module, module->top, &source);
      doing.message = StrFormat("failed to convert VHLO to v{}", FindVersion(flags.target)->release);
      first.push_back(std::move(doing));
      return fail(first);
    }
    *module = std::move(conversion->module);
  }
  if (flags.run_inliner) {
    auto inlined = InlineCalls(*module, &program->source.places);
    if (!inlined) return fail(inlined.error());
    *module = std::move(*inlined);
  }
  if (flags.fold) {
    auto folded = FoldConstants(*module, {}, &program->source.places);
    if (!folded) return fail(folded.error());
    *module = std::move(*folded);
  }
  TextWriteOptions write;
  write.source = &source;
  write.style = TextStyle::kMlir;
  write.spaced_cases = true;  // as the tools of the releases whose tests run on the drop-ins
  write.generic = flags.generic;
  write.locations = flags.debug_info && !flags.strip_debug_info;
  write.local_scope = flags.local_scope;
  write.elide_elements = uint32_t(flags.elide_elements);
  // VHLO input is printed as VHLO unless a pass legalizes it.
  const bool artifact = is_bytecode && !flags.deserialize && !PortableArtifactVersion(file.bytes).empty();
  if (flags.to_vhlo || flags.target.valid() || artifact) write.spelling = Spelling::kVhlo;
  if (flags.to_vhlo && !flags.target.valid()) {
    // The bytecode writer reports everything that has no VHLO equivalent.
    MlirBytecodeWriteOptions options;
    options.source = &source;
    options.other_dialects = flags.allow_other_dialects;
    auto vhlo = WriteMlirBytecodeTo(*module, options, [](std::string_view) { return true; });
    if (!vhlo && vhlo.error()[0].code == Code::kBlocked && module->version == kCurrentVersion)
      return fail(vhlo.error());
  }
  if (flags.emit_bytecode) {
    MlirBytecodeWriteOptions options;
    options.source = &source;
    options.vhlo = write.spelling == Spelling::kVhlo;
    options.locations = !flags.strip_debug_info;
    options.format = flags.bytecode_format;
    options.writer = flags.writer;
    options.from_text = !is_bytecode && !options.vhlo;
    options.producer = "shlo-compat";
    if (flags.trace) options.trace = TraceCall;
    auto bytes = WriteMlirBytecode(*module, options);
    if (!bytes) return fail(bytes.error());
    result.text = std::move(*bytes);
    return result;
  }
  auto written = WriteText(*module, write);
  if (!written) return fail(written.error());
  result.text = std::move(*written);
  return result;
}

// Prints diagnostics in the reference's format: place and message, without code and hint.
int ReportPlainly(Context& ctx, Diagnostics found) {
  int code = kDone;
  for (const Diagnostic& d : found)
    if (code == kDone && d.severity == Severity::kError) code = ExitCodeOf(d.code);
  TerminalText text;
  for (const Diagnostic& d : found) {
    const Place& p = d.place;
    if (p.line)
      text.Add("{}:{}:{}: ", NameText(p.file), p.line, p.column);
    else if (!p.file.empty())
      text.Add("{}: ", NameText(p.file));
    text.Add("{}: {}\n", SeverityName(d.severity), d.message);
    constexpr size_t kLongest = 400;  // longest line to print, in bytes
    if (p.line && p.column && p.column <= p.source_line.size() + 1 && p.source_line.size() <= kLongest)
      text.Add("{}\n{}^\n", SourceLineText(p.source_line), std::string(p.column - 1, ' '));
  }
  ctx.PutError(text);
  return code;
}

int RunFile(Context& ctx, const OptFlags& flags) {
  auto file = OpenInput(flags.file);
  if (!file) return ctx.Fail(file.error());
  std::vector<TextChunk> chunks = {{file->bytes, 1}};
  if (flags.split && DetectFormat(file->bytes) == Format::kText) {
    auto split = SplitText(file->bytes, /*anywhere=*/true);
    if (!split) return ctx.Fail(split.error());
    chunks = std::move(*split);
  }
  std::string out;
  int worst = kDone;
  for (size_t i = 0; i < chunks.size(); ++i) {
    if (i) out += "// -----\n";
    ChunkResult result = RunChunk(flags, *file, chunks[i]);
    // The reference prints a blank line after a program.
    if (!result.text.empty()) out += flags.emit_bytecode ? result.text : result.text + '\n';
    if (flags.verify_diagnostics) {
      if (!MatchExpected(chunks[i].text, chunks[i].first_line, file->name, result.found, result.first_found))
        worst = std::max<int>(worst, kFinding);
    } else if (HasErrors(result.found)) {
      worst = std::max(worst, ReportPlainly(ctx, result.found));
    } else {
      ReportPlainly(ctx, result.found);
    }
  }
  // On errors, write no file; standard output gets the programs that could be read, as the reference does.
  if (worst != kDone && flags.out != "-") return worst;
  const int code = WriteOut(ctx, flags.out, out, flags.emit_bytecode);
  return std::max(worst, code);
}

}  // namespace

int RunOpt(int argc, char** argv) {
  Context ctx;
  OptFlags flags;
  int code = ParseFlags(ctx, argc, argv, &flags);
  if (code == kDone) code = flags.help ? Print(ctx, TerminalText::Lines(kHelp)) : RunFile(ctx, flags);
  return code == kDone ? kDone : kFinding;  // the reference has two exit codes
}

}  // namespace shlo::tool
