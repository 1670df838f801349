// Passes that simplify programs.
#include <algorithm>

#include "base/guarded.h"
#include "base/try.h"
#include "ir/table/ops.h"
#include "rewrite/all_rules.h"
#include "rewrite/fold_rules.h"
#include "rewrite/pass.h"
#include "rewrite/simplify/cse.h"
#include "rewrite/simplify/rewrite_rules.h"

namespace shlo::rewrite {
namespace {

Result<void> ApplyRules(const PassRun& run, std::span<const Rule> rules, Program* program) {
  DriverOptions options{.last_first = true, .gather_constants = true, .limits = run.limits};
  options.rules = SHLO_TRY(RuleOptionsOf(run));
  SHLO_TRY(Apply(rules, program, options));
  return {};
}

}  // namespace

Result<void> SimplifyAggressively(const PassRun& run, Program* program) {
  return ApplyRules(run, SimplifyRules(), program);
}

Result<void> FoldAndSimplify(const PassRun& run, Program* program) {
  return ApplyRules(run, AllRules(), program);
}

// The canonicalization patterns of StableHLO are for ops whose branch a constant decides.
Result<void> Canonicalize(const PassRun& run, Program* program) {
  const auto upstream = UpstreamRules();
  std::vector<Rule> rules(upstream.begin(), upstream.end());
  std::ranges::copy_if(FoldRules(), std::back_inserter(rules),
                       [](const Rule& rule) { return rule.row == ops::kCase || rule.row == ops::kIf; });
  SHLO_TRY(Apply(rules, program, {.last_first = true, .gather_constants = true, .limits = run.limits}));
  return {};
}

Result<void> EliminateCommonSubexpressions(const PassRun& run, Program* program) {
  return Guarded(run.limits, [&]() -> Result<void> {
    ModuleEditor editor(program->module);
    EliminateCommonOps(&editor);
    program->module = std::move(editor).Finish(&program->source.places);
    return {};
  });
}

}  // namespace shlo::rewrite
