// Fuzzes files of dialects, each with a program: TOML, a line "---", MLIR. What verifies can be converted, or
// has blockers; what is converted verifies at the target, and what was upgraded converts back to what it was.
#include <memory>
#include <string>

#include "fuzz/require.h"
#include "shlo/compare.h"
#include "shlo/dialect.h"
#include "shlo/text_reader.h"
#include "shlo/verify.h"

namespace {

using namespace shlo;
using fuzz::Require;

constexpr std::string_view kDivider = "\n---\n";
constexpr size_t kMaxOps = 200;
constexpr uint16_t kMaxVersions = 8;

void CheckConversions(const Module& module, const Dialect& dialect) {
  const auto version = DialectVersionOf(module, dialect);
  Require(version, "a program that verifies has no version");
  for (uint16_t target = 1; target <= std::min(dialect.newest(), kMaxVersions); ++target) {
    const auto there = ConvertDialect(module, dialect, target);
    const Diagnostics blockers = DialectBlockers(module, dialect, target);
    Require(there.has_value() == blockers.empty(), "blockers and conversion do not agree");
    if (!there) continue;
    Require(there->from == *version && there->to == target, "a conversion has other versions");
    Require(VerifyDialect(there->module, dialect).empty(), "a converted program does not verify");
    if (target < *version) continue;
    const auto back = ConvertDialect(there->module, dialect, *version);
    Require(back, "a program that was upgraded does not convert back");
    // The first conversion states the version, and drops nothing but defaults.
    const auto again = ConvertDialect(back->module, dialect, target);
    Require(again, "a program that was converted and back cannot be converted again");
    const std::string difference = FirstDifference(there->module, again->module, {});
    Require(difference.empty(), "converting twice gives two programs", difference);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const size_t divider = std::min(bytes.find(kDivider), size);
  const auto dialect = ParseDialect(bytes.substr(0, divider), "input.toml");
  if (!dialect) {
    Require(HasErrors(dialect.error()), "a file is refused, without an error");
    return 0;
  }
  if (divider == size) return 0;
  const auto text = std::make_shared<const std::string>(bytes.substr(divider + kDivider.size()));
  const auto module = ReadText(*text, text);
  if (!module || module->ops.size() > kMaxOps ||
      HasErrors(Verify(*module, {.strictness = Strictness::kLenient})))
    return 0;
  if (VerifyDialect(*module, *dialect).empty()) CheckConversions(*module, *dialect);
  return 0;
}
