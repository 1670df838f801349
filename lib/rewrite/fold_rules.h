// Rules that evaluate ops on constants, and remove control flow that constants decide, as the reference's
// folder does (docs/rewrites.md). Values come from the evaluator.
#pragma once

#include <span>
#include <vector>

#include "rewrite/driver.h"

namespace shlo::rewrite {

// Returns all of them; RuleOptions apply.
std::span<const Rule> FoldRules();

// The rules of a source each.
std::span<const Rule> ConstantFolds();   // ops whose operands are constants
std::span<const Rule> StructureFolds();  // case, while and reduce, and what depends on types or splats alone

}  // namespace shlo::rewrite
