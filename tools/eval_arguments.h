// The arguments of `eval`, from its flags: constants, tensor files and random numbers.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

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

// Returns the arguments of the entry function, for all processes in order.
Result<std::vector<Tensor>> GetArguments(const Module& module, const ArgumentFlags& flags,
                                         const EvalOptions& eval);

}  // namespace shlo::tool
