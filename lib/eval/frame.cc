#include "eval/frame.h"

#include <algorithm>

namespace shlo {
namespace {

// Calls `visit` for the blocks of a region, including nested ones. Not recursive, because the input controls
// the nesting.
template <typename Visit>
void ForEachBlock(const Module& module, RegionId region, Visit visit) {
  std::vector<RegionId> todo{region};
  while (!todo.empty()) {
    const RegionId next = todo.back();
    todo.pop_back();
    for (BlockId block : module.BlocksOf(next)) {
      visit(block);
      for (OpId op : module.OpsOf(block))
        for (RegionId nested : module.RegionsOf(module.ops[op.v])) todo.push_back(nested);
    }
  }
}

}  // namespace

FunctionPlan PlanFunction(const Module& module, RegionId body) {
  FunctionPlan plan;
  plan.body = module.BlocksOf(body)[0];

  uint32_t first_value = ~0u, end_value = 0, first_op = ~0u, end_op = 0;
  std::vector<OpId> ops;
  const auto add_values = [&](Range range) {
    if (range.count == 0) return;
    first_value = std::min(first_value, range.first);
    end_value = std::max(end_value, range.first + range.count);
  };
  ForEachBlock(module, body, [&](BlockId block) {
    plan.blocks.push_back(block);
    add_values(module.blocks[block.v].args);
    for (OpId id : module.OpsOf(block)) {
      first_op = std::min(first_op, id.v);
      end_op = std::max(end_op, id.v + 1);
      add_values(module.ResultsOf(module.ops[id.v]));
      ops.push_back(id);
    }
  });
  if (first_value < end_value) plan.first_value = first_value;
  if (first_op < end_op) plan.first_op = first_op;
  const size_t num_values = end_value - plan.first_value, num_ops = end_op - plan.first_op;
  plan.types.resize(num_values);

  // A value is dead after the last op of its own block that uses it, possibly in a region of that op; an
  // unused result is dead immediately. Positions ascend within a block.
  std::vector<uint32_t> position(num_ops);
  for (uint32_t i = 0; i < ops.size(); ++i) position[ops[i].v - plan.first_op] = i;
  std::vector<OpId>& last_use = plan.last_use;
  last_use.resize(num_values);
  for (OpId id : ops) {
    const Op& user = module.ops[id.v];
    for (uint32_t r = 0; r < module.NumResults(user); ++r) {
      OpId& last = last_use[user.first_result + r - plan.first_value];
      if (!last) last = id;
    }
    for (ValueId v : module.OperandsOf(user)) {
      if (v.v < plan.first_value || v.v >= end_value) continue;  // defined outside; reported when it is used
      const Value& value = module.values[v.v];
      const BlockId home = value.op ? module.ops[value.op.v].parent : value.block;
      OpId at = id;
      while (at && module.ops[at.v].parent != home) {
        const BlockId parent = module.ops[at.v].parent;
        at = parent ? module.regions[module.blocks[parent.v].parent.v].parent : OpId();
      }
      if (!at || at.v < plan.first_op || at.v >= end_op) continue;
      OpId& last = last_use[v.v - plan.first_value];
      if (!last || position[at.v - plan.first_op] > position[last.v - plan.first_op]) last = at;
    }
  }

  plan.starts.assign(num_ops + 2, 0);
  return plan;
}

void GroupDying(FunctionPlan* plan) {
  // Count, sum up, and place.
  std::vector<uint32_t>& starts = plan->starts;
  std::ranges::fill(starts, 0);
  for (OpId op : plan->last_use)
    if (op) ++starts[op.v - plan->first_op + 2];
  for (size_t i = 2; i < starts.size(); ++i) starts[i] += starts[i - 1];
  plan->dying.resize(starts.back());
  for (uint32_t i = 0; i < plan->last_use.size(); ++i) {
    const OpId op = plan->last_use[i];
    if (op) plan->dying[starts[op.v - plan->first_op + 1]++] = ValueId(plan->first_value + i);
  }
}

}  // namespace shlo
