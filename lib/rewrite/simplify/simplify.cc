#include "shlo/simplify.h"

#include <algorithm>

#include "base/format.h"
#include "base/guarded.h"
#include "base/nearest.h"
#include "rewrite/all_rules.h"

namespace shlo {
namespace {

std::string_view ElementsName(rewrite::Elements elements) {
  switch (elements) {
    case rewrite::Elements::kIntegers:
      return "integers";
    case rewrite::Elements::kFloats:
      return "floats";
    case rewrite::Elements::kAll:
      break;
  }
  return "";
}

Result<void> CheckNames(const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    if (std::ranges::find(AllRewrites(), name, &RewriteInfo::name) != AllRewrites().end()) continue;
    Nearest nearest(name);
    for (const RewriteInfo& rewrite : AllRewrites()) nearest.Try(rewrite.name);
    return Error(Code::kUsage, StrFormat("unknown rewrite '{}'", name), {}, DidYouMean(nearest.best()));
  }
  return {};
}

}  // namespace

std::span<const RewriteInfo> AllRewrites() {
  static const std::vector<RewriteInfo> kInfos = [] {
    std::vector<RewriteInfo> infos;
    for (const rewrite::Rule& rule : rewrite::AllRules())
      infos.push_back({rule.name, rule.row ? RowOf(rule.row).name : std::string_view(),
                       ElementsName(rule.elements), rule.exactness, rule.summary, rule.counterexample,
                       rule.reference});
    return infos;
  }();
  return kInfos;
}

Result<SimplifyReport> Simplify(Program* program, const SimplifyOptions& options) {
  if (auto known = CheckNames(options.only); !known) return tl::make_unexpected(std::move(known.error()));
  std::vector<rewrite::Rule> rules;
  for (const rewrite::Rule& rule : rewrite::AllRules())
    if (rule.exactness.Within(options.allowed) &&
        (options.only.empty() || std::ranges::find(options.only, rule.name) != options.only.end()))
      rules.push_back(rule);
  const auto count = [&] { return program->module.OpsIn(program->module.top).size() - 1; };
  SimplifyReport report;
  report.ops_before = count();
  rewrite::DriverOptions driver;
  driver.rules.max_elements = options.max_elements;
  driver.limits = options.limits;
  const auto done = rewrite::Apply(rules, program, driver);
  if (!done) return tl::make_unexpected(done.error());
  report.ops_after = count();
  for (const auto& [name, times] : done->applied) report.applied.emplace_back(name, times);
  return report;
}

}  // namespace shlo
