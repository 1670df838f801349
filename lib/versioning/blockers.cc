#include <algorithm>

#include "ir/format.h"
#include "ir/guarded.h"
#include "ir/module/vhlo_clashes.h"
#include "shlo/convert.h"
#include "shlo/expand.h"
#include "versioning/legality.h"

namespace shlo {

namespace {

Diagnostics FindBlockers(const Module& module, Version target, const ConvertOptions& options) {
  Diagnostics found;
  if (options.portable) found = VhloClashes(module, options.source);
  Legality legality(module, options);
  if (!FindVersion(target) || Has(legality.OfModule(), target)) return found;
  if (const auto expansion = Expand(module, {.target = target, .composites = true, .convert = options}))
    legality.SuggestExpansion(expansion->expanded);
  size_t all = found.size();
  for (OpId op : ProgramOrder(module))
    all += legality.Explain(op, target, options.max_blockers - std::min(options.max_blockers, found.size()),
                            &found);
  const size_t left_out = all - found.size();
  if (left_out) {
    Diagnostic note;
    note.severity = Severity::kNote;
    note.code = Code::kBlocked;
    note.message = StrFormat("{} not listed", Count(left_out, "more blocker"));
    found.push_back(std::move(note));
  }
  return found;
}

}  // namespace

Diagnostics Blockers(const Module& module, Version target, const ConvertOptions& options) {
  return Guarded(options.limits, [&] { return FindBlockers(module, target, options); });
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
