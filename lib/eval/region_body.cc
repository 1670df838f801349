#include "eval/region_body.h"

#include <unordered_map>

#include "base/format.h"
#include "base/try.h"
#include "eval/kernel/move_elements.h"
#include "eval/kernels/elementwise.h"
#include "eval/kernels/kernels.h"
#include "eval/loops/element_loops.h"
#include "ir/table/ops.h"
#include "ir/table/trait.h"

namespace shlo {
namespace {

// Maximum number of results of a compiled body.
constexpr size_t kMaxOutputs = 8;

}  // namespace

Result<Tensor> Promoted(KernelCall& call, const Tensor& tensor, const ValueType& scalar) {
  if (tensor.element() == scalar.element) return tensor;
  const ElementType from[1] = {tensor.element()};
  LoopQuery query{nullptr, nullptr, from, scalar.element};
  const ElementLoop loop = PickConvert(query);
  const ValueTypePtr type = MakeTensorType(scalar.element, tensor.type().shape);
  if (!loop || !type) return NoMeaning(tensor.element());
  const Tensor* operands[1] = {&tensor};
  return Apply(call.host, loop, operands, type);
}

Result<std::vector<ValueTypePtr>> RegionBody::ArgumentTypes(const KernelCall& call, RegionId region) {
  const auto blocks = call.module.BlocksOf(region);
  if (blocks.size() != 1)
    return Error(Code::kUnsupported, "regions with more than one block are not supported");
  std::vector<ValueTypePtr> types;
  for (uint32_t i = 0; i < call.module.blocks[blocks[0].v].args.count; ++i) {
    types.push_back(call.host.TypeOf(call.module.TypeOf(call.module.ArgOf(blocks[0], i))));
    if (!types.back() || !types.back()->is_tensor() || types.back()->count != 1 ||
        !types.back()->shape.empty())
      return Error(Code::kUnsupported, StrFormat("region argument {} is not a scalar", i));
  }
  return types;
}

Result<RegionBody> RegionBody::Make(const KernelCall& call, RegionId region,
                                    std::span<const ValueTypePtr> results) {
  RegionBody body;
  body.call_ = &call;
  body.region_ = region;
  body.arguments_ = SHLO_TRY(ArgumentTypes(call, region));
  body.results_.assign(results.begin(), results.end());
  // A region within a region is compiled each time it runs.
  constexpr double kPerBody = 400, kPerOp = 200;  // nanoseconds
  shlo::CountWork(call.host,
                  kPerBody + kPerOp * double(call.module.OpsOf(call.module.BlocksOf(region)[0]).size()));
  body.compiled_ = body.Compile();
  if (!body.compiled_) {
    body.steps_.clear();
    body.outputs_.clear();
    return body;
  }
  body.single_ = body.steps_.size() == 1 && body.arguments_.size() == 2 && body.outputs_.size() == 1 &&
                 body.outputs_[0].buffer == body.steps_[0].out && body.steps_[0].in[0].argument == 0 &&
                 body.steps_[0].in[1].argument == 1;
  if (body.single_) body.fold_ = body.steps_[0].loop.fold;
  return body;
}

// Returns false if the region has ops other than element-wise ops on scalars.
bool RegionBody::Compile() {
  const Module& module = call_->module;
  const BlockId block = module.BlocksOf(region_)[0];
  std::unordered_map<uint32_t, Source> sources;
  std::unordered_map<uint32_t, ValueTypePtr> types;
  const auto buffer = [&] {
    buffers_.push_back(std::make_unique<uint8_t[]>(kBlock * 16));
    return buffers_.back().get();
  };
  for (uint32_t i = 0; i < arguments_.size(); ++i) {
    if (arguments_[i]->quantization) return false;
    sources[module.ArgOf(block, i).v].argument = int(i);
    types[module.ArgOf(block, i).v] = arguments_[i];
  }
  const auto constant = [&](ValueId value, const Tensor& tensor) {
    if (!tensor.type().is_tensor() || tensor.count() != 1 || tensor.type().quantization) return false;
    uint8_t* to = buffer();
    FillElements(to, tensor.data(), kBlock, tensor.element().bytes());
    sources[value.v].buffer = to;
    types[value.v] = tensor.type_ptr();
    return true;
  };
  const auto known = [&](ValueId value) {
    if (sources.contains(value.v)) return true;
    const Tensor* captured = call_->host.Captured(*call_, value);
    return captured && captured->type().shape.empty() && constant(value, *captured);
  };
  for (OpId id : module.OpsOf(block)) {
    const Op& op = module.ops[id.v];
    if (!module.RevisionIdOf(op)) return false;
    const auto operands = module.OperandsOf(op);
    if (module.Has(op, Trait::kTerminator)) {
      if (operands.size() != results_.size() || operands.size() > kMaxOutputs) return false;
      for (size_t i = 0; i < operands.size(); ++i) {
        if (!known(operands[i])) return false;
        const ValueType& type = *types[operands[i].v];
        if (type.element != results_[i]->element || results_[i]->quantization) return false;
        outputs_.push_back(sources[operands[i].v]);
      }
      return true;
    }
    if (module.NumResults(op) != 1) return false;
    const ValueId result = module.ResultOf(op, 0);
    const ValueTypePtr type = call_->host.TypeOf(module.TypeOf(result));
    if (!type || !type->is_tensor() || type->count != 1 || !type->shape.empty() || type->quantization)
      return false;
    if (RevisionOf(module.RevisionIdOf(op)).row == ops::kConstant) {
      Result<Tensor> value = TensorFromAttr(module, module.InherentAttrOf(op, "value"));
      if (!value || value->type() != *type || !constant(result, *value)) return false;
      continue;
    }
    const KernelEntry& entry = KernelOf(module.RevisionIdOf(op));
    if (!entry.picker || operands.empty() || operands.size() > ElementLoop::kMaxOperands) return false;
    LoopCall step;
    ElementType elements[ElementLoop::kMaxOperands];
    for (size_t i = 0; i < operands.size(); ++i) {
      if (!known(operands[i])) return false;
      step.in[i] = sources[operands[i].v];
      elements[i] = types[operands[i].v]->element;
    }
    LoopQuery query{&module, &op, {elements, operands.size()}, type->element, call_->host.options().fast};
    step.loop = entry.picker(query);
    if (!step.loop || query.result != type->element) return false;
    step.out = buffer();
    sources[result.v].buffer = step.out;
    types[result.v] = type;
    nanoseconds_ += step.loop.nanoseconds;
    steps_.push_back(step);
  }
  return false;
}

RegionBody::Bound::Bound(const RegionBody& body, const uint8_t* const* args) {
  const auto place = [&](const Source& source) {
    return source.argument >= 0 ? args[source.argument] : source.buffer;
  };
  for (const LoopCall& step : body.steps_) {
    BoundLoopCall& bound = steps_.emplace_back();
    bound.loop = &step.loop;
    for (size_t i = 0; i < ElementLoop::kMaxOperands; ++i) bound.in[i] = place(step.in[i]);
    bound.out = step.out;
  }
  for (const Source& output : body.outputs_) outputs_.push_back(place(output));
}

void RegionBody::Bound::Run(uint8_t* const* results) const {
  const uint8_t* first = Run();
  if (outputs_.size() == 1) {
    std::memmove(results[0], first, kBound);
    return;
  }
  uint8_t kept[kMaxOutputs][kBound];
  for (size_t i = 0; i < outputs_.size(); ++i) std::memcpy(kept[i], outputs_[i], kBound);
  for (size_t i = 0; i < outputs_.size(); ++i) std::memcpy(results[i], kept[i], kBound);
}

Status RegionBody::Run(const uint8_t* const* args, uint8_t* const* results, size_t n) {
  if (compiled_) {
    const uint8_t* in[ElementLoop::kMaxOperands];
    if (single_) {
      in[0] = args[0];
      in[1] = args[1];
      steps_[0].loop.run(steps_[0].loop, in, results[0], n);
      return {};
    }
    CountWork(call_->host, double(n));
    for (const LoopCall& step : steps_) {
      for (size_t i = 0; i < ElementLoop::kMaxOperands; ++i)
        in[i] = step.in[i].argument >= 0 ? args[step.in[i].argument] : step.in[i].buffer;
      step.loop.run(step.loop, in, step.out, n);
    }
    // Results may alias arguments, so read all sources before writing.
    if (outputs_.size() == 1) {
      const Source& out = outputs_[0];
      const uint8_t* from = out.argument >= 0 ? args[out.argument] : out.buffer;
      if (from != results[0]) std::memmove(results[0], from, n * results_[0]->element.bytes());
      return {};
    }
    alignas(16) uint8_t kept[kMaxOutputs][kBlock * 16];
    for (size_t i = 0; i < outputs_.size(); ++i)
      if (outputs_[i].argument >= 0)
        std::memcpy(kept[i], args[outputs_[i].argument], n * results_[i]->element.bytes());
    for (size_t i = 0; i < outputs_.size(); ++i) {
      const uint8_t* from = outputs_[i].argument < 0 ? outputs_[i].buffer : kept[i];
      std::memcpy(results[i], from, n * results_[i]->element.bytes());
    }
    return {};
  }
  for (size_t e = 0; e < n; ++e) {
    SHLO_TRY(call_->host.CountSteps(1));
    std::vector<Tensor> values;
    for (size_t i = 0; i < arguments_.size(); ++i) {
      Tensor value = call_->host.Allocate(arguments_[i], false);
      if (!value) return OutOfMemory();
      const size_t bytes = arguments_[i]->element.bytes();
      std::memcpy(value.mutable_data(), args[i] + e * bytes, bytes);
      values.push_back(std::move(value));
    }
    const std::vector<Tensor> out = SHLO_TRY(call_->host.EvalRegion(*call_, region_, values));
    if (out.size() != results_.size())
      return Invalid(
          StrFormat("region returns {}, expected {}", Count(out.size(), "value"), results_.size()));
    for (size_t i = 0; i < out.size(); ++i) {
      if (!out[i].type().is_tensor() || out[i].count() != 1 || out[i].element() != results_[i]->element)
        return Error(Code::kEvaluation, StrFormat("region returns {}, expected {}", TypeName(out[i].type()),
                                                  TypeName(*results_[i])));
      const size_t bytes = results_[i]->element.bytes();
      std::memcpy(results[i] + e * bytes, out[i].data(), bytes);
    }
  }
  return {};
}

}  // namespace shlo
