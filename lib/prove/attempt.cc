#include "prove/attempt.h"

#include "base/try.h"
#include "prove/matching.h"
#include "prove/unmatched.h"

namespace shlo::prove {

Result<std::unique_ptr<Attempt>> Attempt::Make(const Module& a, const Module& b, Form form,
                                               const ProveOptions& options) {
  auto common = SHLO_TRY(BringTogether(a, b, form));
  // Conversion steps keep the ids of ops, by which sources know places; other rewrites do not.
  const bool places = form == Form::kSteps;
  return std::unique_ptr<Attempt>(new Attempt(std::move(common), form, places ? options.source_a : nullptr,
                                              places ? options.source_b : nullptr));
}

Attempt::Attempt(CommonForm common, Form form, const Source* source_a, const Source* source_b)
    : common_(std::move(common)),
      form_(form),
      source_a_(source_a),
      source_b_(source_b),
      all_a_(common_.a, Compared::kAll, targets_, &all_, &bytes_),
      all_b_(common_.b, Compared::kAll, targets_, &all_, &bytes_) {}

void Attempt::Compare(const std::vector<std::string_view>& names) {
  names_ = names;
  for (std::string_view name : names) {
    const ClassId x = all_a_.OfFunction(all_a_.Definition(name)).id;
    const ClassId y = all_b_.OfFunction(all_b_.Definition(name)).id;
    if (x == y) same_.insert(name);
  }
  equal_ = same_;
  if (same_.size() == names.size()) return;
  NumberValues();
  for (std::string_view name : names)
    if (values_a_->OfFunction(values_a_->Definition(name)).id ==
        values_b_->OfFunction(values_b_->Definition(name)).id)
      equal_.insert(name);
}

void Attempt::NumberValues() {
  if (values_a_) return;
  AddTargetsWithEffects(common_.a, &targets_);
  AddTargetsWithEffects(common_.b, &targets_);
  values_a_.emplace(common_.a, Compared::kValues, targets_, &values_, &bytes_);
  values_b_.emplace(common_.b, Compared::kValues, targets_, &values_, &bytes_);
}

PartsProof Attempt::CompareParts(std::string_view name, const ProveOptions& options, WorkBudget& budget) {
  NumberValues();
  std::vector<std::pair<OpId, OpId>> same_ops;
  PartsProof parts = prove::CompareParts(side_a(), side_b(), values_a_->Definition(name),
                                         values_b_->Definition(name), options, budget, &same_ops);
  if (parts.equal) {
    by_parts_.insert(name);
    same_ops_.insert(same_ops_.end(), same_ops.begin(), same_ops.end());
  }
  return parts;
}

Diagnostics Attempt::ContractOf(std::string_view name) {
  const bool same = same_.contains(name);
  if (!same) NumberValues();
  ContractDifferences differences(side_a(), side_b());
  const OpId a = all_a_.Definition(name), b = all_b_.Definition(name);
  differences.CompareSignatures(a, b);
  if (same) return differences.Take();
  if (equal_.contains(name)) {
    differences.CompareFunctions(a, b);
  } else if (by_parts_.contains(name)) {
    for (const auto& [x, y] : same_ops_) differences.CompareOps(x, y);
  }
  Diagnostics found = differences.Take();
  // The numbers differ: if not by what VHLO loses, something was missed.
  if (found.empty() && equal_.contains(name) && !differences.lost_in_vhlo()) {
    Diagnostic d;
    d.code = Code::kNotEqual;
    d.place = PlaceOf(common_.a, a, source_a_);
    d.op = std::string(common_.a.NameOf(common_.a.ops[a.v]));
    d.message = "the contract differs in the second program";
    found.push_back(std::move(d));
  }
  return found;
}

Diagnostics Attempt::ContractOfMatched(std::string_view name) {
  if (equal_.contains(name)) return ContractOf(name);
  NumberValues();
  ContractDifferences differences(side_a(), side_b());
  const Goals goals =
      FindUnmatched(side_a(), side_b(), values_a_->Definition(name), values_b_->Definition(name));
  for (const auto& [x, y] : goals.same_ops) differences.CompareOps(x, y);
  return differences.Take();
}

Diagnostics Attempt::ContractOfModules() {
  ContractDifferences differences(side_a(), side_b());
  differences.CompareModules();
  return differences.Take();
}

Matching Attempt::MatchingOf(const std::vector<std::string_view>& names) {
  // Contracts that are equal may still be numbered differently: VHLO loses some attributes.
  const bool all = std::ranges::all_of(names, [&](std::string_view name) { return same_.contains(name); });
  if (!all) NumberValues();
  Matching matching = all ? Match(common_.a, all_a_, common_.b, all_b_, names)
                          : Match(common_.a, *values_a_, common_.b, *values_b_, names);
  matching.form = FormName(form_);
  return matching;
}

}  // namespace shlo::prove
