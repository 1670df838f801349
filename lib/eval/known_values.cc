#include "shlo/known_values.h"

#include <algorithm>
#include <unordered_set>

#include "base/guarded.h"
#include "eval/evaluator.h"
#include "eval/frame.h"
#include "eval/kernels/kernels.h"

namespace shlo {

void Evaluator::FindKnown(OpId function, uint64_t max_elements, std::span<Tensor> known) {
  const Result<const FunctionPlan*> planned = PlanOf(function);
  if (!planned) return;  // all values are unknown
  const FunctionPlan& plan = **planned;
  Frame frame(plan);
  std::unordered_set<uint32_t> inside;  // values of an op's regions
  const auto has_operands = [&](OpId id) {
    for (ValueId v : module_.OperandsOf(module_.ops[id.v]))
      if (!frame.Holds(v) || (!frame[v] && !inside.contains(v.v))) return false;
    return true;
  };
  // A splat takes no more memory for more elements. Only ops that compute nothing else are tried.
  const auto makes_splat = [&](const Op& op) {
    const KernelEntry& entry = KernelOf(module_, op);
    const auto operands = module_.OperandsOf(op);
    if (operands.empty() || !(entry.picker || entry.moves)) return false;
    const auto splat = [&](ValueId v) {
      return frame.Holds(v) && frame[v] && frame[v].type().is_tensor() &&
             (frame[v].splat() || frame[v].count() == 1);
    };
    return entry.moves ? splat(operands[0]) : std::ranges::all_of(operands, splat);
  };
  std::vector<BlockId> todo{plan.body};  // outer blocks first, because nested blocks use their values
  for (size_t i = 0; i < todo.size(); ++i) {
    for (OpId id : module_.OpsOf(todo[i])) {
      const Op& op = module_.ops[id.v];
      bool wanted = module_.NumResults(op) > 0 && IsPure(module_, id);
      for (uint32_t r = 0; wanted && r < module_.NumResults(op); ++r) {
        const ValueTypePtr& type = plan.types[op.first_result + r - plan.first_value];
        const bool constant = module_.NumOperands(op) == 0 && module_.InherentAttrOf(op, "value");
        wanted = type && type->is_tensor() && (constant || type->count <= max_elements || makes_splat(op));
      }
      inside.clear();
      std::vector<OpId> ops{id};
      for (size_t at = 0; wanted && at < ops.size(); ++at) {
        for (RegionId region : module_.RegionsOf(module_.ops[ops[at].v])) {
          for (BlockId block : module_.BlocksOf(region)) {
            const Range args = module_.blocks[block.v].args;
            for (uint32_t a = 0; a < args.count; ++a) inside.insert(args.first + a);
            for (OpId nested : module_.OpsOf(block)) {
              const Range results = module_.ResultsOf(module_.ops[nested.v]);
              for (uint32_t r = 0; r < results.count; ++r) inside.insert(results.first + r);
              ops.push_back(nested);
            }
          }
        }
      }
      wanted = wanted && std::all_of(ops.begin(), ops.end(), has_operands);
      depth_ = 0;
      steps_left_ = options_.limits.max_steps;
      if (wanted && RunOp(frame, id)) {
        for (uint32_t r = 0; r < module_.NumResults(op); ++r)
          known[op.first_result + r] = frame[module_.ResultOf(op, r)];
        continue;
      }
      // Values that the regions computed before the failure are valid for one run only.
      for (uint32_t v : inside) Release(frame[ValueId(v)]);
      for (RegionId region : module_.RegionsOf(op))
        for (BlockId block : module_.BlocksOf(region)) todo.push_back(block);
    }
  }
}

Result<std::vector<Tensor>> KnownValues(const Module& module, const KnownOptions& options) {
  return Guarded(options.limits, [&]() -> Result<std::vector<Tensor>> {
    std::vector<Tensor> known(module.values.size());
    EvalOptions eval;
    eval.limits = options.limits;
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
    const KernelEntry& entry = KernelOf(module, next);
    if (!entry.kernel || entry.reach != Reach::kOperands) return false;
    for (OpId nested : module.BodyOpsOf(next)) todo.push_back(nested);
  }
  return true;
}

}  // namespace

bool IsPure(const Module& module, OpId op) {
  return Guarded([&]() -> Result<bool> { return IsPureWithRegions(module, op); }).value_or(false);
}

}  // namespace shlo
