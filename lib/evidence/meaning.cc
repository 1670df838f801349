#include "base/try.h"
#include "check/rules.h"
#include "shlo/evidence.h"
#include "shlo/prove.h"

namespace shlo {
namespace {

CheckRule RuleFor(Verdict verdict) {
  if (verdict == Verdict::kDifferent) return CheckRule::kMeaningChanged;
  return verdict == Verdict::kOtherContract ? CheckRule::kContractChanged : CheckRule::kMeaningUnknown;
}

}  // namespace

Result<std::vector<MeaningChange>> CompareMeaning(const Program& before, const Program& now,
                                                  const Limits& limits) {
  ProveOptions options;
  options.source_a = &before.source;
  options.source_b = &now.source;
  options.limits = limits;
  const Proof proof = SHLO_TRY(Prove(before.module, now.module, options));
  std::vector<MeaningChange> out;
  for (const FunctionProof& f : proof.functions) {
    if (f.verdict == Verdict::kEqual) continue;
    const bool contract = f.verdict == Verdict::kOtherContract && !f.contract.empty();
    out.push_back({f.function, RuleFor(f.verdict), contract ? f.contract[0].message : f.detail});
  }
  if (!proof.contract.empty()) out.push_back({"", CheckRule::kContractChanged, proof.contract[0].message});
  return out;
}

}  // namespace shlo
