// Control flow of MLIR's dialects scf, shape and cf, as shape computations have it.
#include "base/format.h"
#include "eval/kernel/kernel_args.h"
#include "eval/kernels/kernels.h"

namespace shlo {
namespace {

Result<bool> TruthOf(const Tensor& tensor) {
  if (!tensor.type().is_tensor() || !tensor.element().is_bool() || tensor.count() != 1)
    return Invalid("condition is not a boolean scalar");
  return *tensor.data() != 0;
}

bool IsEmptyRegion(const Module& module, RegionId region) { return module.BlocksOf(region).size() == 0; }

Tensor IndexScalar(KernelHost& host, const ValueTypePtr& type, int64_t value) {
  Tensor out = host.Allocate(type, false);
  if (out) std::memcpy(out.mutable_data(), &value, std::min<size_t>(sizeof value, type->element.bytes()));
  return out;
}

}  // namespace

// scf.if: one of two regions, of which the second may be empty.
Status EvaluateScfIf(KernelCall& call) {
  if (call.operands.size() != 1) return Invalid("missing condition");
  const bool condition = SHLO_TRY(TruthOf(call.operand(0)));
  const auto regions = call.module.RegionsOf(call.op);
  if (regions.size() != 2) return Invalid("expected 2 regions");
  const RegionId taken = regions[condition ? 0 : 1];
  if (IsEmptyRegion(call.module, taken)) return TakeResults(call, std::vector<Tensor>());
  return TakeResults(call, call.host.EvalRegion(call, taken, {}));
}

// scf.while: the first region ends with a condition and the values that the second one, or the result, gets.
Status EvaluateScfWhile(KernelCall& call) {
  const auto regions = call.module.RegionsOf(call.op);
  if (regions.size() != 2) return Invalid("expected 2 regions");
  std::vector<Tensor> state;
  for (const Tensor* operand : call.operands) state.push_back(*operand);
  for (;;) {
    std::vector<Tensor> before = SHLO_TRY(call.host.EvalRegion(call, regions[0], state));
    if (before.empty()) return Invalid("condition region must return a condition");
    const bool go_on = SHLO_TRY(TruthOf(before[0]));
    before.erase(before.begin());
    if (!go_on) return TakeResults(call, std::move(before));
    SHLO_TRY(call.host.CountSteps(1));
    state = SHLO_TRY(call.host.EvalRegion(call, regions[1], before));
  }
}

// scf.for: operands are the lower bound, the upper bound, the step, and initial values.
Status EvaluateScfFor(KernelCall& call) {
  const auto regions = call.module.RegionsOf(call.op);
  if (regions.size() != 1 || call.operands.size() < 3) return Invalid("expected 1 region and 3 operands");
  const Ints range = SHLO_TRY(IndexOf(call.operands.first(3)));
  const bool is_unsigned = SHLO_TRY(FlagOf(call, "unsignedCmp"));
  if (range[2] <= 0) return Error(Code::kEvaluation, StrFormat("step {} is not positive", range[2]));
  if (is_unsigned && (range[0] < 0 || range[1] < 0))
    return Error(Code::kUnsupported, "unsigned bounds above the signed ones are not supported");
  std::vector<Tensor> state;
  for (const Tensor* operand : call.operands.subspan(3)) state.push_back(*operand);
  for (int64_t i = range[0]; i < range[1];) {
    SHLO_TRY(call.host.CountSteps(1));
    std::vector<Tensor> args{IndexScalar(call.host, call.operand(0).type_ptr(), i)};
    if (!args[0]) return OutOfMemory();
    args.insert(args.end(), state.begin(), state.end());
    state = SHLO_TRY(call.host.EvalRegion(call, regions[0], args));
    if (__builtin_add_overflow(i, range[2], &i)) break;
  }
  return TakeResults(call, std::move(state));
}

Status EvaluateScfExecuteRegion(KernelCall& call) {
  const auto regions = call.module.RegionsOf(call.op);
  if (regions.size() != 1) return Invalid("expected 1 region");
  return TakeResults(call, call.host.EvalRegion(call, regions[0], {}));
}

// scf.index_switch: the region of the case, or the first one, which is the default.
Status EvaluateScfIndexSwitch(KernelCall& call) {
  const Ints cases = SHLO_TRY(IntsOf(call, "cases"));
  const auto regions = call.module.RegionsOf(call.op);
  if (call.operands.size() != 1 || regions.size() != cases.size() + 1)
    return Invalid("cases do not match the regions");
  const Ints index = SHLO_TRY(IndexOf(call.operands));
  const size_t found = size_t(std::ranges::find(cases, index[0]) - cases.begin());
  return TakeResults(call, call.host.EvalRegion(call, regions[found == cases.size() ? 0 : found + 1], {}));
}

// cf.assert: fails with its message if the operand is false.
Status EvaluateAssert(KernelCall& call) {
  if (call.operands.size() != 1) return Invalid("missing condition");
  const bool holds = SHLO_TRY(TruthOf(call.operand(0)));
  if (holds) return {};
  const std::string_view message = SHLO_TRY(StringOf(call, "msg", "assertion failed"));
  return Error(Code::kEvaluation, std::string(message));
}

// shape.assuming: its region, if its !shape.witness holds.
Status EvaluateAssuming(KernelCall& call) {
  const auto regions = call.module.RegionsOf(call.op);
  if (call.operands.size() != 1 || regions.size() != 1) return Invalid("expected 1 operand and 1 region");
  const bool holds = SHLO_TRY(TruthOf(call.operand(0)));
  if (holds) return TakeResults(call, call.host.EvalRegion(call, regions[0], {}));
  // The boolean that a !shape.witness states.
  const OpId source = call.module.values[call.module.OperandsOf(call.op)[0].v].op;
  std::string_view message = "a constraint of shapes does not hold";
  if (source) call.module.AsString(call.module.AttributeOf(call.module.ops[source.v], "msg"), &message);
  return Error(Code::kEvaluation, std::string(message));
}

}  // namespace shlo
