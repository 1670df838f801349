// The pass that folds constants.
#include "rewrite/fold_rules.h"
#include "rewrite/pass.h"

namespace shlo::rewrite {

Result<RuleOptions> RuleOptionsOf(const PassRun& run) {
  RuleOptions options;
  const auto elements = run.Number("fold-op-element-limit", int64_t(options.max_elements));
  if (!elements) return tl::make_unexpected(elements.error());
  // As the reference, which compares without signs.
  options.max_elements = uint64_t(*elements);
  const auto floats = run.Flag("optimize-float", options.floats);
  if (!floats) return tl::make_unexpected(floats.error());
  options.floats = *floats;
  const auto pure = run.Flag("assume-no-undeclared-side-effects", options.calls_are_pure);
  if (!pure) return tl::make_unexpected(pure.error());
  options.calls_are_pure = *pure;
  return options;
}

Result<void> Fold(const PassRun& run, Program* program) {
  const auto options = RuleOptionsOf(run);
  if (!options) return tl::make_unexpected(options.error());
  const auto done =
      Apply(FoldRules(), program, {.gather_constants = true, .rules = *options, .limits = run.limits});
  if (!done) return tl::make_unexpected(done.error());
  return {};
}

}  // namespace shlo::rewrite
