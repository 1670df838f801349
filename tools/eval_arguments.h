// The arguments of `eval`, from its flags: constants, tensor files and random numbers.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common.h"
#include "shlo/evaluate.h"

namespace shlo::tool {

struct ArgumentFlags {
  std::string entry;
  std::vector<std::string> args;
  std::vector<std::string> named_args;  // INDEX=VALUE
  std::string inputs;                   // a tensor file or random:SEED
  uint64_t platform_index = 0;
  uint64_t replicas = 1, partitions = 1;
};

// Returns the arguments of the entry function, for all processes in order. Sets the limits of `eval`: they
// grow with the files that are read, and arguments that are created leave less memory for the evaluation.
Result<std::vector<Tensor>> GetArguments(const Context& ctx, const Module& module, const ArgumentFlags& flags,
                                         EvalOptions* eval);

}  // namespace shlo::tool
