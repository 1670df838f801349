// Evaluates functions of a program on tensors (specification, section "Execution").
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "shlo/diagnostics.h"
#include "shlo/limits.h"
#include "shlo/module.h"
#include "shlo/source.h"
#include "shlo/tensor.h"

namespace shlo {

// Implements a custom call: maps operands to results, as many as the op has.
using CustomCall =
    std::function<Result<std::vector<Tensor>>(const Module& module, const Op& op, std::span<const Tensor>)>;

// Time and memory per op. Several evaluations may add to one profile, even concurrently.
struct EvalProfile {
  // The sums for one op name.
  struct Row {
    uint64_t runs = 0;         // evaluations of such ops
    uint64_t nanoseconds = 0;  // excludes ops of regions and called functions, which have their own rows
    uint64_t bytes = 0;        // of results
  };
  std::mutex mutex;                             // held while an evaluation adds its sums
  std::map<std::string, Row, std::less<>> ops;  // by op name: "stablehlo.add"
  uint64_t peak_bytes = 0;                      // maximum size of live tensors, in one process
};

// The processes of a grid, for EvalOptions::place. Jobs and grid are opaque: bytes for the same
// release of this library, on any machine.
struct ProcessJobs {
  uint32_t replicas = 1;          // of the grid
  uint32_t partitions = 1;        // per replica
  std::string grid;               // for GridServer::Create
  std::vector<std::string> jobs;  // one per process, replica by replica, for RunJob
};

// Options of an evaluation.
struct EvalOptions {
  const Source* source = nullptr;  // of the module, for places
  Limits limits;                   // memory of live tensors, steps, work, threads for large ones, deadline
  uint32_t max_processes = 256;    // limit of interpreter.run_parallel
  uint32_t timeout_ms = 10'000;    // time that a process waits for another one
  // Outside of a grid, a program is a grid of one process. If false, ops in which other processes can take
  // part fail there: values of one process say nothing about others.
  bool one_process = true;
  // Allow reassociation and FMA contraction in dot products, reassociation in sums of f32, and errors of up
  // to 3 ulp in exponential, logistic and tanh of f32. What a result is then depends on the machine.
  bool fast = false;
  EvalProfile* profile = nullptr;  // profile to add to
  // Custom calls by target. They take precedence over the targets that are built in (docs/evaluation.md).
  std::map<std::string, CustomCall, std::less<>> custom_calls;
  // Receives the output of interpreter.print, one call per value, from any thread. Empty: discard it.
  std::function<void(std::string_view)> print;
  // `probe` receives the values of interpreter.probe, from any thread; `probed` returns the n-th of them for
  // check.expect_serialized_eq. If empty, these ops fail.
  std::function<Result<void>(std::string_view id, const Tensor& value)> probe;
  std::function<Result<Tensor>(std::string_view id, int64_t iteration, const ValueTypePtr& type)> probed;
  // Runs the processes of EvaluateParallel and interpreter.run_parallel elsewhere, all at the same time, and
  // returns what RunJob returns for each job (shlo/placement.h). Empty: each process is a thread. The
  // processes of sdy.manual_computation are threads in any case.
  std::function<Result<std::vector<std::string>>(const ProcessJobs& jobs)> place;
};

// Result of an evaluation.
struct EvalResult {
  std::vector<Tensor> results;  // of the function, in order
  Diagnostics failed_checks;    // failed check.expect_* ops
};

// Evaluates `function` (by symbol name; "" means "main", or the only function). Argument tensors must match
// the signature in type and shape. An error names function, op and location.
Result<EvalResult> Evaluate(const Module& module, std::string_view function, std::span<const Tensor> args,
                            const EvalOptions& options = {});

// Evaluates processes in parallel (specification, "Parallel execution"), each on its own thread, or where
// EvalOptions::place puts it; process (replica, partition) runs functions[replica * partitions + partition].
// Arguments and results of all processes are concatenated in this order. `infeed` names the functions that
// `infeed` ops call in turn.
Result<EvalResult> EvaluateParallel(const Module& module, std::span<const std::string> functions,
                                    size_t partitions, std::span<const Tensor> args,
                                    std::span<const std::string> infeed = {},
                                    const EvalOptions& options = {});

// The processes that a program is for.
struct ProcessCounts {
  uint64_t replicas = 1;    // of the program
  uint64_t partitions = 1;  // per replica
};
// Returns the processes that evaluate a function if the caller does not say how many: those that the module
// states (mhlo.num_replicas, mhlo.num_partitions), or else the devices of the mesh by which collectives form
// groups. One, if no other process takes part outside of sdy.manual_computation, which starts its own, or if
// there is no such function. Fails if there are more than EvalOptions::max_processes.
Result<ProcessCounts> ProcessesOf(const Module& module, std::string_view function,
                                  const EvalOptions& options = {});

// Returns the argument types of a function (as for Evaluate). Fails if one is not static.
Result<std::vector<ValueTypePtr>> ArgumentTypes(const Module& module, std::string_view function,
                                                const Source* source = nullptr);

// Returns the function that Evaluate runs for a name, or nothing if there is none.
OpId EntryFunction(const Module& module, std::string_view function);

// Returns the types of a function's arguments as the module declares them. Empty if there is no such
// function.
std::vector<TypeId> DeclaredArguments(const Module& module, std::string_view function);

// Returns the index of the argument that jax passes to programs for several platforms, and callers do not:
// the position of the platform in the list for which the program was exported. nullopt for other programs.
std::optional<size_t> PlatformArgument(const Module& module, std::string_view function);

// Returns a custom call that a function of `program` computes, as for Evaluate. It sees no custom calls of
// `options`. `source`, of `program`, is for places and must live as long as the custom call.
Result<CustomCall> CustomCallOf(std::shared_ptr<const Module> program, std::string_view function,
                                const EvalOptions& options = {}, const Source* source = nullptr);
// Fails if the function does not have the operand and result types of a custom call `op`. Types that are not
// static fit all others, until values are known.
Result<void> FitsCustomCall(const Module& module, const Op& op, const Module& program,
                            std::string_view function);

// Returns whether an op version has a kernel.
bool CanEvaluate(RevisionId revision);

}  // namespace shlo
