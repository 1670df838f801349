// Chains of element-wise ops in runs of functions (element_chain.h).
#include "base/deadline.h"
#include "base/format.h"
#include "eval/element_chain.h"
#include "eval/evaluator.h"
#include "eval/frame.h"

namespace shlo {

// The op that a chain defers runs at the root; its operands and its share of the limits count here.
Status Evaluator::RunInChain(Frame& frame, OpId id, const ChainRole& role) {
  if (steps_left_ == 0) return At(id, TooManySteps());
  if (work_ > max_work_) return At(id, TooMuchWork());
  Tick(16);
  --steps_left_;
  constexpr uint64_t kWorkPerOp = 100;
  work_ += kWorkPerOp;
  const Op& op = module_.ops[id.v];
  const auto operand_ids = module_.OperandsOf(op);
  for (size_t i = 0; i < operand_ids.size(); ++i) {
    const ValueId v = operand_ids[i];
    if (frame.Holds(v) && frame[v]) continue;
    const OpId source = frame.Holds(v) ? module_.values[v.v].op : OpId();
    if (!source || frame.plan.RoleOf(source).kind != ChainRole::kDeferred)
      return ErrorAt(id, Code::kInvalidProgram, StrFormat("operand {} is used before its definition", i));
  }
  if (role.kind == ChainRole::kDeferred) return {};
  const ElementChain& chain = frame.plan.chains[role.chain];
  std::vector<Tensor*> inputs;
  for (const ChainInput& input : chain.inputs) {
    if (!frame[input.value])
      return ErrorAt(id, Code::kInvalidProgram, "an operand of the ops before is used before its definition");
    inputs.push_back(&frame[input.value]);
  }
  Tensor& result = frame[module_.ResultOf(op, 0)];
  Release(result);  // value of an earlier run of this region
  try {
    result = RunChain(*this, chain, inputs);
  } catch (const WorkLimit&) {
    return At(id, TooMuchWork());
  }
  if (!result) return At(id, OutOfMemory().value());
  work_ += result.stored_bytes() / 2;
  return {};
}

}  // namespace shlo
