// Builder: adds ops, values, blocks and regions to a Module.
#include <algorithm>
#include <cstring>

#include "shlo/module.h"

namespace shlo {
namespace {

// Appends items to a pool and returns their range.
template <typename T>
Range Append(Pool<T>& pool, std::span<const T> items) {
  const Range range{uint32_t(pool.size()), uint32_t(items.size())};
  pool.Append(items);
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

Op& Builder::EndOp(OpId id, std::span<const AttrId> inherent_attrs,
                   std::span<const NamedAttr> discardable_attrs) {
  Op& op = m_.ops[id.v];
  op.operands.count = uint32_t(m_.operands.size()) - op.operands.first;
  op.results.count = uint32_t(m_.values.size()) - op.results.first;
  op.first_slot = uint32_t(m_.inherent_attrs.size());
  if (const size_t count = RevisionOf(op.revision).attrs.size()) {
    AttrId* const at = m_.inherent_attrs.Extend(count);
    if (inherent_attrs.empty())
      std::fill_n(at, count, AttrId());
    else
      std::memcpy(at, inherent_attrs.data(), inherent_attrs.size_bytes());
  }
  if (!discardable_attrs.empty()) {
    op.discardable = Append(m_.discardable_attrs, discardable_attrs);
    std::sort(
        m_.discardable_attrs.begin() + op.discardable.first, m_.discardable_attrs.end(),
        [&](const NamedAttr& a, const NamedAttr& b) { return m_.strings[a.name] < m_.strings[b.name]; });
  }
  return op;
}

OpId Builder::AddOp(const OpSpec& spec) {
  const OpId id = BeginOp(spec.revision, spec.name, spec.loc);
  std::copy(spec.operands.begin(), spec.operands.end(), AddOperands(spec.operands.size()));
  Value* result = AddResults(id, spec.results.size());
  for (TypeId type : spec.results) (result++)->type = type;
  Op& op = EndOp(id, spec.inherent_attrs, spec.discardable_attrs);
  if (!spec.regions.empty()) {
    op.regions = Append(m_.region_lists, spec.regions);
    for (RegionId region : spec.regions) m_.regions[region.v].parent = id;
  }
  if (!spec.successors.empty()) op.successors = Append(m_.successors, spec.successors);
  return id;
}

OpId Builder::AddOpLike(OpId other, std::span<const ValueId> operands, AttrId loc) {
  const Op like = m_.ops[other.v];
  const OpId id = BeginOp(like.revision, like.name, loc);
  std::copy(operands.begin(), operands.end(), AddOperands(operands.size()));
  Value* const results = AddResults(id, like.results.count);
  for (uint32_t i = 0; i < like.results.count; ++i) results[i].type = m_.values[like.results.first + i].type;
  Op& op = m_.ops[id.v];
  op.operands.count = like.operands.count;
  op.results.count = like.results.count;
  // Pools that grow move the records that are copied.
  op.first_slot = uint32_t(m_.inherent_attrs.size());
  const size_t count = RevisionOf(like.revision).attrs.size();
  AttrId* const attrs = m_.inherent_attrs.Extend(count);
  std::copy_n(m_.inherent_attrs.begin() + like.first_slot, count, attrs);
  if (like.discardable.count) {
    op.discardable = {uint32_t(m_.discardable_attrs.size()), like.discardable.count};
    NamedAttr* const discardable = m_.discardable_attrs.Extend(like.discardable.count);
    std::copy_n(m_.discardable_attrs.begin() + like.discardable.first, like.discardable.count, discardable);
  }
  return id;
}

}  // namespace shlo
