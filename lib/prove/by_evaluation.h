// Compares a function of one program with a function of another by evaluating both on the same inputs, bit by
// bit. Knows nothing of how the rest of the programs is compared: the functions may be cut out of larger
// ones.
#pragma once

#include <memory>
#include <string_view>

#include "prove/work_budget.h"
#include "shlo/prove.h"

namespace shlo {

class ByEvaluation {
 public:
  // Both modules, the sources in `options` and the budget must outlive this object.
  ByEvaluation(const Module& a, const Module& b, const ProveOptions& options, prove::WorkBudget& budget);
  ~ByEvaluation();

  // Compares a function of the first program with one of the second. `name` is for the report, and decides
  // the random inputs together with the seed.
  FunctionProof Compare(std::string_view name, OpId function_a, OpId function_b);

 private:
  struct Programs;
  const Module& a_;
  const Module& b_;
  const ProveOptions options_;
  prove::WorkBudget& budget_;
  std::unique_ptr<Programs> programs_;  // null until the first comparison
};

}  // namespace shlo
