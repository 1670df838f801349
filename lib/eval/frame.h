// State of running functions: a plan, computed once per function, and a frame of values per call. Internal to
// lib/eval.
#pragma once

#include <vector>

#include "eval/element_chain.h"
#include "shlo/module.h"
#include "shlo/tensor.h"

namespace shlo {

// Value ids of a function, and the ops after which values are dead. The values of a function, including
// nested regions, have ids in one range.
struct FunctionPlan {
  BlockId body;
  uint32_t first_value = 0;
  // Values that are dead after an op, grouped by op: dying[starts[op - first_op]] up to
  // dying[starts[op - first_op + 1]].
  uint32_t first_op = 0;
  std::vector<uint32_t> starts;
  std::vector<ValueId> dying;
  std::vector<OpId> last_use;   // by value - first_value; invalid for values that are not used
  std::vector<BlockId> blocks;  // of the function, nested ones too
  // Types are nullptr if they are not static.
  std::vector<ValueTypePtr> types;  // by value - first_value; set by the evaluator, like the members below
  std::vector<TypeId> results;      // as the function declares them
  std::vector<ValueTypePtr> result_types;
  std::vector<ElementChain> chains;
  std::vector<ChainRole> roles;  // by op - first_op

  size_t num_ops() const { return starts.size() - 2; }
  const ChainRole& RoleOf(OpId op) const { return roles[op.v - first_op]; }
};

// Returns the plan of a function whose body has one block. Its types are empty, one for each value.
FunctionPlan PlanFunction(const Module& module, RegionId body);
// Groups values by their last use.
void GroupDying(FunctionPlan* plan);

// A running function: its values (tensors, tokens and tuples), by value id.
struct Frame {
  const FunctionPlan& plan;
  std::vector<Tensor> values;

  explicit Frame(const FunctionPlan& p) : plan(p), values(p.types.size()) {}
  Tensor& operator[](ValueId v) { return values[v.v - plan.first_value]; }
  bool Holds(ValueId v) const { return v.v >= plan.first_value && v.v - plan.first_value < values.size(); }
};

}  // namespace shlo
