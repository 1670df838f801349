#include "ir/module/rebuild.h"

#include "base/deadline.h"
#include "base/stack.h"

namespace shlo {

Rebuilder::Rebuilder(const Module& from) : m_(from), out_(from), builder_(&out_) {
  out_.ops.resize(1);
  out_.values.resize(1);
  out_.blocks.resize(1);
  out_.regions.resize(1);
  out_.operands.clear();
  out_.region_lists.clear();
  out_.block_lists.clear();
  out_.op_lists.clear();
  out_.successors.clear();
  op_origins_.resize(1);
  values_.resize(m_.values.size());
  blocks_.resize(m_.blocks.size());
}

Module Rebuilder::Rebuild(SourcePlaces* places) {
  out_.top = Copy(m_.top);
  for (const Late& late : late_) out_.operands[late.operand] = values_[late.value.v];
  if (places) *places = places->Rearranged(op_origins_, arg_origins_);
  return std::move(out_);
}

OpId Rebuilder::Add(const OpSpec& spec, OpId source) {
  const OpId added = builder_.AddOp(spec);
  op_origins_.resize(out_.ops.size());
  op_origins_[added.v] = source;
  return added;
}

OpId Rebuilder::Copy(OpId id) {
  CheckStack();
  const Op& op = m_.ops[id.v];
  std::vector<RegionId> regions;
  Tick();
  for (RegionId region : m_.RegionsOf(op)) regions.push_back(CopyRegion(region));
  std::vector<ValueId> operands;
  for (ValueId operand : m_.OperandsOf(op)) operands.push_back(values_[operand.v]);
  std::vector<BlockId> successors;
  for (BlockId block : m_.SuccessorsOf(op)) successors.push_back(blocks_[block.v]);
  OpSpec spec;
  spec.signature = op.signature;
  spec.operands = operands;
  spec.regions = regions;
  spec.successors = successors;
  spec.loc = LocationOf(op);
  const OpId copy = Add(spec, id);
  const Op& added = out_.ops[copy.v];
  for (uint32_t i = 0; i < m_.NumResults(op); ++i) values_[m_.ResultOf(op, i).v] = out_.ResultOf(added, i);
  for (uint32_t i = 0; i < operands.size(); ++i)
    if (!operands[i]) late_.push_back({added.first_operand + i, m_.OperandsOf(op)[i]});
  return copy;
}

RegionId Rebuilder::CopyRegion(RegionId id) {
  const RegionId copy = builder_.NewRegion();
  for (BlockId block : m_.BlocksOf(id)) blocks_[block.v] = builder_.NewBlock();
  for (BlockId block : m_.BlocksOf(id)) {
    const Range args = m_.blocks[block.v].args;
    for (uint32_t i = 0; i < args.count; ++i) {
      const Value& arg = m_.values[args.first + i];
      const ValueId added = builder_.AddBlockArg(blocks_[block.v], arg.type, arg.loc);
      values_[args.first + i] = added;
      arg_origins_.resize(added.v + 1);
      arg_origins_[added.v] = ValueId(args.first + i);
    }
  }
  for (BlockId block : m_.BlocksOf(id)) {
    builder_.BeginBlock(copy, blocks_[block.v]);
    for (OpId op : m_.OpsOf(block)) Visit(op);
    builder_.EndBlock();
  }
  builder_.EndRegion(copy);
  return copy;
}

}  // namespace shlo
