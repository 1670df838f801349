// Kernels without arithmetic: constants, calls, tuples, tokens, barriers and control flow.
#include "base/format.h"
#include "eval/kernel/kernel_args.h"
#include "eval/kernels/kernels.h"
#include "eval/region_body.h"
#include "shlo/print.h"

namespace shlo {
namespace {

Result<bool> Condition(const Tensor& tensor) {
  if (!tensor.element().is_bool() || tensor.count() != 1) return Invalid("condition is not a boolean scalar");
  return *tensor.data() != 0;
}

}  // namespace

// Specification, "constant": the value of the attribute, as a view into the module.
Status EvaluateConstant(KernelCall& call) {
  const AttrId value = call.module.AttributeOf(call.op, "value");
  SHLO_TRY(CheckArity(call, 0));
  if (!value) return Invalid("missing attribute 'value'");
  const ValueTypePtr& declared = call.result_types[0];
  const auto elements = call.module.As<ElementsAttr>(value);
  if (const auto bits = BitsOfNumber(call.module, value)) {
    // A scalar outside a tensor.
    const auto element = ElementTypeOf(call.module, call.module.TypeOf(value));
    if (!element || bits->empty())
      return Error(Code::kUnsupported, StrFormat("value has type {}, which cannot be evaluated",
                                                 TypeText(call.module, call.module.TypeOf(value))));
    SHLO_TRY(AllocateResult(call, 0, {}, DeclaredElement{*element, {}}));
    std::memcpy(call.results[0].mutable_data(), bits->data(), element->bytes());
    return {};
  }
  const bool same_type = declared && elements && !declared->quantization &&
                         elements->type == call.module.TypeOf(call.module.ResultOf(call.op, 0));
  Tensor tensor =
      SHLO_TRY(same_type ? TensorFromAttr(call.module, value, declared) : TensorFromAttr(call.module, value));
  // Elements of a quantized constant have the storage type.
  if (declared && declared->quantization && declared->shape == tensor.type().shape &&
      declared->element.bytes() == tensor.element().bytes()) {
    call.results[0] = tensor.As(declared);
    return {};
  }
  // The declared type may be a different object, or dynamic.
  if (declared && declared != tensor.type_ptr() && *declared != tensor.type())
    return Error(Code::kInvalidProgram, StrFormat("value has type {}, but the result has type {}",
                                                  TypeName(tensor.type()), TypeName(*declared)));
  call.results[0] = std::move(tensor);
  return {};
}

// Specification, "Execution": evaluates the callee on the operands.
Status EvaluateCall(KernelCall& call) {
  std::string_view callee;
  if (!call.module.AsSymbol(call.module.InherentAttrOf(call.op, "callee"), &callee))
    return Error(Code::kInvalidProgram, "missing callee");
  return call.host.Call(call, callee, call.operands, call.results);
}

// Specification, "composite": evaluates its decomposition.
Status EvaluateComposite(KernelCall& call) {
  std::string_view callee;
  if (!call.module.AsSymbol(call.module.InherentAttrOf(call.op, "decomposition"), &callee))
    return Error(Code::kInvalidProgram, "missing decomposition");
  return call.host.Call(call, callee, call.operands, call.results);
}

// A terminator has no work to do: RunBlock returns its operands.
Status EvaluateReturn(KernelCall&) { return {}; }

// Specification, "if": one of the two regions.
Status EvaluateIf(KernelCall& call) {
  if (call.operands.size() != 1) return Invalid("missing condition");
  const bool pred = SHLO_TRY(Condition(call.operand(0)));
  const auto regions = call.module.RegionsOf(call.op);
  if (regions.size() != 2) return Invalid("expected 2 regions");
  return TakeResults(call, call.host.EvalRegion(call, regions[pred ? 0 : 1], {}));
}

// Specification, "case": the region of the index, or the last one if the index is out of range.
Status EvaluateCase(KernelCall& call) {
  if (call.operands.size() != 1) return Invalid("missing branch index");
  const Ints index = SHLO_TRY(IndexOf(call.operand(0)));
  const auto regions = call.module.RegionsOf(call.op);
  if (regions.empty() || index.size() != 1) return Invalid("expected a scalar index and at least 1 region");
  const size_t last = regions.size() - 1;
  const size_t branch = index[0] < 0 || uint64_t(index[0]) > last ? last : size_t(index[0]);
  return TakeResults(call, call.host.EvalRegion(call, regions[branch], {}));
}

namespace {

// Runs a loop over scalars whose regions can be compiled (RegionBody). Returns false for other loops.
Result<bool> RunScalarLoop(KernelCall& call, RegionId cond_region, RegionId body_region) {
  constexpr size_t kMaxState = 8, kBytes = RegionBody::kBound;
  const size_t count = call.operands.size();
  if (count == 0 || count > kMaxState || call.results.size() != count) return false;
  std::vector<ValueTypePtr> types;
  for (const Tensor* operand : call.operands) {
    if (!operand->type().is_tensor() || !operand->type().shape.empty() || operand->type().quantization)
      return false;
    types.push_back(operand->type_ptr());
  }
  for (RegionId region : {cond_region, body_region}) {
    const auto arguments = RegionBody::ArgumentTypes(call, region);
    if (!arguments || arguments->size() != count) return false;
    for (size_t i = 0; i < count; ++i)
      if (*(*arguments)[i] != *types[i]) return false;
  }
  const ValueTypePtr boolean[1] = {MakeTensorType({TypeKind::kI1}, {})};
  Result<RegionBody> cond = RegionBody::Make(call, cond_region, boolean);
  if (!cond || !cond->compiled()) return false;
  Result<RegionBody> body = RegionBody::Make(call, body_region, types);
  if (!body || !body->compiled()) return false;
  alignas(16) uint8_t state[kMaxState][kBytes];
  const uint8_t* args[kMaxState];
  uint8_t* results[kMaxState];
  for (size_t i = 0; i < count; ++i) {
    std::memcpy(state[i], call.operand(i).data(), types[i]->element.bytes());
    args[i] = results[i] = state[i];
  }
  const RegionBody::Bound condition(*cond, args), step(*body, args);
  cond->MarkRun();
  if (*condition.Run() != 0) body->MarkRun();
  constexpr uint64_t kRun = 1024;  // iterations between two step counts
  for (uint64_t done = 0; *condition.Run() != 0; ++done) {
    if (done % kRun == 0) SHLO_TRY(call.host.CountSteps(kRun));
    step.Run(results);
  }
  for (size_t i = 0; i < count; ++i) {
    SHLO_TRY(AllocateResult(call, i, {}, call.operand(i)));
    std::memcpy(call.results[i].mutable_data(), state[i], types[i]->element.bytes());
  }
  return true;
}

}  // namespace

// Specification, "while": evaluates the body while the condition holds.
Status EvaluateWhile(KernelCall& call) {
  const auto regions = call.module.RegionsOf(call.op);
  if (regions.size() != 2) return Invalid("expected 2 regions");
  const bool done = SHLO_TRY(RunScalarLoop(call, regions[0], regions[1]));
  if (done) return {};
  std::vector<Tensor> state;
  for (const Tensor* operand : call.operands) state.push_back(*operand);
  for (;;) {
    const std::vector<Tensor> cond = SHLO_TRY(call.host.EvalRegion(call, regions[0], state));
    if (cond.size() != 1) return Invalid("condition region must return 1 value");
    const bool go_on = SHLO_TRY(Condition(cond[0]));
    if (!go_on) return TakeResults(call, std::move(state));
    SHLO_TRY(call.host.CountSteps(1));
    state = SHLO_TRY(call.host.EvalRegion(call, regions[1], state));
  }
}

// Specification, "optimization_barrier": returns its operands. Also implements casts without effect.
Status EvaluateOptimizationBarrier(KernelCall& call) {
  if (call.operands.size() != call.results.size()) return Invalid("numbers of operands and results differ");
  for (size_t i = 0; i < call.results.size(); ++i) call.results[i] = call.operand(i);
  return {};
}

// Specification, "after_all"; also the older "create_token".
Status EvaluateToken(KernelCall& call) {
  SHLO_TRY(CheckArity(call, call.operands.size()));
  call.results[0] = Tensor::Token();
  return {};
}

Status EvaluateTuple(KernelCall& call) {
  SHLO_TRY(CheckArity(call, call.operands.size()));
  std::vector<Tensor> members;
  for (const Tensor* operand : call.operands) members.push_back(*operand);
  call.results[0] = Tensor::Tuple(std::move(members));
  return {};
}

Status EvaluateGetTupleElement(KernelCall& call) {
  SHLO_TRY(CheckArity(call, 1));
  const int64_t index = SHLO_TRY(IntOf(call, "index"));
  const auto members = call.operand(0).members();
  if (index < 0 || uint64_t(index) >= members.size())
    return Invalid(StrFormat("tuple index {} is out of range", index));
  call.results[0] = members[size_t(index)];
  return {};
}

// Specification, "async_start": evaluates the region immediately; the future holds its results.
Status EvaluateAsyncStart(KernelCall& call) {
  const auto regions = call.module.RegionsOf(call.op);
  if (regions.size() != 1) return Invalid("expected 1 region");
  SHLO_TRY(CheckArity(call, call.operands.size()));
  std::vector<Tensor> operands;
  for (const Tensor* operand : call.operands) operands.push_back(*operand);
  std::vector<Tensor> values = SHLO_TRY(call.host.EvalRegion(call, regions[0], operands));
  call.results[0] = Tensor::Tuple(std::move(values));
  return {};
}

// Specification, "async_done": returns the results that the future holds.
Status EvaluateAsyncDone(KernelCall& call) {
  SHLO_TRY(CheckArity(call, 1, call.results.size()));
  const auto members = call.operand(0).members();
  return TakeResults(call, std::vector<Tensor>(members.begin(), members.end()));
}

}  // namespace shlo
