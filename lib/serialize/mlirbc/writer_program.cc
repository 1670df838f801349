#include "serialize/mlirbc/writer_program.h"

#include <algorithm>
#include <span>

#include "base/deadline.h"
#include "base/format.h"
#include "base/stack.h"
#include "base/workers.h"
#include "ir/module/limits.h"
#include "ir/module/pieces.h"
#include "ir/table/trait.h"
#include "serialize/vhlo_casts.h"

namespace shlo::mlirbc {
namespace {

constexpr uint32_t kNothing = UINT32_MAX;
constexpr size_t kManyOps = 1 << 14;  // worth threads
constexpr size_t kBytesOfOp = 10;     // of most ops

}  // namespace

// --- Collecting ----------------------------------------------------------------------------------

Key ProgramOut::LocationKey(AttrId loc) {
  if (loc && options_.locations) return {loc.v, KeySpace::kOwn};
  if (!unknown_location_)
    unknown_location_ = {m_.attrs.Intern(AttrKind::kUnknownLoc, std::span<const uint64_t>{}).v,
                         KeySpace::kOwn};
  return unknown_location_;
}

void ProgramOut::CollectPlaced(const Placed& placed, uint32_t uses) {
  if (placed.dict) nodes_.CollectAttr(placed.dict, uses);
  for (uint32_t i = 0; i < placed.num_properties; ++i)
    if (const Key key = property_keys_[placed.first_property + i].key) nodes_.CollectAttr(key, uses);
}

// The first op with a signature collects its nodes; the number of other ops with the same one is added at the
// end.
void ProgramOut::CollectOp(OpId id) {
  Tick();
  const Op& op = m_.ops[id.v];
  Placed& placed = placed_[op.signature.v];
  const bool first = !placed.known;
  if (first) {
    placed = MakePlaced(op);
    nodes_.CollectName(placed.name);
  } else {
    ++placed.uses;
  }
  for (uint32_t i = 0; i < m_.NumResults(op); ++i) nodes_.CollectType(TypeKeyOf(m_.ResultOf(op, i)));
  if (first) CollectPlaced(placed, 1);
  nodes_.CollectAttr(LocationKey(op.loc));
  CheckForeign(id);
}

// Mirrors MLIR.
void ProgramOut::Refuse(OpId id) {
  const bool refused = !nodes_.has_refused().empty();
  if (nodes_.failed() || (!refused && options_.other_dialects)) return;
  failed_op_ = id;
  nodes_.Fail("failed to legalize operation '" + std::string(m_.NameOf(m_.ops[id.v])) +
                  "' that was explicitly marked illegal",
              Code::kBlocked,
              refused ? nodes_.has_refused() + " has no VHLO equivalent in any release"
                      : "pass --allow-other-dialects to keep it");
}

void ProgramOut::CollectArgs(BlockId block) {
  const Range args = m_.blocks[block.v].args;
  for (uint32_t i = 0; i < args.count; ++i) {
    nodes_.CollectAttr(LocationKey(m_.values[args.first + i].loc));
    nodes_.CollectType(TypeKeyOf(ValueId(args.first + i)));
  }
  CheckForeign(m_.regions[m_.blocks[block.v].parent.v].parent);
}

bool ProgramOut::Collect() {
  const size_t threads = m_.ops.size() < kManyOps ? 1 : NumThreads(options_.limits.threads);
  RunParts(2, threads, [&](size_t i) { i == 0 ? CollectNodes() : NumberValues(); });
  if (too_deep_) nodes_.Fail(StrFormat("nesting of regions exceeds the limit of {}", kMaxNesting));
  return !nodes_.failed();
}

// Visits the top op, then regions: the last one found is the next one visited.
void ProgramOut::CollectNodes() {
  placed_.resize(m_.signatures.size());
  CollectOp(m_.top);
  const auto top = m_.RegionsOf(m_.ops[m_.top.v]);
  std::vector<RegionId> pending(top.begin(), top.end());
  while (!pending.empty() && !nodes_.failed()) {
    const RegionId region = pending.back();
    pending.pop_back();
    for (BlockId block : m_.BlocksOf(region)) {
      CollectArgs(block);
      for (OpId op : m_.OpsOf(block)) {
        CollectOp(op);
        for (RegionId inner : m_.RegionsOf(m_.ops[op.v])) pending.push_back(inner);
      }
    }
  }
  for (const Placed& placed : placed_) {
    if (!placed.uses) continue;
    nodes_.CollectName(placed.name, placed.uses);
    CollectPlaced(placed, placed.uses);
  }
}

// --- Value numbers, isolation --------------------------------------------------------------------

RegionId ProgramOut::RegionOf(ValueId value) const {
  const Value& v = m_.values[value.v];
  const BlockId block = v.block ? v.block : m_.ops[v.op.v].parent;
  return block ? m_.blocks[block.v].parent : RegionId();
}

void ProgramOut::NoteUse(ValueId value, RegionId from) {
  const RegionId region = RegionOf(value);
  if (region == from) return;
  const uint32_t depth = region ? region_depth_[region.v] : 0;
  // The ops between the use and the value's region are not isolated. Below an op that is known to reach as
  // far out, all are known already.
  for (size_t i = open_.size(); i-- > depth;) {
    if (open_[i].trait || open_[i].captured <= depth) break;
    open_[i].captured = depth;
  }
}

// Numbers values from zero in every region, and finds uses of outer values.
bool ProgramOut::NumberRegion(RegionId region, uint32_t depth) {
  CheckStack();
  if (depth > kMaxNesting) {
    too_deep_ = true;
    return false;
  }
  region_depth_[region.v] = depth;
  region_order_.push_back(region);
  const bool may_reach_out = !open_.back().trait;
  uint32_t next = 0;
  for (BlockId block : m_.BlocksOf(region)) {
    const Range args = m_.blocks[block.v].args;
    for (uint32_t i = 0; i < args.count; ++i) value_numbers_[args.first + i] = next++;
    for (OpId id : m_.OpsOf(block)) {
      Tick();
      const Op& op = m_.ops[id.v];
      for (uint32_t i = 0; i < m_.NumResults(op); ++i) value_numbers_[op.first_result + i] = next++;
      if (may_reach_out)
        for (ValueId value : m_.OperandsOf(op)) NoteUse(value, region);
      has_rewritten_ |= rewritten_[m_.RevisionIdOf(op).v] != 0;
      text_order_.push_back(id);
      if (!op.regions.count) continue;
      open_.push_back({id, kNothing, m_.Has(op, Trait::kIsolated)});
      for (RegionId inner : m_.RegionsOf(op))
        if (!NumberRegion(inner, depth + 1)) return false;
      isolated_[id.v] = open_.back().captured == kNothing;
      open_.pop_back();
    }
  }
  region_values_[region.v] = next;
  return true;
}

// Values of a region are numbered before those of nested regions; numbers restart at 0 in an isolated region.
void ProgramOut::AddOuterValues(RegionId region) {
  const OpId owner = m_.regions[region.v].parent;
  if (owner == m_.top || isolated_[owner.v]) return;
  const RegionId outer = m_.blocks[m_.ops[owner.v].parent.v].parent;
  const uint32_t base = region_base_[outer.v] + region_values_[outer.v];
  region_base_[region.v] = base;
  for (BlockId block : m_.BlocksOf(region)) {
    const Range args = m_.blocks[block.v].args;
    for (uint32_t i = 0; i < args.count; ++i) value_numbers_[args.first + i] += base;
    for (OpId id : m_.OpsOf(block)) {
      const Range results = m_.ResultsOf(m_.ops[id.v]);
      for (uint32_t i = 0; i < results.count; ++i) value_numbers_[results.first + i] += base;
    }
  }
}

// --- Use-list order ------------------------------------------------------------------------------

// MLIR keeps the uses of a value in a list, and adds each new use at the front. The reference legalizes the
// program to VHLO op by op, in order, so that the list is then in reverse order, which is the default and is
// not written. For an older target it recreates some ops, in order: their uses move to the front. The uses of
// a recreated op's results move to the new values from the front, which reverses them.
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
}

// A parser creates an op after reading its regions: uses inside of them precede the op's own.
void ProgramOut::NoteMade(RegionId region, std::vector<uint32_t>* order) {
  CheckStack();
  for (BlockId block : m_.BlocksOf(region)) {
    made_before_[block.v] = uint32_t(order->size());
    for (OpId id : m_.OpsOf(block)) {
      for (RegionId inner : m_.RegionsOf(m_.ops[id.v])) NoteMade(inner, order);
      order->push_back(id.v);
      made_[id.v] = uint32_t(order->size());
    }
  }
}

// Writes the use-list orders of some values to use_lists_; returns false if all have the default order.
bool ProgramOut::HasUseLists(uint32_t first_value, uint32_t count) {
  if (!reorders_) return false;
  BytesOut lists;
  uint32_t listed = 0;
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t value = first_value + i;
    const std::span<const uint64_t> uses(uses_.data() + first_use_[value],
                                         first_use_[value + 1] - first_use_[value]);
    if (uses.size() < 2) continue;
    const auto is_cast = [&](OpId op) { return !vhlo_values_.empty() && IsSpellingCast(m_, m_.ops[op.v]); };
    const OpId owner = m_.values[value].op;
    const bool moved = owner && rewritten_[m_.RevisionIdOf(m_.ops[owner.v]).v];
    // The list from the front: uses by recreated ops, last first; casts to builtin types; the others, last
    // first. Replacing a preliminary cast to a VHLO type has reversed the uses of the final one.
    const auto rank = [&](uint64_t use) {
      const OpId user{uint32_t(use >> 32)};
      if (rewritten_[m_.RevisionIdOf(m_.ops[user.v]).v]) return 0;
      return is_cast(user) && !vhlo_values_[m_.ResultOf(m_.ops[user.v], 0).v] ? 1 : 2;
    };
    uses_from_front_.assign(uses.rbegin(), uses.rend());
    if (options_.from_text) {
      // Uses before the definition moved over from the parser's placeholder, which reversed them.
      const uint32_t defined = owner ? made_[owner.v] : made_before_[m_.values[value].block.v];
      std::reverse(
          std::ranges::find_if(uses_from_front_, [&](uint64_t use) { return made_[use >> 32] <= defined; }),
          uses_from_front_.end());
    }
    front_.clear();
    const auto take = [&](auto&& wanted) {
      for (uint64_t use : uses_from_front_)
        if (wanted(rank(use))) front_.push_back(use);
    };
    take([](int r) { return r == 0; });
    if (owner && is_cast(owner) && vhlo_values_[value]) {
      const size_t kept = front_.size();
      take([](int r) { return r != 0; });
      std::reverse(front_.begin() + ptrdiff_t(kept), front_.end());
    } else {
      take([](int r) { return r == 1; });
      take([](int r) { return r == 2; });
    }
    if (moved) std::reverse(front_.begin(), front_.end());
    order_.clear();
    for (uint64_t use : front_)
      order_.push_back(
          {uint64_t(op_numbers_[use >> 32]) << 32 | (use & UINT32_MAX), uint32_t(order_.size())});
    // The last use that a reader adds to the front comes first.
    std::sort(order_.begin(), order_.end(), std::greater<>());
    size_t shuffled = 0;
    for (size_t k = 0; k < order_.size(); ++k) shuffled += order_[k].second != k;
    if (!shuffled) continue;
    ++listed;
    if (count != 1) lists.Varint(i);
    if (shuffled < order_.size() / 2) {
      lists.VarintWithFlag(shuffled * 2, true);
      for (size_t k = 0; k < order_.size(); ++k)
        if (order_[k].second != k) {
          lists.Varint(order_[k].second);
          lists.Varint(k);
        }
    } else {
      lists.VarintWithFlag(order_.size(), false);
      for (const auto& use : order_) lists.Varint(use.second);
    }
  }
  if (!listed) return false;
  use_lists_.clear();
  if (count != 1) use_lists_.Varint(listed);
  use_lists_.Bytes(lists.small_bytes());
  return true;
}

// --- Writing -------------------------------------------------------------------------------------

void ProgramOut::NumberValues() {
  value_numbers_.resize(m_.values.size());
  region_depth_.resize(m_.regions.size());
  region_values_.resize(m_.regions.size());
  region_base_.resize(m_.regions.size());
  isolated_.resize(m_.ops.size());
  rewritten_.resize(OpRevisions().size());
  for (size_t i = 1; i < OpRevisions().size(); ++i)
    rewritten_[i] = OpRevisions()[i].until < options_.origin && options_.vhlo;
  has_rewritten_ = rewritten_[m_.RevisionIdOf(m_.ops[m_.top.v]).v];
  text_order_.reserve(m_.ops.size());
  text_order_.push_back(m_.top);
  open_.push_back({m_.top, kNothing, true});
  for (RegionId region : m_.RegionsOf(m_.ops[m_.top.v]))
    if (!NumberRegion(region, 1)) return;
  open_.clear();
  for (RegionId region : region_order_) AddOuterValues(region);
  isolated_[m_.top.v] = 1;
}

bool ProgramOut::WriteOps(BytesOut* out) {
  reorders_ = format_ >= kUseListOrders && (options_.from_text || !vhlo_values_.empty() || has_rewritten_);
  if (reorders_) {
    op_numbers_.assign(m_.ops.size(), kNothing);
    for (uint32_t i = 0; i < text_order_.size(); ++i) op_numbers_[text_order_[i].v] = i;
    CollectUses();
  }
  // Lists of uses are made in memory that all ops share.
  threads_ = reorders_ || m_.ops.size() < kManyOps ? 1 : NumThreads(options_.limits.threads);
  if (threads_ > 1) NumberProperties();
  out->Reserve(m_.ops.size() * kBytesOfOp);
  out->VarintWithFlag(1, false);
  WriteOp(m_.top, out);
  return !nodes_.failed();
}

// Numbers the properties of all ops in the order of the text, as WriteOp does where it is the only one.
void ProgramOut::NumberProperties() {
  for (const OpId id : text_order_)
    if (Placed& placed = placed_[m_.ops[id.v].signature.v]; placed.has_properties()) PropertiesIndex(placed);
}

void ProgramOut::WriteInThreads(std::span<const OpId> ops, BytesOut* out) {
  constexpr size_t kOpsOfPiece = 4096;
  const std::vector<std::span<const OpId>> pieces = PiecesOf(ops, kOpsOfPiece);
  std::vector<BytesOut> bytes(pieces.size());
  const auto write = [&](size_t i) {
    bytes[i].Reserve(kOpsOfPiece * kBytesOfOp);
    for (const OpId op : pieces[i]) WriteOp(op, &bytes[i]);
  };
  const auto take = [&](size_t i) {
    out->Bytes(bytes[i].small_bytes());
    bytes[i] = BytesOut();
    return true;
  };
  RunInOrder(pieces.size(), threads_, threads_ + 2, write, take);
}

void ProgramOut::WriteOp(OpId id, BytesOut* out) {
  const Op& op = m_.ops[id.v];
  Placed& placed = placed_[op.signature.v];
  // The parts follow their mask, which is known last because of the use-list orders.
  const bool has_lists = HasUseLists(op.first_result, m_.NumResults(op));
  const bool has_properties = placed.has_properties();
  uint8_t mask = 0;
  if (placed.dict) mask |= kHasAttrs;
  if (has_properties) mask |= kHasProperties;
  if (m_.NumResults(op)) mask |= kHasResults;
  if (m_.NumOperands(op)) mask |= kHasOperands;
  if (op.successors.count) mask |= kHasSuccessors;
  if (has_lists) mask |= kHasUseLists;
  if (op.regions.count) mask |= kHasRegions;
  const size_t numbers = 7 + size_t(m_.NumResults(op)) + m_.NumOperands(op) + op.successors.count;
  uint8_t* at = out->BeginRun(1 + numbers * BytesOut::kMaxVarint);
  const auto put = [&](uint64_t value) { at = BytesOut::PutVarint(at, value); };
  put(nodes_.NameNumber(placed.name));
  *at++ = mask;
  put(nodes_.NumberOf(LocationKey(op.loc)));
  if (placed.dict) put(nodes_.NumberOf(placed.dict));
  if (has_properties) put(PropertiesIndex(placed));
  if (m_.NumResults(op)) {
    put(m_.NumResults(op));
    for (uint32_t i = 0; i < m_.NumResults(op); ++i) put(nodes_.TypeNumberOf(TypeKeyOf(m_.ResultOf(op, i))));
  }
  if (m_.NumOperands(op)) {
    put(m_.NumOperands(op));
    for (ValueId value : m_.OperandsOf(op)) put(value_numbers_[value.v]);
  }
  if (op.successors.count) {
    put(op.successors.count);
    const auto blocks = m_.BlocksOf(m_.blocks[op.parent.v].parent);
    for (BlockId block : m_.SuccessorsOf(op))
      put(uint64_t(std::find(blocks.begin(), blocks.end(), block) - blocks.begin()));
  }
  out->EndRun(at);
  if (has_lists) out->Bytes(use_lists_.small_bytes());
  if (op.regions.count) WriteRegions(op, isolated_[id.v], out);
}

void ProgramOut::WriteRegions(const Op& op, bool isolated, BytesOut* out) {
  out->VarintWithFlag(op.regions.count, isolated);
  const uint64_t begin = out->size();
  for (RegionId region : m_.RegionsOf(op)) WriteRegion(region, out);
  if (isolated && format_ >= kLazyRegions) out->MakeSection(kIrSection, begin);
}

void ProgramOut::WriteRegion(RegionId region, BytesOut* out) {
  CheckStack();
  const auto blocks = m_.BlocksOf(region);
  out->Varint(blocks.size());
  if (blocks.empty()) return;
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
        const bool has_lists = HasUseLists(block.args.first, block.args.count);
        out->Byte(has_lists ? kHasUseLists : 0);
        if (has_lists) out->Bytes(use_lists_.small_bytes());
      }
    }
    // The functions of a large program.
    if (threads_ > 1 && m_.regions[region.v].parent == m_.top) {
      WriteInThreads(m_.OpsOf(id), out);
      continue;
    }
    for (OpId op : m_.OpsOf(id)) WriteOp(op, out);
  }
}

}  // namespace shlo::mlirbc
