// Module -> values: evaluates a function of a program on tensors (specification, section "Execution").
#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "eval/tensor.h"
#include "ir/diagnostics.h"
#include "ir/module.h"

namespace shlo {

// A custom call that a caller knows: operands to results (as many as the op has).
using CustomCall =
    std::function<Result<std::vector<Tensor>>(const Module& module, const Op& op, std::span<const Tensor>)>;

struct EvalOptions {
  uint64_t max_memory = 8ull << 30;  // bytes of live tensors; more is an error
  uint32_t max_call_depth = 256;
  uint64_t max_steps = 1ull << 40;  // ops executed, those of called functions included
  uint32_t max_processes = 256;     // of interpreter.run_parallel
  uint32_t timeout_ms = 10'000;     // how long a process waits for another one
  // Custom calls by target, tried before the check targets, which are always known.
  std::map<std::string, CustomCall, std::less<>> custom_calls;
  // Where interpreter.print writes to (one call per value, from any thread); nowhere when empty.
  std::function<void(std::string_view)> print;
  // Takes the values of interpreter.probe, from any thread; and gives the n-th of them back for
  // check.expect_serialized_eq. Probes are errors when empty.
  std::function<Result<void>(std::string_view id, const Tensor& value)> probe;
  std::function<Result<Tensor>(std::string_view id, int64_t iteration, const TensorTypePtr& type)> probed;
};

struct EvalResult {
  std::vector<Tensor> results;
  Diagnostics failed_checks;  // check.expect_* ops that did not hold
};

// Evaluates `function` (by symbol name; "" means "main", or the only function). Argument tensors must match
// the signature in type and shape. An error names function, op and location.
Result<EvalResult> Evaluate(const Module& module, std::string_view function, std::span<const Tensor> args,
                            const EvalOptions& options = {});

// Evaluates processes that run together (specification, "Parallel execution"), one per function and on a
// thread of its own: functions[replica * partitions + partition]. Arguments and results are those of the
// processes in order. `infeed` names the functions that `infeed` ops call in turn.
Result<EvalResult> EvaluateParallel(const Module& module, std::span<const std::string> functions,
                                    size_t partitions, std::span<const Tensor> args,
                                    std::span<const std::string> infeed = {},
                                    const EvalOptions& options = {});

// Whether an op (by shape) has a kernel.
bool CanEvaluate(ShapeId shape);

}  // namespace shlo
