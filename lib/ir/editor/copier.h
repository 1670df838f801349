// Copies ops from one module to another one. The only code that does: ModuleEditor compacts with it, and
// OpCopier imports.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "ir/module/builder.h"
#include "ir/module/node_map.h"
#include "shlo/module.h"

namespace shlo {

class Copier {
 public:
  // Copies to the open block of `to`. Nodes have the same ids in both modules, unless `nodes` maps them: only
  // then `from` needs any.
  Copier(const Module& from, Builder* to, NodeMap* nodes = nullptr);

  // Copies an op, the ops in its regions before it. Ticks.
  OpId Copy(OpId op);
  // The new value of a value; none before its copy.
  ValueId& operator[](ValueId value) { return values_[value.v]; }

  // Returns the operands whose values were not copied before them, with these values, and forgets them.
  struct Late {
    OpId op;
    uint32_t operand;
    ValueId value;  // now; none: still not copied
  };
  std::vector<Late> TakeLate();

  // What was copied, by new op and by new block argument; none for others.
  const std::vector<OpId>& op_origins() const { return op_origins_; }
  const std::vector<ValueId>& arg_origins() const { return arg_origins_; }

  // Returns the location of a copy of an op.
  std::function<AttrId(AttrId)> location;

 private:
  // An op whose regions are being copied.
  struct Frame {
    OpId op;
    size_t first_region;                       // its copies, in regions_
    uint32_t region = 0, block = 0, next = 0;  // what comes next
    bool open = false;                         // the region
  };
  OpId Next(Frame* frame);
  void BeginRegion(RegionId region);
  OpId Add(const Frame& frame);

  const Module& from_;
  Builder& to_;
  NodeMap* const nodes_;
  std::vector<ValueId> values_;
  std::vector<BlockId> blocks_;
  std::vector<RegionId> regions_;
  std::vector<Late> late_;
  std::vector<OpId> op_origins_;
  std::vector<ValueId> arg_origins_;
  // Lists of the op that is added.
  std::vector<ValueId> operands_;
  std::vector<BlockId> successors_;
};

}  // namespace shlo
