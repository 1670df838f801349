#include "shlo/prove.h"

#include <algorithm>
#include <unordered_map>

#include "ir/guarded.h"
#include "ir/table/trait.h"
#include "prove/by_evaluation.h"

namespace shlo {
namespace {

bool IsPublic(const Module& module, OpId function) {
  std::string_view visibility;
  const AttrId attr = module.InherentAttrOf(module.ops[function.v], "sym_visibility");
  return !attr || !module.AsString(attr, &visibility) || visibility.empty() || visibility == "public";
}

// The functions of a program, in order and by name.
struct Functions {
  explicit Functions(const Module& m) : module(m) {
    for (RegionId region : m.RegionsOf(m.ops[m.top.v]))
      for (BlockId block : m.BlocksOf(region))
        for (OpId id : m.OpsOf(block)) {
          const Op& op = m.ops[id.v];
          if (!op.revision || !RowOf(op.revision).Has(Trait::kFunction)) continue;
          in_order.push_back(id);
          by_name.emplace(m.SymbolOf(op), id);
        }
  }
  OpId FindByName(std::string_view name) const {
    const auto found = by_name.find(name);
    return found == by_name.end() ? OpId() : found->second;
  }
  bool any_public() const {
    return std::ranges::any_of(in_order, [&](OpId f) { return IsPublic(module, f); });
  }

  const Module& module;
  std::vector<OpId> in_order;
  std::unordered_map<std::string_view, OpId> by_name;
};

Result<Proof> ProveAll(const Module& a, const Module& b, const ProveOptions& options) {
  Proof proof;
  proof.seed = options.seed;
  const Functions in_a(a), in_b(b);
  ByEvaluation evaluation(a, b, options);
  const bool all = !in_a.any_public() && !in_b.any_public();
  for (OpId fa : in_a.in_order) {
    if (!all && !IsPublic(a, fa)) continue;
    const std::string_view name = a.SymbolOf(a.ops[fa.v]);
    const OpId fb = in_b.FindByName(name);
    if (!fb) {
      proof.functions.push_back(
          {std::string(name), Verdict::kDifferent, 0, false, "not in the second program"});
      continue;
    }
    proof.functions.push_back(evaluation.Compare(name, fa, fb));
  }
  for (OpId fb : in_b.in_order) {
    const std::string_view name = b.SymbolOf(b.ops[fb.v]);
    if ((!all && !IsPublic(b, fb)) || in_a.FindByName(name)) continue;
    proof.functions.push_back({std::string(name), Verdict::kDifferent, 0, false, "not in the first program"});
  }
  const auto any = [&](Verdict v) {
    return std::any_of(proof.functions.begin(), proof.functions.end(),
                       [&](const auto& f) { return f.verdict == v; });
  };
  // A program without functions is not covered.
  if (any(Verdict::kDifferent))
    proof.verdict = Verdict::kDifferent;
  else if (!proof.functions.empty() && !any(Verdict::kNotCovered))
    proof.verdict = Verdict::kEqual;
  return proof;
}

}  // namespace

Result<Proof> Prove(const Module& a, const Module& b, const ProveOptions& options) {
  return Guarded([&] { return ProveAll(a, b, options); });
}

}  // namespace shlo
