// Module -> values: evaluates a function of a program on tensors (specification, section "Execution").
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "shlo/diagnostics.h"
#include "shlo/module.h"
#include "shlo/source.h"
#include "shlo/tensor.h"

namespace shlo {

// A custom call that a caller knows: operands to results (as many as the op has).
using CustomCall =
    std::function<Result<std::vector<Tensor>>(const Module& module, const Op& op, std::span<const Tensor>)>;

// What evaluation took, by kind of op. Several evaluations may add to one profile, also at the same time.
struct EvalProfile {
  struct Row {
    uint64_t runs = 0;
    uint64_t nanoseconds =
        0;               // without the ops of regions and called functions, which have rows of their own
    uint64_t bytes = 0;  // of results
  };
  std::mutex mutex;
  std::map<std::string, Row, std::less<>> ops;
  uint64_t peak_bytes = 0;  // of live tensors, those of one process
};

struct EvalOptions {
  const Source* source = nullptr;    // of the module, for places
  uint64_t max_memory = 8ull << 30;  // bytes of live tensors; more is an error
  uint32_t max_call_depth = 256;
  uint64_t max_steps = 1ull << 40;  // ops executed, those of called functions included
  uint32_t max_processes = 256;     // of interpreter.run_parallel
  uint32_t timeout_ms = 10'000;     // how long a process waits for another one
  // Cores that share the work on one large tensor; 0: all there are. Results do not depend on it.
  uint32_t threads = 1;
  // Contractions may take in products in any order and round them together with the sums.
  bool fast = false;
  EvalProfile* profile = nullptr;  // where to add what the evaluation took
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

// The types of what a function (as for Evaluate) takes. An error where one is not static.
Result<std::vector<TensorTypePtr>> ArgumentTypes(const Module& module, std::string_view function,
                                                 const Source* source = nullptr);

// Whether an op (by shape) has a kernel.
bool CanEvaluate(RevisionId revision);

}  // namespace shlo
