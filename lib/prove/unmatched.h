// Where two functions differ: pairs of values that should be equal, from what the functions return down to
// the smallest pairs that explain the difference. A pair holds if all pairs below it do, because the ops are
// the same but for operands and regions; the pairs at the bottom must be shown equal in some other way.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "prove/contract_differences.h"

namespace shlo::prove {

// Two values that should be equal, one of each program.
struct Pair {
  ValueId a, b;
  bool implied = false;         // it holds if all pairs below hold
  std::vector<uint32_t> below;  // indices into Goals::pairs
};

// Goals that, if they hold, imply that two functions are equal.
struct Goals {
  std::vector<Pair> pairs;
  std::vector<uint32_t> roots;                  // pairs that imply that the functions are equal
  std::vector<std::pair<OpId, OpId>> same_ops;  // ops that are the same but for operands and regions
  // Loops of one program that have no counterpart, but depend on constants only: they must end.
  std::vector<OpId> must_end_a, must_end_b;
  std::string obstacle;  // why the functions may differ whatever the pairs do; "" for nothing
};

// Both functions must be numbered in `a.values` and `b.values`.
Goals FindUnmatched(const Side& a, const Side& b, OpId function_a, OpId function_b);

}  // namespace shlo::prove
