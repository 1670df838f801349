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
  OpId Mapped(OpId op) const { return op ? OpId(op.v + ops_) : OpId(); }
  ValueId Mapped(ValueId value) const { return value ? ValueId(value.v + values_) : ValueId(); }
  // The open block and its region, which are block 1 and region 1 of the part, are left out.
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
    const size_t operands = lists_.operands.size(), region_lists = lists_.regions.size(),
                 block_lists = lists_.blocks.size(), op_lists = lists_.ops.size(),
                 successors = lists_.successors.size();
    for (Op op : std::span(part_.ops).subspan(1)) {
      op.signature = nodes_.Map(op.signature);
      op.first_operand += uint32_t(operands);
      op.first_result += values_;
      op.regions = Moved(op.regions, region_lists);
      op.successors = Moved(op.successors, successors);
      op.loc = nodes_.Map(op.loc);
      op.parent = Mapped(op.parent);
      to_.ops.push_back(op);
    }
    for (const Value& from : std::span(part_.values).subspan(1))
      to_.values.push_back(
          {nodes_.Map(from.type), Mapped(from.op), Mapped(from.block), from.index, nodes_.Map(from.loc)});
    for (const Block& from : std::span(part_.blocks).subspan(2))
      to_.blocks.push_back({Moved(from.args, values_), Moved(from.ops, op_lists), Mapped(from.parent)});
    for (const Region& from : std::span(part_.regions).subspan(2))
      to_.regions.push_back({Moved(from.blocks, block_lists), Mapped(from.parent)});
    // The lists of block 1 and of region 1 are the last ones.
    const ModuleLists part(&part_);
    Append(part.operands, part.operands.size(), &lists_.operands);
    Append(part.regions, part.regions.size(), &lists_.regions);
    Append(part.blocks, part.blocks.size() - part_.regions[1].blocks.count, &lists_.blocks);
    Append(part.ops, part.ops.size() - part_.blocks[1].ops.count, &lists_.ops);
    Append(part.successors, part.successors.size(), &lists_.successors);
  }

  template <typename T>
  void Append(const std::vector<T>& from, size_t count, std::vector<T>* to) const {
    for (size_t i = 0; i < count; ++i) to->push_back(Mapped(from[i]));
  }

  std::vector<OpId> MappedOps() const {
    std::vector<OpId> ops;
    for (const OpId op : part_.OpsOf(BlockId(1))) ops.push_back(Mapped(op));
    return ops;
  }

  Module& part_;
  Module& to_;
  Builder& builder_;
  ModuleLists lists_{&to_};
  NodeMap nodes_;
  uint32_t ops_ = 0, values_ = 0, blocks_ = 0, regions_ = 0;  // distances of ids
};

}  // namespace

Absorbed Absorb(Module&& part, Builder* builder) { return Absorber(part, builder).Run(); }

}  // namespace shlo
