// Applies rules to a program until none applies: in the order of the program, again at ops that a rule
// changed or whose operands it changed. Linear in the ops and in the changes. Erases ops that are dead.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "rewrite/rule_options.h"
#include "shlo/editor.h"
#include "shlo/limits.h"
#include "shlo/passes.h"
#include "shlo/program.h"
#include "shlo/simplify.h"
#include "shlo/tensor.h"

namespace shlo {
class Evaluator;
}

namespace shlo::rewrite {

class Rewriter;

// Returns whether an op, with the ops in its regions, has no side effects, and its results depend only on
// operands, attributes and regions.
bool IsPure(const ModuleEditor& editor, OpId op);
// Returns whether an op, with the ops in its regions, may be erased if its results have no uses: pure ops,
// barriers and custom calls without side effects.
bool HasNoEffect(const ModuleEditor& editor, OpId op);
// Returns whether an op may be erased, and its results have no uses.
bool IsDead(const ModuleEditor& editor, OpId op);

// Element types of the first result that a rule is for.
enum class Elements : uint8_t {
  kAll,
  kIntegers,  // and booleans
  kFloats,    // and complex numbers
};

// A rule: changes an op, or what is around it, through the rewriter and returns true; or changes nothing, and
// returns false.
struct Rule {
  std::string_view name;  // "AddOp_RemoveNoop", as the reference has it; the same for other element types
  RowId row;              // of the ops that it is for; none: all
  bool (*apply)(Rewriter& r, OpId op) = nullptr;
  Elements elements = Elements::kAll;
  Exactness exactness;              // of results
  std::string_view summary;         // "add(X, 0) -> X"
  std::string_view counterexample;  // where a result differs; empty if exact
  std::string_view
      reference;  // where the pattern of the reference is less exact, and this rule does not apply
};

// The program that rules change. They change it only through this class, so that it knows what to look at
// again.
class Rewriter {
 public:
  explicit Rewriter(ModuleEditor* editor, const RuleOptions& options = {}, const Limits& limits = {});
  ~Rewriter();
  Rewriter(const Rewriter&) = delete;
  Rewriter& operator=(const Rewriter&) = delete;
  const RuleOptions& options() const { return options_; }
  const Module& module() const { return editor_.module(); }
  // To intern types and attributes.
  Module& nodes() { return editor_.module(); }
  const ModuleEditor& editor() const { return editor_; }
  const Op& operator[](OpId op) const { return editor_[op]; }
  // Returns the op that defines a value, if it is one of a row; otherwise none.
  OpId Definer(ValueId value, RowId row) const;

  // --- Constants
  // Returns the attribute of the constant that defines a value (IsConstant); otherwise none.
  AttrId ConstantOf(ValueId value) const;
  // Returns the value of that constant, with one element if all are equal; empty if it is no static tensor
  // that can be evaluated. The module must outlive it.
  Tensor TensorOf(ValueId value) const;
  // Returns its elements, if it is a tensor or a number of integers of at most 64 bits, also of index.
  std::optional<std::vector<int64_t>> IntegersOf(ValueId value) const;
  // Evaluates a pure op without regions on these operands. Fails as the evaluator does.
  Result<std::vector<Tensor>> Evaluate(OpId op, std::span<const Tensor> operands);
  // Inserts a constant of a tensor type that the value has; or of one element for all.
  ValueId EmitConstant(TypeId type, const Tensor& value);
  ValueId EmitConstant(TypeId type, AttrId value);
  // Inserts the constant of a static tensor type with one number for all elements, also if it has none;
  // returns none if the element type is neither an integer, a float nor a complex number.
  ValueId EmitSplat(TypeId type, int64_t value);

  // Inserts an op before the one that is being rewritten, with its location unless the spec has one.
  OpId Insert(OpSpec spec);
  OpId Insert(OpSpec spec, std::initializer_list<ModuleEditor::Attr> attrs);
  // The same for an op of this row, at the version of the program, with one result, which it returns.
  ValueId Emit(RowId row, std::span<const ValueId> operands, TypeId type,
               std::initializer_list<ModuleEditor::Attr> attrs = {});
  // Replaces the results of an op by other values, as many, and erases it. A result without uses may have
  // none.
  void Replace(OpId op, std::span<const ValueId> values);
  void Replace(OpId op, ValueId value) { Replace(op, std::span(&value, 1)); }
  // The same, but keeps the op, which then has no uses.
  void ReplaceUses(OpId op, std::span<const ValueId> values);
  // Makes every use of a value one of another value.
  void ReplaceUses(ValueId value, ValueId with);
  // Moves an op of the program.
  void MoveBefore(OpId op, OpId before);
  // Adds the discardable attributes of an op to those of the op that defines a value, if one does: they
  // replace attributes of the same name, but frontend attributes are merged.
  void MergeAttrs(OpId op, ValueId into);
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
  void TouchDefiner(ValueId value);  // of a value with one use less
  void Push(OpId op);
  AttrId MergedFrontendAttrs(AttrId from, AttrId into);
  ModuleEditor& editor_;
  const RuleOptions options_;
  const Limits limits_;
  std::unique_ptr<Evaluator> evaluator_;  // from its first use on
  OpId at_;                               // the op that is being rewritten
  std::vector<OpId> worklist_;            // pushed ops, to be looked at again
  std::vector<uint8_t> pushed_;           // by op
};

// What a driver did.
struct DriverReport {
  std::map<std::string_view, uint64_t> applied;  // number of changes, by rule
};

struct DriverOptions {
  bool erase_dead = true;   // ops without uses and effects
  bool last_first = false;  // the first round has the ops in reverse, as MLIR's driver does
  // Moves constants to the start of their function, and equal ones together, as MLIR's folder does.
  bool gather_constants = false;
  RuleOptions rules;
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
