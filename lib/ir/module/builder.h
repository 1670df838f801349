// How readers make modules: without links and uses, which an editor keeps, in the order of the input.
#pragma once

#include <span>
#include <vector>

#include "ir/module/lists.h"
#include "shlo/module.h"

namespace shlo {

// Builds a module from the inside out: regions first, then the op that owns them. Ops are added to the open
// block until EndBlock; open blocks nest like a stack.
class Builder {
 public:
  // Adds to `module`, which must outlive the builder.
  explicit Builder(Module* module) : m_(*module), lists_(module) {}

  // Creates a region without blocks, for an OpSpec that is added after its blocks.
  RegionId NewRegion();
  // Creates a block. Blocks are in order of creation, and may be created before BeginBlock, as successors.
  BlockId NewBlock();
  ValueId AddBlockArg(BlockId block, TypeId type, AttrId loc = {});  // arguments of a block consecutively
  void BeginBlock(RegionId region, BlockId block);
  void EndBlock();
  void EndRegion(RegionId region);
  // Appends an op to the open block. Without an open block the op has no parent (the top module).
  OpId AddOp(const OpSpec& spec);
  // Appends an op with a signature of the module, and no regions and successors.
  OpId AddOp(SignatureId signature, std::span<const ValueId> operands, AttrId loc);
  // Makes room for this number of ops in all.
  void Reserve(size_t ops);

  // Returns the last op of the open block; none if it has no ops.
  OpId LastOp() const { return pending_ops_.size() > open_.back().first ? pending_ops_.back() : OpId(); }
  // Adds ops of the module that are in no block to the open one.
  void Adopt(std::span<const OpId> ops) {
    for (const OpId op : ops) m_.ops[op.v].parent = open_.back().block;
    pending_ops_.insert(pending_ops_.end(), ops.begin(), ops.end());
  }

  Module& module() { return m_; }  // for interning types and attributes

 private:
  SignatureId SignatureOf(const OpSpec& spec);

  Module& m_;
  ModuleLists lists_;
  struct OpenBlock {
    BlockId block;
    size_t first;  // in pending_ops_
  };
  std::vector<OpenBlock> open_;
  std::vector<OpId> pending_ops_;
  struct PendingRegion {
    RegionId region;
    size_t first;  // in pending_blocks_
  };
  std::vector<PendingRegion> open_regions_;
  std::vector<BlockId> pending_blocks_;
  // Lists of the signature of the op that is being added.
  std::vector<NamedAttr> sorted_;
  std::vector<TypeId> types_;
};

// Returns whether the signature of an op states the types that its operands and results have.
bool StatesTypes(const Module& m, const Op& op);
// Lets it state them.
void UpdateTypes(Module* m, OpId op);

// Where the ids of a part are now.
struct Absorbed {
  uint32_t first_op = 0;     // op i + 1 of the part is op first_op + i
  uint32_t first_value = 0;  // likewise for values
};

// Appends what was read in another thread: adds the ops of `part`, which are all in its block 1 of its region
// 1, to the open block of a builder. The module then equals, ids included, one in which they were built after
// the ops that it has, by the same calls.
Absorbed Absorb(Module&& part, Builder* builder);

}  // namespace shlo
