// Classes of the ops and values of one program by the flow of values, in a table that two programs share.
// Unlike the classes of prove/congruence.h they count duplicates and ops without uses, and a call is known by
// the name of its callee, so that a change of a function is not one of its callers.
#pragma once

#include <span>
#include <vector>

#include "prove/class_table.h"
#include "prove/congruence.h"
#include "prove/node_classes.h"
#include "shlo/module.h"

namespace shlo::diff {

using prove::ClassId;

// One use of a value as an input.
struct Use {
  OpId op;
  uint32_t index = 0;  // of the input
};

class Flow {
 public:
  // `nodes` has the classes of attributes and types, `effects` those of functions. `table` is shared with the
  // other program. All must outlive this object.
  Flow(const Module& module, prove::NodeClasses* nodes, const prove::Numbering& effects,
       prove::ClassTable* table);

  // The name of an op, and how many results and regions it has.
  ClassId KindOf(OpId op) const { return ops_[op.v].kind; }
  // Kind, attributes, result types and contents of regions: all but operands.
  ClassId SelfOf(OpId op) const { return ops_[op.v].self; }
  // The op with all that it is computed from, up to the arguments of its region.
  ClassId DownOf(OpId op) const { return ops_[op.v].down; }
  // The op with all that is computed from it, down to the terminator of its region.
  ClassId UpOf(OpId op) const { return ops_[op.v].up; }
  // Likewise of values: what they are computed from, and what is computed from them.
  ClassId DownOf(ValueId value) const { return values_[value.v].down; }
  ClassId UpOf(ValueId value) const;
  // Returns whether equal DownOf mean equal values, if the regions around them are matched.
  bool Exact(ValueId value) const { return values_[value.v].exact; }
  bool HasEffects(OpId op) const { return effects_.HasEffects(op); }

  // The operands of an op, then the values from outside that its regions use.
  std::span<const ValueId> InputsOf(OpId op) const {
    return {inputs_.data() + ops_[op.v].inputs.first, ops_[op.v].inputs.count};
  }
  // The uses of a value by ops of its own region.
  std::span<const Use> UsesOf(ValueId value) const {
    return {uses_.data() + values_[value.v].uses.first, values_[value.v].uses.count};
  }
  // Index of an op in its block.
  uint32_t PositionOf(OpId op) const { return ops_[op.v].position; }

  const Module& module() const { return module_; }

 private:
  using Words = std::vector<uint32_t>;
  struct OpClasses {
    ClassId kind = 0, self = 0, down = 0, up = 0;
    Range inputs;
    uint32_t position = 0;
  };
  struct ValueClasses {
    ClassId down = 0;
    bool exact = false;
    Range uses;
  };
  struct RegionClasses {
    ClassId content = 0;
    std::vector<ValueId> captures;  // values from outside, in order of use
    bool exact = true;
  };
  std::vector<RegionId> RegionsOutsideIn() const;
  RegionId RegionOf(ValueId value) const;
  void NumberRegion(RegionId region);
  void NumberOp(OpId op, RegionId region, Words* words);
  void PutSelf(const Op& op, Words* words);
  void CollectUses(std::span<const RegionId> regions);
  void NumberUses(RegionId region, Words* words);
  void PutUses(ValueId value, Words* words) const;

  const Module& module_;
  prove::NodeClasses& nodes_;
  const prove::Numbering& effects_;
  prove::ClassTable& table_;
  std::vector<OpClasses> ops_;
  std::vector<ValueClasses> values_;
  std::vector<RegionClasses> regions_;
  std::vector<ValueId> inputs_;
  std::vector<Use> uses_;
  std::vector<uint32_t> seen_;  // by value: the last op or region that captured it
  uint32_t round_ = 0;
};

}  // namespace shlo::diff
