#include "base/format.h"
#include "base/printable.h"
#include "base/try.h"
#include "shlo/prove.h"

namespace shlo {

Result<Proof> ProveConversion(const Program& original, const Module& converted, Evidence at_least,
                              const std::string& file, ProveOptions options) {
  options.source_a = &original.source;
  auto proof = Prove(original.module, converted, options);
  if (!proof || (proof->verdict == Verdict::kEqual && proof->evidence >= at_least)) return proof;
  Diagnostics found;
  for (const FunctionProof& f : proof->functions) {
    if (f.verdict == Verdict::kEqual && f.evidence >= at_least) continue;
    const std::string detail = f.detail.empty() ? "" : ": " + f.detail;
    found.push_back(Error(Code::kNotEqual,
                          StrFormat("{} is not proved equal to what was read: {}{}", SymbolText(f.function),
                                    VerdictName(f.verdict, f.evidence), detail),
                          {.file = file}, "pass --at-least=sampled, or convert without --prove")
                        .value()[0]);
    found.insert(found.end(), f.contract.begin(), f.contract.end());
  }
  found.insert(found.end(), proof->contract.begin(), proof->contract.end());
  return tl::unexpected(std::move(found));
}

std::function<Result<void>(const Program&, const Module&, const Limits&)> ProofOf(Evidence at_least) {
  return [at_least](const Program& original, const Module& converted, const Limits& limits) -> Result<void> {
    SHLO_TRY(ProveConversion(original, converted, at_least, original.source.name, {.limits = limits}));
    return {};
  };
}

}  // namespace shlo
