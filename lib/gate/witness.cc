#include "gate/witness.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "base/format.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "shlo/compare.h"
#include "shlo/convert.h"
#include "shlo/mlirbc_reader.h"
#include "shlo/mlirbc_writer.h"
#include "shlo/shlo_reader.h"
#include "shlo/shlo_writer.h"
#include "shlo/text_reader.h"
#include "shlo/text_writer.h"
#include "shlo/verify.h"

namespace shlo::gate {

std::string HashOf(std::string_view bytes) {
  return StrFormat("{:08x}", uint32_t(XXH3_64bits(bytes.data(), bytes.size())));
}

std::string Failed(const Diagnostics& why) {
  return StrFormat("{} {}", kRefused, CodeName(why.front().code));
}

std::string TextHash(const Module& module, const TextWriteOptions& options) {
  const auto text = WriteText(module, options);
  return text ? HashOf(*text) : Failed(text.error());
}

std::string VerdictOf(const Diagnostics& found) {
  std::vector<std::string> said;
  for (const Diagnostic& d : found) {
    if (d.severity == Severity::kNote) continue;
    std::string line = StrFormat("{} {}", d.severity == Severity::kError ? "error" : "warning", d.op);
    if (std::ranges::find(said, line) == said.end()) said.push_back(std::move(line));
  }
  return said.empty() ? "valid" : StrFormat("{}", fmt::join(said, ", "));
}

namespace {

// Whether bytes give the program that they were written for.
template <typename Read>
bool ReadsBack(const Module& module, const std::string& bytes, bool defaults, const Read& read) {
  const auto owner = std::make_shared<const std::string>(bytes);
  const auto again = read(std::string_view(*owner), owner);
  if (!again) return false;
  CompareOptions options;
  options.defaults = defaults;
  options.columns = false;
  return FirstDifference(module, *again, options).empty();
}

}  // namespace

std::string ShloOf(const Module& module, const Source& source) {
  // Other releases of zstd give other bytes.
  ShloWriteOptions options{.source = &source, .zstd_level = 0, .producer = "gate"};
  const auto bytes = WriteShlo(module, options);
  if (!bytes) return Failed(bytes.error());
  options.zstd_level = 6;
  options.compress_constants = true;
  const auto small = WriteShlo(module, options);
  const auto read = [](std::string_view b, Buffer owner) { return ReadShlo(b, std::move(owner)); };
  const bool back = small && ReadsBack(module, *bytes, true, read) && ReadsBack(module, *small, true, read);
  return HashOf(*bytes) + std::string(back ? "" : kNotReadable);
}

namespace {

std::string BytecodeOf(const Module& module, const Source& source) {
  std::string out;
  for (const bool vhlo : {true, false}) {
    const auto bytes = WriteMlirBytecode(module, {.source = &source, .vhlo = vhlo});
    if (!out.empty()) out += ' ';
    if (!bytes) {
      out += StrFormat("{}{}", kRefused, CodeName(bytes.error().front().code));
      continue;
    }
    out += HashOf(*bytes);
    if (!vhlo) continue;
    const auto read = [](std::string_view b, Buffer owner) { return ReadMlirBytecode(b, std::move(owner)); };
    if (!ReadsBack(module, *bytes, false, read)) out += kNotReadable;
  }
  return out;
}

std::string Ranges(const std::vector<Version>& versions) {
  std::string out;
  for (size_t i = 0; i < versions.size(); ++i) {
    const size_t first = i;
    while (i + 1 < versions.size() && versions[i + 1].n == versions[i].n + 1) ++i;
    out += StrFormat("{}{}", out.empty() ? "" : " ", versions[first].n);
    if (i > first) out += StrFormat("-{}", versions[i].n);
  }
  return out;
}

std::string ConvertedTo(const Module& module, Version target) {
  const auto converted = Convert(module, target);
  if (!converted) return Failed(converted.error());
  return TextHash(converted->module, {.generic = true, .locations = true, .local_scope = true});
}

}  // namespace

WitnessParts Replay(std::string_view text, const ReplayOptions& options) {
  WitnessParts parts;
  for (const Section part : kWitnessParts) parts[part] = kNoPart;
  Source source;
  const auto owner = std::make_shared<const std::string>(text);
  const auto module =
      ReadText(*owner, owner, {.version = options.version, .limits = options.limits}, &source);
  if (!module) {
    parts[Section::kVerdict] = "unreadable";
    return parts;
  }
  parts[Section::kVerdict] = VerdictOf(Verify(*module, {.strictness = Strictness::kLenient}));
  // A version that is not written depends on which version is the current one.
  source.version_written = true;
  const TextWriteOptions exact{.source = &source, .locations = true, .local_scope = true};
  const TextWriteOptions mlir{.style = TextStyle::kMlir, .source = &source, .locations = true};
  parts[Section::kText] = TextHash(*module, exact) + " " + TextHash(*module, mlir);
  parts[Section::kGeneric] =
      TextHash(*module, {.source = &source, .generic = true, .locations = true, .local_scope = true});
  parts[Section::kVhloText] = TextHash(*module, {.source = &source, .spelling = Spelling::kVhlo});
  parts[Section::kShlo] = ShloOf(*module, source);
  parts[Section::kBytecode] = BytecodeOf(*module, source);
  if (const auto targets = PossibleTargets(*module); targets && !targets->empty()) {
    std::vector<Version> known = *targets;
    std::erase_if(known, [&](Version v) { return v > options.newest; });
    parts[Section::kLowest] = Ranges(known);
    if (!known.empty() && known.front() < options.version)
      parts[Section::kDowngrade] = ConvertedTo(*module, known.front());
  }
  if (options.version < options.newest)
    parts[Section::kUpgrade] = StrFormat("{} {}", options.newest.n, ConvertedTo(*module, options.newest));
  // Only a program that verifies has a meaning.
  if (parts[Section::kVerdict] == "valid") parts[Section::kResult] = ResultsOf(*module, options);
  return parts;
}

std::string SubjectOf(std::string_view text, Version version) {
  const auto module = ReadText(text, nullptr, {.version = version});
  if (!module) return "text";
  for (const Diagnostic& d : Verify(*module, {.strictness = Strictness::kLenient}))
    if (!d.op.empty()) return d.op;
  std::string subject = "builtin.module";
  for (uint32_t i = 1; i < module->ops.size(); ++i) {
    const std::string name(module->NameOf(module->ops[i]));
    if (name.ends_with("return") || name.ends_with("constant") || name.ends_with("yield")) continue;
    if (name != "func.func" && name != "builtin.module")
      subject = name;
    else if (subject == "builtin.module")
      subject = name;
  }
  return subject;
}

}  // namespace shlo::gate
