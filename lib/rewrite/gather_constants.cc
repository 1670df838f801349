#include "rewrite/gather_constants.h"

#include "base/deadline.h"
#include "ir/table/ops.h"
#include "ir/table/trait.h"

namespace shlo::rewrite {
namespace {

// Returns the region whose start has the constants of a block: that of a function, or another one whose ops
// cannot use values from outside of it.
RegionId ConstantRegionOf(const ModuleEditor& editor, BlockId block) {
  const Module& m = editor.module();
  while (true) {
    const RegionId region = m.blocks[block.v].parent;
    const Op& parent = editor[m.regions[region.v].parent];
    const bool isolated = !m.RevisionIdOf(parent) || m.Has(parent, Trait::kIsolated) ||
                          m.Has(parent, Trait::kFunction) || !parent.parent;
    if (isolated) return region;
    block = parent.parent;
  }
}

}  // namespace

bool IsConstant(const Module& module, const Op& op) {
  return module.Is(op, ops::kConstant) || module.Is(op, ops::kArithConstant) ||
         module.Is(op, ops::kShapeConstShape) || module.Is(op, ops::kChloConstant);
}

void ConstantGatherer::Visit(OpId op) {
  const ModuleEditor& editor = rewriter_.editor();
  const Module& m = editor.module();
  const ValueId result = m.ResultOf(editor[op], 0);
  const BlockId block = editor[op].parent;
  const RegionId region = ConstantRegionOf(editor, block);
  const BlockId start = editor.BlocksOf(region)[0];
  const OpId before = editor.Before(op);
  const bool in_place = block == start && (!before || IsGathered(before));
  if (!IsGathered(op)) {
    const RowId row = RevisionOf(m.RevisionIdOf(editor[op])).row;
    const auto [first, inserted] =
        constants_.try_emplace({region, row, rewriter_.ConstantOf(result), m.TypeOf(result)}, op);
    if (!inserted && editor.Has(first->second)) {
      rewriter_.Replace(op, m.ResultOf(editor[first->second], 0));
      return;
    }
    first->second = op;
    if (op.v >= gathered_.size()) gathered_.resize(m.ops.size());
    gathered_[op.v] = true;
  }
  if (!in_place) rewriter_.MoveBefore(op, editor.FirstOf(start));
}

void ConstantGatherer::Gather() {
  const ModuleEditor& editor = rewriter_.editor();
  for (const OpId op : editor.Ops()) {
    Tick();
    if (editor.Has(op) && editor[op].parent && IsConstant(editor.module(), editor[op])) Visit(op);
  }
}

}  // namespace shlo::rewrite
