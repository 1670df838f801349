#include "shlo/known_values.h"

#include "eval/evaluator.h"
#include "ir/guarded.h"

namespace shlo {

Result<std::vector<Tensor>> KnownValues(const Module& module, const KnownOptions& options) {
  return Guarded([&]() -> Result<std::vector<Tensor>> {
    std::vector<Tensor> known(module.values.size());
    EvalOptions eval;
    eval.max_memory = options.max_memory;
    eval.max_steps = options.max_steps;
    Evaluator evaluator(module, eval);
    for (OpId function : evaluator.functions()) evaluator.FindKnown(function, options.max_elements, known);
    return known;
  });
}

namespace {

bool IsPureWithRegions(const Module& module, OpId op) {
  std::vector<OpId> todo{op};  // not recursive: nesting comes from the input
  while (!todo.empty()) {
    const Op& next = module.ops[todo.back().v];
    todo.pop_back();
    const KernelEntry& entry = KernelOf(next.revision);
    if (!entry.kernel || entry.reach != Reach::kOperands) return false;
    for (RegionId region : module.RegionsOf(next))
      for (BlockId block : module.BlocksOf(region))
        for (OpId nested : module.OpsOf(block)) todo.push_back(nested);
  }
  return true;
}

}  // namespace

bool IsPure(const Module& module, OpId op) {
  return Guarded([&]() -> Result<bool> { return IsPureWithRegions(module, op); }).value_or(false);
}

}  // namespace shlo
