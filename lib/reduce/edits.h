// Parts to remove from a program, and the program without them.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "reduce/outline.h"

namespace shlo::reduce {

// The fate of an op.
enum class Fate : uint8_t {
  kKeep,
  kDrop,   // its results are replaced
  kHoist,  // the ops of one of its regions take its place
  kCall,   // a composite becomes a call of its decomposition
};

// The substitute of a value that nothing computes anymore.
enum class Substitute : uint8_t {
  kOperand,   // an operand of the op, or an argument of the function; values of a type may share it
  kArgument,  // a new argument of the function, one per value
  kZero,      // a constant
};

// A value that a function returns.
struct Returned {
  ValueId value;
  uint32_t index;  // of the result before, whose attributes it keeps; kNew
  static constexpr uint32_t kNew = ~0u;
};

struct Edits {
  explicit Edits(const Module& m) : fates(m.ops.size()), regions(m.ops.size()), args(m.values.size()) {}
  std::vector<Fate> fates;                            // by op
  std::vector<uint8_t> regions;                       // by op: the region to hoist
  std::vector<bool> args;                             // by value: arguments of functions to remove
  std::map<uint32_t, std::vector<Returned>> returns;  // by function op, where that changes
  Substitute substitute = Substitute::kOperand;
};

// Returns the edited program, or nullopt if some value has no substitute. The result need not verify.
std::optional<Module> Apply(const Module& module, const Outline& outline, const Edits& edits);

}  // namespace shlo::reduce
