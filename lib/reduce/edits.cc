#include "reduce/edits.h"

#include <algorithm>
#include <array>
#include <string>

#include "base/stack.h"
#include "ir/table/ops.h"
#include "shlo/editor.h"
#include "shlo/types.h"

namespace shlo::reduce {
namespace {

class Remover {
 public:
  Remover(const Module& m, const Outline& outline, const Edits& edits)
      : m_(m), outline_(outline), edits_(edits), plans_(outline.functions.size()) {
    needed_.resize(m.values.size());
  }

  std::optional<Module> Run() {
    FindNeeded(m_.top);
    for (ValueId value : order_) Plan(value);
    if (failed_) return std::nullopt;
    editor_.emplace(m_);
    substitutes_.resize(m_.values.size());
    for (const Function& f : outline_.functions)
      if (FateOf(f.op) == Fate::kKeep && Changes(f)) ChangeFunction(f);
    Visit(m_.top);
    Replace();
    // Uses before definitions.
    for (auto op = removed_.rbegin(); op != removed_.rend(); ++op) editor_->Erase(*op);
    Module out = std::move(*editor_).Finish();
    for (const Op& op : out.ops)
      for (const ValueId operand : out.OperandsOf(op)) failed_ = failed_ || !operand;
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

  // Inserts a constant.
  ValueId AddZero(TypeId type) {
    Module& out = editor_->module();
    const auto tensor = m_.As<TensorType>(type);
    AttrId value;
    if (tensor)
      value =
          out.Elements(type, out.payloads.AddCopy(std::string(m_.ElementBytes(tensor->element), '\0')), true);
    const OpId zero =
        editor_->Insert({.revision = RevisionAt(tensor ? ops::kConstant : ops::kCreateToken, m_.version),
                         .results = std::array{type}},
                        {{"value", value}});
    return out.ResultOf((*editor_)[zero], 0);
  }

  // Inserts the substitute of a removed value, where it was.
  void Substitute(ValueId value) {
    bool kept = false;
    if (Resolve(value, &kept) != value || !needed_[value.v] || substitutes_[value.v]) return;
    const auto argument = arguments_.find(value.v);
    substitutes_[value.v] = argument != arguments_.end() ? argument->second : AddZero(m_.TypeOf(value));
  }

  // Visits what remains in order: finds what is removed, and inserts substitutes.
  void Visit(OpId id) {
    CheckStack();
    const Op& op = m_.ops[id.v];
    switch (FateOf(id)) {
      case Fate::kCall:
        return ReplaceByCall(id);
      case Fate::kKeep:
        for (OpId nested : m_.BodyOpsOf(op)) Visit(nested);
        return;
      case Fate::kHoist: {
        const BlockId block = Hoisted(id);
        editor_->InsertBefore(id);
        for (uint32_t i = 0; i < m_.blocks[block.v].args.count; ++i) Substitute(m_.ArgOf(block, i));
        const auto list = m_.OpsOf(block);
        for (OpId nested : list.first(list.size() - 1)) {
          editor_->MoveBefore(nested, id);
          Visit(nested);
        }
        break;
      }
      case Fate::kDrop:
        break;
    }
    editor_->InsertBefore(id);
    for (uint32_t i = 0; i < m_.NumResults(op); ++i) Substitute(m_.ResultOf(op, i));
    removed_.push_back(id);
  }

  // Replaces the values that are removed.
  void Replace() {
    for (uint32_t i = 1; i < m_.values.size(); ++i) {
      bool kept = false;
      const ValueId last = Resolve(ValueId(i), &kept);
      const ValueId with = Now(last);
      if (with.v != i) editor_->ReplaceUses(ValueId(i), with);
    }
  }
  // Returns the value in the place of one that is kept or has a substitute.
  ValueId Now(ValueId value) const {
    while (value.v < substitutes_.size() && substitutes_[value.v]) value = substitutes_[value.v];
    return value;
  }

  void ReplaceByCall(OpId id) {
    const Op& op = m_.ops[id.v];
    editor_->InsertBefore(id);
    const OpId call = editor_->Insert({.revision = RevisionAt(ops::kCall, m_.version),
                                       .operands = m_.OperandsOf(op),
                                       .results = m_.SignatureOf(op).result_types,
                                       .loc = op.loc},
                                      {{"callee", m_.InherentAttrOf(op, "decomposition")}});
    for (uint32_t i = 0; i < m_.NumResults(op); ++i)
      substitutes_[m_.ResultOf(op, i).v] = editor_->module().ResultOf((*editor_)[call], i);
    removed_.push_back(id);
  }

  // --- Signatures -----------------------------------------------------------------------------------

  bool Changes(const Function& f) const {
    if (!f.body) return false;
    if (edits_.returns.contains(f.op.v) || !plans_[outline_.function_of[f.op.v]].args.empty()) return true;
    for (uint32_t i = 0; i < m_.blocks[f.body.v].args.count; ++i)
      if (edits_.args[m_.ArgOf(f.body, i).v]) return true;
    return false;
  }

  void ChangeFunction(const Function& f) {
    Module& out = editor_->module();
    const FunctionPlan& plan = plans_[outline_.function_of[f.op.v]];
    std::vector<TypeId> inputs, results;
    std::vector<uint32_t> kept, returned;
    const Range before = m_.blocks[f.body.v].args;
    for (uint32_t i = 0; i < before.count; ++i) {
      if (edits_.args[before.first + i]) continue;
      kept.push_back(i);
      inputs.push_back(m_.values[before.first + i].type);
    }
    for (const NewArg& added : plan.args) inputs.push_back(added.type);
    const Range args = editor_->SetArgs(f.body, inputs);
    for (uint32_t i = 0; i < kept.size(); ++i) {
      substitutes_[before.first + kept[i]] = ValueId(args.first + i);
      out.values[args.first + i].loc = m_.values[before.first + kept[i]].loc;
    }
    for (const NewArg& added : plan.args) {
      for (ValueId value : added.values) substitutes_[value.v] = ValueId(args.first + uint32_t(kept.size()));
      kept.push_back(Returned::kNew);
    }
    editor_->InsertBefore(editor_->FirstOf(f.body));
    for (ValueId value : plan.zeros) {
      if (HasZero(m_.TypeOf(value)))
        substitutes_[value.v] = AddZero(m_.TypeOf(value));
      else
        failed_ = true;
    }
    if (const auto returns = edits_.returns.find(f.op.v); returns != edits_.returns.end()) {
      std::vector<ValueId> values;
      for (const Returned& r : returns->second) {
        returned.push_back(r.index);
        values.push_back(r.value);
        results.push_back(m_.TypeOf(r.value));
      }
      editor_->SetOperands(f.end, values);
    } else {
      for (const ValueId value : m_.OperandsOf(m_.ops[f.end.v])) {
        returned.push_back(uint32_t(returned.size()));
        results.push_back(m_.TypeOf(value));
      }
    }
    const Op& op = m_.ops[f.op.v];
    editor_->SetAttr(f.op, "function_type", out.TypeAttr(out.FunctionType(inputs, results)));
    SetSlot(f.op, "arg_attrs", Selected(m_.InherentAttrOf(op, "arg_attrs"), kept));
    SetSlot(f.op, "res_attrs", Selected(m_.InherentAttrOf(op, "res_attrs"), returned));
  }

  void SetSlot(OpId op, std::string_view name, AttrId value) {
    if (RevisionOf(m_.RevisionIdOf(m_.ops[op.v])).FindSlot(name) >= 0) editor_->SetAttr(op, name, value);
  }

  // Returns the dictionaries at these indices; none if there is nothing in them.
  AttrId Selected(AttrId list, const std::vector<uint32_t>& indices) {
    const std::vector<AttrId> old = list ? m_.ElementsOf(list).ToVector() : std::vector<AttrId>();
    std::vector<AttrId> items;
    bool any = false;
    for (uint32_t index : indices) {
      items.push_back(index < old.size() ? old[index] : editor_->module().Dict({}));
      const auto dict = editor_->module().As<DictionaryAttr>(items.back());
      any = any || !dict || !dict->entries.empty();
    }
    return any ? editor_->module().Array(items) : AttrId();
  }

  const Module& m_;
  const Outline& outline_;
  const Edits& edits_;
  std::vector<bool> needed_;               // by value: removed, but used
  std::vector<ValueId> order_;             // the same as a list
  std::vector<FunctionPlan> plans_;        // by function
  std::map<uint32_t, ValueId> arguments_;  // by value: the argument that replaces it
  std::optional<ModuleEditor> editor_;
  std::vector<ValueId> substitutes_;  // by value of m_: in the edited program
  std::vector<OpId> removed_;
  bool failed_ = false;
};

}  // namespace

std::optional<Module> Apply(const Module& module, const Outline& outline, const Edits& edits) {
  return Remover(module, outline, edits).Run();
}

}  // namespace shlo::reduce
