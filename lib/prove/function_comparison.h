// Compares one function of two programs by evaluation: chooses inputs, evaluates both programs on them, and
// decides what the results are worth. Internal to lib/prove.
#pragma once

#include <span>
#include <string_view>

#include "eval/evaluator.h"
#include "eval/input_generator.h"
#include "prove/work_budget.h"
#include "shlo/prove.h"

namespace shlo {

// Two programs, and what comparisons of their functions share. Evaluators refer to the modules.
struct ComparedPrograms {
  const Module& a;
  const Module& b;
  Evaluator& evaluator_a;
  Evaluator& evaluator_b;
  std::span<const Number> numbers;  // of NumbersOf
  const std::map<std::string, CustomCall, std::less<>>& substitutes;
  const ProveOptions& options;
  prove::WorkBudget& budget;
};

// Compares the function `a` of the first program with `b` of the second one.
FunctionProof CompareByEvaluation(const ComparedPrograms& programs, std::string_view name, OpId a, OpId b);

}  // namespace shlo
