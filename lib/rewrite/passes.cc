#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <vector>

#include "base/format.h"
#include "base/guarded.h"
#include "base/nearest.h"
#include "ir/table/release.h"
#include "rewrite/pass.h"

namespace shlo {
namespace {

struct PassRow {
  PassInfo info;
  rewrite::PassFunction run;
};

// Sorted by name.
constexpr PassRow kPasses[] = {
    {{"canonicalize",
      "cse-constants disable-patterns enable-patterns max-iterations max-num-rewrites region-simplify "
      "test-convergence top-down",
      "apply canonicalization patterns"},
     rewrite::Canonicalize},
    {{"chlo-legalize-to-stablehlo", "", "rewrite CHLO into the ops that the reference makes of it"},
     rewrite::ExpandChloAsReference},
    {{"chlo-pre-serialization-pipeline", "", "rewrite CHLO into StableHLO"}, rewrite::ExpandChlo},
    {{"cse", "", "replace equal ops by one"}, rewrite::EliminateCommonSubexpressions},
    {{"hlo-test-broadcast", "", "broadcast operands for the reference's tests"}, rewrite::BroadcastForTest},
    {{"hlo-test-infer", "", "answer the reference's tests of inference"}, rewrite::InferForTest},
    {{"inline", "", "inline function calls"}, rewrite::Inline},
    {{"interpreter-instrument-with-probe", "useDebugInfo", "insert a probe after each op"},
     rewrite::InstrumentWithProbe},
    {{"shape-legalize-to-stablehlo", "", "rewrite ops of shape, tensor and arith that compute shapes"},
     rewrite::LegalizeShape},
    {{"stablehlo-aggressive-folder", "assume-no-undeclared-side-effects fold-op-element-limit optimize-float",
      "fold constants"},
     rewrite::Fold},
    {{"stablehlo-aggressive-simplification", "fold-op-element-limit", "simplify ops"},
     rewrite::SimplifyAggressively},
    {{"stablehlo-canonicalize-dynamism", "", "replace ops whose shapes are constant operands by static ones"},
     rewrite::CanonicalizeShapes},
    {{"stablehlo-check-shape-assertions", "enable-shape-assertions",
      "erase shape assertions that hold; others are errors"},
     rewrite::CheckAssertions},
    {{"stablehlo-compatibility-expander", "target", "rewrite ops that version V lacks"},
     rewrite::ExpandForTarget},
    {{"stablehlo-complex-math-expander", "", "expand log_plus_one of complex numbers"},
     rewrite::ExpandComplexMath},
    {{"stablehlo-convert-to-signless", "", "remove the signs of integer types"}, rewrite::ConvertToSignless},
    {{"stablehlo-create-compatibility-expander", "target", "the same"}, rewrite::ExpandForTarget},
    {{"stablehlo-legalize-composite-to-call", "except", "replace composites by calls"},
     rewrite::LegalizeCompositeToCall},
    {{"stablehlo-legalize-deprecated-ops", "fail-on-unused", "replace deprecated ops"},
     rewrite::LegalizeDeprecatedOps},
    {{"stablehlo-legalize-qdq-to-quantized-op", "", "fuse dequantize, op, quantize"},
     rewrite::LegalizeQdqToQuantizedOp},
    {{"stablehlo-legalize-quant-to-math", "", "rewrite quantized ops as math on stored integers"},
     rewrite::LegalizeQuantToMath},
    {{"stablehlo-legalize-quantized-op-to-qdq", "", "split quantized ops into dequantize, op, quantize"},
     rewrite::LegalizeQuantizedOpToQdq},
    {{"stablehlo-refine-arguments", "types", "give the arguments of the main function these types"},
     rewrite::RefineArguments},
    {{"stablehlo-refine-shapes", "", "infer the shapes of all results from those of the arguments"},
     rewrite::RefineShapes},
    {{"stablehlo-target-independent-optimization",
      "assume-no-undeclared-side-effects fold-op-element-limit optimize-float",
      "fold constants and simplify ops"},
     rewrite::FoldAndSimplify},
    {{"stablehlo-wrap-in-composite", "op-names version", "wrap ops in composites"}, rewrite::WrapInComposite},
};

const PassRow* FindPass(std::string_view name) {
  for (const PassRow& row : kPasses)
    if (row.info.name == name) return &row;
  return nullptr;
}

// Returns the length of a text up to one of these characters, outside of brackets, braces, parentheses, angle
// brackets and quotes.
size_t LengthUntil(std::string_view text, std::string_view ends) {
  int depth = 0;
  char quote = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote) {
      if (c == quote) quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (depth == 0 && ends.find(c) != ends.npos) {
      return i;
    } else if (std::string_view("([{<").find(c) != std::string_view::npos) {
      ++depth;
    } else if (std::string_view(")]}>").find(c) != std::string_view::npos && depth > 0) {
      --depth;
    }
  }
  return text.size();
}

// Returns the parts of a text between `divider`, but empty ones.
std::vector<std::string_view> Divided(std::string_view text, char divider) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const size_t length = LengthUntil(text, std::string_view(&divider, 1));
    if (length > 0) parts.push_back(text.substr(0, length));
    text.remove_prefix(std::min(length + 1, text.size()));
  }
  return parts;
}

std::string_view Unwrapped(std::string_view value) {
  if (value.size() < 2) return value;
  const char first = value.front(), last = value.back();
  const bool wrapped = (first == '{' && last == '}') || ((first == '"' || first == '\'') && first == last);
  return wrapped ? value.substr(1, value.size() - 2) : value;
}

tl::unexpected<Diagnostics> UnknownPass(std::string_view name) {
  Nearest nearest(name);
  for (const PassInfo& pass : AllPasses()) nearest.Try(pass.name);
  return Error(Code::kUsage, StrFormat("unknown pass '{}'", name), {}, DidYouMean(nearest.best()));
}

constexpr const char* kPipelineHint = "write builtin.module(PASS{OPTION=VALUE},PASS)";

// Appends the passes of a pipeline's list. Not recursive: an anchor opens a list, and its end is skipped.
Result<void> AppendPasses(std::string_view text, std::vector<PassCall>* calls) {
  size_t depth = 0;
  while (!text.empty()) {
    const size_t length = text.find_first_of("(){},");
    const std::string_view name = text.substr(0, length);
    const char end = length == text.npos ? ',' : text[length];
    std::string_view rest = length == text.npos ? std::string_view() : text.substr(length + 1), options;
    if (end == '{') {
      const size_t closing = LengthUntil(rest, "}");
      options = rest.substr(0, closing);
      rest.remove_prefix(std::min(closing + 1, rest.size()));
    }
    if (end == '(') {
      ++depth;
    } else if (!name.empty()) {
      auto call = ParsePass(name, options);
      if (!call) return tl::unexpected(std::move(call.error()));
      calls->push_back(std::move(*call));
    }
    if (end == '}' || (end == ')' && depth-- == 0))
      return Error(Code::kUsage, StrFormat("unexpected '{}' in a pass pipeline", end), {}, kPipelineHint);
    text = rest;
  }
  if (depth > 0) return Error(Code::kUsage, "expected ')' at the end of a pass pipeline", {}, kPipelineHint);
  return {};
}

}  // namespace

std::span<const PassInfo> AllPasses() {
  static constexpr auto kInfos = [] {
    std::array<PassInfo, std::size(kPasses)> infos;
    for (size_t i = 0; i < infos.size(); ++i) infos[i] = kPasses[i].info;
    return infos;
  }();
  return kInfos;
}

Result<PassCall> ParsePass(std::string_view name, std::string_view options) {
  const PassRow* const row = FindPass(name);
  if (!row) return UnknownPass(name);
  const std::vector<std::string_view> known = Divided(row->info.options, ' ');
  PassCall call{std::string(name), {}};
  for (const std::string_view option : Divided(Unwrapped(options), ' ')) {
    const size_t equals = option.find('=');
    const std::string_view key = option.substr(0, equals);
    if (std::ranges::find(known, key) == known.end())
      return Error(Code::kUsage, StrFormat("'{}' has no option '{}'", name, key), {},
                   known.empty() ? "it has none" : StrFormat("its options: {}", fmt::join(known, ", ")));
    const std::string_view value = equals == option.npos ? "true" : Unwrapped(option.substr(equals + 1));
    call.options.emplace_back(key, value);
  }
  return call;
}

Result<std::vector<PassCall>> ParsePipeline(std::string_view text) {
  std::vector<PassCall> calls;
  if (auto appended = AppendPasses(text, &calls); !appended)
    return tl::unexpected(std::move(appended.error()));
  return calls;
}

Result<void> RunPasses(std::span<const PassCall> passes, Program* program, PassReport* report,
                       const Limits& limits) {
  PassReport unread;
  return Guarded(limits, [&]() -> Result<void> {
    for (const PassCall& call : passes) {
      const PassRow* const row = FindPass(call.name);
      if (!row) return UnknownPass(call.name);
      if (auto done = row->run({call, limits, report ? *report : unread}, program); !done) return done;
    }
    return {};
  });
}

namespace rewrite {

std::string_view PassRun::Option(std::string_view name, std::string_view absent) const {
  for (const auto& [key, value] : call.options)
    if (key == name) return value;
  return absent;
}

Result<bool> PassRun::Flag(std::string_view name, bool absent) const {
  const std::string_view value = Option(name, absent ? "true" : "false");
  if (value == "true" || value == "1") return true;
  if (value == "false" || value == "0") return false;
  return Error(Code::kUsage, StrFormat("expected true or false for '{}'", name));
}

Result<int64_t> PassRun::Number(std::string_view name, int64_t absent) const {
  const std::string_view value = Option(name);
  if (value.empty()) return absent;
  int64_t number = 0;
  const auto parsed = std::from_chars(value.data(), value.data() + value.size(), number);
  if (parsed.ec == std::errc() && parsed.ptr == value.data() + value.size()) return number;
  return Error(Code::kUsage, StrFormat("expected a number for '{}'", name));
}

std::vector<std::string_view> PassRun::List(std::string_view name) const {
  return Divided(Option(name), ',');
}

Result<Version> ParseTarget(std::string_view text) {
  // Mirrors MLIR.
  const std::string form = "Target version must be of the form `#.#.#`.";
  // Mirrors MLIR.
  if (text.empty()) return Error(Code::kUsage, "No target version specified.", {}, form);
  const auto numbers = Divided(text, '.');
  const auto is_number = [](std::string_view part) {
    return part.find_first_not_of("0123456789") == part.npos;
  };
  if (numbers.size() != 3 || std::ranges::count(text, '.') != 2 || !std::ranges::all_of(numbers, is_number))
    // Mirrors MLIR.
    return Error(Code::kUsage, StrFormat("Invalid target version argument '{}'", text), {}, form);
  const auto release = ParseReleaseNumber(text);
  const Version version = release ? VersionOfRelease(*release) : Version();
  if (version.valid()) return version;
  // Mirrors MLIR.
  if (release && *release < NumberOf(kFirstRelease))
    return Error(Code::kUsage, StrFormat("target version {} is less than minimum supported {}", text,
                                         FindVersion(kFirstRelease)->release));
  return Error(Code::kUsage, StrFormat("target version {} is greater than current version {}", text,
                                       FindVersion(kCurrentVersion)->release));
}

}  // namespace rewrite
}  // namespace shlo
