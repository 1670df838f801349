// What a program's values are before it is given any arguments: constants, and what follows from constants
// alone. For constant folding; see the chapter on it in the interpreter's documentation.
#pragma once

#include <vector>

#include "shlo/module.h"
#include "shlo/tensor.h"

namespace shlo {

struct KnownOptions {
  uint64_t max_elements = 1 << 16;  // of a value; larger ones stay unknown, constants excepted
  uint64_t max_steps = 1 << 20;     // of evaluating one op; loops that take longer stay unknown
  uint64_t max_memory = 1ull << 30;
};

// The known values of all functions at top level, by ValueId; an unknown value is no tensor. Values of
// constants are views into the module, which must outlive them. An op whose evaluation fails has unknown
// results: whether it ever runs is not for the caller to know.
std::vector<Tensor> KnownValues(const Module& module, const KnownOptions& options = {});

// Whether an op, with all ops in its regions, has no effect but its results, and these depend on nothing but
// operands, attributes and regions.
bool IsPure(const Module& module, OpId op);

}  // namespace shlo
