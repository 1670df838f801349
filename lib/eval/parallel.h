// Runs the processes of a grid: each on its own thread, or where the caller places it (shlo/placement.h).
// Internal to lib/eval.
#pragma once

#include <functional>
#include <vector>

#include "eval/grid/process_exchange.h"
#include "shlo/evaluate.h"

namespace shlo {

// The work of one process: a function, or an op whose region takes the arguments and uses no other values.
struct ProcessJob {
  OpId callable;
  std::vector<Tensor> args;
};

// How a process ended.
struct ProcessOutcome {
  Result<EvalResult> result;
  bool left_alone = false;  // it failed because others did
};

// Does the work of a process until the deadline of `limits`, and tells the others that it has ended.
ProcessOutcome RunProcess(ProcessExchange& others, ProcessId id, const Limits& limits,
                          const std::function<Result<EvalResult>()>& work);

// Fails if there are more processes than EvalOptions::max_processes.
Result<void> CheckProcessCount(uint64_t processes, const EvalOptions& options);

// Returns the results of all processes in order. If several failed, the error is that of one that did not
// fail because others did.
Result<EvalResult> JoinOutcomes(std::vector<ProcessOutcome> outcomes);

// Runs job i as process shape.At(i) on a thread. Each process may use its share of the memory limit.
Result<EvalResult> RunProcesses(const Module& module, GridShape shape, std::vector<std::string> infeed,
                                std::vector<ProcessJob> jobs, const EvalOptions& options);

// Runs the jobs, whose callables are functions, with EvalOptions::place.
Result<EvalResult> PlaceProcesses(const Module& module, GridShape shape, std::vector<std::string> infeed,
                                  std::vector<ProcessJob> jobs, const EvalOptions& options);

// Returns the number of an op in the order in which a text has them: the same wherever the program is.
uint64_t NumberOf(const Module& module, OpId op);
// Returns the place of an op in a program that is elsewhere: its number there.
Place PlaceByNumber(const Module& module, OpId op);

}  // namespace shlo
