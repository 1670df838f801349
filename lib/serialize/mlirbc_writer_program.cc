#include "serialize/mlirbc_writer_program.h"

#include <algorithm>

#include "serialize/portable_casts.h"

namespace shlo::mlirbc {
namespace {

constexpr uint32_t kMaxDepth = 2000;  // nesting of regions; more than any reader accepts
constexpr uint32_t kNothing = UINT32_MAX;

}  // namespace

// --- Meeting everything
// ----------------------------------------------------------------------------------------

Key ProgramOut::LocationKey(AttrId loc) {
  if (loc && options_.locations) return {loc.v, Form::kOwn};
  if (!unknown_location_)
    unknown_location_ = {m_.attrs.Intern(AttrKind::kUnknownLoc, std::span<const uint64_t>{}).v, Form::kOwn};
  return unknown_location_;
}

void ProgramOut::MeetOp(OpId id) {
  const Op op = m_.ops[id.v];
  const uint32_t index = Place(id);
  placed_of_[id.v] = index;
  const Placed placed = placed_[index];
  nodes_.MeetName(placed.name);
  for (uint32_t i = 0; i < op.results.count; ++i) nodes_.MeetType(TypeKeyOf(m_.ResultOf(op, i)));
  if (placed.dict) nodes_.MeetAttr(placed.dict);
  for (uint32_t i = 0; i < placed.num_properties; ++i)
    if (const Key key = property_keys_[placed.first_property + i].key) nodes_.MeetAttr(key);
  nodes_.MeetAttr(LocationKey(op.loc));
  CheckForeign(id);
}

// In the words that users of the reference look for.
void ProgramOut::CheckForeign(OpId id) {
  const bool refused = !nodes_.met_refused().empty();
  if (!options_.portable || nodes_.failed()) return;
  if (!refused && (options_.other_dialects || !nodes_.met_foreign())) return;
  failed_op_ = id;
  nodes_.Fail("failed to legalize operation '" + std::string(m_.NameOf(m_.ops[id.v])) +
                  "' that was explicitly marked illegal",
              Code::kBlocked,
              refused ? "no release has a portable spelling for " + nodes_.met_refused()
                      : "--allow-other-dialects lets what has no portable spelling in");
}

void ProgramOut::MeetRegion(RegionId region) {
  const OpId owner = m_.regions[region.v].parent;
  for (BlockId block : m_.BlocksOf(region)) {
    const Range args = m_.blocks[block.v].args;
    for (uint32_t i = 0; i < args.count; ++i) {
      nodes_.MeetAttr(LocationKey(m_.values[args.first + i].loc));
      nodes_.MeetType(TypeKeyOf(ValueId(args.first + i)));
    }
    CheckForeign(owner);
    for (OpId op : m_.OpsOf(block)) MeetOp(op);
  }
}

// The top op, then regions: the last one that was found is the next one to be met.
bool ProgramOut::Meet() {
  placed_of_.resize(m_.ops.size());
  MeetOp(m_.top);
  std::vector<RegionId> pending;
  const auto push = [&](OpId op) {
    for (RegionId region : m_.RegionsOf(m_.ops[op.v])) pending.push_back(region);
  };
  push(m_.top);
  while (!pending.empty() && !nodes_.failed()) {
    const RegionId region = pending.back();
    pending.pop_back();
    MeetRegion(region);
    for (BlockId block : m_.BlocksOf(region))
      for (OpId op : m_.OpsOf(block)) push(op);
  }
  for (Placed& placed : placed_) placed.properties_index = 0;
  return !nodes_.failed();
}

// --- Numbers of values, isolation
// ------------------------------------------------------------------------------

RegionId ProgramOut::RegionOf(ValueId value) const {
  const Value& v = m_.values[value.v];
  const BlockId block = v.block ? v.block : m_.ops[v.op.v].parent;
  return block ? m_.blocks[block.v].parent : RegionId();
}

void ProgramOut::NoteUse(ValueId value, RegionId from) {
  const RegionId region = RegionOf(value);
  if (region == from) return;
  const uint32_t depth = region ? region_depth_[region.v] : 0;
  // The ops between the use and the region of the value are not isolated. What is below one that is known
  // to reach as far out is known already.
  for (size_t i = open_.size(); i-- > depth;) {
    if (open_[i].trait || open_[i].captured <= depth) break;
    open_[i].captured = depth;
  }
}

bool ProgramOut::FindIsolated(RegionId region, uint32_t depth) {
  if (depth > kMaxDepth) {
    nodes_.Fail("regions are nested too deeply");
    return false;
  }
  region_depth_[region.v] = depth;
  for (BlockId block : m_.BlocksOf(region)) {
    for (OpId id : m_.OpsOf(block)) {
      const Op& op = m_.ops[id.v];
      for (ValueId value : m_.OperandsOf(op)) NoteUse(value, region);
      op_numbers_[id.v] = next_op_++;
      if (!op.regions.count) continue;
      open_.push_back({id, kNothing, op.shape && RowOf(op.shape).Has(Trait::kIsolated)});
      for (RegionId inner : m_.RegionsOf(op))
        if (!FindIsolated(inner, depth + 1)) return false;
      isolated_[id.v] = open_.back().captured == kNothing;
      open_.pop_back();
    }
  }
  return true;
}

// Values of a region are numbered before those of the regions in it; an isolated region begins anew.
void ProgramOut::NumberValues(RegionId region, uint32_t base) {
  uint32_t next = base;
  for (BlockId block : m_.BlocksOf(region)) {
    const Range args = m_.blocks[block.v].args;
    for (uint32_t i = 0; i < args.count; ++i) value_numbers_[args.first + i] = next++;
    for (OpId id : m_.OpsOf(block)) {
      const Op& op = m_.ops[id.v];
      for (uint32_t i = 0; i < op.results.count; ++i) value_numbers_[op.results.first + i] = next++;
    }
  }
  region_values_[region.v] = next - base;
  for (BlockId block : m_.BlocksOf(region))
    for (OpId id : m_.OpsOf(block))
      for (RegionId inner : m_.RegionsOf(m_.ops[id.v])) NumberValues(inner, isolated_[id.v] ? 0 : next);
}

// --- Uses
// --------------------------------------------------------------------------------------------------------

// The reference keeps the uses of a value in a list to which every new use is put at the front. It makes the
// program portable op by op, in order, so that the list is in reverse order then: nothing has to be said. For
// an older target it makes some ops anew, in order: their uses come to the front. The uses of a value of such
// an op move over to the new value from the front, which turns them around.
void ProgramOut::CollectUses() {
  std::vector<uint32_t> counts(m_.values.size() + 1);
  for (size_t i = 1; i < m_.ops.size(); ++i)
    for (ValueId value : m_.OperandsOf(m_.ops[i])) ++counts[value.v];
  first_use_.assign(m_.values.size() + 1, 0);
  uint32_t total = 0;
  for (size_t i = 0; i < m_.values.size(); ++i) {
    first_use_[i] = total;
    if (counts[i] > 1) total += counts[i];
  }
  first_use_[m_.values.size()] = total;
  uses_.resize(total);
  std::vector<uint32_t> order(m_.ops.size(), 0);  // ops by number
  for (size_t i = 1; i < m_.ops.size(); ++i)
    if (OpId(uint32_t(i)) != m_.top && op_numbers_[i] < order.size()) order[op_numbers_[i]] = uint32_t(i);
  if (options_.from_text) {
    made_.assign(m_.ops.size(), 0);
    made_before_.assign(m_.blocks.size(), 0);
    order.clear();
    for (RegionId region : m_.RegionsOf(m_.ops[m_.top.v])) NoteMade(region, &order);
  }
  std::vector<uint32_t> next(first_use_.begin(), first_use_.end() - 1);
  for (uint32_t id : order) {
    if (!id) continue;
    const auto operands = m_.OperandsOf(m_.ops[id]);
    for (size_t k = 0; k < operands.size(); ++k)
      if (counts[operands[k].v] > 1) uses_[next[operands[k].v]++] = uint64_t(id) << 32 | k;
  }
  rewritten_.resize(ShapeRows().size());
  for (size_t i = 1; i < ShapeRows().size(); ++i)
    rewritten_[i] = ShapeRows()[i].until < options_.writer && options_.portable;
}

// A parser makes an op when it has read its regions: what they use is used before what the op uses.
void ProgramOut::NoteMade(RegionId region, std::vector<uint32_t>* order) {
  for (BlockId block : m_.BlocksOf(region)) {
    made_before_[block.v] = uint32_t(order->size());
    for (OpId id : m_.OpsOf(block)) {
      for (RegionId inner : m_.RegionsOf(m_.ops[id.v])) NoteMade(inner, order);
      order->push_back(id.v);
      made_[id.v] = uint32_t(order->size());
    }
  }
}

bool ProgramOut::WriteUseLists(uint32_t first_value, uint32_t count, BytesOut* out) {
  BytesOut lists;
  uint32_t listed = 0;
  std::vector<std::pair<uint64_t, uint32_t>> order;  // id of the use, place in the list
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t value = first_value + i;
    const std::span<const uint64_t> uses(uses_.data() + first_use_[value],
                                         first_use_[value + 1] - first_use_[value]);
    if (uses.size() < 2) continue;
    const auto is_cast = [&](OpId op) {
      return !portable_values_.empty() && IsSpellingCast(m_, m_.ops[op.v]);
    };
    const OpId owner = m_.values[value].op;
    const bool moved = owner && rewritten_[m_.ops[owner.v].shape.v];
    // The list from the front: uses of ops made anew, last first; casts to builtin types; the others, last
    // first. The uses of a cast to a portable type were turned around when that was put in place of a
    // preliminary one.
    const auto rank = [&](uint64_t use) {
      const OpId user{uint32_t(use >> 32)};
      if (rewritten_[m_.ops[user.v].shape.v]) return 0;
      return is_cast(user) && !portable_values_[m_.ResultOf(m_.ops[user.v], 0).v] ? 1 : 2;
    };
    front_.assign(uses.rbegin(), uses.rend());
    if (options_.from_text) {
      // Uses that came before the value moved over from what stood for it, which turned them around.
      const uint32_t defined = owner ? made_[owner.v] : made_before_[m_.values[value].block.v];
      std::reverse(std::ranges::find_if(front_, [&](uint64_t use) { return made_[use >> 32] <= defined; }),
                   front_.end());
    }
    const auto kept =
        std::stable_partition(front_.begin(), front_.end(), [&](uint64_t use) { return rank(use) == 0; });
    if (owner && is_cast(owner) && portable_values_[value])
      std::reverse(kept, front_.end());
    else
      std::stable_partition(kept, front_.end(), [&](uint64_t use) { return rank(use) == 1; });
    if (moved) std::reverse(front_.begin(), front_.end());
    order.clear();
    for (uint64_t use : front_)
      order.push_back({uint64_t(op_numbers_[use >> 32]) << 32 | (use & UINT32_MAX), uint32_t(order.size())});
    std::sort(order.begin(), order.end());
    // The use that a reader puts to the front last comes first.
    std::reverse(order.begin(), order.end());
    bool sorted = true;
    size_t shuffled = 0;
    for (size_t k = 0; k < order.size(); ++k) {
      sorted &= order[k].second == k;
      shuffled += order[k].second != k;
    }
    if (sorted) continue;
    ++listed;
    if (count != 1) lists.Varint(i);
    if (shuffled < order.size() / 2) {
      lists.VarintWithFlag(shuffled * 2, true);
      for (size_t k = 0; k < order.size(); ++k)
        if (order[k].second != k) {
          lists.Varint(order[k].second);
          lists.Varint(k);
        }
    } else {
      lists.VarintWithFlag(order.size(), false);
      for (const auto& use : order) lists.Varint(use.second);
    }
  }
  if (!listed) return false;
  if (count != 1) out->Varint(listed);
  out->Bytes(lists.small_bytes());
  return true;
}

// --- Writing
// -------------------------------------------------------------------------------------------------------

bool ProgramOut::WriteOps(BytesOut* out) {
  value_numbers_.assign(m_.values.size(), 0);
  op_numbers_.assign(m_.ops.size(), kNothing);
  region_depth_.assign(m_.regions.size(), 0);
  region_values_.assign(m_.regions.size(), 0);
  isolated_.assign(m_.ops.size(), 0);
  op_numbers_[m_.top.v] = next_op_++;
  open_.push_back({m_.top, kNothing, true});
  for (RegionId region : m_.RegionsOf(m_.ops[m_.top.v]))
    if (!FindIsolated(region, 1)) return false;
  open_.clear();
  for (RegionId region : m_.RegionsOf(m_.ops[m_.top.v])) NumberValues(region, 0);
  isolated_[m_.top.v] = 1;
  if (format_ >= kUseListOrders) CollectUses();
  out->VarintWithFlag(1, false);
  return WriteOp(m_.top, out, 0) && !nodes_.failed();
}

bool ProgramOut::WriteOp(OpId id, BytesOut* out, uint32_t depth) {
  if (depth > kMaxDepth) {
    nodes_.Fail("regions are nested too deeply");
    return false;
  }
  const Op& op = m_.ops[id.v];
  Placed& placed = placed_[placed_of_[id.v]];
  // The parts follow their mask, and whether uses are ordered is known last.
  const bool ordered = op.results.count && format_ >= kUseListOrders;
  BytesOut lists;
  const bool has_lists = ordered && WriteUseLists(op.results.first, op.results.count, &lists);
  uint8_t mask = 0;
  if (placed.dict) mask |= kHasAttrs;
  const bool has_properties = placed.num_properties || placed.has_segments;
  if (has_properties) mask |= kHasProperties;
  if (op.results.count) mask |= kHasResults;
  if (op.operands.count) mask |= kHasOperands;
  if (op.successors.count) mask |= kHasSuccessors;
  if (has_lists) mask |= kHasUseLists;
  if (op.regions.count) mask |= kHasRegions;
  out->Varint(nodes_.NameNumber(placed.name));
  out->Byte(mask);
  out->Varint(nodes_.NumberOf(LocationKey(op.loc)));
  if (placed.dict) out->Varint(nodes_.NumberOf(placed.dict));
  if (has_properties) out->Varint(PropertiesIndex(placed));
  if (op.results.count) {
    out->Varint(op.results.count);
    for (uint32_t i = 0; i < op.results.count; ++i)
      out->Varint(nodes_.TypeNumberOf(TypeKeyOf(m_.ResultOf(op, i))));
  }
  if (op.operands.count) {
    out->Varint(op.operands.count);
    for (ValueId value : m_.OperandsOf(op)) out->Varint(value_numbers_[value.v]);
  }
  if (op.successors.count) {
    out->Varint(op.successors.count);
    const BlockId first = m_.BlocksOf(m_.blocks[op.parent.v].parent)[0];
    for (BlockId block : m_.SuccessorsOf(op)) {
      const auto blocks = m_.BlocksOf(m_.blocks[first.v].parent);
      out->Varint(uint64_t(std::find(blocks.begin(), blocks.end(), block) - blocks.begin()));
    }
  }
  if (has_lists) out->Bytes(lists.small_bytes());
  if (!op.regions.count) return true;
  const bool isolated = isolated_[id.v];
  out->VarintWithFlag(op.regions.count, isolated);
  if (isolated && format_ >= kLazyRegions) {
    BytesOut regions;
    for (RegionId region : m_.RegionsOf(op))
      if (!WriteRegion(region, &regions, depth + 1)) return false;
    out->AddSection(kIrSection, regions);
    return true;
  }
  for (RegionId region : m_.RegionsOf(op))
    if (!WriteRegion(region, out, depth + 1)) return false;
  return true;
}

bool ProgramOut::WriteRegion(RegionId region, BytesOut* out, uint32_t depth) {
  const auto blocks = m_.BlocksOf(region);
  out->Varint(blocks.size());
  if (blocks.empty()) return true;
  out->Varint(region_values_[region.v]);
  for (BlockId id : blocks) {
    const Block& block = m_.blocks[id.v];
    out->VarintWithFlag(block.ops.count, block.args.count != 0);
    if (block.args.count) {
      out->Varint(block.args.count);
      for (uint32_t i = 0; i < block.args.count; ++i) {
        const Value& value = m_.values[block.args.first + i];
        const uint32_t type = nodes_.TypeNumberOf(TypeKeyOf(ValueId(block.args.first + i)));
        const Key loc = LocationKey(value.loc);
        const bool known = m_.attrs.KindOf(AttrId(loc.id)) != AttrKind::kUnknownLoc;
        if (format_ >= kElidedLocations) {
          out->VarintWithFlag(type, known);
          if (known) out->Varint(nodes_.NumberOf(loc));
        } else {
          out->Varint(type);
          out->Varint(nodes_.NumberOf(loc));
        }
      }
      if (format_ >= kUseListOrders) {
        BytesOut lists;
        const bool has_lists = WriteUseLists(block.args.first, block.args.count, &lists);
        out->Byte(has_lists ? kHasUseLists : 0);
        if (has_lists) out->Bytes(lists.small_bytes());
      }
    }
    for (OpId op : m_.OpsOf(id))
      if (!WriteOp(op, out, depth + 1)) return false;
  }
  return true;
}

}  // namespace shlo::mlirbc
