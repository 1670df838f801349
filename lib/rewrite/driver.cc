#include "rewrite/driver.h"

#include <algorithm>

#include "base/deadline.h"
#include "base/format.h"
#include "base/guarded.h"
#include "eval/kernels/kernels.h"
#include "ir/table/ops.h"
#include "ir/table/trait.h"
#include "rewrite/gather_constants.h"

namespace shlo::rewrite {

// The rules by row, in their order: those for all ops are in each list.
class RulesByRow {
 public:
  explicit RulesByRow(std::span<const Rule> rules) : lists_(1) {
    for (const Rule& rule : rules) {
      if (!rule.row) continue;
      if (rule.row.v >= list_of_.size()) list_of_.resize(rule.row.v + 1);
      if (list_of_[rule.row.v] != 0) continue;
      list_of_[rule.row.v] = uint16_t(lists_.size());
      lists_.emplace_back();
    }
    for (const Rule& rule : rules) {
      if (rule.row) {
        lists_[list_of_[rule.row.v]].push_back(&rule);
      } else {
        for (auto& list : lists_) list.push_back(&rule);
      }
    }
  }
  std::span<const Rule* const> For(const Module& m, const Op& op) const {
    const RevisionId revision = m.RevisionIdOf(op);
    const size_t row = revision ? RevisionOf(revision).row.v : 0;
    return lists_[row < list_of_.size() ? list_of_[row] : 0];
  }

 private:
  std::vector<uint16_t> list_of_;                // by row: index into the lists
  std::vector<std::vector<const Rule*>> lists_;  // the first one is that of all other ops
};

namespace {

bool IsPureOp(const Module& m, const Op& op) {
  const KernelEntry& entry = KernelOf(m, op);
  return entry.kernel && entry.reach == Reach::kOperands;
}

bool HasNoEffectOp(const Module& m, const Op& op) {
  if (IsPureOp(m, op) || m.Is(op, ops::kCast) || m.Is(op, ops::kCreateToken) ||
      m.Is(op, ops::kOptimizationBarrier))
    return true;
  bool effect = false;
  if (const AttrId stated = m.InherentAttrOf(op, "has_side_effect")) m.AsBool(stated, &effect);
  return m.Is(op, ops::kCustomCall) && !effect;
}

// Returns whether `test` holds for an op and the ops in its regions, but their terminators.
template <typename Test>
bool HoldsIn(const ModuleEditor& editor, OpId op, Test test) {
  const Module& m = editor.module();
  if (!test(m, editor[op])) return false;
  if (editor[op].regions.count == 0) return true;
  return std::ranges::all_of(editor.OpsIn(op), [&](OpId inside) {
    return inside == op || m.Has(editor[inside], Trait::kTerminator) || test(m, editor[inside]);
  });
}

// Returns the class of elements of the first result; kAll for other types.
Elements ElementsOf(const Module& m, const Op& op) {
  if (m.NumResults(op) == 0) return Elements::kAll;
  const auto tensor = m.As<TensorType>(m.TypeOf(m.ResultOf(op, 0)));
  const auto element = tensor ? ElementTypeOf(m, tensor->element) : std::nullopt;
  if (!element) return Elements::kAll;
  return IsFloat(element->kind) ? Elements::kFloats : Elements::kIntegers;
}

}  // namespace

bool IsPure(const ModuleEditor& editor, OpId op) { return HoldsIn(editor, op, IsPureOp); }
bool HasNoEffect(const ModuleEditor& editor, OpId op) { return HoldsIn(editor, op, HasNoEffectOp); }

bool IsDead(const ModuleEditor& editor, OpId op) {
  const Module& m = editor.module();
  const Op& o = m.ops[op.v];
  return m.NumResults(o) > 0 && !editor.HasUses(op) && !m.Has(o, Trait::kTerminator) &&
         HasNoEffect(editor, op);
}

// --- Rewriter --------------------------------------------------------------------------------------------

OpId Rewriter::Definer(ValueId value, RowId row) const {
  const OpId op = module().values[value.v].op;
  return op && module().Is(editor_[op], row) ? op : OpId();
}

void Rewriter::Push(OpId op) {
  if (op.v >= pushed_.size()) pushed_.resize(std::max<size_t>(op.v + 1, module().ops.size()));
  if (pushed_[op.v]) return;
  pushed_[op.v] = true;
  worklist_.push_back(op);
  // What a region returns is part of its op.
  if (module().Has(editor_[op], Trait::kTerminator))
    if (const OpId parent = editor_.ParentOf(op)) Push(parent);
}

void Rewriter::TouchUsers(OpId op) {
  const Op& o = editor_[op];
  for (uint32_t i = 0; i < module().NumResults(o); ++i)
    editor_.ForEachUse(module().ResultOf(o, i), [&](OpId user, uint32_t) { Push(user); });
}

void Rewriter::TouchDefiner(ValueId value) {
  if (!value || !editor_.Has(value)) return;
  if (const OpId op = module().values[value.v].op) Push(op);
  // Its user may now be the only one.
  if (editor_.HasOneUse(value)) editor_.ForEachUse(value, [&](OpId user, uint32_t) { Push(user); });
}

void Rewriter::Touch(OpId op) {
  Push(op);
  TouchUsers(op);
}

OpId Rewriter::Insert(OpSpec spec, std::initializer_list<ModuleEditor::Attr> attrs) {
  if (!spec.loc && at_) spec.loc = editor_[at_].loc;
  if (at_) editor_.InsertBefore(at_);
  const OpId op = attrs.size() ? editor_.Insert(spec, attrs, at_) : editor_.Insert(spec, at_);
  Push(op);
  return op;
}

OpId Rewriter::Insert(OpSpec spec) { return Insert(spec, {}); }

ValueId Rewriter::Emit(RowId row, std::span<const ValueId> operands, TypeId type,
                       std::initializer_list<ModuleEditor::Attr> attrs) {
  const OpId op = Insert(
      {.revision = RevisionAt(row, module().version), .operands = operands, .results = {&type, 1}}, attrs);
  return module().ResultOf(editor_[op], 0);
}

void Rewriter::ReplaceUses(OpId op, std::span<const ValueId> values) {
  TouchUsers(op);
  for (uint32_t i = 0; i < values.size(); ++i)
    if (values[i]) editor_.ReplaceUses(module().ResultOf(editor_[op], i), values[i]);
  Push(op);
}

void Rewriter::ReplaceUses(ValueId value, ValueId with) {
  editor_.ForEachUse(value, [&](OpId user, uint32_t) { Push(user); });
  editor_.ReplaceUses(value, with);
}

void Rewriter::Replace(OpId op, std::span<const ValueId> values) {
  ReplaceUses(op, values);
  Erase(op);
}

void Rewriter::Erase(OpId op) {
  std::vector<ValueId> used;
  const auto add = [&](OpId inside) {
    const auto operands = module().OperandsOf(editor_[inside]);
    used.insert(used.end(), operands.begin(), operands.end());
  };
  if (editor_[op].regions.count == 0) {
    add(op);
  } else {
    std::ranges::for_each(editor_.OpsIn(op), add);
  }
  editor_.Erase(op);
  std::ranges::for_each(used, [&](ValueId value) { TouchDefiner(value); });
}

void Rewriter::MoveBefore(OpId op, OpId before) {
  editor_.MoveBefore(op, before);
  Touch(op);
}

void Rewriter::SetOperand(OpId op, uint32_t i, ValueId value) {
  const ValueId before = module().OperandsOf(editor_[op])[i];
  editor_.SetOperand(op, i, value);
  TouchDefiner(before);
  Touch(op);
}

void Rewriter::SetOperands(OpId op, std::span<const ValueId> operands) {
  const auto current = module().OperandsOf(editor_[op]);
  const std::vector<ValueId> before(current.begin(), current.end());
  editor_.SetOperands(op, operands);
  std::ranges::for_each(before, [&](ValueId value) { TouchDefiner(value); });
  Touch(op);
}

void Rewriter::SetAttr(OpId op, std::string_view name, AttrId value) {
  editor_.SetAttr(op, name, value);
  Touch(op);
}

void Rewriter::SetType(ValueId value, TypeId type) {
  editor_.SetType(value, type);
  if (const OpId op = module().values[value.v].op) Push(op);
  editor_.ForEachUse(value, [&](OpId user, uint32_t) { Push(user); });
}

// --- Driver ----------------------------------------------------------------------------------------------

// Looks at ops until none is left on the worklist. The first round has all ops in order; each next one has
// what the round before it pushed, in the order of pushing.
class Driver {
 public:
  Driver(std::span<const Rule> rules, ModuleEditor* editor, const DriverOptions& options)
      : all_(rules),
        rules_(rules),
        editor_(*editor),
        rewriter_(editor, options.rules, options.limits),
        gatherer_(&rewriter_),
        options_(options),
        applied_(rules.size()) {}

  Result<DriverReport> Run() {
    std::vector<OpId> round = editor_.Ops();
    if (options_.last_first) std::ranges::reverse(round);
    changes_left_ = options_.max_changes_per_op * (round.size() + 1);
    for (bool more = true; more;) {
      if (options_.gather_constants) gatherer_.Gather();
      if (round.empty()) round = std::exchange(rewriter_.worklist_, {});
      const uint64_t before = changes_left_;
      while (!round.empty()) {
        for (const OpId op : round) {
          Tick();
          if (op.v < rewriter_.pushed_.size()) rewriter_.pushed_[op.v] = false;
          while (editor_.Has(op) && Visit(op))
            if (changes_left_-- == 0) return Error(Code::kLimit, "rules change the program without end");
        }
        round = std::exchange(rewriter_.worklist_, {});
      }
      more = options_.gather_constants && changes_left_ != before;
    }
    for (size_t i = 0; i < all_.size(); ++i)
      if (applied_[i]) report_.applied[all_[i].name] += applied_[i];
    return std::move(report_);
  }

 private:
  // Returns whether a rule changed the op, which then is looked at again.
  bool Visit(OpId op) {
    if (options_.erase_dead && IsDead(editor_, op)) {
      rewriter_.Erase(op);
      return false;
    }
    rewriter_.at_ = op;
    const auto rules = rules_.For(editor_.module(), editor_[op]);
    if (rules.empty()) return false;
    const Elements elements = ElementsOf(editor_.module(), editor_[op]);
    for (const Rule* rule : rules) {
      if (rule->elements != Elements::kAll && rule->elements != elements) continue;
      if (!rule->apply(rewriter_, op)) continue;
      ++applied_[rule - all_.data()];
      return true;
    }
    return false;
  }

  const std::span<const Rule> all_;
  const RulesByRow rules_;
  ModuleEditor& editor_;
  Rewriter rewriter_;
  ConstantGatherer gatherer_;
  const DriverOptions& options_;
  std::vector<uint64_t> applied_;  // by rule
  DriverReport report_;
  uint64_t changes_left_ = 0;
};

Result<DriverReport> Apply(std::span<const Rule> rules, ModuleEditor* editor, const DriverOptions& options) {
  return Guarded(options.limits, [&] { return Driver(rules, editor, options).Run(); });
}

Result<DriverReport> Apply(std::span<const Rule> rules, Program* program, const DriverOptions& options) {
  return Guarded(options.limits, [&]() -> Result<DriverReport> {
    ModuleEditor editor(program->module);
    auto report = Driver(rules, &editor, options).Run();
    if (report) program->module = std::move(editor).Finish(&program->source.places);
    return report;
  });
}

}  // namespace shlo::rewrite
