#include "dropin.h"

#include <algorithm>
#include <string_view>

#include "base/format.h"
#include "base/nearest.h"
#include "base/try.h"
#include "rewrite/pass.h"
#include "shlo/conversion.h"

namespace shlo::tool {
namespace {

// A flag of one or both tools, except the passes of opt (passes.h), with one or two dashes: the member that
// it sets, or its value. A flag with a value takes the next word, unless '=' follows. The value of a pass is
// "target=V" in the same word.
struct DropinFlagRow {
  uint8_t tools;
  std::string_view name;
  bool DropinFlags::*flag = nullptr;
  DropinFlags::Value DropinFlags::*value = nullptr;
  bool is_pass = false;
};

using F = DropinFlags;
constexpr uint8_t kOpt = uint8_t(Dropin::kOpt), kTranslate = uint8_t(Dropin::kTranslate);
constexpr uint8_t kBoth = kOpt | kTranslate;
constexpr DropinFlagRow kDropinFlags[] = {
    {kBoth, "help", &F::help},
    {kBoth, "split-input-file", &F::split},
    {kBoth, "verify-diagnostics", &F::verify_diagnostics},
    {kOpt, "allow-unregistered-dialect", &F::allow_unregistered},
    {kOpt, "mlir-print-op-generic", &F::generic},
    {kBoth, "mlir-print-debuginfo", &F::debug_info},
    {kOpt, "mlir-print-local-scope", &F::local_scope},
    {kBoth, "strip-debuginfo", &F::strip_debug_info},
    {kOpt, "mlir-strip-debuginfo", &F::strip_debug_info},
    {kOpt, "stablehlo-legalize-to-vhlo", &F::to_vhlo},
    {kTranslate, "chlo-pre-serialization-pipeline", &F::legalize_chlo},
    {kOpt, "emit-bytecode", &F::emit_bytecode},
    {kOpt, "stablehlo-deserialize", &F::deserialize},
    {kTranslate, "serialize", &F::serialize},
    {kTranslate, "deserialize", &F::deserialize},
    {kTranslate, "allow-other-dialects", &F::allow_other_dialects},
    {kTranslate, "print-stablehlo-version", &F::print_version},
    {kTranslate, "interpret", &F::interpret},
    {kTranslate, "compat", &F::compat},
    {kTranslate, "interpreter-print-dense", &F::print_dense},
    {kBoth, "o", nullptr, &F::out},
    {kOpt, "mlir-elide-elementsattrs-if-larger", nullptr, &F::elide_elements},
    {kOpt, "vhlo-to-version", nullptr, &F::target, true},
    {kOpt, "emit-bytecode-version", nullptr, &F::bytecode_format},
    {kBoth, "as-written-by", nullptr, &F::writer},
    {kOpt, "pass-pipeline", nullptr, &F::pipeline},
    {kOpt, "debug-only", nullptr, &F::debug_only},
    {kTranslate, "target", nullptr, &F::target},
    {kTranslate, "args", nullptr, &F::args},
    {kTranslate, "probe-output-dir", nullptr, &F::probe_dir},
};

// A flag as it is written.
struct FlagWord {
  std::string_view text;  // all of it
  std::string_view name;  // without dashes and value
  std::string_view value;
  bool has_value = false;  // after '='

  explicit FlagWord(std::string_view word) : text(word) {
    name = text.substr(text.starts_with("--") ? 2 : 1);
    const size_t equals = name.find('=');
    has_value = equals != name.npos;
    if (has_value) value = name.substr(equals + 1);
    name = name.substr(0, equals);
  }
  std::string_view without_value() const { return text.substr(0, text.find('=')); }
};

class DropinParser {
 public:
  DropinParser(Context& ctx, Dropin tool, DropinFlags* flags) : ctx_(ctx), tool_(tool), flags_(*flags) {}

  bool Parse(int argc, char** argv) {
    for (int i = 1; i < argc; ++i) {
      const std::string_view text = argv[i];
      if (text == "-" || !text.starts_with('-')) {
        if (!SetFile(text)) return false;
        continue;
      }
      FlagWord word(text);
      const DropinFlagRow* const row = Find(word.name);
      if (!row && IsPass(word.name)) {
        if (!Append(ParsePass(word.name, word.value))) return false;
        continue;
      }
      if (!row) return Unknown(word);
      if (!row->value) {
        if (!SetFlag(*row, word)) return false;
        continue;
      }
      if (!row->is_pass && !word.has_value) {
        if (++i >= argc) return Usage(StrFormat("expected a value for '{}'", text));
        word.value = argv[i];
      }
      if (!SetValue(*row, word)) return false;
    }
    return true;
  }

 private:
  bool Usage(std::string message) { return DropinUsageError(ctx_, tool_, std::move(message)); }

  const DropinFlagRow* Find(std::string_view name) const {
    for (const DropinFlagRow& row : kDropinFlags)
      if (row.name == name && (row.tools & uint8_t(tool_))) return &row;
    return nullptr;
  }

  bool IsPass(std::string_view name) const {
    return tool_ == Dropin::kOpt &&
           std::ranges::find(AllPasses(), name, &PassInfo::name) != AllPasses().end();
  }

  // Appends a pass, unless its options are wrong.
  bool Append(Result<PassCall> pass) {
    if (!pass) {
      ctx_.Report(pass.error());
      return false;
    }
    flags_.passes.push_back(std::move(*pass));
    return true;
  }

  bool Unknown(const FlagWord& word) {
    Nearest nearest(word.name);
    for (const DropinFlagRow& row : kDropinFlags)
      if (row.tools & uint8_t(tool_)) nearest.Try(row.name);
    if (tool_ == Dropin::kOpt)
      for (const PassInfo& pass : AllPasses()) nearest.Try(pass.name);
    if (nearest.best().empty()) return Usage(StrFormat("unknown flag '{}'", word.text));
    const std::string dashes = word.text.starts_with("--") ? "--" : "-";
    ctx_.Fail(Code::kUsage, StrFormat("unknown flag '{}'", word.text), {},
              DidYouMean(dashes + std::string(nearest.best())));
    return false;
  }

  bool SetFile(std::string_view path) {
    if (have_file_) return Usage(StrFormat("expected 1 input file, got '{}' and '{}'", flags_.file, path));
    have_file_ = true;
    flags_.file = path;
    return true;
  }

  bool SetFlag(const DropinFlagRow& row, const FlagWord& word) {
    // This pass has its own options.
    const bool keeps_others = row.flag == &F::to_vhlo && word.value == "allow-other-dialects";
    if (keeps_others) flags_.allow_other_dialects = true;
    const bool yes = !word.has_value || keeps_others || word.value == "true" || word.value == "1";
    if (!yes && word.value != "false" && word.value != "0")
      return Usage(StrFormat("expected true or false for '{}'", word.without_value()));
    if (row.flag) flags_.*row.flag = yes;
    return true;
  }

  bool SetValue(const DropinFlagRow& row, const FlagWord& word) {
    std::string_view value = word.value;
    constexpr std::string_view kTarget = "target=";
    if (row.is_pass && word.has_value) {
      if (!value.starts_with(kTarget))
        return Usage(StrFormat("expected target=VERSION for '{}'", word.without_value()));
      value.remove_prefix(kTarget.size());
    }
    flags_.*row.value = std::string(value);
    if (row.value == &F::debug_only) flags_.trace |= value == "stablehlo-bytecode";
    return row.value != &F::pipeline || SetPipeline(value);
  }

  bool SetPipeline(std::string_view text) {
    if (text == "builtin.module(stablehlo-deserialize)") {
      flags_.deserialize = true;
      return true;
    }
    auto passes = ParsePipeline(text);
    if (!passes) {
      ctx_.Report(passes.error());
      return false;
    }
    flags_.passes.insert(flags_.passes.end(), passes->begin(), passes->end());
    return true;
  }

  Context& ctx_;
  const Dropin tool_;
  DropinFlags& flags_;
  bool have_file_ = false;
};

}  // namespace

bool ParseDropinFlags(Context& ctx, Dropin tool, int argc, char** argv, DropinFlags* flags) {
  return DropinParser(ctx, tool, flags).Parse(argc, argv);
}

bool DropinUsageError(Context& ctx, Dropin tool, std::string message) {
  const char* const name = tool == Dropin::kOpt ? "stablehlo-opt" : "stablehlo-translate";
  ctx.Fail(Code::kUsage, std::move(message), {}, StrFormat("run '{} --help' for usage", name));
  return false;
}

bool ParseTarget(Context& ctx, const std::string& text, Version* version) {
  const auto target = rewrite::ParseTarget(text);
  if (!target) {
    ctx.Report(target.error());
    return false;
  }
  *version = *target;
  return true;
}

Result<DropinFile> OpenDropinFile(const std::string& path, bool split) {
  auto file = SHLO_TRY(OpenInput(path));
  DropinFile out;
  out.file = std::move(file);
  out.format = DetectFormat(out.file.bytes);
  out.chunks = {{out.file.bytes, 1}};
  if (split && out.format == Format::kText) {
    out.chunks = SHLO_TRY(SplitText(out.file.bytes, 1, /*anywhere=*/true));
  }
  return out;
}

ReadOptions ReadChunkOptions(const DropinFile& file, const TextChunk& chunk) {
  ReadOptions options;
  options.source_name = file.file.name;
  options.allow_empty = true;
  options.first_line = chunk.first_line;
  return options;
}

Result<Program> ConvertTo(Version target, bool allow_other_dialects, Program program, Diagnostics* warnings) {
  ConversionRequest request;
  request.target = target;
  request.allow_outside_window = true;
  request.allow_other_dialects = allow_other_dialects;
  request.verify = false;
  ConversionReport report;
  auto converted = Convert(std::move(program), request, &report);
  if (warnings) *warnings = std::move(report.warnings);
  return converted;
}

Result<Program> UpgradeToNewest(Program program) {
  if (program.module.version != kCurrentVersion) {
    program = SHLO_TRY(ConvertTo(kCurrentVersion, /*allow_other_dialects=*/true, std::move(program)));
  }
  program.module.DropDefaults();
  return program;
}

WriteOptions MlirText() {
  WriteOptions options;
  options.text.style = TextStyle::kMlir;
  options.text.spaced_cases = true;
  return options;
}

}  // namespace shlo::tool
