#include "prove/smaller_shapes.h"

#include <algorithm>

#include "prove/by_evaluation.h"
#include "reduce/shrink.h"
#include "shlo/verify.h"

namespace shlo::prove {
namespace {

// Limits of comparisons, and of input sets in each.
constexpr uint32_t kMaxComparisons = 24;
constexpr uint32_t kMaxInputs = 24;

std::vector<int64_t> ExtentsOfBoth(const Module& a, const Module& b) {
  std::vector<int64_t> all = reduce::ExtentsOf(a);
  for (int64_t extent : reduce::ExtentsOf(b)) all.push_back(extent);
  std::ranges::sort(all, std::greater<>());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

// Returns the module with the extents changed, if that verifies without warnings; `same`: it has none of
// them.
std::optional<Module> Changed(const Module& m, const reduce::Extents& change, bool* same) {
  auto out = reduce::WithExtents(m, change);
  *same = !out;
  if (!out) return m;
  if (!Verify(*out).empty()) return std::nullopt;
  return out;
}

}  // namespace

DifferentPart SmallerShapes(CutOut a, CutOut b, std::vector<Tensor> counterexample,
                            const ProveOptions& options, WorkBudget& budget) {
  DifferentPart part{.a = std::move(a.module),
                     .b = std::move(b.module),
                     .function = "",
                     .ops_a = a.ops,
                     .ops_b = b.ops,
                     .counterexample = std::move(counterexample)};
  part.function = part.a.SymbolOf(part.a.ops[a.function.v]);
  ProveOptions few = options;
  few.max_inputs = std::min(few.max_inputs, kMaxInputs);
  uint32_t left = kMaxComparisons;
  int64_t done = -1;  // an extent that is small already
  for (const reduce::Extents& change : reduce::ExtentChanges(ExtentsOfBoth(part.a, part.b))) {
    if (change.from == done) continue;
    if (left == 0) break;
    bool same_a = false, same_b = false;
    auto first = Changed(part.a, change, &same_a), second = Changed(part.b, change, &same_b);
    if (!first || !second || (same_a && same_b)) continue;
    --left;
    // Ids of ops stay.
    FunctionProof proof =
        ByEvaluation(*first, *second, few, budget).Compare(part.function, a.function, b.function);
    if (proof.verdict != Verdict::kDifferent || proof.counterexample.empty()) continue;
    part.a = std::move(*first);
    part.b = std::move(*second);
    part.counterexample = std::move(proof.counterexample);
    if (change.from == 0) break;
    done = change.from;
  }
  return part;
}

}  // namespace shlo::prove
