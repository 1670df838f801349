// The arguments of `eval`, from its flags: constants, tensor files and random numbers.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "ir/json.h"
#include "shlo/evaluate.h"
#include "shlo/limits.h"
#include "shlo/tensor_file.h"

namespace shlo {

struct ArgumentFlags {
  std::string entry;
  std::vector<std::string> args;
  std::vector<std::string> named_args;  // INDEX=VALUE
  std::string inputs;                   // a tensor file or random:SEED
  uint64_t platform_index = 0;
  uint64_t replicas = 1, partitions = 1;  // processes, each with its own arguments
};

// Returns the arguments of the entry function, for all processes in order. `bytes_read` is the size of the
// program. Sets the limits of `eval`: they grow with the files that are read, and arguments that are created
// leave less memory for the evaluation.
Result<std::vector<Tensor>> GetArguments(const LimitsFor& limits_for, uint64_t bytes_read,
                                         const Module& module, const ArgumentFlags& flags, EvalOptions* eval);

// Inserts the index of a platform into the arguments of every process, for a program that jax exported for
// several platforms, unless it has no such argument or they have it already.
Result<std::vector<Tensor>> WithPlatformIndex(const Module& module, std::string_view function,
                                              std::vector<Tensor> passed, size_t processes, uint64_t index);

// Returns which argument each array of a file is for: the numbers in the names (arg0, arr_0), or the order of
// the file if no name is a number. Fails if some are numbers, but not each from 0 to the count, once.
Result<std::vector<size_t>> ArgumentOrder(const TensorFile& file);

// Reads an array of a file for an argument of this type, which may be null. If it does not fit the type, its
// own type is kept, and evaluation reports both types.
Result<Tensor> ReadAs(const TensorFile& file, size_t i, const ValueTypePtr& type);

// Returns the type of an argument, which has the shape of the file if its own is dynamic; nullptr if it has
// no type of a value, which evaluation reports.
ValueTypePtr ArgumentType(const Module& module, TypeId declared, const std::vector<int64_t>& shape);

// Returns a profile as the document of `eval` has it.
Json ProfileJson(const EvalProfile& profile);

// Parses one elements attribute, or a list of them in brackets.
Result<std::vector<Tensor>> ParseTensors(const std::string& text, const std::string& source_name);

}  // namespace shlo
