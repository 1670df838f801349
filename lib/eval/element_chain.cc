#include "eval/element_chain.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "eval/frame.h"
#include "eval/kernels/kernels.h"

namespace shlo {
namespace {

constexpr uint64_t kLeastElements = 1024;  // smaller tensors are in cache anyway
constexpr size_t kMaxSteps = 64;

class ChainFinder {
 public:
  ChainFinder(const Module& module, FunctionPlan* plan, bool fast)
      : module_(module),
        plan_(*plan),
        fast_(fast),
        broadcast_(FindOp("stablehlo.broadcast_in_dim")),
        use_(plan->types.size(), kUnused),
        position_(plan->num_ops()),
        deferred_(plan->num_ops()) {}

  void Find() {
    // Uses in other blocks than that of the value need the value itself.
    for (BlockId block : plan_.blocks)
      for (OpId id : module_.OpsOf(block))
        for (ValueId v : module_.OperandsOf(module_.ops[id.v]))
          if (Holds(v) && HomeOf(v) != block) UseOf(v) = kOther;
    plan_.roles.assign(plan_.num_ops(), {});
    for (BlockId block : plan_.blocks) FindIn(block);
  }

 private:
  // How a value is used: by ops of one chain, by its index; or as follows.
  static constexpr uint32_t kUnused = ~0u, kOther = ~1u, kChains = ~2u;
  using Member = std::pair<OpId, ElementLoop>;

  bool Holds(ValueId v) const {
    return v.v >= plan_.first_value && v.v - plan_.first_value < plan_.types.size();
  }
  BlockId HomeOf(ValueId v) const {
    const Value& value = module_.values[v.v];
    return value.op ? module_.ops[value.op.v].parent : value.block;
  }
  uint32_t& UseOf(ValueId v) { return use_[v.v - plan_.first_value]; }
  uint32_t& PositionOf(OpId op) { return position_[op.v - plan_.first_op]; }
  const ValueTypePtr& TypeOf(ValueId v) const { return plan_.types[v.v - plan_.first_value]; }
  bool IsPlain(ValueId v) const {
    return Holds(v) && TypeOf(v) && TypeOf(v)->is_tensor() && !TypeOf(v)->quantization;
  }

  // Returns the loop of an element-wise op on large tensors of one shape.
  std::optional<ElementLoop> LoopOf(const Op& op) const {
    if (!module_.RevisionIdOf(op) || module_.NumResults(op) != 1) return std::nullopt;
    const KernelEntry& entry = KernelOf(module_.RevisionIdOf(op));
    const auto operands = module_.OperandsOf(op);
    const ValueId result = module_.ResultOf(op, 0);
    if (entry.kernel != EvaluateElementwise || operands.empty() ||
        operands.size() > ElementLoop::kMaxOperands ||
        operands.size() != RevisionOf(module_.RevisionIdOf(op)).operands.size() || !IsPlain(result))
      return std::nullopt;
    const ValueType& type = *TypeOf(result);
    if (type.count < kLeastElements) return std::nullopt;
    ElementType types[ElementLoop::kMaxOperands];
    for (size_t i = 0; i < operands.size(); ++i) {
      if (!IsPlain(operands[i])) return std::nullopt;
      const ValueType& operand = *TypeOf(operands[i]);
      const bool scalar = operands.size() == 3 && operand.shape.empty();  // of select and clamp
      if (operand.shape != type.shape && !scalar) return std::nullopt;
      types[i] = operand.element;
    }
    LoopQuery query{&module_, &op, {types, operands.size()}, type.element, fast_};
    const ElementLoop loop = entry.picker(query);
    return loop && query.result == type.element ? std::optional(loop) : std::nullopt;
  }

  // Returns how the elements of a broadcast are found in its operand, if one formula says it.
  std::optional<ChainInput> BroadcastOf(const Op& op) const {
    if (!module_.RevisionIdOf(op) || RevisionOf(module_.RevisionIdOf(op)).row != broadcast_ ||
        module_.NumResults(op) != 1 || module_.OperandsOf(op).size() != 1)
      return std::nullopt;
    const ValueId from = module_.OperandsOf(op)[0], to = module_.ResultOf(op, 0);
    std::vector<int64_t> dims;
    const AttrId attr = module_.AttributeOf(op, "broadcast_dimensions");
    if (!IsPlain(from) || !IsPlain(to) || !attr || !module_.AsI64s(attr, &dims)) return std::nullopt;
    const std::vector<int64_t>&own = TypeOf(from)->shape, &shape = TypeOf(to)->shape;
    if (TypeOf(from)->element != TypeOf(to)->element || dims.size() != own.size() ||
        TypeOf(to)->count < kLeastElements)
      return std::nullopt;
    for (size_t d = 0; d < dims.size(); ++d)
      if (dims[d] < 0 || dims[d] >= int64_t(shape.size()) || (d > 0 && dims[d] <= dims[d - 1]) ||
          (own[d] != 1 && own[d] != shape[size_t(dims[d])]))
        return std::nullopt;
    // Whether each dimension of the result is one of the operand. Those that are must be adjacent.
    std::vector<bool> varies(shape.size());
    for (size_t d = 0; d < dims.size(); ++d) varies[size_t(dims[d])] = own[d] != 1;
    ChainInput input{from, 1, TypeOf(from)->count, TypeOf(from)->element.bytes()};
    size_t d = shape.size();
    for (; d > 0 && !varies[d - 1]; --d) input.run *= uint64_t(shape[d - 1]);
    for (; d > 0 && (varies[d - 1] || shape[d - 1] == 1); --d) continue;
    for (; d > 0 && !varies[d - 1]; --d) continue;
    return d == 0 ? std::optional(input) : std::nullopt;
  }

  void FindIn(BlockId block) {
    const auto ops = module_.OpsOf(block);
    for (size_t i = 0; i < ops.size(); ++i) PositionOf(ops[i]) = uint32_t(i);
    std::vector<std::vector<Member>> found;  // the root first
    std::vector<OpId> broadcasts;
    // Backwards: all uses of a value in this block are known at its op.
    for (size_t i = ops.size(); i-- > 0;) {
      const OpId id = ops[i];
      const Op& op = module_.ops[id.v];
      const auto loop = LoopOf(op);
      uint32_t user = kOther;
      if (loop) {
        user = UseOf(module_.ResultOf(op, 0));
        if (user >= found.size() || found[user].size() == kMaxSteps ||
            TypeOf(module_.ResultOf(op, 0))->shape != ShapeOf(found[user])) {
          user = uint32_t(found.size());
          found.emplace_back();
        }
        found[user].emplace_back(id, *loop);
      } else if (BroadcastOf(op)) {
        const uint32_t use = UseOf(module_.ResultOf(op, 0));
        if (use == kChains || use < found.size()) {
          broadcasts.push_back(id);
          deferred_[id.v - plan_.first_op] = true;
        }
      }
      for (ValueId v : module_.OperandsOf(op)) {
        if (!Holds(v)) continue;
        uint32_t& use = UseOf(v);
        use = use == kUnused || use == user ? user : use == kOther || user == kOther ? kOther : kChains;
      }
    }
    const size_t first = plan_.chains.size();
    for (size_t i = 0; i < found.size(); ++i) {
      // One op is worth it if its operand need not be broadcast.
      const bool broadcast = std::ranges::any_of(module_.OperandsOf(module_.ops[found[i][0].first.v]),
                                                 [&](ValueId v) { return IsDeferredBroadcast(v); });
      if (found[i].size() == 1 && !broadcast) continue;
      std::ranges::reverse(found[i]);
      Add(found[i]);
    }
    for (OpId id : broadcasts) plan_.roles[id.v - plan_.first_op] = {ChainRole::kDeferred, kOther};
    for (size_t c = first; c < plan_.chains.size(); ++c) {
      for (const ChainStep& step : plan_.chains[c].steps)
        plan_.roles[step.op.v - plan_.first_op] = {ChainRole::kDeferred, uint32_t(c)};
      plan_.roles[plan_.chains[c].steps.back().op.v - plan_.first_op].kind = ChainRole::kRoot;
      KeepInputs(block, plan_.chains[c]);
    }
    for (size_t c = first; c < plan_.chains.size(); ++c) FindReusable(&plan_.chains[c]);
  }

  const std::vector<int64_t>& ShapeOf(const std::vector<Member>& members) const {
    return TypeOf(module_.ResultOf(module_.ops[members[0].first.v], 0))->shape;
  }
  bool IsDeferredBroadcast(ValueId v) const {
    const OpId op = Holds(v) ? module_.values[v.v].op : OpId();
    return op && deferred_[op.v - plan_.first_op];
  }

  void Add(const std::vector<Member>& members) {
    ElementChain chain;
    chain.type = TypeOf(module_.ResultOf(module_.ops[members.back().first.v], 0));
    std::vector<ValueId> results;
    for (const auto& [id, loop] : members) {
      const Op& op = module_.ops[id.v];
      ChainStep step{id, loop, 0, {}, 0};
      for (ValueId v : module_.OperandsOf(op)) {
        const auto result = std::ranges::find(results, v);
        if (result != results.end())
          step.in[step.arity++] = {false, uint32_t(result - results.begin())};
        else
          step.in[step.arity++] = {true, InputOf(v, &chain)};
      }
      const ValueId result = module_.ResultOf(op, 0);
      results.push_back(result);
      chain.slot_bytes = std::max(chain.slot_bytes, TypeOf(result)->element.bytes());
      chain.nanoseconds += loop.nanoseconds;
      chain.steps.push_back(step);
    }
    AssignSlots(&chain);
    plan_.chains.push_back(std::move(chain));
  }

  uint32_t InputOf(ValueId v, ElementChain* chain) {
    const ChainInput input = IsDeferredBroadcast(v)
                                 ? *BroadcastOf(module_.ops[module_.values[v.v].op.v])
                                 : ChainInput{v, 1, TypeOf(v)->count, TypeOf(v)->element.bytes()};
    const auto same = std::ranges::find_if(chain->inputs, [&](const ChainInput& other) {
      return other.value == input.value && other.run == input.run;
    });
    if (same != chain->inputs.end()) return uint32_t(same - chain->inputs.begin());
    chain->inputs.push_back(input);
    return uint32_t(chain->inputs.size() - 1);
  }

  // Replaces indices of steps by slots, which are used again after the last use of a result.
  static void AssignSlots(ElementChain* chain) {
    std::vector<size_t> last_use(chain->steps.size());
    for (size_t i = 0; i < chain->steps.size(); ++i)
      for (uint32_t a = 0; a < chain->steps[i].arity; ++a)
        if (!chain->steps[i].in[a].input) last_use[chain->steps[i].in[a].index] = i;
    std::vector<uint32_t> free;
    for (size_t i = 0; i < chain->steps.size(); ++i) {
      ChainStep& step = chain->steps[i];
      if (free.empty()) free.push_back(chain->slots++);
      step.slot = free.back();
      free.pop_back();
      // Not before: a loop may write over an operand of the same element size only.
      for (uint32_t a = 0; a < step.arity; ++a) {
        if (step.in[a].input) continue;
        size_t& last = last_use[step.in[a].index];
        step.in[a].index = chain->steps[step.in[a].index].slot;
        if (last != i) continue;
        free.push_back(step.in[a].index);
        last = SIZE_MAX;  // it may be both operands
      }
    }
  }

  // Lets the operands of a chain live until its root.
  void KeepInputs(BlockId block, const ElementChain& chain) {
    const OpId root = chain.steps.back().op;
    for (const ChainInput& input : chain.inputs) {
      OpId& last = plan_.last_use[input.value.v - plan_.first_value];
      if (last && module_.ops[last.v].parent == block && PositionOf(last) < PositionOf(root)) last = root;
    }
  }

  void FindReusable(ElementChain* chain) {
    for (ChainInput& input : chain->inputs)
      input.may_be_result = plan_.last_use[input.value.v - plan_.first_value] == chain->steps.back().op &&
                            input.count == chain->type->count &&
                            input.bytes == chain->type->element.bytes() &&
                            std::ranges::count(chain->inputs, input.value, &ChainInput::value) == 1;
  }

  const Module& module_;
  FunctionPlan& plan_;
  const bool fast_;
  const RowId broadcast_;
  std::vector<uint32_t> use_;       // by value
  std::vector<uint32_t> position_;  // by op, in its block
  std::vector<bool> deferred_;      // by op: broadcasts
};

}  // namespace

void FindChains(const Module& module, FunctionPlan* plan, bool fast) {
  ChainFinder(module, plan, fast).Find();
}

}  // namespace shlo
