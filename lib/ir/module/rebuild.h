// Copies a program op by op, so that a pass can replace or erase ops.
#pragma once

#include <vector>

#include "shlo/module.h"
#include "shlo/source.h"

namespace shlo {

// Base class for passes that clone a module with substitutions. Types, attributes and payloads keep their
// ids; ops, regions, blocks and values are added in the order in which they are visited.
class Rebuilder {
 public:
  virtual ~Rebuilder() = default;
  Rebuilder(const Rebuilder&) = delete;
  Rebuilder& operator=(const Rebuilder&) = delete;

 protected:
  explicit Rebuilder(const Module& from);

  // Handles an op of a block; by default copies it. A pass calls Copy, or adds other ops (Add) and sets the
  // new values of the results (values_), or omits an op without uses.
  virtual void Visit(OpId op) { Copy(op); }
  // Returns the location of a copy.
  virtual AttrId LocationOf(const Op& op) { return op.loc; }

  // Copies the whole program. `places`, if given, are replaced by those of the copy.
  Module Rebuild(SourcePlaces* places = nullptr);
  // Adds a copy of an op and visits the ops in its regions. Operands that are defined later are set at the
  // end.
  OpId Copy(OpId op);
  // Adds an op that replaces `source` and takes over its place in the file.
  OpId Add(const OpSpec& spec, OpId source);
  // Adds a copy of a region, and visits the ops in it. For a pass that replaces the op around it.
  RegionId CopyRegion(RegionId region);
  // Returns the op of the program whose place a new op has.
  OpId OriginOf(OpId added) const { return op_origins_[added.v]; }

  const Module& m_;
  Module out_;
  std::vector<ValueId> values_;  // new value of each value of m_; none before its copy
  Builder builder_;              // of out_, for passes that add regions

 private:
  struct Late {
    uint32_t operand;  // in out_.operands
    ValueId value;     // of m_, copied after its use
  };
  std::vector<BlockId> blocks_;
  std::vector<Late> late_;
  std::vector<OpId> op_origins_;      // by new op
  std::vector<ValueId> arg_origins_;  // by new value, of block arguments
};

}  // namespace shlo
