// Applies rules to a program until none applies: in the order of the program, again at ops that a rule
// changed or whose operands it changed. Linear in the ops and in the changes. Erases ops that are dead.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <span>
#include <string_view>
#include <vector>

#include "shlo/editor.h"
#include "shlo/limits.h"
#include "shlo/passes.h"
#include "shlo/program.h"

namespace shlo::rewrite {

class Rewriter;

// Returns whether an op, with the ops in its regions, has no side effects, and its results depend only on
// operands, attributes and regions.
bool IsPure(const ModuleEditor& editor, OpId op);
// Returns whether an op is pure and its results have no uses.
bool IsDead(const ModuleEditor& editor, OpId op);

// A rule: changes an op, or what is around it, through the rewriter and returns true; or changes nothing, and
// returns false.
struct Rule {
  std::string_view name;  // "add-zero"; unique
  RowId row;              // of the ops that it is for; none: all
  bool (*apply)(Rewriter& r, OpId op) = nullptr;
};

// The program that rules change. They change it only through this class, so that it knows what to look at
// again.
class Rewriter {
 public:
  explicit Rewriter(ModuleEditor* editor) : editor_(*editor) {}
  const Module& module() const { return editor_.module(); }
  // To intern types and attributes.
  Module& nodes() { return editor_.module(); }
  const ModuleEditor& editor() const { return editor_; }
  const Op& operator[](OpId op) const { return editor_[op]; }
  // Returns the op that defines a value, if it is one of a row; otherwise none.
  OpId Definer(ValueId value, RowId row) const;

  // Inserts an op before the one that is being rewritten, with its location unless the spec has one.
  OpId Insert(OpSpec spec);
  OpId Insert(OpSpec spec, std::initializer_list<ModuleEditor::Attr> attrs);
  // The same for an op of this row, at the version of the program, with one result, which it returns.
  ValueId Emit(RowId row, std::span<const ValueId> operands, TypeId type,
               std::initializer_list<ModuleEditor::Attr> attrs = {});
  // Replaces the results of an op by other values, as many, and erases it.
  void Replace(OpId op, std::span<const ValueId> values);
  void Replace(OpId op, ValueId value) { Replace(op, std::span(&value, 1)); }
  // Erases an op that has no uses.
  void Erase(OpId op);
  void SetOperand(OpId op, uint32_t i, ValueId value);
  void SetOperands(OpId op, std::span<const ValueId> operands);
  void SetAttr(OpId op, std::string_view name, AttrId value);
  void SetType(ValueId value, TypeId type);
  // For changes that have no function here: `change` uses the editor, and `op` and its users are looked at
  // again.
  template <typename Change>
  void Edit(OpId op, Change&& change) {
    change(editor_);
    Touch(op);
  }

 private:
  friend class Driver;
  void Touch(OpId op);  // op and its users
  void TouchUsers(OpId op);
  void Push(OpId op);
  ModuleEditor& editor_;
  OpId at_;                     // the op that is being rewritten
  std::vector<OpId> worklist_;  // pushed ops, to be looked at again
  std::vector<bool> pushed_;    // by op
};

// What a driver did.
struct DriverReport {
  std::map<std::string_view, uint64_t> applied;  // number of changes, by rule
};

struct DriverOptions {
  bool erase_dead = true;  // pure ops without uses
  // Rules applied per op of the program, after which the driver fails with kLimit: rules that undo each other
  // do not hang it.
  uint64_t max_changes_per_op = 64;
  Limits limits;
};

// Applies rules, in their order at each op.
Result<DriverReport> Apply(std::span<const Rule> rules, ModuleEditor* editor,
                           const DriverOptions& options = {});
// The same for a program, which it leaves as it was if it fails.
Result<DriverReport> Apply(std::span<const Rule> rules, Program* program, const DriverOptions& options = {});

}  // namespace shlo::rewrite
