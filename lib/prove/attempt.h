// Two programs in a common form, matched by congruence.
#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "prove/common_form.h"
#include "prove/congruence.h"
#include "prove/contract_differences.h"
#include "prove/parts.h"

namespace shlo::prove {

class Attempt {
 public:
  // Fails if the programs cannot be brought into this form. The modules must outlive the attempt.
  static Result<std::unique_ptr<Attempt>> Make(const Module& a, const Module& b, Form form,
                                               const ProveOptions& options);

  // Numbers the functions of these names, which both programs have.
  void Compare(const std::vector<std::string_view>& names);
  size_t num_equal() const { return equal_.size(); }
  const std::vector<Law>& laws() const { return common_.laws; }

  // Returns whether the functions of this name compute the same.
  bool Equal(std::string_view name) const { return equal_.contains(name); }
  // Compares what congruence leaves of two functions by evaluation.
  PartsProof CompareParts(std::string_view name, const ProveOptions& options, WorkBudget& budget);
  // Returns where the contracts differ; after CompareParts, if the functions are not Equal.
  Diagnostics ContractOf(std::string_view name);
  Diagnostics ContractOfModules();
  // Returns how the ops of functions that are Equal correspond.
  Matching MatchingOf(const std::vector<std::string_view>& names);
  // As ContractOf, where ops correspond although the functions are not Equal.
  Diagnostics ContractOfMatched(std::string_view name);

 private:
  Attempt(CommonForm common, Form form, const Source* source_a, const Source* source_b);
  // Without NumberValues, for what is compared with the contract only.
  Side side_a() { return {common_.a, source_a_, values_a_ ? *values_a_ : all_a_, all_a_}; }
  Side side_b() { return {common_.b, source_b_, values_b_ ? *values_b_ : all_b_, all_b_}; }
  void NumberValues();

  const CommonForm common_;
  const Form form_;
  const Source* const source_a_;
  const Source* const source_b_;
  Targets targets_;
  SharedBytes bytes_;
  ClassTable all_, values_;
  Numbering all_a_, all_b_;
  std::optional<Numbering> values_a_, values_b_;
  std::vector<std::string_view> names_;
  std::unordered_set<std::string_view> same_, equal_;  // with the contract, without it
  std::unordered_set<std::string_view> by_parts_;      // equal by parts
  std::vector<std::pair<OpId, OpId>> same_ops_;        // of functions that are equal by parts
};

}  // namespace shlo::prove
