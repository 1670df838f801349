// The kernel of all element-wise ops: checks shapes, selects the loop for the element types, and runs it.
// Also the kernel of CHLO's broadcasting ops, which broadcasts the operands to a common shape first.
#include "eval/kernels/elementwise.h"

#include <algorithm>

#include "base/format.h"
#include "eval/kernel/kernel_args.h"
#include "eval/kernel/move_elements.h"
#include "eval/kernels/kernels.h"
#include "eval/loops/element_loops.h"

namespace shlo {
Result<Tensor> Apply(KernelHost& host, const ElementLoop& loop, std::span<const Tensor* const> operands,
                     const ValueTypePtr& type) {
  bool splat = type->count > 0;
  bool mixed = false;
  for (const Tensor* operand : operands) {
    splat = splat && operand->splat();
    mixed = mixed || operand->splat();
  }
  Tensor out = host.Allocate(type, splat);
  if (!out) return OutOfMemory();
  const uint8_t* in[ElementLoop::kMaxOperands];
  const size_t arity = std::min(operands.size(), ElementLoop::kMaxOperands);
  const uint64_t n = splat ? 1 : type->count;
  constexpr double kFew = 1 << 16;  // nanoseconds that are not worth more threads
  if (splat || !mixed) {
    for (size_t a = 0; a < arity; ++a) in[a] = operands[a]->data();
    uint8_t* to = out.mutable_data();
    if (double(n) * loop.nanoseconds < kFew) {
      loop.run(loop, in, to, n);
      return out;
    }
    host.Split(n, loop.nanoseconds, [&](uint64_t begin, uint64_t end) {
      const uint8_t* part[ElementLoop::kMaxOperands];
      for (size_t a = 0; a < arity; ++a) part[a] = in[a] + begin * operands[a]->element().bytes();
      loop.run(loop, part, to + begin * type->element.bytes(), end - begin);
    });
    return out;
  }
  // For splats among other operands, fill one block and reuse it.
  constexpr size_t kBytes = 4096;
  alignas(16) uint8_t blocks[ElementLoop::kMaxOperands][kBytes];
  const size_t step = kBytes / 16;
  for (size_t a = 0; a < arity; ++a) {
    if (!operands[a]->splat()) continue;
    const size_t size = operands[a]->element().bytes();
    for (size_t i = 0; i < std::min<uint64_t>(step, n); ++i)
      std::memcpy(blocks[a] + i * size, operands[a]->data(), size);
  }
  uint8_t* to = out.mutable_data();
  host.Split(n, loop.nanoseconds, [&](uint64_t begin, uint64_t end) {
    const uint8_t* part[ElementLoop::kMaxOperands];
    for (uint64_t i = begin; i < end; i += step) {
      for (size_t a = 0; a < arity; ++a)
        part[a] = operands[a]->splat() ? blocks[a] : operands[a]->data() + i * operands[a]->element().bytes();
      loop.run(loop, part, to + i * type->element.bytes(), std::min<uint64_t>(step, end - i));
    }
  });
  return out;
}

Result<Tensor> ApplyOp(KernelHost& host, RowId op, std::initializer_list<const Tensor*> operands,
                       ElementType element) {
  const LoopPicker picker = PickerOf(NewestRevision(op));
  ElementType types[ElementLoop::kMaxOperands];
  LoopQuery query;
  size_t arity = 0;
  for (const Tensor* operand : operands) types[arity++] = operand->element();
  query.operands = {types, arity};
  query.result = element;
  query.fast = host.options().fast;
  const ElementLoop loop = picker ? picker(query) : ElementLoop{};
  const Tensor& first = **operands.begin();
  if (!loop) return NoMeaning(first.element());
  for (const Tensor* operand : operands)
    if (operand->type().shape != first.type().shape) return Invalid("operand shapes do not match");
  const ValueTypePtr type = query.result == first.element() && !first.type().quantization
                                ? first.type_ptr()
                                : MakeTensorType(query.result, first.type().shape);
  if (!type) return OutOfMemory();
  return Apply(host, loop, {operands.begin(), arity}, type);
}

namespace {

Status CheckElementwiseArity(const KernelCall& call) {
  return CheckArity(call, RevisionOf(call.module.RevisionIdOf(call.op)).operands.size());
}

// Says why no loop takes the operands.
tl::unexpected<Diagnostics> NoLoop(const KernelCall& call, LoopPicker picker) {
  // A predicate need not have the type of the others.
  const bool selects = picker == PickSelect;
  if (selects && !call.operand(0).element().is_bool()) return NoMeaning(call.operand(0).element());
  const Tensor& first = call.operand(selects ? 1 : 0);
  for (const Tensor* operand : call.operands.subspan(selects ? 1 : 0))
    if (operand->element() != first.element())
      return Error(Code::kEvaluation, StrFormat("operand types differ: {} and {}", TypeName(first.type()),
                                                TypeName(operand->type())));
  return NoMeaning(first.element());
}

}  // namespace

Status EvaluateElementwise(KernelCall& call) {
  const LoopPicker picker = PickerOf(call.module.RevisionIdOf(call.op));
  const size_t arity = call.operands.size();
  SHLO_TRY(CheckElementwiseArity(call));
  // The shape is that of the operands. select and clamp also allow scalars among larger operands.
  const Tensor* largest = call.operands[0];
  for (const Tensor* operand : call.operands)
    if (operand->type().rank() > largest->type().rank()) largest = operand;
  Tensor views[ElementLoop::kMaxOperands];
  const Tensor* operands[ElementLoop::kMaxOperands];
  ElementType types[ElementLoop::kMaxOperands];
  const bool scalars_stretch = arity == 3;
  for (size_t i = 0; i < arity; ++i) {
    operands[i] = call.operands[i];
    types[i] = operands[i]->element();
    if (operands[i]->type_ptr() == largest->type_ptr() || operands[i]->type().shape == largest->type().shape)
      continue;
    if (!scalars_stretch || !operands[i]->type().shape.empty())
      return Error(Code::kEvaluation, StrFormat("operand types differ: {} and {}", TypeName(largest->type()),
                                                TypeName(operands[i]->type())));
    const ValueTypePtr type = MakeTensorType(types[i], largest->type().shape);
    if (!type) return OutOfMemory();
    if (type->count == 0) {
      views[i] = call.host.Allocate(type, false);
      if (!views[i]) return OutOfMemory();
    } else {
      views[i] = Tensor::View(type, operands[i]->data(), nullptr, true);
    }
    operands[i] = &views[i];
  }
  LoopQuery query{&call.module, &call.op, {types, arity}, {}, call.host.options().fast};
  const ValueTypePtr& known = call.result_types[0];
  if (known) {
    query.result = known->element;
  } else {
    const DeclaredElement declared = SHLO_TRY(ElementOfResult(call));
    query.result = declared.element;
  }
  const ElementLoop loop = picker(query);
  if (loop && known && !known->quantization && known->element == query.result &&
      known->shape == largest->type().shape) {
    call.results[0] = SHLO_TRY(Apply(call.host, loop, {operands, arity}, known));
    return {};
  }
  if (!loop) return NoLoop(call, picker);
  const ValueTypePtr type =
      SHLO_TRY(ResultType(call, 0, largest->type().shape, DeclaredElement{query.result, {}}));
  call.results[0] = SHLO_TRY(Apply(call.host, loop, {operands, arity}, type));
  return {};
}

// CHLO, "broadcast_*": broadcast_dimensions maps the dimensions of an operand of smaller rank (by default, to
// the last ones); then dimensions of size 1 are expanded.
Status EvaluateBroadcasting(KernelCall& call) {
  const LoopPicker picker = PickerOf(call.module.RevisionIdOf(call.op));
  const size_t arity = call.operands.size();
  SHLO_TRY(CheckElementwiseArity(call));
  size_t rank = 0;
  for (const Tensor* operand : call.operands) rank = std::max(rank, operand->type().shape.size());
  Ints shape(rank, 1);
  std::vector<Ints> dimensions(arity);
  for (size_t a = 0; a < arity; ++a) {
    const std::vector<int64_t>& from = call.operand(a).type().shape;
    Ints& to = dimensions[a];
    if (from.size() < rank && !from.empty() && call.module.AttributeOf(call.op, "broadcast_dimensions")) {
      to = SHLO_TRY(IntsOf(call, "broadcast_dimensions"));
    } else {
      for (size_t d = 0; d < from.size(); ++d) to.push_back(int64_t(rank - from.size() + d));
    }
    if (to.size() != from.size()) return Invalid("broadcast_dimensions does not match the operand rank");
    SHLO_TRY(CheckDimensions("broadcast_dimensions", to, int64_t(rank)));
    for (size_t d = 0; d < from.size(); ++d) {
      int64_t& extent = shape[size_t(to[d])];
      if (from[d] == 1 || extent == from[d]) continue;
      if (extent != 1) return Error(Code::kEvaluation, "operand shapes cannot be broadcast");
      extent = from[d];
    }
  }
  Tensor stretched[ElementLoop::kMaxOperands];
  const Tensor* operands[ElementLoop::kMaxOperands];
  ElementType types[ElementLoop::kMaxOperands];
  for (size_t a = 0; a < arity; ++a) {
    types[a] = call.operand(a).element();
    operands[a] = &call.operand(a);
    if (call.operand(a).type().shape == shape) continue;
    const ValueTypePtr type = MakeTensorType(types[a], shape);
    if (!type) return OutOfMemory();
    stretched[a] = SHLO_TRY(Broadcast(call.host, call.operand(a), dimensions[a], type));
    operands[a] = &stretched[a];
  }
  LoopQuery query{&call.module, &call.op, {types, arity}, {}, call.host.options().fast};
  const ElementLoop loop = picker(query);
  if (!loop) return NoLoop(call, picker);
  const ValueTypePtr type = SHLO_TRY(ResultType(call, 0, shape, DeclaredElement{query.result, {}}));
  call.results[0] = SHLO_TRY(Apply(call.host, loop, {operands, arity}, type));
  return {};
}

}  // namespace shlo
