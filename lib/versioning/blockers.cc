#include "base/guarded.h"
#include "ir/module/vhlo_clashes.h"
#include "shlo/convert.h"
#include "shlo/expand.h"
#include "versioning/hint_remedy.h"
#include "versioning/legality.h"

namespace shlo {

namespace {

Diagnostics FindBlockers(const Module& module, Version target, const ConvertOptions& options) {
  BlockerList found(options.every_place, options.max_blockers);
  if (options.portable)
    for (const Diagnostic& clash : VhloClashes(module, options.source))
      found.Add(clash.message, [&] { return clash; });
  Legality legality(module, options);
  if (!FindVersion(target) || Has(legality.OfModule(), target)) return found.Finish();
  if (const auto expansion = Expand(module, {.target = target, .composites = true, .convert = options}))
    legality.SuggestExpansion(expansion->expanded);
  for (OpId op : module.OpsIn(module.top)) legality.Explain(op, target, &found);
  return found.Finish();
}

}  // namespace

Diagnostics Blockers(const Module& module, Version target, const ConvertOptions& options) {
  return Guarded(options.limits, [&] {
    Diagnostics found = FindBlockers(module, target, options);
    SuggestDroppingHints(
        module, [&](const Module& without) { return FindBlockers(without, target, options); }, &found);
    return found;
  });
}

Result<Version> LowestTarget(const Module& module, const ConvertOptions& options) {
  return Guarded(options.limits, [&]() -> Result<Version> {
    const VersionSet set = Legality(module, options).OfModule();
    Version lowest = module.version;
    while (lowest > kMinimumVersion && Has(set, Version{uint16_t(lowest.n - 1)})) --lowest.n;
    return lowest;
  });
}

Result<std::vector<Version>> PossibleTargets(const Module& module, const ConvertOptions& options) {
  return Guarded(options.limits, [&]() -> Result<std::vector<Version>> {
    const VersionSet set = Legality(module, options).OfModule();
    std::vector<Version> targets;
    for (const VersionRow& row : VersionLine())
      if (row.version == module.version || Has(set, row.version)) targets.push_back(row.version);
    return targets;
  });
}

}  // namespace shlo
