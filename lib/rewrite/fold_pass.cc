// The pass that folds constants.
#include "base/try.h"
#include "rewrite/fold_rules.h"
#include "rewrite/pass.h"

namespace shlo::rewrite {

Result<RuleOptions> RuleOptionsOf(const PassRun& run) {
  RuleOptions options;
  const int64_t elements = SHLO_TRY(run.Number("fold-op-element-limit", int64_t(options.max_elements)));
  options.max_elements = uint64_t(elements);  // the reference, too, compares without signs
  options.floats = SHLO_TRY(run.Flag("optimize-float", options.floats));
  options.calls_are_pure = SHLO_TRY(run.Flag("assume-no-undeclared-side-effects", options.calls_are_pure));
  return options;
}

Result<void> Fold(const PassRun& run, Program* program) {
  const RuleOptions options = SHLO_TRY(RuleOptionsOf(run));
  SHLO_TRY(Apply(FoldRules(), program, {.gather_constants = true, .rules = options, .limits = run.limits}));
  return {};
}

}  // namespace shlo::rewrite
