// Builder: adds ops, values, blocks and regions to a Module.
#include "ir/module/builder.h"

#include <algorithm>

namespace shlo {

RegionId Builder::NewRegion() {
  const RegionId id(uint32_t(m_.regions.size()));
  m_.regions.emplace_back();
  open_regions_.push_back({id, pending_blocks_.size()});
  return id;
}

BlockId Builder::NewBlock() {
  const BlockId id(uint32_t(m_.blocks.size()));
  m_.blocks.emplace_back();
  return id;
}

ValueId Builder::AddBlockArg(BlockId block, TypeId type, AttrId loc) {
  Block& b = m_.blocks[block.v];
  const ValueId id(uint32_t(m_.values.size()));
  if (b.args.count == 0) b.args.first = id.v;
  m_.values.push_back({type, OpId(), block, b.args.count, loc});
  ++b.args.count;
  return id;
}

void Builder::BeginBlock(RegionId region, BlockId block) {
  m_.blocks[block.v].parent = region;
  pending_blocks_.push_back(block);
  open_.push_back({block, pending_ops_.size()});
}

void Builder::EndBlock() {
  const OpenBlock open = open_.back();
  open_.pop_back();
  m_.blocks[open.block.v].ops =
      AppendTo(&lists_.ops, std::span<const OpId>(pending_ops_).subspan(open.first));
  pending_ops_.resize(open.first);
}

void Builder::EndRegion(RegionId region) {
  const PendingRegion open = open_regions_.back();
  open_regions_.pop_back();
  m_.regions[region.v].blocks =
      AppendTo(&lists_.blocks, std::span<const BlockId>(pending_blocks_).subspan(open.first));
  pending_blocks_.resize(open.first);
}

SignatureId Builder::SignatureOf(const OpSpec& spec) {
  OpSignature signature{.revision = spec.revision,
                        .name = spec.name,
                        .inherent_attrs = spec.inherent_attrs,
                        .discardable_attrs = spec.discardable_attrs,
                        .operand_types = spec.operand_types,
                        .result_types = spec.results};
  if (spec.discardable_attrs.size() > 1) {
    sorted_.assign(spec.discardable_attrs.begin(), spec.discardable_attrs.end());
    m_.SortByName(sorted_);
    signature.discardable_attrs = sorted_;
  }
  if (spec.operand_types.empty()) {
    types_.clear();
    for (const ValueId operand : spec.operands)
      types_.push_back(operand.v < m_.values.size() ? m_.TypeOf(operand) : TypeId());
    signature.operand_types = types_;
  }
  return m_.signatures.Intern(signature);
}

OpId Builder::AddOp(const OpSpec& spec) {
  const OpId id = AddOp(spec.signature ? spec.signature : SignatureOf(spec), spec.operands, spec.loc);
  Op& op = m_.ops[id.v];
  if (!spec.regions.empty()) {
    op.regions = AppendTo(&lists_.regions, spec.regions);
    for (RegionId region : spec.regions) m_.regions[region.v].parent = id;
  }
  if (!spec.successors.empty()) op.successors = AppendTo(&lists_.successors, spec.successors);
  return id;
}

OpId Builder::AddOp(SignatureId signature, std::span<const ValueId> operands, AttrId loc) {
  const OpId id(uint32_t(m_.ops.size()));
  const std::span<const TypeId> types = m_.signatures.ResultTypesOf(signature);
  Op& op = m_.ops.emplace_back();
  op.signature = signature;
  op.first_operand = uint32_t(lists_.operands.size());
  for (const ValueId operand : operands) lists_.operands.push_back(operand);
  op.first_result = uint32_t(m_.values.size());
  op.loc = loc;
  if (!open_.empty()) {
    op.parent = open_.back().block;
    pending_ops_.push_back(id);
  }
  for (uint32_t i = 0; i < types.size(); ++i) m_.values.push_back({types[i], id, BlockId(), i, AttrId()});
  return id;
}

void Builder::Reserve(size_t ops) {
  m_.ops.reserve(ops);
  m_.values.reserve(ops);
  lists_.operands.reserve(ops * 2);
  lists_.ops.reserve(ops);
}

bool StatesTypes(const Module& m, const Op& op) {
  const OpSignature signature = m.SignatureOf(op);
  const auto type = [&](ValueId value) { return m.TypeOf(value); };
  if (!std::ranges::equal(m.OperandsOf(op), signature.operand_types, {}, type)) return false;
  for (uint32_t i = 0; i < signature.result_types.size(); ++i)
    if (m.TypeOf(m.ResultOf(op, i)) != signature.result_types[i]) return false;
  return true;
}

void UpdateTypes(Module* m, OpId id) {
  const Op& op = m->ops[id.v];
  if (StatesTypes(*m, op)) return;
  m->EditSignature(id, [&](EditedSignature& s) {
    for (uint32_t i = 0; i < s.operand_types.size(); ++i)
      s.operand_types[i] = m->TypeOf(m->OperandsOf(op)[i]);
    for (uint32_t i = 0; i < s.result_types.size(); ++i) s.result_types[i] = m->TypeOf(m->ResultOf(op, i));
  });
}

}  // namespace shlo
