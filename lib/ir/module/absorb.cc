#include "ir/module/absorb.h"

#include <utility>
#include <vector>

#include "base/stack.h"
#include "ir/module/node_words.h"

namespace shlo {
namespace {

class Absorber {
 public:
  Absorber(Module& part, Builder* builder) : part_(part), to_(builder->module()), builder_(*builder) {}

  Absorbed Run() {
    MapNodes();
    const Absorbed added{uint32_t(to_.ops.size()), uint32_t(to_.values.size())};
    AddRecords(added);
    builder_.Adopt(MappedOps());
    return added;
  }

 private:
  // --- Nodes: in the order of their ids, so that new ones are added in the order in which they were read ---

  void MapNodes() {
    strings_.resize(part_.strings.size());
    for (uint32_t i = 1; i < part_.strings.size(); ++i)
      strings_[i] = to_.strings.Intern(part_.strings[StringId(i)]);
    payloads_ = to_.payloads.Absorb(std::move(part_.payloads));
    types_.resize(part_.types.size());
    attrs_.resize(part_.attrs.size());
    TypesUpTo(uint32_t(types_.size()) - 1);
    AttrsUpTo(uint32_t(attrs_.size()) - 1);
    MapSignatures();
  }
  void MapSignatures() {
    signatures_.resize(part_.signatures.size());
    EditedSignature mapped;
    for (uint32_t i = 1; i < signatures_.size(); ++i) {
      mapped.Assign(part_.signatures[SignatureId(i)]);
      mapped.name = strings_[mapped.name.v];
      for (AttrId& attr : mapped.inherent_attrs) attr = attrs_[attr.v];
      for (NamedAttr& attr : mapped.discardable_attrs) attr = {strings_[attr.name.v], attrs_[attr.value.v]};
      for (TypeId& type : mapped.operand_types) type = types_[type.v];
      for (TypeId& type : mapped.result_types) type = types_[type.v];
      signatures_[i] = to_.signatures.Intern(mapped.view());
    }
  }
  // A node was read after those that it refers to, and so were the earlier nodes of their tables.
  void TypesUpTo(uint32_t last) {
    CheckStack();
    while (next_type_ <= last) {
      const uint32_t i = next_type_++;
      const auto node = part_.types[TypeId(i)];
      types_[i] = to_.types.Intern(node.kind, Words(RowOf(node.kind), node.words));
    }
  }
  void AttrsUpTo(uint32_t last) {
    CheckStack();
    while (next_attr_ <= last) {
      const uint32_t i = next_attr_++;
      const auto node = part_.attrs[AttrId(i)];
      attrs_[i] = to_.attrs.Intern(node.kind, Words(RowOf(node.kind), node.words));
    }
  }
  uint64_t Mapped(FieldType type, uint64_t word) {
    const uint32_t id = uint32_t(word);
    switch (type) {
      case FieldType::kString:
      case FieldType::kStrings:
        return strings_[id].v;
      case FieldType::kType:
      case FieldType::kTypes:
        TypesUpTo(id);
        return types_[id].v;
      case FieldType::kAttr:
      case FieldType::kOptAttr:
      case FieldType::kAttrs:
        AttrsUpTo(id);
        return attrs_[id].v;
      case FieldType::kPayload:
        return payloads_[id].v;
      default:
        return word;
    }
  }
  std::vector<uint64_t> Words(const KindRow& row, std::span<const uint64_t> node) {
    return MappedWords(row, node, [&](FieldType type, uint64_t word) { return Mapped(type, word); });
  }

  // --- Records ------------------------------------------------------------------------------------------

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
      op->signature = signatures_[from.signature.v];
      op->first_operand += uint32_t(operands);
      op->first_result += values_;
      op->regions = Moved(from.regions, region_lists);
      op->successors = Moved(from.successors, successors);
      op->loc = attrs_[from.loc.v];
      op->parent = Mapped(from.parent);
      ++op;
    }
    Value* value = to_.values.Extend(part_.values.size() - 1);
    for (const Value& from : part_.values.span().subspan(1))
      *value++ = {types_[from.type.v], from.op ? OpId(from.op.v + ops_) : OpId(), Mapped(from.block),
                  from.index, attrs_[from.loc.v]};
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
  std::vector<StringId> strings_;
  std::vector<PayloadId> payloads_;
  std::vector<TypeId> types_;
  std::vector<AttrId> attrs_;
  std::vector<SignatureId> signatures_;
  uint32_t next_type_ = 1, next_attr_ = 1;
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
