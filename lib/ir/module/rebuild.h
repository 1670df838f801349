// Copies a program op by op, so that a pass can put something else in the place of some.
#pragma once

#include <vector>

#include "shlo/module.h"
#include "shlo/source.h"

namespace shlo {

// Base of passes that write a program anew. Types, attributes and payloads of the source are there from the
// start, with the same ids; ops, regions, blocks and values are added in the order in which they are visited.
class Rebuilder {
 public:
  virtual ~Rebuilder() = default;
  Rebuilder(const Rebuilder&) = delete;
  Rebuilder& operator=(const Rebuilder&) = delete;

 protected:
  explicit Rebuilder(const Module& from);

  // What becomes of an op in a block: this copies it. A pass calls Copy, or adds other ops (Add) and says
  // what the results are now (values_), or leaves it out when nothing needs it.
  virtual void Visit(OpId op) { Copy(op); }
  // The location of a copy.
  virtual AttrId LocationOf(const Op& op) { return op.loc; }

  // The whole program. `places`, when given, become those of the copy.
  Module Rebuild(SourcePlaces* places = nullptr);
  // Adds a copy of an op and, by Visit, of what is in its regions. Operands without a value yet are put in
  // when all is copied.
  OpId Copy(OpId op);
  // Adds an op in the place of `source`, whose place in the file it gets.
  OpId Add(const OpSpec& spec, OpId source);

  const Module& m_;
  Module out_;
  std::vector<ValueId> values_;  // what each value of m_ is now; none before its copy

 private:
  struct Late {
    uint32_t operand;  // in out_.operands
    ValueId value;     // of m_, copied after its use
  };
  RegionId CopyRegion(RegionId region);

  Builder builder_;
  std::vector<BlockId> blocks_;
  std::vector<Late> late_;
  std::vector<OpId> op_origins_;      // by new op
  std::vector<ValueId> arg_origins_;  // by new value, of block arguments
};

}  // namespace shlo
