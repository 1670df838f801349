// The outline of a program that is being reduced: its functions, and where each op is.
#pragma once

#include <string>
#include <vector>

#include "shlo/reduce.h"

namespace shlo::reduce {

// A function at top level.
struct Function {
  OpId op;
  BlockId body;               // none: not exactly one block that ends in func.return
  OpId end;                   // func.return
  bool changeable = false;    // may get other arguments and results
  bool together = false;      // may lose arguments and results, but only with the others
  std::vector<OpId> callers;  // ops that refer to it
};

class Outline {
 public:
  Outline(const Module& module, const ReduceOptions& options);

  static constexpr uint32_t kNone = ~0u;
  std::vector<Function> functions;
  std::vector<uint32_t> function_of;  // by op: index of the function it is in, or is; kNone
  std::vector<uint32_t> depth;  // by op: 0 at top level, 1 in the body of a function; kNone: unreachable
  uint32_t max_depth = 0;
  uint64_t ops = 0;  // without the module and terminators

  // Returns whether an op ends its block.
  bool Ends(OpId op) const { return ends_[op.v]; }
  // Returns the function, or nullptr.
  const Function* FunctionOf(OpId op) const {
    return function_of[op.v] == kNone ? nullptr : &functions[function_of[op.v]];
  }

 private:
  void Walk(const Module& m);
  std::vector<bool> ends_;
};

}  // namespace shlo::reduce
