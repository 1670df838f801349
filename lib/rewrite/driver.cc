#include "rewrite/driver.h"

#include <algorithm>
#include <array>

#include "base/deadline.h"
#include "base/format.h"
#include "base/guarded.h"
#include "eval/kernels/kernel.h"
#include "ir/table/ops.h"
#include "ir/table/trait.h"

namespace shlo::rewrite {
namespace {

// The rules by row, in their order: those for all ops are in each list.
class RulesByRow {
 public:
  explicit RulesByRow(std::span<const Rule> rules) {
    for (const Rule& rule : rules)
      if (rule.row) rows_[rule.row.v];
    for (const Rule& rule : rules) {
      if (rule.row) {
        rows_[rule.row.v].push_back(&rule);
        continue;
      }
      for (auto& [row, list] : rows_) list.push_back(&rule);
      others_.push_back(&rule);
    }
  }
  std::span<const Rule* const> For(const Module& m, const Op& op) const {
    const RevisionId revision = m.RevisionIdOf(op);
    const auto found = revision ? rows_.find(RevisionOf(revision).row.v) : rows_.end();
    return found == rows_.end() ? others_ : found->second;
  }

 private:
  std::map<uint32_t, std::vector<const Rule*>> rows_;
  std::vector<const Rule*> others_;
};

}  // namespace

bool IsPure(const ModuleEditor& editor, OpId op) {
  const Module& m = editor.module();
  for (const OpId inside : editor.OpsIn(op)) {
    if (inside != op && m.Has(m.ops[inside.v], Trait::kTerminator)) continue;
    const KernelEntry& entry = KernelOf(m, m.ops[inside.v]);
    if (!entry.kernel || entry.reach != Reach::kOperands) return false;
  }
  return true;
}

bool IsDead(const ModuleEditor& editor, OpId op) {
  const Module& m = editor.module();
  const Op& o = m.ops[op.v];
  return m.NumResults(o) > 0 && !editor.HasUses(op) && !m.Has(o, Trait::kTerminator) && IsPure(editor, op);
}

// --- Rewriter
// ------------------------------------------------------------------------------------------------

OpId Rewriter::Definer(ValueId value, RowId row) const {
  const OpId op = module().values[value.v].op;
  return op && module().Is(editor_[op], row) ? op : OpId();
}

void Rewriter::Push(OpId op) {
  if (op.v >= pushed_.size()) pushed_.resize(std::max<size_t>(op.v + 1, module().ops.size()));
  if (pushed_[op.v]) return;
  pushed_[op.v] = true;
  worklist_.push_back(op);
}

void Rewriter::TouchUsers(OpId op) {
  const Op& o = editor_[op];
  for (uint32_t i = 0; i < module().NumResults(o); ++i)
    editor_.ForEachUse(module().ResultOf(o, i), [&](OpId user, uint32_t) { Push(user); });
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

void Rewriter::Replace(OpId op, std::span<const ValueId> values) {
  TouchUsers(op);
  for (uint32_t i = 0; i < values.size(); ++i)
    editor_.ReplaceUses(module().ResultOf(editor_[op], i), values[i]);
  Erase(op);
}

void Rewriter::Erase(OpId op) {
  std::vector<OpId> definers;
  for (const OpId inside : editor_.OpsIn(op))
    for (const ValueId operand : module().OperandsOf(editor_[inside]))
      if (operand && module().values[operand.v].op) definers.push_back(module().values[operand.v].op);
  editor_.Erase(op);
  for (const OpId definer : definers)
    if (editor_.Has(definer)) Push(definer);
}

void Rewriter::SetOperand(OpId op, uint32_t i, ValueId value) {
  const OpId before = module().values[module().OperandsOf(editor_[op])[i].v].op;
  editor_.SetOperand(op, i, value);
  if (before) Push(before);
  Touch(op);
}

void Rewriter::SetOperands(OpId op, std::span<const ValueId> operands) {
  for (const ValueId operand : module().OperandsOf(editor_[op]))
    if (const OpId before = module().values[operand.v].op) Push(before);
  editor_.SetOperands(op, operands);
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

// --- Driver
// --------------------------------------------------------------------------------------------------

// Looks at ops until none is left on the worklist. The first round has all ops in order; each next one has
// what the round before it pushed, in the order of pushing.
class Driver {
 public:
  Driver(std::span<const Rule> rules, ModuleEditor* editor, const DriverOptions& options)
      : rules_(rules), editor_(*editor), rewriter_(editor), options_(options) {}

  Result<DriverReport> Run() {
    std::vector<OpId> round = editor_.Ops();
    changes_left_ = options_.max_changes_per_op * (round.size() + 1);
    while (!round.empty()) {
      for (const OpId op : round) {
        Tick();
        if (op.v < rewriter_.pushed_.size()) rewriter_.pushed_[op.v] = false;
        while (editor_.Has(op) && Visit(op))
          if (changes_left_-- == 0) return Error(Code::kLimit, "rules change the program without end");
      }
      round = std::exchange(rewriter_.worklist_, {});
    }
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
    for (const Rule* rule : rules_.For(editor_.module(), editor_[op])) {
      if (!rule->apply(rewriter_, op)) continue;
      ++report_.applied[rule->name];
      return true;
    }
    return false;
  }

  const RulesByRow rules_;
  ModuleEditor& editor_;
  Rewriter rewriter_;
  const DriverOptions& options_;
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
