// Which ops, values and blocks of two programs correspond, and how they are found. Within a pair of blocks,
// ops are matched that are computed from the same, or from which the same is computed; the rest by votes of
// matched operands and users, nearest first; and what no vote reaches by its place between matched neighbors.
#pragma once

#include <deque>
#include <span>
#include <unordered_map>
#include <vector>

#include "diff/flow.h"

namespace shlo::diff {

// One of two programs, and what its parts correspond to in the other one (none: nothing).
struct Side {
  explicit Side(const Flow& classes)
      : flow(classes),
        ops(classes.module().ops.size()),
        values(classes.module().values.size()),
        blocks(classes.module().blocks.size()) {}
  const Flow& flow;
  std::vector<OpId> ops;
  std::vector<ValueId> values;
  std::vector<BlockId> blocks;
};

class Matching {
 public:
  Matching(const Flow& a, const Flow& b) : a_(a), b_(b) {}

  // Matches two ops and their results.
  void Pair(OpId a, OpId b);
  // Matches two blocks, their arguments and their ops, but not what is in regions of these.
  void PairBlocks(BlockId a, BlockId b);
  // Matches ops of two blocks that correspond.
  void PairOps(std::span<const OpId> a, std::span<const OpId> b);

  OpId InB(OpId a) const { return a_.ops[a.v]; }
  OpId InA(OpId b) const { return b_.ops[b.v]; }
  ValueId InB(ValueId a) const { return a_.values[a.v]; }
  BlockId InB(BlockId a) const { return a_.blocks[a.v]; }
  ValueId InA(ValueId b) const { return b_.values[b.v]; }
  // Returns whether two values correspond, or are computed in the same way.
  bool Same(ValueId a, ValueId b) const;

 private:
  // How much a pair must share. Each level includes those before.
  enum Level : uint8_t {
    kSelf,      // all but operands; the votes are clear
    kSelfTied,  // of several candidates the first
    kKind,      // the name
    kKindTied,
    kReplaced,  // the users of results
    kLevels,
  };
  struct Candidate {
    OpId op;
    uint32_t votes = 0;
    bool tied = false;
  };
  void PairValues(Range a, Range b);
  void PairClasses(std::span<const OpId> a, std::span<const OpId> b, ClassId (Flow::*of)(OpId) const);
  Candidate Best(const Side& from, const Side& to, OpId op, Level level) const;
  bool Fits(const Side& from, OpId op, const Side& to, OpId other, Level level) const;
  bool TryPair(OpId a, Level level);
  void PushNeighbors(OpId a);
  void Drain(Level level);
  void ByVotes(std::span<const OpId> a, Level last);
  void ByPlace(std::span<const OpId> a, std::span<const OpId> b, ClassId (Flow::*of)(OpId) const,
               bool sources);

  Side a_, b_;
  std::deque<OpId> fresh_, later_;  // of the first program, to be tried
};

}  // namespace shlo::diff
