// Appends a module to another one.
#include <utility>
#include <vector>

#include "ir/module/builder.h"
#include "ir/module/node_map.h"

namespace shlo {
namespace {

class Absorber {
 public:
  Absorber(Module& part, Builder* builder)
      : part_(part), to_(builder->module()), builder_(*builder), nodes_(&part, &to_) {}

  Absorbed Run() {
    const Absorbed added{uint32_t(to_.ops.size()), uint32_t(to_.values.size())};
    AddRecords(added);
    builder_.Adopt(MappedOps());
    return added;
  }

 private:
  // Block 1 and region 1 of the part stand for the open block and its region, and are left out.
  BlockId Mapped(BlockId block) const { return block.v > 1 ? BlockId(block.v + blocks_) : BlockId(); }
  RegionId Mapped(RegionId region) const { return region.v > 1 ? RegionId(region.v + regions_) : RegionId(); }
  static Range Moved(Range range, size_t by) {
    return range.count ? Range{uint32_t(range.first + by), range.count} : Range{};
  }

  void AddRecords(const Absorbed& added) {
    ops_ = added.first_op - 1;
    values_ = added.first_value - 1;
    blocks_ = uint32_t(to_.blocks.size()) - 2;
    regions_ = uint32_t(to_.regions.size()) - 2;
    const size_t operands = to_.operands.size(), region_lists = to_.region_lists.size(),
                 block_lists = to_.block_lists.size(), op_lists = to_.op_lists.size(),
                 successors = to_.successors.size();
    Op* op = to_.ops.Extend(part_.ops.size() - 1);
    for (const Op& from : part_.ops.span().subspan(1)) {
      *op = from;
      op->signature = nodes_.Map(from.signature);
      op->first_operand += uint32_t(operands);
      op->first_result += values_;
      op->regions = Moved(from.regions, region_lists);
      op->successors = Moved(from.successors, successors);
      op->loc = nodes_.Map(from.loc);
      op->parent = Mapped(from.parent);
      ++op;
    }
    Value* value = to_.values.Extend(part_.values.size() - 1);
    for (const Value& from : part_.values.span().subspan(1))
      *value++ = {nodes_.Map(from.type), from.op ? OpId(from.op.v + ops_) : OpId(), Mapped(from.block),
                  from.index, nodes_.Map(from.loc)};
    Block* block = to_.blocks.Extend(part_.blocks.size() - 2);
    for (const Block& from : part_.blocks.span().subspan(2))
      *block++ = {Moved(from.args, values_), Moved(from.ops, op_lists), Mapped(from.parent)};
    Region* region = to_.regions.Extend(part_.regions.size() - 2);
    for (const Region& from : part_.regions.span().subspan(2))
      *region++ = {Moved(from.blocks, block_lists), OpId(from.parent.v + ops_)};
    ValueId* operand = to_.operands.Extend(part_.operands.size());
    for (const ValueId from : part_.operands) *operand++ = from ? ValueId(from.v + values_) : ValueId();
    RegionId* listed = to_.region_lists.Extend(part_.region_lists.size());
    for (const RegionId from : part_.region_lists) *listed++ = Mapped(from);
    // The lists of block 1 and of region 1 are the last ones.
    const size_t num_blocks = part_.block_lists.size() - part_.regions[1].blocks.count;
    BlockId* block_list = to_.block_lists.Extend(num_blocks);
    for (size_t i = 0; i < num_blocks; ++i) *block_list++ = Mapped(part_.block_lists[i]);
    const size_t num_ops = part_.op_lists.size() - part_.blocks[1].ops.count;
    OpId* op_list = to_.op_lists.Extend(num_ops);
    for (size_t i = 0; i < num_ops; ++i) *op_list++ = OpId(part_.op_lists[i].v + ops_);
    BlockId* successor = to_.successors.Extend(part_.successors.size());
    for (const BlockId from : part_.successors) *successor++ = Mapped(from);
  }

  std::vector<OpId> MappedOps() const {
    std::vector<OpId> ops;
    for (const OpId op : part_.OpsOf(BlockId(1))) ops.push_back(OpId(op.v + ops_));
    return ops;
  }

  Module& part_;
  Module& to_;
  Builder& builder_;
  NodeMap nodes_;
  uint32_t ops_ = 0, values_ = 0, blocks_ = 0, regions_ = 0;  // distances of ids
};

}  // namespace

Absorbed Absorb(Module&& part, Builder* builder) { return Absorber(part, builder).Run(); }

void ReuseMemory(Module&& spent, Module* empty) {
  const auto reuse = [](auto& from, auto& to) {
    from.clear();
    from.Append(to.span());  // the record that no id names
    to.swap(from);
  };
  reuse(spent.ops, empty->ops);
  reuse(spent.values, empty->values);
  reuse(spent.blocks, empty->blocks);
  reuse(spent.regions, empty->regions);
  reuse(spent.operands, empty->operands);
  reuse(spent.region_lists, empty->region_lists);
  reuse(spent.block_lists, empty->block_lists);
  reuse(spent.op_lists, empty->op_lists);
  reuse(spent.successors, empty->successors);
}

}  // namespace shlo
