// Runs the processes of a grid, each on its own thread. Internal to lib/eval.
#pragma once

#include <vector>

#include "eval/process_grid.h"
#include "shlo/evaluate.h"

namespace shlo {

// The work of one process: a function, or an op whose region takes the arguments and uses no other values.
struct ProcessJob {
  OpId callable;
  std::vector<Tensor> args;
};

// Runs job i as process (i / partitions, i % partitions) of `grid`, and returns the results of all of them in
// this order. Each process may use its share of the memory limit. If several fail, the error is that of the
// one that did not fail because others did.
Result<EvalResult> RunProcesses(const Module& module, ProcessGrid& grid, std::vector<ProcessJob> jobs,
                                const EvalOptions& options);

}  // namespace shlo
