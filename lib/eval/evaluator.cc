#include "eval/evaluator.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/deadline.h"
#include "base/format.h"
#include "base/guarded.h"
#include "base/printable.h"
#include "base/stack.h"
#include "base/try.h"
#include "eval/frame.h"
#include "eval/kernels/kernels.h"
#include "eval/kernels/quantization.h"
#include "eval/parallel.h"
#include "eval/tensor/memory.h"
#include "ir/table/ops.h"
#include "ir/table/trait.h"
#include "shlo/evaluate.h"
#include "shlo/print.h"
#include "shlo/types.h"

namespace shlo {
namespace {

// 500 calls were measured to fit into a stack of 2 MiB, with sanitizers into 8 MiB.
constexpr uint32_t kMostCalls = 500;

// Returns the name of a type of MLIR's dialect shape, with a dot before it; empty for other types.
std::string_view ShapeTypeName(const Module& module, TypeId type) {
  const auto opaque = module.As<OpaqueType>(type);
  return opaque && module.strings[opaque->dialect] == "shape" ? module.strings[opaque->text]
                                                              : std::string_view();
}

Diagnostic TooDeep(std::string_view what, uint32_t limit) {
  Diagnostic out;
  out.code = Code::kLimit;
  out.message = StrFormat("{} nest more than {} levels deep", what, limit);
  out.hint = "check the program for infinite recursion";
  if (limit < kMostCalls) out.hint += ", or raise the limit: --max-depth (Limits::max_depth)";
  return out;
}

}  // namespace

Evaluator::Evaluator(const Module& module, const EvalOptions& options, Process* process)
    : module_(module),
      options_(options),
      max_depth_(std::min(options.limits.max_depth, kMostCalls)),
      process_(process),
      arena_(std::make_shared<TensorArena>()) {
  if (!module.top) return;
  for (RegionId region : module.RegionsOf(module.ops[module.top.v])) {
    for (BlockId block : module.BlocksOf(region)) {
      for (OpId id : module.OpsOf(block)) {
        const Op& op = module.ops[id.v];
        if (!module_.Has(op, Trait::kFunction)) continue;
        functions_.push_back(id);
        by_name_.emplace(module.SymbolOf(op), id);
      }
    }
  }
}

Evaluator::~Evaluator() = default;

OpId Evaluator::FindFunction(std::string_view name) const {
  const auto found = by_name_.find(name.empty() ? "main" : name);
  if (found != by_name_.end()) return found->second;
  return name.empty() && functions_.size() == 1 ? functions_[0] : OpId();
}

Result<Evaluator::Signature> Evaluator::SignatureOf(OpId function) const {
  const Op& op = module_.ops[function.v];
  const auto type = module_.FunctionTypeOf(op);
  const auto regions = module_.RegionsOf(op);
  const bool is_function = module_.Has(op, Trait::kFunction);
  if (!type && !is_function && regions.size() == 1 && module_.BlocksOf(regions[0]).size() == 1) {
    // An op whose region is like a function (sdy.manual_computation): what its block takes and ends with.
    const BlockId block = module_.BlocksOf(regions[0])[0];
    Signature out;
    for (uint32_t i = 0; i < module_.blocks[block.v].args.count; ++i)
      out.inputs.push_back(module_.TypeOf(module_.ArgOf(block, i)));
    const auto ops = module_.OpsOf(block);
    if (!ops.empty())
      for (ValueId v : module_.OperandsOf(module_.ops[ops.back().v]))
        out.results.push_back(module_.TypeOf(v));
    return out;
  }
  if (!type) return ErrorAt(function, Code::kInvalidProgram, "function has no function type");
  return Signature{type->inputs.ToVector(), type->results.ToVector()};
}

// --- Errors ---------------------------------------------------------------------------------------

tl::unexpected<Diagnostics> Evaluator::At(OpId op, Diagnostics diagnostics) const {
  for (Diagnostic& d : diagnostics) {
    if (!d.op.empty()) continue;
    d.op = module_.NameOf(module_.ops[op.v]);
    d.place =
        process_ && process_->elsewhere ? PlaceByNumber(module_, op) : PlaceOf(module_, op, options_.source);
    if (d.place.function.empty()) d.place.function = module_.FunctionOf(op);
    d.version = module_.version;
  }
  return tl::make_unexpected(std::move(diagnostics));
}

tl::unexpected<Diagnostics> Evaluator::ErrorAt(OpId op, Code code, std::string message,
                                               std::string hint) const {
  return At(op, Error(code, std::move(message), {}, std::move(hint)).value());
}

void Evaluator::FailCheck(const KernelCall& call, std::string message) {
  Diagnostics failed = At(call.id, Error(Code::kEvaluation, std::move(message)).value()).value();
  failed_checks_.push_back(std::move(failed[0]));
}

Process& Evaluator::process() {
  if (process_) return *process_;
  if (!own_process_) {
    own_grid_.emplace(GridShape(), std::vector<std::string>(), options_.timeout_ms);
    own_process_.emplace(Process{*own_grid_, GridShape(), ProcessId(), /*alone=*/true});
  }
  return *own_process_;
}

const Tensor* Evaluator::Captured(const KernelCall& call, ValueId value) {
  Frame& frame = *call.frame;
  return frame.Holds(value) && frame[value] ? &frame[value] : nullptr;
}

// --- Plans ----------------------------------------------------------------------------------------

ValueTypePtr Evaluator::CachedType(TypeId type) {
  auto [it, inserted] = types_.try_emplace(type.v);
  if (inserted) it->second = TensorTypeOf(module_, type);
  return it->second;
}

Result<const FunctionPlan*> Evaluator::PlanOf(OpId function) {
  std::unique_ptr<FunctionPlan>& slot = plans_[function.v];
  if (slot) return slot.get();
  const auto regions = module_.RegionsOf(module_.ops[function.v]);
  if (regions.size() != 1 || module_.BlocksOf(regions[0]).empty())
    return ErrorAt(function, Code::kUnsupported, "function has no body");
  if (module_.BlocksOf(regions[0]).size() != 1)
    return ErrorAt(function, Code::kUnsupported, "functions with more than one block are not supported");

  Signature signature = SHLO_TRY(SignatureOf(function));
  FunctionPlan plan = PlanFunction(module_, regions[0]);
  for (uint32_t i = 0; i < plan.types.size(); ++i)
    plan.types[i] = CachedType(module_.TypeOf(ValueId(plan.first_value + i)));
  FindChains(module_, &plan, options_.fast);
  GroupDying(&plan);
  plan.results = std::move(signature.results);
  for (TypeId type : plan.results) plan.result_types.push_back(CachedType(type));
  slot = std::make_unique<FunctionPlan>(std::move(plan));
  return slot.get();
}

// --- Execution ------------------------------------------------------------------------------------

// Types match if the element types and all static dimensions are equal.
Status Evaluator::CheckType(const Tensor& tensor, TypeId type, const ValueTypePtr& declared,
                            std::string_view what) {
  if (declared && (declared == tensor.type_ptr() || *declared == tensor.type())) return {};
  bool same = false;
  if (const auto view = module_.As<TensorType>(type)) {
    ElementType storage;
    const QuantizationPtr quantization = QuantizationOf(module_, view->element, &storage);
    const auto element = quantization ? std::optional(storage) : ElementTypeOf(module_, view->element);
    if (!element)
      return Error(Code::kUnsupported, StrFormat("{} has type {}, whose elements cannot be evaluated", what,
                                                 TypeText(module_, type)));
    same = tensor.type().is_tensor() && *element == tensor.element() &&
           view->shape.size() == tensor.type().shape.size() &&
           bool(quantization) == bool(tensor.type().quantization) &&
           (!quantization || *quantization == *tensor.type().quantization);
    for (size_t i = 0; same && i < view->shape.size(); ++i)
      same = view->shape[i] == kDynamic || view->shape[i] == tensor.type().shape[i];
    same = same && WithinBounds(tensor.type().shape, ShapedType(module_, type).bounds);
  } else if (const auto unranked = module_.As<UnrankedTensorType>(type)) {
    const auto element = ElementTypeOf(module_, unranked->element);
    same = tensor.type().is_tensor() && element && *element == tensor.element();
  } else if (const std::string_view name = ShapeTypeName(module_, type); name == ".shape") {
    same =
        tensor.type().is_tensor() && tensor.element().kind == TypeKind::kIndex && tensor.type().rank() == 1;
  } else if (name == ".value_shape") {
    same = tensor.members().size() == 2;
  } else if (!declared && module_.types.KindOf(type) != TypeKind::kTuple) {
    return Error(Code::kUnsupported,
                 StrFormat("{} has type {}, which cannot be evaluated", what, TypeText(module_, type)));
  } else if (!declared) {
    same = tensor.element().kind == TypeKind::kTuple;  // has members that are not static
  }
  if (same) return {};
  return Error(Code::kEvaluation, StrFormat("{} has type {}, but the value has type {}", what,
                                            TypeText(module_, type), TypeName(tensor.type())));
}

Status Evaluator::RunOpProfiled(Frame& frame, OpId id, const ChainRole& role) {
  const uint64_t outer = std::exchange(nested_nanoseconds_, 0);
  const auto start = std::chrono::steady_clock::now();
  Status status = role.kind == ChainRole::kNone ? RunOp(frame, id) : RunInChain(frame, id, role);
  const auto took = std::chrono::steady_clock::now() - start;
  const uint64_t all = uint64_t(std::chrono::duration_cast<std::chrono::nanoseconds>(took).count());
  const Op& op = module_.ops[id.v];
  const auto row_of = [&](const Op& of) -> EvalProfile::Row& {
    const size_t row = module_.RevisionIdOf(of) ? RevisionOf(module_.RevisionIdOf(of)).row.v : 0;
    if (profile_.size() <= row) profile_.resize(row + 1);
    return profile_[row];
  };
  ++row_of(op).runs;
  const uint64_t own = all - std::min(all, nested_nanoseconds_);
  if (role.kind == ChainRole::kRoot) {
    const ElementChain& chain = frame.plan.chains[role.chain];
    for (const ChainStep& step : chain.steps)
      row_of(module_.ops[step.op.v]).nanoseconds +=
          uint64_t(double(own) * step.loop.nanoseconds / chain.nanoseconds);
  } else {
    row_of(op).nanoseconds += own;
  }
  for (uint32_t i = 0; i < module_.NumResults(op) && role.kind != ChainRole::kDeferred; ++i) {
    const Tensor& result = frame[module_.ResultOf(op, i)];
    if (result && result.type().is_tensor()) row_of(op).bytes += result.stored_bytes();
  }
  nested_nanoseconds_ = outer + all;
  return status;
}

Status Evaluator::RunKernel(OpId id, std::span<const Tensor* const> operands,
                            std::span<const ValueTypePtr> types, std::span<Tensor> results, Frame* frame) {
  const Op& op = module_.ops[id.v];
  const KernelEntry& entry = KernelOf(module_, op);
  if (!entry.kernel) return ErrorAt(id, Code::kUnsupported, "op cannot be evaluated");
  if (steps_left_ == 0) return At(id, TooManySteps());
  if (work_ > max_work_) return At(id, TooMuchWork());
  Tick(16);
  --steps_left_;
  bool by_numbers = false;
  for (size_t i = 0; i < operands.size() && entry.takes != Takes::kAny; ++i) {
    if (!operands[i]->type().is_tensor())
      return ErrorAt(id, Code::kInvalidProgram, StrFormat("operand {} is not a tensor", i));
    by_numbers = by_numbers || (entry.takes == Takes::kNumbers && operands[i]->type().quantization);
  }
  KernelCall call{module_, id, op, operands, types, results, *this, frame};
  if (entry.takes == Takes::kNumbers)
    for (const ValueTypePtr& type : types) by_numbers = by_numbers || (type && type->quantization);
  try {
    if (Status s = by_numbers ? RunOnNumbers(entry, call) : entry.kernel(call); !s)
      return At(id, std::move(s.error()));
  } catch (const WorkLimit&) {
    return At(id, TooMuchWork());
  }
  constexpr uint64_t kWorkPerOp = 100;
  work_ += kWorkPerOp;
  for (size_t i = 0; i < results.size(); ++i) {
    if (results[i] && results[i].type().is_tensor()) work_ += results[i].stored_bytes() / 2;
    if (!results[i]) return ErrorAt(id, Code::kEvaluation, StrFormat("result {} was not computed", i));
    // Skip building the message in the common case.
    if (types[i] && (types[i] == results[i].type_ptr() || *types[i] == results[i].type())) continue;
    const TypeId declared = module_.TypeOf(module_.ResultOf(op, uint32_t(i)));
    if (Status s = CheckType(results[i], declared, types[i], StrFormat("result {}", i)); !s)
      return At(id, std::move(s.error()));
  }
  return {};
}

Status Evaluator::RunOp(Frame& frame, OpId id) {
  const Op& op = module_.ops[id.v];
  const auto operand_ids = module_.OperandsOf(op);
  constexpr size_t kInline = 4;
  const Tensor* inline_operands[kInline];
  Tensor inline_results[kInline];
  std::vector<const Tensor*> many_operands;
  std::vector<Tensor> many_results;
  std::span<const Tensor*> operands(inline_operands, std::min(operand_ids.size(), kInline));
  std::span<Tensor> results(inline_results, std::min<size_t>(module_.NumResults(op), kInline));
  if (operand_ids.size() > kInline) {
    many_operands.resize(operand_ids.size());
    operands = many_operands;
  }
  if (module_.NumResults(op) > kInline) {
    many_results.resize(module_.NumResults(op));
    results = many_results;
  }
  for (size_t i = 0; i < operands.size(); ++i) {
    if (!frame.Holds(operand_ids[i]) || !frame[operand_ids[i]])
      return ErrorAt(id, Code::kInvalidProgram, StrFormat("operand {} is used before its definition", i));
    operands[i] = &frame[operand_ids[i]];
  }
  const std::span<const ValueTypePtr> types =
      module_.NumResults(op) == 0
          ? std::span<const ValueTypePtr>()
          : std::span(frame.plan.types)
                .subspan(op.first_result - frame.plan.first_value, module_.NumResults(op));
  SHLO_TRY(RunKernel(id, operands, types, results, &frame));
  for (size_t i = 0; i < results.size(); ++i) {
    const ValueId value = module_.ResultOf(op, uint32_t(i));
    Release(frame[value]);  // value of an earlier run of this region
    frame[value] = std::move(results[i]);
    if (!ran_.empty() && module_.RevisionIdOf(op) &&
        RevisionOf(module_.RevisionIdOf(op)).row == ops::kCompare)
      comparisons_ = HashBytes(frame[value].data(), frame[value].stored_bytes(), comparisons_ + id.v);
  }
  return {};
}

Result<std::vector<Tensor>> Evaluator::RunAlone(OpId id, std::span<const Tensor* const> operands) {
  const Op& op = module_.ops[id.v];
  const KernelEntry& entry = KernelOf(module_, op);
  if (!entry.kernel || entry.reach != Reach::kOperands || op.regions.count > 0 ||
      !std::ranges::all_of(operands, [](const Tensor* t) { return t && *t; }))
    return ErrorAt(id, Code::kUnsupported, "op depends on more than its operands");
  depth_ = 0;
  steps_left_ = options_.limits.max_steps;
  max_work_ = options_.limits.max_work;
  work_ = 0;
  std::vector<ValueTypePtr> types;
  for (uint32_t i = 0; i < module_.NumResults(op); ++i) {
    types.push_back(CachedType(module_.TypeOf(module_.ResultOf(op, i))));
    if (!types.back()) return ErrorAt(id, Code::kUnsupported, "op has a result that cannot be computed");
  }
  std::vector<Tensor> results(types.size());
  SHLO_TRY(RunKernel(id, operands, types, results, nullptr));
  return results;
}

// Specification, "dequantize_op_quantize" and "hybrid_dequantize_then_op".
Status Evaluator::RunOnNumbers(const KernelEntry& entry, KernelCall& call) {
  std::vector<Tensor> numbers(call.operands.size());
  std::vector<const Tensor*> operands(call.operands.begin(), call.operands.end());
  for (size_t i = 0; i < operands.size(); ++i) {
    if (!operands[i]->type().quantization) continue;
    Tensor number = SHLO_TRY(Dequantize(*this, *operands[i]));
    numbers[i] = std::move(number);
    operands[i] = &numbers[i];
  }
  std::vector<ValueTypePtr> types(call.result_types.begin(), call.result_types.end());
  for (ValueTypePtr& type : types)
    if (type && type->quantization) type = MakeTensorType({type->quantization->expressed}, type->shape);
  KernelCall inner{call.module, call.id, call.op, operands, types, call.results, *this, call.frame};
  SHLO_TRY(entry.kernel(inner));
  for (size_t i = 0; i < types.size(); ++i) {
    const ValueTypePtr& declared = call.result_types[i];
    if (!declared || !declared->quantization || !call.results[i]) continue;
    Tensor stored = SHLO_TRY(Quantize(*this, call.results[i], declared));
    call.results[i] = std::move(stored);
  }
  return {};
}

Result<std::vector<Tensor>> Evaluator::RunBlock(Frame& frame, BlockId block,
                                                std::vector<Tensor>* intermediates) {
  const FunctionPlan& plan = frame.plan;
  const bool once = depth_ == 0;
  const bool chains = !intermediates && ran_.empty();  // otherwise every value counts
  const auto ops = module_.OpsOf(block);
  WorkDone* const work_done = once ? options_.limits.work_done : nullptr;
  if (work_done) work_done->all = ops.size();
  for (size_t i = 0; i < ops.size(); ++i) {
    const OpId id = ops[i];
    const Op& op = module_.ops[id.v];
    if (work_done) work_done->done = i;
    const ChainRole role = chains ? plan.RoleOf(id) : ChainRole();
    SHLO_TRY(options_.profile                ? RunOpProfiled(frame, id, role)
             : role.kind != ChainRole::kNone ? RunInChain(frame, id, role)
                                             : RunOp(frame, id));
    if (EndsBlock(module_, op)) {
      std::vector<Tensor> results;
      for (ValueId v : module_.OperandsOf(op)) results.push_back(frame[v]);
      return results;
    }
    if (intermediates)
      for (uint32_t r = 0; r < module_.NumResults(op); ++r)
        intermediates->push_back(frame[module_.ResultOf(op, r)]);
    const uint32_t at = id.v - plan.first_op;
    for (uint32_t d = plan.starts[at]; d < plan.starts[at + 1]; ++d) {
      Tensor& value = frame[plan.dying[d]];
      once ? ReleaseForGood(value) : Release(value);
    }
  }
  return ErrorAt(module_.regions[module_.blocks[block.v].parent.v].parent, Code::kInvalidProgram,
                 "block does not end with a terminator");
}

Result<std::vector<Tensor>> Evaluator::RunFunction(OpId function, std::span<const Tensor* const> args,
                                                   std::vector<Tensor>* intermediates) {
  const FunctionPlan* planned = SHLO_TRY(PlanOf(function));
  const FunctionPlan& plan = *planned;
  const Block& body = module_.blocks[plan.body.v];
  MarkRun(body.parent);
  if (args.size() != body.args.count)
    return ErrorAt(function, Code::kEvaluation,
                   StrFormat("expected {}, got {}", Count(body.args.count, "argument"), args.size()));
  Frame frame(plan);
  for (uint32_t i = 0; i < args.size(); ++i) {
    const ValueId value = module_.ArgOf(plan.body, i);
    if (Status s = CheckType(*args[i], module_.TypeOf(value), plan.types[value.v - plan.first_value],
                             StrFormat("argument {}", i));
        !s)
      return At(function, std::move(s.error()));
    frame[value] = *args[i];
  }
  Result<std::vector<Tensor>> results = RunBlock(frame, plan.body, intermediates);
  for (Tensor& value : frame.values) Release(value);
  if (!results) return results;

  if (plan.results.size() != results->size())
    return ErrorAt(function, Code::kInvalidProgram,
                   StrFormat("function returns {}, but its type has {}", Count(results->size(), "value"),
                             Count(plan.results.size(), "result")));
  for (size_t i = 0; i < results->size(); ++i) {
    const Tensor& result = (*results)[i];
    const TypeId type = plan.results[i];
    const ValueTypePtr& declared = plan.result_types[i];
    if (declared == result.type_ptr()) continue;
    if (Status s = CheckType(result, type, declared, StrFormat("function result {}", i)); !s)
      return At(function, std::move(s.error()));
  }
  return results;
}

Status Evaluator::Call(const KernelCall&, std::string_view function, std::span<const Tensor* const> operands,
                       std::span<Tensor> results) {
  CheckStack();
  const auto found = by_name_.find(function);
  if (found == by_name_.end())
    return Error(Code::kInvalidProgram, StrFormat("there is no function {}", SymbolText(function)));
  if (depth_ >= max_depth_) return Error(TooDeep("calls", max_depth_));
  constexpr uint64_t kWorkPerCall = 600;  // a frame, and the types of its values
  work_ += kWorkPerCall;
  ++depth_;
  Result<std::vector<Tensor>> values = RunFunction(found->second, operands, nullptr);
  --depth_;
  if (!values) return tl::make_unexpected(std::move(values.error()));
  if (values->size() != results.size())
    return Error(Code::kInvalidProgram,
                 StrFormat("{} returns {}, but the call has {}", SymbolText(function),
                           Count(values->size(), "value"), Count(results.size(), "result")));
  for (size_t i = 0; i < results.size(); ++i) results[i] = std::move((*values)[i]);
  return {};
}

Result<std::vector<Tensor>> Evaluator::EvalRegion(const KernelCall& call, RegionId region,
                                                  std::span<const Tensor> args) {
  CheckStack();
  Frame& frame = *call.frame;
  const OpId owner = module_.regions[region.v].parent;
  if (owner != call.id && module_.FunctionTypeOf(module_.ops[owner.v])) {  // a called computation
    if (depth_ >= max_depth_) return Error(TooDeep("calls", max_depth_));
    std::vector<const Tensor*> pointers;
    for (const Tensor& arg : args) pointers.push_back(&arg);
    ++depth_;
    Result<std::vector<Tensor>> results = RunFunction(owner, pointers, nullptr);
    --depth_;
    return results;
  }
  const auto blocks = module_.BlocksOf(region);
  if (blocks.size() != 1)
    return Error(Code::kUnsupported, "regions with more than one block are not supported");
  if (args.size() != module_.blocks[blocks[0].v].args.count)
    return Error(Code::kInvalidProgram,
                 StrFormat("region expects {}, got {}",
                           Count(module_.blocks[blocks[0].v].args.count, "argument"), args.size()));
  if (depth_ >= max_depth_) return Error(TooDeep("calls and regions", max_depth_));
  MarkRun(region);
  constexpr uint64_t kWorkPerRegion = 200;
  work_ += kWorkPerRegion;
  for (uint32_t i = 0; i < args.size(); ++i) {
    const ValueId value = module_.ArgOf(blocks[0], i);
    const ValueTypePtr& declared = frame.plan.types[value.v - frame.plan.first_value];
    // As in RunOp.
    if (!declared || declared != args[i].type_ptr())
      SHLO_TRY(CheckType(args[i], module_.TypeOf(value), declared, StrFormat("region argument {}", i)));
    Release(frame[value]);
    frame[value] = args[i];
  }
  ++depth_;
  Result<std::vector<Tensor>> results = RunBlock(frame, blocks[0], nullptr);
  --depth_;
  return results;
}

Result<EvalResult> Evaluator::Run(OpId function, std::span<const Tensor> args,
                                  std::vector<Tensor>* intermediates) {
  failed_checks_.clear();
  own_process_.reset();  // what an earlier run sent to itself is lost
  own_grid_.reset();
  depth_ = 0;
  const uint64_t max_steps = std::min(options_.limits.max_steps, limit_.steps);
  steps_left_ = max_steps;
  max_work_ = std::min(options_.limits.max_work, limit_.work);
  work_ = 0;
  comparisons_ = 0;
  stopped_ = false;
  std::vector<const Tensor*> pointers;
  for (const Tensor& arg : args) pointers.push_back(&arg);
  peak_bytes_ = *live_bytes_;
  profile_.clear();
  Result<std::vector<Tensor>> results = RunFunction(function, pointers, intermediates);
  steps_taken_ = max_steps - steps_left_;
  if (options_.profile) {
    std::lock_guard lock(options_.profile->mutex);
    for (size_t i = 0; i < profile_.size(); ++i) {
      if (profile_[i].runs == 0) continue;
      EvalProfile::Row& row =
          options_.profile->ops[i == 0 ? "(other dialects)" : std::string(RowOf(RowId{uint16_t(i)}).name)];
      row.runs += profile_[i].runs;
      row.nanoseconds += profile_[i].nanoseconds;
      row.bytes += profile_[i].bytes;
    }
    options_.profile->peak_bytes = std::max(options_.profile->peak_bytes, peak_bytes_);
  }
  if (!results) return tl::make_unexpected(std::move(results.error()));
  EvalResult out;
  out.failed_checks = std::move(failed_checks_);
  uint64_t bytes = 0;
  for (const Tensor& result : *results) bytes += result.stored_bytes();
  const bool few = 2 * bytes < arena_->mapped();
  for (Tensor& result : *results) {
    // Results outlive the module, so they must not be views into it; and small ones must not keep the memory
    // of all tensors.
    Tensor owned = few && result.mutable_data() && result.stored_bytes() >= TensorArena::kLeast
                       ? Tensor::Copy(result.type_ptr(),
                                      {reinterpret_cast<const char*>(result.data()), result.stored_bytes()},
                                      result.splat())
                       : result.Owned();
    if (!owned) return ErrorAt(function, Code::kLimit, "not enough memory for the results");
    out.results.push_back(std::move(owned));
  }
  return out;
}

namespace {

Result<OpId> EntryOf(const Evaluator& evaluator, const Module& module, std::string_view function,
                     const Source* source) {
  const OpId id = evaluator.FindFunction(function);
  if (id) return id;
  Place place;
  if (source) place.file = source->name;
  std::string names;
  for (OpId f : evaluator.functions()) {
    if (names.size() > 200) {
      names += " ...";
      break;
    }
    names += StrFormat("{}{}", names.empty() ? "" : " or ", SymbolText(module.SymbolOf(module.ops[f.v])));
  }
  return Error(Code::kUsage,
               function.empty() ? StrFormat("no entry function: no @main, and {}",
                                            Count(evaluator.functions().size(), "function"))
                                : StrFormat("there is no function {}", SymbolText(function)),
               place, names.empty() ? "" : StrFormat("pass --entry ({})", names));
}

Result<std::vector<ValueTypePtr>> TypesOfArguments(const Module& module, std::string_view function,
                                                   const Source* source) {
  const Evaluator evaluator(module, {});
  const OpId id = SHLO_TRY(EntryOf(evaluator, module, function, source));
  Evaluator::Signature signature = SHLO_TRY(evaluator.SignatureOf(id));
  std::vector<ValueTypePtr> types;
  for (TypeId type : signature.inputs) {
    types.push_back(TensorTypeOf(module, type));
    if (types.back()) continue;
    const size_t i = types.size() - 1;
    const std::string_view symbol = module.SymbolOf(module.ops[id.v]);
    if (const auto view = module.As<TensorType>(type); view && !IsStatic(view->shape))
      return Error(
          Code::kUnsupported,
          StrFormat("argument {} of {} has dynamic type {}", i, SymbolText(symbol), TypeText(module, type)),
          PlaceOf(module, id, source), StrFormat("pass a value with --arg {}=...", i));
    return Error(Code::kUnsupported,
                 StrFormat("argument {} of {} has type {}, which cannot be evaluated", i, SymbolText(symbol),
                           TypeText(module, type)),
                 PlaceOf(module, id, source));
  }
  return types;
}

}  // namespace

Result<EvalResult> Evaluate(const Module& module, std::string_view function, std::span<const Tensor> args,
                            const EvalOptions& options) {
  return Guarded(options.limits, [&]() -> Result<EvalResult> {
    Evaluator evaluator(module, options);
    const OpId id = SHLO_TRY(EntryOf(evaluator, module, function, options.source));
    for (size_t i = 0; i < args.size(); ++i)
      if (!args[i]) return Error(Code::kUsage, StrFormat("argument {} is not a tensor", i));
    return evaluator.Run(id, args);
  });
}

Result<std::vector<ValueTypePtr>> ArgumentTypes(const Module& module, std::string_view function,
                                                const Source* source) {
  return Guarded([&] { return TypesOfArguments(module, function, source); });
}

std::vector<TypeId> DeclaredArguments(const Module& module, std::string_view function) {
  const auto inputs = Guarded([&]() -> Result<std::vector<TypeId>> {
    const Evaluator evaluator(module, {});
    const OpId id = evaluator.FindFunction(function);
    if (!id) return std::vector<TypeId>();
    auto signature = SHLO_TRY(evaluator.SignatureOf(id));
    return std::move(signature.inputs);
  });
  return inputs ? *inputs : std::vector<TypeId>();
}

OpId EntryFunction(const Module& module, std::string_view function) {
  const auto found = Guarded([&]() -> Result<OpId> { return Evaluator(module, {}).FindFunction(function); });
  return found ? *found : OpId();
}

std::optional<size_t> PlatformArgument(const Module& module, std::string_view function) {
  const OpId id = EntryFunction(module, function);
  if (!id) return std::nullopt;
  const AttrId attrs = module.AttributeOf(module.ops[id.v], "arg_attrs");
  const auto list = attrs ? module.ElementsOf(attrs) : IdList<AttrId>();
  for (size_t i = 0; i < list.size(); ++i) {
    const auto dict = module.As<DictionaryAttr>(list[i]);
    if (!dict) continue;
    for (const NamedAttr entry : dict->entries) {
      std::string_view value;
      if (module.strings[entry.name] == "jax.global_constant" && module.AsString(entry.value, &value) &&
          value == "_platform_index")
        return i;
    }
  }
  return std::nullopt;
}

}  // namespace shlo
