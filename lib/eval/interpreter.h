// Module -> values: evaluates a function of a program on tensors (specification, section "Execution").
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "eval/tensor.h"
#include "ir/diagnostics.h"
#include "ir/module.h"

namespace shlo {

struct EvalOptions {
  uint64_t max_memory = 8ull << 30;  // bytes of live tensors; more is an error
  uint32_t max_call_depth = 256;
  uint64_t max_steps = 1ull << 40;  // ops executed, those of called functions included
};

struct EvalResult {
  std::vector<Tensor> results;
  Diagnostics failed_checks;  // check.expect_* ops that did not hold
};

// Evaluates `function` (by symbol name; "" means "main", or the only function). Argument tensors must match
// the signature in type and shape. An error names function, op and location.
Result<EvalResult> Evaluate(const Module& module, std::string_view function, std::span<const Tensor> args,
                            const EvalOptions& options = {});

// Whether an op (by shape) has a kernel.
bool CanEvaluate(ShapeId shape);

}  // namespace shlo
