// Constants of a function at its start, each once, as MLIR's folder leaves them.
#pragma once

#include <map>
#include <tuple>
#include <vector>

#include "rewrite/driver.h"

namespace shlo::rewrite {

// Returns whether an op is a constant: one of StableHLO, CHLO or arith, or a constant shape.
bool IsConstant(const Module& module, const Op& op);

// Moves constants. To be called again after other changes.
class ConstantGatherer {
 public:
  explicit ConstantGatherer(Rewriter* rewriter) : rewriter_(*rewriter) {}
  // Replaces equal constants of a function by the first one, and moves constants to its start unless they
  // follow others there. Linear in the ops.
  void Gather();

 private:
  bool IsGathered(OpId op) const { return op && op.v < gathered_.size() && gathered_[op.v]; }
  void Visit(OpId op);

  Rewriter& rewriter_;
  std::map<std::tuple<RegionId, RowId, AttrId, TypeId>, OpId> constants_;
  std::vector<bool> gathered_;  // by op
};

}  // namespace shlo::rewrite
