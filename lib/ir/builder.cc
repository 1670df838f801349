// Builder: the one way to put ops, values, blocks and regions into a Module.
#include <algorithm>

#include "ir/module.h"

namespace shlo {
namespace {

// Appends items to a pool and returns where they are.
template <typename T>
Range Append(Pool<T>& pool, std::span<const T> items) {
  const Range range{uint32_t(pool.size()), uint32_t(items.size())};
  pool.insert(pool.end(), items.begin(), items.end());
  return range;
}

}  // namespace

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
  m_.blocks[open.block.v].ops = Append(m_.op_lists, std::span<const OpId>(pending_ops_).subspan(open.first));
  pending_ops_.resize(open.first);
}

void Builder::EndRegion(RegionId region) {
  const PendingRegion open = open_regions_.back();
  open_regions_.pop_back();
  m_.regions[region.v].blocks =
      Append(m_.block_lists, std::span<const BlockId>(pending_blocks_).subspan(open.first));
  pending_blocks_.resize(open.first);
}

OpId Builder::AddOp(const OpSpec& spec) {
  const OpId id(uint32_t(m_.ops.size()));
  Op& op = m_.ops.emplace_back();
  op.shape = spec.shape;
  op.name = spec.name;
  op.operands = Append(m_.operands, spec.operands);
  op.results = {uint32_t(m_.values.size()), uint32_t(spec.results.size())};
  uint32_t index = 0;
  for (TypeId type : spec.results) m_.values.push_back({type, id, BlockId(), index++, AttrId()});
  op.first_slot = uint32_t(m_.slots.size());
  m_.slots.insert(m_.slots.end(), spec.slots.begin(), spec.slots.end());
  m_.slots.resize(op.first_slot + ShapeOf(spec.shape).attrs.size());
  if (!spec.extras.empty()) {
    op.extra = Append(m_.extras, spec.extras);
    std::sort(
        m_.extras.begin() + op.extra.first, m_.extras.end(),
        [&](const NamedAttr& a, const NamedAttr& b) { return m_.strings[a.name] < m_.strings[b.name]; });
  }
  if (!spec.regions.empty()) {
    op.regions = Append(m_.region_lists, spec.regions);
    for (RegionId region : spec.regions) m_.regions[region.v].parent = id;
  }
  if (!spec.successors.empty()) op.successors = Append(m_.successors, spec.successors);
  op.loc = spec.loc;
  if (!open_.empty()) {
    op.parent = open_.back().block;
    pending_ops_.push_back(id);
  }
  return id;
}

}  // namespace shlo
