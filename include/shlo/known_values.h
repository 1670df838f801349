// Constant folding: the values that are computed from constants only, and programs with these in place of the
// ops that compute them (docs/evaluation.md, "Folding").
#pragma once

#include <functional>
#include <vector>

#include "shlo/limits.h"
#include "shlo/module.h"
#include "shlo/program.h"
#include "shlo/tensor.h"

namespace shlo {

// Limits of constant folding.
struct KnownOptions {
  uint64_t max_elements = 1 << 16;  // limit per value, except constants and splats
  // Steps per op: longer loops stay unknown. Memory as in EvalOptions, deadline.
  Limits limits = {.max_memory = 1ull << 30, .max_steps = 1 << 20};
};

// Returns the known values of all top-level functions, indexed by ValueId; unknown values are empty.
// Constants are views into the module, which must outlive them. An op whose evaluation fails has unknown
// results, because it may never run. Fails only if memory for the list runs out.
Result<std::vector<Tensor>> KnownValues(const Module& module, const KnownOptions& options = {});

// Replaces ops whose results are known by constants, and erases pure ops without uses. Results are
// bit-identical to evaluating the original program. Fails only if memory runs out.
Result<void> FoldConstants(Program* program, const KnownOptions& options = {});

// Returns the same for ConversionRequest::fold: its limits are those of the conversion.
std::function<Result<void>(Program* program, const Limits& limits)> FoldingOf(
    uint64_t max_elements = KnownOptions().max_elements);

// Returns whether an op, including its regions, has no side effects, and its results depend only on operands,
// attributes and regions. False for ops that cannot be evaluated, and if memory runs out.
bool IsPure(const Module& module, OpId op);

}  // namespace shlo
