// Compares the parts in which two functions differ, by evaluating them outside of their programs.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "prove/contract_differences.h"
#include "prove/work_budget.h"
#include "shlo/prove.h"

namespace shlo::prove {

// The evidence of parts for two functions.
struct PartsProof {
  bool equal = false;                         // all parts are, and they imply that the functions are
  Evidence evidence = Evidence::kNone;        // the weakest of the parts
  uint32_t cut_outs = 0;                      // parts that are equal
  uint64_t inputs = 0;                        // input sets evaluated for these
  bool differs = false;                       // a part differs, for inputs that may never occur
  Coverage coverage = {};                     // of the evaluation of these, in total
  std::shared_ptr<const DifferentPart> part;  // the first one that differs
  std::string detail;                         // the part that differs, or why parts cannot be compared
};

// Compares two functions that are numbered and not equal. If they are equal, appends the pairs of ops on the
// way to the parts to *same_ops.
PartsProof CompareParts(const Side& a, const Side& b, OpId function_a, OpId function_b,
                        const ProveOptions& options, WorkBudget& budget,
                        std::vector<std::pair<OpId, OpId>>* same_ops);

}  // namespace shlo::prove
