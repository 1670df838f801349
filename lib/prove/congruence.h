// Numbers the ops and values of two programs by what they compute. Equal ops with equal attributes on equal
// operands are equal, whatever they compute: an op need not be known, and no size matters. Names, the order
// of independent ops, duplicates and pure ops without uses make no difference; the order of side effects
// does.
//
// A value in a region is an expression of the region's arguments, which both programs call by their depth,
// block and index. Regions are equal if they return equal expressions after equal effects. A region that is
// not a list of definitions followed by a terminator (more than one block, uses before definitions, or of an
// op without a row) is compared op by op.
//
// A loop may not end. An op with a loop is therefore never ignored, even if its results are not used.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "prove/class_table.h"
#include "prove/contract.h"
#include "prove/node_classes.h"
#include "shlo/module.h"

namespace shlo::prove {

// The differences that count.
enum class Compared : uint8_t {
  kAll,     // values and the contract (promises.inc)
  kValues,  // values
};

// The names of custom call targets that have a side effect somewhere.
using Targets = std::unordered_set<std::string>;
void AddTargetsWithEffects(const Module& module, Targets* targets);

// The classes of one module, in a table that the other module shares.
class Numbering {
 public:
  struct Function {
    ClassId id = 0;        // 0: not numbered
    bool effects = false;  // calling it is a side effect
    bool loops = false;    // calling it may not end
    bool fails = false;    // calling it may fail
  };
  // `effects`: custom calls of these targets have side effects, for kValues.
  Numbering(const Module& module, Compared compared, const Targets& effects, ClassTable* table,
            SharedBytes* bytes);

  // Returns the class of a function, whatever its name.
  Function OfFunction(OpId function);
  // Returns the class of any other op at top level.
  ClassId OfTopLevel(OpId op);
  // Returns the definition of a symbol at top level, or none.
  OpId Definition(std::string_view symbol) const;

  // Each is 0 if no function around it was numbered.
  ClassId Of(ValueId value) const { return values_[value.v]; }
  ClassId Of(OpId op) const { return ops_[op.v]; }
  // As in Function; of an op, including its regions.
  bool HasEffects(OpId op) const { return flags_[op.v] & kEffects; }
  bool HasLoops(OpId op) const { return flags_[op.v] & kLoops; }
  // Returns the ops of a block, in order, that may fail although nothing uses their results, and that no op
  // which is used is equal to.
  const std::vector<OpId>& UnusedFailures(BlockId block) { return unused_failures_[block.v]; }
  // Returns whether a region was compared op by op.
  bool ByOps(RegionId region) const { return by_ops_[region.v]; }

  // Returns the class of an op apart from its operands, regions, results and, of a call, the callee.
  ClassId OfAttributes(OpId op);

  NodeClasses& nodes() { return nodes_; }
  // Returns whether nesting exceeded the limit; some classes are then unique.
  bool too_deep() const { return too_deep_; }

 private:
  enum Flag : uint8_t { kEffects = 1, kLoops = 2, kFails = 4 };
  using Words = std::vector<uint32_t>;
  // The state of a block while its ops are numbered.
  struct State {
    ClassId effect = 0;
    std::vector<ClassId> loops;  // since the last effect
    std::unordered_map<ClassId, OpId> unused_failures;
    std::unordered_set<ClassId> used_failures;
    uint8_t flags = 0;
  };
  ClassId SymbolClass(std::string_view name);
  ClassId OfRegion(RegionId region, bool by_ops, uint32_t depth, uint8_t* flags);
  bool Simple(RegionId region) const;
  ClassId OfBlockInOrder(BlockId block, uint32_t depth, uint8_t* flags);
  ClassId OfAllOps(RegionId region, uint32_t depth, uint8_t* flags);
  // Numbers an op whose operands are numbered, and its results unless `named`.
  ClassId OfOp(OpId op, uint32_t depth, State* state, bool named);
  void PutDiscardable(const Op& op, Words* words);
  void PutAttributes(const Op& op, Words* words, uint8_t* flags);
  void AddFlagsOf(AttrId symbols, uint8_t* flags);
  bool IsFunction(const Op& op) const;
  void PutArguments(BlockId block, uint32_t index, uint32_t depth, Words* words);
  void PutLoops(State* state, Words* words);
  void PutUnusedFailures(BlockId block, const State& state, Words* words);

  const Module& module_;
  const Compared compared_;
  const Targets& effects_;
  ClassTable& table_;
  NodeClasses nodes_;
  const Failures failures_;
  std::unordered_map<std::string_view, OpId> symbols_;
  std::vector<ClassId> values_, ops_;
  std::vector<uint8_t> flags_;                                       // by op
  std::vector<uint8_t> by_ops_;                                      // by region
  std::unordered_map<uint32_t, std::vector<OpId>> unused_failures_;  // by block
  std::unordered_map<uint32_t, Function> functions_;
  std::unordered_set<uint32_t> open_;  // definitions that are being numbered
  uint32_t nesting_ = 0;
  bool too_deep_ = false;
};

}  // namespace shlo::prove
