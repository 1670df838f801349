#include "ir/editor/copier.h"

#include <utility>

#include "base/deadline.h"

namespace shlo {

Copier::Copier(const Module& from, Builder* to, NodeMap* nodes)
    : from_(from), to_(*to), nodes_(nodes), values_(from.values.size()), blocks_(from.blocks.size()) {}

OpId Copier::Copy(OpId root) {
  std::vector<Frame> frames{{root, regions_.size()}};
  for (;;) {
    if (const OpId next = Next(&frames.back())) {
      frames.push_back({next, regions_.size()});
      continue;
    }
    const OpId added = Add(frames.back());
    regions_.resize(frames.back().first_region);
    frames.pop_back();
    if (frames.empty()) return added;
  }
}

// Returns the next op in the regions of an op, or none if all were copied.
OpId Copier::Next(Frame* f) {
  for (const auto regions = from_.RegionsOf(from_.ops[f->op.v]); f->region < regions.size(); ++f->region) {
    const auto blocks = from_.BlocksOf(regions[f->region]);
    if (!std::exchange(f->open, true)) BeginRegion(regions[f->region]);
    for (; f->block < blocks.size(); ++f->block) {
      const BlockId block = blocks[f->block];
      if (f->next == 0) to_.BeginBlock(regions_.back(), blocks_[block.v]);
      if (const auto ops = from_.OpsOf(block); f->next < ops.size()) return ops[f->next++];
      to_.EndBlock();
      f->next = 0;
    }
    to_.EndRegion(regions_.back());
    f->block = 0;
    f->open = false;
  }
  return {};
}

void Copier::BeginRegion(RegionId region) {
  regions_.push_back(to_.NewRegion());
  for (const BlockId block : from_.BlocksOf(region)) blocks_[block.v] = to_.NewBlock();
  for (const BlockId block : from_.BlocksOf(region)) {
    const Range args = from_.blocks[block.v].args;
    for (uint32_t i = 0; i < args.count; ++i) {
      const Value& arg = from_.values[args.first + i];
      const ValueId added =
          nodes_ ? to_.AddBlockArg(blocks_[block.v], nodes_->Map(arg.type), nodes_->Map(arg.loc))
                 : to_.AddBlockArg(blocks_[block.v], arg.type, arg.loc);
      values_[args.first + i] = added;
      arg_origins_.resize(added.v + 1);
      arg_origins_[added.v] = ValueId(args.first + i);
    }
  }
}

OpId Copier::Add(const Frame& frame) {
  Tick();
  const Op& op = from_.ops[frame.op.v];
  const Module& out = to_.module();
  OpSpec spec;
  spec.signature = nodes_ ? nodes_->Map(op.signature) : op.signature;
  const auto operands = ModuleLists::OperandsOf(from_, op, out.signatures.NumOperands(spec.signature));
  operands_.clear();
  for (const ValueId operand : operands) operands_.push_back(values_[operand.v]);
  successors_.clear();
  for (const BlockId block : from_.SuccessorsOf(op)) successors_.push_back(blocks_[block.v]);
  spec.operands = operands_;
  spec.regions = std::span<const RegionId>(regions_).subspan(frame.first_region);
  spec.successors = successors_;
  spec.loc = nodes_ ? nodes_->Map(op.loc) : op.loc;
  if (location) spec.loc = location(spec.loc);
  const OpId added = to_.AddOp(spec);
  op_origins_.resize(out.ops.size());
  op_origins_[added.v] = frame.op;
  const Range results = out.ResultsOf(out.ops[added.v]);
  for (uint32_t i = 0; i < results.count; ++i) values_[op.first_result + i] = ValueId(results.first + i);
  for (uint32_t i = 0; i < operands.size(); ++i)
    if (!operands_[i]) late_.push_back({added, i, operands[i]});
  return added;
}

std::vector<Copier::Late> Copier::TakeLate() {
  for (Late& late : late_) late.value = values_[late.value.v];
  return std::exchange(late_, {});
}

}  // namespace shlo
