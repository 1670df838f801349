// `stablehlo-opt`: reads programs, applies passes, and prints them.
#include <algorithm>
#include <charconv>
#include <limits>
#include <string>

#include "base/format.h"
#include "base/try.h"
#include "dropin.h"
#include "expected_diagnostics.h"
#include "shlo/mlirbc_reader.h"

namespace shlo::tool {
namespace {

// The flags, with their values.
struct OptFlags : DropinFlags {
  int bytecode_format = -1;
  uint32_t elide_elements = 0;
  Version writer = kCurrentVersion;
  Version target;  // invalid: not given
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
    "  -vhlo-to-version=target=V              convert to version V and print VHLO\n"
    "  -pass-pipeline=P                       run the passes of a pipeline\n\n"
    "FILE defaults to standard input. Flags may begin with one or two dashes.\n\n"
    "Passes, which run in the order of the command line; options follow '=', divided by spaces:\n";

std::string HelpText() {
  std::string text = kHelp;
  for (const PassInfo& pass : AllPasses()) {
    text += StrFormat("  -{}{}{}\n", pass.name, pass.options.empty() ? "" : "=", pass.options);
    text += StrFormat("      {}\n", pass.summary);
  }
  return text;
}

// Parses the value of a flag, if there is one, into a number that an int or a uint32_t holds.
template <typename T>
bool ParseNumber(Context& ctx, std::string_view name, const char* what, const DropinFlags::Value& text,
                 T* out) {
  if (!text) return true;
  const char* const end = text->data() + text->size();
  int64_t number = 0;
  const auto parsed = std::from_chars(text->data(), end, number);
  if (parsed.ec != std::errc() || parsed.ptr != end || number < 0 || number > std::numeric_limits<T>::max())
    return DropinUsageError(ctx, Dropin::kOpt, StrFormat("invalid {} '{}' for '{}'", what, *text, name));
  *out = T(number);
  return true;
}

bool ParseOptFlags(Context& ctx, int argc, char** argv, OptFlags* flags) {
  DropinFlags& given = *flags;
  const auto release = [&](const DropinFlags::Value& text, Version* version) {
    return !text || ParseTarget(ctx, *text, version);
  };
  return ParseDropinFlags(ctx, Dropin::kOpt, argc, argv, flags) && release(given.target, &flags->target) &&
         release(given.writer, &flags->writer) &&
         ParseNumber(ctx, "emit-bytecode-version", "bytecode format", given.bytecode_format,
                     &flags->bytecode_format) &&
         ParseNumber(ctx, "mlir-elide-elementsattrs-if-larger", "number", given.elide_elements,
                     &flags->elide_elements);
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

// One program of a file.
class Chunk {
 public:
  Chunk(const OptFlags& flags, const DropinFile& file, const TextChunk& chunk)
      : flags_(flags), file_(file), chunk_(chunk), is_bytecode_(file.format == Format::kMlirBytecode) {}

  ChunkResult Run() {
    auto text = Output();
    if (text)
      out_.text = std::move(*text);
    else
      out_.found.insert(out_.found.end(), text.error().begin(), text.error().end());
    return std::move(out_);
  }

 private:
  Result<std::string> Output() {
    ReadOptions read = ReadChunkOptions(file_, chunk_);
    if (flags_.trace && is_bytecode_) read.trace = TraceCall;
    if (flags_.debug_info && !flags_.strip_debug_info)
      read.implicit_locations =
          flags_.split ? StrFormat("within split at {}:{} offset ", file_.file.name, chunk_.first_line)
                       : file_.file.name;
    program_ = SHLO_TRY(ReadProgram(chunk_.text, file_.file.owner, read));
    if (!Verifies()) return std::string();
    auto passed = RunPasses();
    out_.found.insert(out_.found.end(), report_.remarks.begin(), report_.remarks.end());
    if (!passed) return tl::unexpected(std::move(passed.error()));
    return Write();
  }

  VerifyOptions Verification() const {
    VerifyOptions verify;
    verify.as_reference = true;
    // The specification does not constrain VHLO, so only errors are reported for it.
    if (is_bytecode_) verify.strictness = Strictness::kLenient;
    return verify;
  }

  bool Verifies() {
    VerifyOptions verify = Verification();
    out_.found = Verify(program_, verify);
    if (is_bytecode_)
      std::erase_if(out_.found, [](const Diagnostic& d) { return d.severity != Severity::kError; });
    const bool verifies = !HasErrors(out_.found);
    if (!verifies && flags_.verify_diagnostics) {
      verify.first_of_function = true;
      out_.first_found = Verify(program_, verify);
    }
    return verifies;
  }

  Result<void> RunPasses() {
    if (flags_.deserialize) {
      program_ = SHLO_TRY(UpgradeToNewest(std::move(program_)));
    }
    for (const PassCall& pass : flags_.passes) {
      SHLO_TRY(shlo::RunPasses({&pass, 1}, &program_, &report_));
      // As MLIR, which verifies after each pass.
      if (Diagnostics found = Verify(program_, Verification()); HasErrors(found))
        return tl::unexpected(std::move(found));
    }
    if (flags_.target.valid() && flags_.target != program_.module.version) {
      auto converted = ConvertTo(flags_.target, /*allow_other_dialects=*/false, program_);
      if (!converted) return tl::unexpected(Refusal(converted.error()));
      program_ = std::move(*converted);
    }
    return {};
  }

  Diagnostics Refusal(const Diagnostics& blockers) const {
    Diagnostics found = Losses(blockers);
    if (!flags_.verify_diagnostics) {
      found.insert(found.end(), blockers.begin(), blockers.end());
      return found;
    }
    // Mirrors MLIR: the reference stops at the first op, then names the failed conversion.
    found.resize(std::min<size_t>(found.size(), 1));
    Diagnostic doing;
    doing.code = Code::kBlocked;
    doing.place = PlaceOf(program_.module, program_.module.top, &program_.source);
    doing.message = StrFormat("failed to convert VHLO to v{}", FindVersion(flags_.target)->release);
    found.push_back(std::move(doing));
    return found;
  }

  Result<std::string> Write() const {
    // VHLO input is printed as VHLO unless a pass legalizes it.
    const bool artifact =
        is_bytecode_ && !flags_.deserialize && !PortableArtifactVersion(file_.file.bytes).empty();
    const bool vhlo = flags_.to_vhlo || flags_.target.valid() || artifact;
    WriteOptions write = MlirText();
    if (flags_.to_vhlo && !flags_.target.valid()) {
      // The bytecode writer reports everything that has no VHLO equivalent.
      WriteOptions strict;
      strict.format = Format::kMlirBytecode;
      strict.bytecode.other_dialects = flags_.allow_other_dialects;
      auto written = WriteProgramTo(program_, strict, [](std::string_view) { return true; });
      if (!written && written.error()[0].code == Code::kBlocked && program_.module.version == kCurrentVersion)
        return tl::unexpected(std::move(written.error()));
    }
    if (flags_.emit_bytecode) write.format = Format::kMlirBytecode;
    if (flags_.trace && flags_.emit_bytecode) write.trace = TraceCall;
    write.text.generic = flags_.generic;
    write.text.locations = flags_.debug_info && !flags_.strip_debug_info;
    write.text.local_scope = flags_.local_scope;
    write.text.elide_elements = flags_.elide_elements;
    if (vhlo) write.text.spelling = Spelling::kVhlo;
    write.bytecode.vhlo = vhlo;
    write.bytecode.locations = !flags_.strip_debug_info;
    write.bytecode.format = flags_.bytecode_format;
    write.bytecode.writer = flags_.writer;
    write.bytecode.from_text = !is_bytecode_ && !vhlo;
    write.bytecode.producer = "shlo-compat";
    return WriteProgram(program_, write);
  }

  const OptFlags& flags_;
  const DropinFile& file_;
  const TextChunk& chunk_;
  const bool is_bytecode_;
  Program program_;
  PassReport report_;
  ChunkResult out_;
};

// Prints diagnostics in the reference's format: place and message, without code and hint; but all of errors
// in the options of a pass.
int ReportPlainly(Context& ctx, const Diagnostics& found) {
  int code = kDone;
  for (const Diagnostic& d : found)
    if (code == kDone && d.severity == Severity::kError) code = ExitCodeOf(d.code);
  TerminalText text;
  for (const Diagnostic& d : found) {
    if (d.code == Code::kUsage) {
      text += RenderText(d);
      continue;
    }
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
  const auto file = SHLO_TAKE(ctx, OpenDropinFile(flags.file, flags.split));
  std::string out;
  int worst = kDone;
  for (const TextChunk& chunk : file.chunks) {
    if (&chunk != file.chunks.data()) out += "// -----\n";
    const ChunkResult result = Chunk(flags, file, chunk).Run();
    // The reference prints a blank line after a program.
    if (!result.text.empty()) out += flags.emit_bytecode ? result.text : result.text + '\n';
    if (flags.verify_diagnostics) {
      if (!MatchExpected(chunk.text, chunk.first_line, file.file.name, result.found, result.first_found))
        worst = std::max<int>(worst, kFinding);
    } else {
      worst = std::max(worst, ReportPlainly(ctx, result.found));
    }
  }
  const std::string path = flags.out.value_or("-");
  // On errors, write no file; standard output gets the programs that could be read, as the reference does.
  if (worst != kDone && path != "-") return worst;
  return std::max(worst, WriteOut(ctx, path, out, flags.emit_bytecode));
}

}  // namespace

int RunOpt(int argc, char** argv) {
  Context ctx;
  OptFlags flags;
  if (!ParseOptFlags(ctx, argc, argv, &flags)) return kFinding;
  const int code = flags.help ? Print(ctx, TerminalText::Lines(HelpText())) : RunFile(ctx, flags);
  return code == kDone ? kDone : kFinding;  // the reference has two exit codes
}

}  // namespace shlo::tool
