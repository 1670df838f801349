#include "reduce/edits.h"

#include <algorithm>

#include "base/stack.h"
#include "ir/module/rebuild.h"
#include "ir/table/ops.h"
#include "shlo/types.h"

namespace shlo::reduce {
namespace {

class Editor : public Rebuilder {
 public:
  Editor(const Module& m, const Outline& outline, const Edits& edits)
      : Rebuilder(m), outline_(outline), edits_(edits), plans_(outline.functions.size()) {
    needed_.resize(m.values.size());
  }

  std::optional<Module> Run() {
    FindNeeded(m_.top);
    for (ValueId value : order_) Plan(value);
    if (failed_) return std::nullopt;
    Module out = Rebuild();
    for (ValueId operand : out.operands) failed_ = failed_ || !operand;
    if (failed_) return std::nullopt;
    return out;
  }

 private:
  // Changes in the signature of a function.
  struct NewArg {
    TypeId type;
    std::vector<ValueId> values;  // that it replaces
  };
  struct FunctionPlan {
    std::vector<NewArg> args;
    std::vector<ValueId> zeros;  // removed arguments
  };

  Fate FateOf(OpId op) const { return edits_.fates[op.v]; }
  OpId ParentOf(BlockId block) const { return m_.regions[m_.blocks[block.v].parent.v].parent; }
  BlockId Hoisted(OpId op) const {
    const auto regions = m_.RegionsOf(m_.ops[op.v]);
    return m_.BlocksOf(regions[edits_.regions[op.v]])[0];
  }

  // Returns an operand of the type, by preference the one at the index; none if there is none.
  ValueId OperandFor(OpId op, TypeId type, uint32_t index) const {
    const auto operands = m_.OperandsOf(m_.ops[op.v]);
    if (index < operands.size() && m_.TypeOf(operands[index]) == type) return operands[index];
    for (ValueId operand : operands)
      if (m_.TypeOf(operand) == type) return operand;
    return ValueId();
  }

  // Returns what replaces a value: itself if it is kept; none if nothing in the program does.
  ValueId Next(ValueId value) const {
    const Value& v = m_.values[value.v];
    if (!v.op) {
      const OpId parent = ParentOf(v.block);
      if (FateOf(parent) == Fate::kHoist && Hoisted(parent) == v.block)
        return OperandFor(parent, v.type, v.index);
      return edits_.args[value.v] ? ValueId() : value;
    }
    switch (FateOf(v.op)) {
      case Fate::kDrop:
        return edits_.substitute == Substitute::kOperand ? OperandFor(v.op, v.type, v.index) : ValueId();
      case Fate::kHoist: {
        const auto returned = m_.OperandsOf(m_.ops[m_.OpsOf(Hoisted(v.op)).back().v]);
        const bool fits = v.index < returned.size() && m_.TypeOf(returned[v.index]) == v.type;
        return fits ? returned[v.index] : ValueId();
      }
      case Fate::kKeep:
      case Fate::kCall:
        break;
    }
    return value;
  }

  // Returns the value in the end: one that is kept, or one that needs a substitute.
  ValueId Resolve(ValueId value, bool* kept) const {
    for (size_t steps = 0; steps <= m_.values.size(); ++steps) {
      const ValueId next = Next(value);
      *kept = next == value;
      if (*kept || !next) return value;
      value = next;
    }
    return value;  // values of a graph that depend on each other
  }

  // Finds the removed values that what remains uses.
  void FindNeeded(OpId root) {
    std::vector<OpId> todo{root};
    const auto use = [&](ValueId operand) {
      bool kept = false;
      const ValueId value = Resolve(operand, &kept);
      if (kept || needed_[value.v]) return;
      needed_[value.v] = true;
      order_.push_back(value);
    };
    while (!todo.empty()) {
      const OpId id = todo.back();
      todo.pop_back();
      const Op& op = m_.ops[id.v];
      if (FateOf(id) == Fate::kDrop) continue;
      if (FateOf(id) == Fate::kHoist) {
        const auto list = m_.OpsOf(Hoisted(id));
        todo.insert(todo.end(), list.begin(), list.end() - 1);
        continue;
      }
      const Function* f = outline_.FunctionOf(id);
      const auto returns = f && f->end == id ? edits_.returns.find(f->op.v) : edits_.returns.end();
      if (returns != edits_.returns.end()) {
        for (const Returned& returned : returns->second) use(returned.value);
      } else {
        for (ValueId operand : m_.OperandsOf(op)) use(operand);
      }
      for (RegionId region : m_.RegionsOf(op))
        for (BlockId block : m_.BlocksOf(region)) {
          const auto list = m_.OpsOf(block);
          todo.insert(todo.end(), list.begin(), list.end());
        }
    }
    std::ranges::sort(order_);
  }

  // Decides what replaces a value, unless it is a constant next to where it was.
  void Plan(ValueId value) {
    const Value& v = m_.values[value.v];
    const OpId at = v.op ? v.op : ParentOf(v.block);
    const Function* f = outline_.FunctionOf(at);
    if (f && !v.op && f->op == at) {
      plans_[outline_.function_of[at.v]].zeros.push_back(value);
      return;
    }
    if (!f || !f->body) {
      failed_ = failed_ || !HasZero(v.type);
      return;
    }
    FunctionPlan& plan = plans_[outline_.function_of[at.v]];
    if (edits_.substitute == Substitute::kOperand) {
      for (uint32_t i = 0; i < m_.blocks[f->body.v].args.count; ++i) {
        const ValueId arg = m_.ArgOf(f->body, i);
        if (edits_.args[arg.v] || m_.TypeOf(arg) != v.type) continue;
        arguments_[value.v] = arg;
        return;
      }
      if (f->changeable) {
        const auto same = std::ranges::find(plan.args, v.type, &NewArg::type);
        if (same != plan.args.end()) {
          same->values.push_back(value);
          return;
        }
      }
    }
    const bool zero = HasZero(v.type);
    if (f->changeable && (edits_.substitute != Substitute::kZero || !zero))
      plan.args.push_back({v.type, {value}});
    else
      failed_ = failed_ || !zero;
  }

  bool HasZero(TypeId type) const {
    const auto tensor = m_.As<TensorType>(type);
    if (!tensor) return m_.types.KindOf(type) == TypeKind::kToken;
    return IsStatic(tensor->shape) && !tensor->encoding && !IsQuantized(m_, tensor->element) &&
           m_.ElementBytes(tensor->element) != 0;
  }

  ValueId AddZero(TypeId type) {
    const auto tensor = m_.As<TensorType>(type);
    OpSpec spec;
    spec.revision = RevisionAt(tensor ? ops::kConstant : ops::kCreateToken, m_.version);
    std::vector<AttrId> inherent(RevisionOf(spec.revision).attrs.size());
    if (tensor) {
      const std::string bytes(m_.ElementBytes(tensor->element), '\0');
      inherent[0] = out_.Elements(type, out_.payloads.AddCopy(bytes), true);
    }
    const TypeId results[] = {type};
    spec.results = results;
    spec.inherent_attrs = inherent;
    return out_.ResultOf(out_.ops[Add(spec, OpId()).v], 0);
  }

  // Sets the new value of a removed one, where it was.
  void Replace(ValueId value) {
    bool kept = false;
    const ValueId last = Resolve(value, &kept);
    if (last != value) {
      values_[value.v] = values_[last.v];
      return;
    }
    if (!needed_[value.v] || values_[value.v]) return;
    const auto argument = arguments_.find(value.v);
    values_[value.v] = argument != arguments_.end() ? values_[argument->second.v] : AddZero(m_.TypeOf(value));
  }

  void Visit(OpId id) override {
    CheckStack();
    const Op& op = m_.ops[id.v];
    const Function* f = outline_.FunctionOf(id);
    switch (FateOf(id)) {
      case Fate::kKeep:
        if (f && f->op == id && Changes(*f)) return CopyFunction(id, *f);
        if (f && f->end == id && edits_.returns.contains(f->op.v)) return CopyReturn(id, f->op);
        Copy(id);
        return;
      case Fate::kCall:
        return CopyAsCall(id);
      case Fate::kHoist: {
        const BlockId block = Hoisted(id);
        for (uint32_t i = 0; i < m_.blocks[block.v].args.count; ++i) Replace(m_.ArgOf(block, i));
        const auto list = m_.OpsOf(block);
        for (OpId nested : list.first(list.size() - 1)) Visit(nested);
        break;
      }
      case Fate::kDrop:
        break;
    }
    for (uint32_t i = 0; i < m_.NumResults(op); ++i) Replace(m_.ResultOf(op, i));
  }

  void CopyAsCall(OpId id) {
    const Op& op = m_.ops[id.v];
    OpSpec spec;
    spec.revision = RevisionAt(ops::kCall, m_.version);
    std::vector<ValueId> operands;
    for (ValueId operand : m_.OperandsOf(op)) operands.push_back(values_[operand.v]);
    std::vector<TypeId> results;
    for (uint32_t i = 0; i < m_.NumResults(op); ++i) results.push_back(m_.TypeOf(m_.ResultOf(op, i)));
    std::vector<AttrId> inherent(RevisionOf(spec.revision).attrs.size());
    inherent[size_t(RevisionOf(spec.revision).FindSlot("callee"))] = m_.InherentAttrOf(op, "decomposition");
    spec.operands = operands;
    spec.results = results;
    spec.inherent_attrs = inherent;
    spec.loc = op.loc;
    const Op& added = out_.ops[Add(spec, id).v];
    for (uint32_t i = 0; i < m_.NumResults(op); ++i) values_[m_.ResultOf(op, i).v] = out_.ResultOf(added, i);
  }

  // --- Signatures -----------------------------------------------------------------------------------

  bool Changes(const Function& f) const {
    if (!f.body) return false;
    if (edits_.returns.contains(f.op.v) || !plans_[outline_.function_of[f.op.v]].args.empty()) return true;
    for (uint32_t i = 0; i < m_.blocks[f.body.v].args.count; ++i)
      if (edits_.args[m_.ArgOf(f.body, i).v]) return true;
    return false;
  }

  void CopyFunction(OpId id, const Function& f) {
    const FunctionPlan& plan = plans_[outline_.function_of[id.v]];
    const RegionId region = builder_.NewRegion();
    const BlockId block = builder_.NewBlock();
    std::vector<TypeId> inputs, results;
    std::vector<uint32_t> kept;
    for (uint32_t i = 0; i < m_.blocks[f.body.v].args.count; ++i) {
      const ValueId arg = m_.ArgOf(f.body, i);
      if (edits_.args[arg.v]) continue;
      kept.push_back(i);
      inputs.push_back(m_.TypeOf(arg));
      values_[arg.v] = builder_.AddBlockArg(block, inputs.back(), m_.values[arg.v].loc);
    }
    for (const NewArg& added : plan.args) {
      kept.push_back(Returned::kNew);
      inputs.push_back(added.type);
      const ValueId arg = builder_.AddBlockArg(block, added.type);
      for (ValueId value : added.values) values_[value.v] = arg;
    }
    builder_.BeginBlock(region, block);
    for (ValueId value : plan.zeros) {
      if (!HasZero(m_.TypeOf(value))) {
        failed_ = true;
        continue;
      }
      values_[value.v] = AddZero(m_.TypeOf(value));
    }
    for (OpId op : m_.OpsOf(f.body)) Visit(op);
    builder_.EndBlock();
    builder_.EndRegion(region);

    const Op& op = m_.ops[id.v];
    const OpRevision& revision = RevisionOf(m_.RevisionIdOf(op));
    const auto old = m_.InherentAttrsOf(op);
    std::vector<AttrId> inherent(old.begin(), old.end());
    std::vector<uint32_t> returned;
    const auto returns = edits_.returns.find(id.v);
    if (returns != edits_.returns.end()) {
      for (const Returned& r : returns->second) {
        returned.push_back(r.index);
        results.push_back(m_.TypeOf(r.value));
      }
    } else {
      const auto operands = m_.OperandsOf(m_.ops[f.end.v]);
      for (uint32_t i = 0; i < operands.size(); ++i) {
        returned.push_back(i);
        results.push_back(m_.TypeOf(operands[i]));
      }
    }
    SetSlot(revision, "function_type", out_.TypeAttr(out_.FunctionType(inputs, results)), &inherent);
    SetSlot(revision, "arg_attrs", Selected(m_.InherentAttrOf(op, "arg_attrs"), kept), &inherent);
    SetSlot(revision, "res_attrs", Selected(m_.InherentAttrOf(op, "res_attrs"), returned), &inherent);
    const RegionId regions[] = {region};
    OpSpec spec;
    spec.revision = m_.RevisionIdOf(op);
    spec.inherent_attrs = inherent;
    spec.discardable_attrs = m_.DiscardableAttrsOf(op);
    spec.regions = regions;
    spec.loc = op.loc;
    Add(spec, id);
  }

  static void SetSlot(const OpRevision& revision, std::string_view name, AttrId value,
                      std::vector<AttrId>* inherent) {
    if (const int slot = revision.FindSlot(name); slot >= 0) (*inherent)[size_t(slot)] = value;
  }

  // Returns the dictionaries at these indices; none if there is nothing in them.
  AttrId Selected(AttrId list, const std::vector<uint32_t>& indices) {
    const std::vector<AttrId> old = list ? m_.ElementsOf(list).ToVector() : std::vector<AttrId>();
    std::vector<AttrId> items;
    bool any = false;
    for (uint32_t index : indices) {
      items.push_back(index < old.size() ? old[index] : out_.Dict({}));
      const auto dict = out_.As<DictionaryAttr>(items.back());
      any = any || !dict || !dict->entries.empty();
    }
    return any ? out_.Array(items) : AttrId();
  }

  void CopyReturn(OpId id, OpId function) {
    std::vector<ValueId> operands;
    for (const Returned& r : edits_.returns.at(function.v)) {
      bool kept = false;
      operands.push_back(values_[Resolve(r.value, &kept).v]);
      failed_ = failed_ || !operands.back();
    }
    const Op& op = m_.ops[id.v];
    OpSpec spec;
    spec.revision = m_.RevisionIdOf(op);
    spec.operands = operands;
    spec.inherent_attrs = m_.InherentAttrsOf(op);
    spec.discardable_attrs = m_.DiscardableAttrsOf(op);
    spec.loc = op.loc;
    Add(spec, id);
  }

  const Outline& outline_;
  const Edits& edits_;
  std::vector<bool> needed_;               // by value: removed, but used
  std::vector<ValueId> order_;             // the same as a list
  std::vector<FunctionPlan> plans_;        // by function
  std::map<uint32_t, ValueId> arguments_;  // by value: the argument that replaces it
  bool failed_ = false;
};

}  // namespace

std::optional<Module> Apply(const Module& module, const Outline& outline, const Edits& edits) {
  return Editor(module, outline, edits).Run();
}

}  // namespace shlo::reduce
