#include "rewrite/simplify/cse.h"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <vector>

#include "base/deadline.h"
#include "ir/table/trait.h"
#include "rewrite/driver.h"

namespace shlo::rewrite {
namespace {

class Eliminator {
 public:
  explicit Eliminator(ModuleEditor* editor) : editor_(*editor), m_(editor->module()) {}

  uint64_t Run() {
    const std::vector<OpId> ops = editor_.Ops();
    for (const OpId op : ops) {
      Tick();
      LeaveScopes(op);
      if (editor_[op].regions.count == 0 && m_.NumResults(editor_[op]) > 0 && HasNoEffect(editor_, op))
        Visit(op);
    }
    // Uses before definitions.
    for (size_t i = ops.size(); i-- > 0;)
      if (editor_.Has(ops[i]) && IsDead(editor_, ops[i])) Erase(ops[i]);
    return erased_;
  }

 private:
  // A block whose ops are being visited, and the ops that are visible in it and in the blocks of its ops.
  struct Scope {
    BlockId block;
    std::vector<uint64_t> hashes;  // of what it added to the table
  };

  void Erase(OpId op) {
    editor_.Erase(op);
    ++erased_;
  }

  // Ends the scopes that an op is not in, and begins that of its block.
  void LeaveScopes(OpId op) {
    const BlockId block = editor_[op].parent;
    const OpId parent = editor_.ParentOf(op);
    const BlockId around = parent ? editor_[parent].parent : BlockId();
    while (!scopes_.empty() && scopes_.back().block != block && scopes_.back().block != around) {
      for (const uint64_t hash : scopes_.back().hashes) table_[hash].pop_back();
      scopes_.pop_back();
    }
    if (scopes_.empty() || scopes_.back().block != block) scopes_.push_back({block, {}});
  }

  uint64_t HashOf(OpId op) const {
    uint64_t hash = editor_[op].signature.v;
    for (const ValueId operand : m_.OperandsOf(editor_[op])) hash = (hash ^ operand.v) * 0x9e3779b97f4a7c15u;
    return hash;
  }

  // Returns whether a value of a block may be used in another one that is in it.
  bool IsVisible(BlockId from, BlockId in) const {
    while (in != from) {
      const OpId parent = editor_.ParentOf(in);
      const bool isolated = !parent || m_.Has(editor_[parent], Trait::kIsolated) ||
                            m_.Has(editor_[parent], Trait::kFunction) || !m_.RevisionIdOf(editor_[parent]);
      if (isolated) return false;
      in = editor_[parent].parent;
    }
    return true;
  }

  void Visit(OpId op) {
    const uint64_t hash = HashOf(op);
    std::vector<OpId>& equal = table_[hash];
    for (size_t i = equal.size(); i-- > 0;) {
      const OpId other = equal[i];
      const bool same = editor_[other].signature == editor_[op].signature &&
                        std::ranges::equal(m_.OperandsOf(editor_[other]), m_.OperandsOf(editor_[op]));
      if (!same || !IsVisible(editor_[other].parent, editor_[op].parent)) continue;
      for (uint32_t k = 0; k < m_.NumResults(editor_[op]); ++k)
        editor_.ReplaceUses(m_.ResultOf(editor_[op], k), m_.ResultOf(editor_[other], k));
      return Erase(op);
    }
    equal.push_back(op);
    scopes_.back().hashes.push_back(hash);
  }

  ModuleEditor& editor_;
  const Module& m_;
  std::vector<Scope> scopes_;
  std::unordered_map<uint64_t, std::vector<OpId>> table_;
  uint64_t erased_ = 0;
};

}  // namespace

uint64_t EliminateCommonOps(ModuleEditor* editor) { return Eliminator(editor).Run(); }

}  // namespace shlo::rewrite
