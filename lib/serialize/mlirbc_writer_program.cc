#include "serialize/mlirbc_writer_program.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "serialize/portable_casts.h"

namespace shlo::mlirbc {
namespace {

constexpr uint32_t kMaxDepth = 2000;  // nesting of regions; more than any reader accepts
constexpr uint32_t kNothing = UINT32_MAX;

// The shape whose properties a writer of that release gives an op of this shape: what is portable has its
// own, of others only the newest one counts. None when the op has not everything that it demands.
ShapeId WrittenShape(ShapeId id, bool portable, Version writer) {
  if (portable) return id;
  ShapeId written = ShapeAt(ShapeOf(id).row, writer);
  if (!written) written = id;
  for (const Cell& cell : ShapeOf(written).attrs)
    if (cell.attr_default() == Default::kRequired && ShapeOf(id).FindSlot(cell.name) < 0) return {};
  return written;
}

}  // namespace

// --- What ops say
// ----------------------------------------------------------------------------------------------

const ProgramOut::ShapeProperties& ProgramOut::PropertiesOf(ShapeId id) {
  if (shapes_.empty()) shapes_.resize(ShapeRows().size());
  ShapeProperties& p = shapes_[id.v];
  if (p.known) return p;
  p.known = true;
  const std::string_view portable_name = PortableName(id);
  p.portable = options_.portable && !portable_name.empty();
  p.name = nodes_.Name(p.portable ? portable_name : RowOf(id).name, true);
  const ShapeId written = WrittenShape(id, p.portable, options_.writer);
  p.named = format_ < kProperties || !written;
  const ShapeRow& shape = ShapeOf(written ? written : id);
  const std::string_view name = RowOf(id).name;
  const auto later = [&](std::string_view attr) {
    return std::ranges::find_if(WireProperties(), [&](const WireProperty& property) {
      return property.op == name && property.name == attr;
    });
  };
  const auto slot_of = [&](std::string_view attr) { return ShapeOf(id).FindSlot(attr); };
  std::vector<bool> placed(ShapeOf(id).attrs.size());
  if (!p.portable)
    for (const Cell& bundle : shape.bundles) {
      ShapeProperties::Item item{bundle.name, -1, &bundle, true};
      for (const FieldRow& field : RowOf(bundle.attr_kind()).fields())
        if (const int slot = slot_of(field.name); slot >= 0) {
          placed[size_t(slot)] = true;
          if (ShapeOf(id).attrs[size_t(slot)].attr_default() == Default::kRequired) item.optional = false;
        }
      p.items.push_back(item);
    }
  for (const Cell& cell : shape.attrs) {
    if (p.portable && cell.attr_default() == Default::kTextOnly) continue;
    const auto found = p.portable ? WireProperties().end() : later(cell.name);
    if (found != WireProperties().end() && options_.writer < found->since) continue;
    const int slot = slot_of(cell.name);
    if (slot >= 0 && placed[size_t(slot)]) continue;
    if (slot >= 0) placed[size_t(slot)] = true;
    p.items.push_back({cell.name, slot, nullptr, !p.portable && cell.attr_default() != Default::kRequired});
  }
  if (!p.portable)
    for (const WireProperty& property : WireProperties())
      if (property.op == name && property.since <= options_.writer && shape.FindSlot(property.name) < 0)
        p.items.push_back({property.name, -1, nullptr, true});
  // What the writer of that release does not know stays an attribute.
  if (!p.portable)
    for (size_t i = 0; i < placed.size(); ++i)
      if (!placed[i]) p.items.push_back({ShapeOf(id).attrs[i].name, int(i), nullptr, true, true});
  std::sort(p.items.begin(), p.items.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return p;
}

// Of an op without a row: known ones are registered, of others everything is in the dictionary.
const ProgramOut::ShapeProperties& ProgramOut::PropertiesOf(StringId op_without_row) {
  ShapeProperties& p = without_row_[op_without_row.v];
  if (p.known) return p;
  p.known = true;
  const std::string_view name = m_.strings[op_without_row];
  const WireOp* op = FindWireOp(name);
  p.name = nodes_.Name(name, op != nullptr);
  p.named = !op || format_ < kProperties;
  if (p.named) return p;
  op->ForEach([&](std::string_view property, bool optional) {
    p.items.push_back({property, -1, nullptr, optional});
  });
  for (const WireProperty& property : WireProperties())
    if (property.op == name && property.since <= options_.writer)
      p.items.push_back({property.name, -1, nullptr, true});
  std::sort(p.items.begin(), p.items.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return p;
}

// A bundle of the slots that its fields name; none when no slot of it is written.
AttrId ProgramOut::BundleOf(const Op& op, const Cell& bundle) {
  const ShapeRow& shape = ShapeOf(op.shape);
  FieldWriter words;
  bool written = false;
  for (const FieldRow& field : RowOf(bundle.attr_kind()).fields()) {
    const int slot = shape.FindSlot(field.name);
    const AttrId attr = slot < 0 ? AttrId() : m_.SlotsOf(op)[size_t(slot)];
    written |= bool(attr);
    std::vector<int64_t> values;
    int64_t value = 0;
    switch (field.type) {
      case FieldType::kInts:
        if (attr) m_.AsI64s(attr, &values);
        words.Ints(values);
        break;
      case FieldType::kType:
        words.Type(attr && m_.attrs.KindOf(attr) == AttrKind::kTypeAttr
                       ? TypeId(uint32_t(m_.attrs[attr].words[0]))
                       : m_.Type(TypeKind::kNone));
        break;
      default:
        if (attr) m_.AsInteger(attr, &value);
        words.Int(value);
        break;
    }
  }
  return written ? m_.attrs.Intern(bundle.attr_kind(), words) : AttrId();
}

// Whether a discardable attribute of the module is a property to the writer whose bytes are wanted.
bool ProgramOut::IsLaterProperty(const ShapeProperties& p, std::string_view name) {
  return std::ranges::any_of(p.items, [&](const ShapeProperties::Item& item) {
    return item.slot < 0 && !item.bundle && item.name == name;
  });
}

uint32_t ProgramOut::Place(OpId id) {
  const Op op = m_.ops[id.v];
  const auto slots = m_.SlotsOf(op);
  const auto extras = m_.ExtrasOf(op);
  uint64_t hash = uint64_t(op.shape.v) << 32 | op.name.v;
  if (!slots.empty()) hash = HashBytes(slots.data(), slots.size_bytes(), hash);
  if (!extras.empty()) hash = HashBytes(extras.data(), extras.size_bytes(), hash);
  if (slots.empty() && extras.empty()) hash = HashBytes(&hash, sizeof hash);
  if (placed_.empty()) placed_.emplace_back();
  // The first op of each is remembered in place of a copy of what it says.
  const auto same = [&](uint32_t i) {
    const Op& other = m_.ops[placed_[i].properties_index];
    return other.shape == op.shape && other.name == op.name && std::ranges::equal(m_.SlotsOf(other), slots) &&
           std::ranges::equal(m_.ExtrasOf(other), extras);
  };
  if (const uint32_t found = placed_index_.Find(hash, same)) return found;

  Placed placed;
  placed.shape = op.shape;
  placed.first_property = uint32_t(property_keys_.size());
  std::vector<NodesOut::OpDictEntry> dict;
  const ShapeProperties& p = op.shape ? PropertiesOf(op.shape) : PropertiesOf(op.name);
  const bool portable = p.portable;
  const auto extra_named = [&](std::string_view name) {
    for (const NamedAttr& extra : extras)
      if (m_.strings[extra.name] == name) return extra.value;
    return AttrId();
  };
  const bool named =
      p.named || (!op.shape && std::ranges::any_of(p.items, [&](const ShapeProperties::Item& item) {
        return !item.optional && !extra_named(item.name);
      }));
  placed.name = p.name;
  {
    for (const ShapeProperties::Item& item : p.items) {
      AttrId value;
      if (item.bundle) {
        value = BundleOf(op, *item.bundle);
      } else if (item.slot < 0) {
        if (!named) value = extra_named(item.name);
      } else {
        value = m_.slots[op.first_slot + size_t(item.slot)];
        const Cell& cell = ShapeOf(op.shape).attrs[size_t(item.slot)];
        if (!value && (portable || cell.filled())) value = m_.DefaultOf(op, item.slot);
        if (portable) {
          int64_t number;
          if (cell.attr_class() == AttrClass::kApiVersion && value && m_.AsInteger(value, &number) &&
              FindCase(AttrKind::kCustomCallApiVersion, number))
            value = m_.Enum(AttrKind::kCustomCallApiVersion, number);
          if (value && m_.attrs.KindOf(value) == AttrKind::kUnit && cell.attr_class() != AttrClass::kAny)
            value = m_.Bool(true);
        } else if (value && item.optional) {
          bool flag;
          if (cell.attr_class() == AttrClass::kFlag && m_.AsBool(value, &flag))
            value = flag ? m_.Unit() : AttrId();
        }
      }
      if (!value && !item.optional) {
        if (!portable && op.shape) nodes_.Fail("an op lacks an attribute that it must have");
        continue;
      }
      const Key key = value ? nodes_.AttrKey(value, portable) : Key();
      if (!named && !item.discardable)
        property_keys_.push_back({key, item.optional});
      else if (key)
        dict.push_back({m_.strings.Intern(item.name), key});
    }
  }
  for (const NamedAttr& extra : m_.ExtrasOf(op)) {
    const bool segments =
        op.shape && RowOf(op.shape).Has(Trait::kOperandSegments) && IsSegmentSizes(m_.strings[extra.name]);
    if (segments && !named && format_ >= kSegmentArrays)
      placed.segments[m_.strings[extra.name] == kResultSegmentSizes] = extra.value;
    else if (segments && !named)
      property_keys_.insert(property_keys_.begin() + placed.first_property,
                            {nodes_.AttrKey(extra.value, false), false});
    else if (named || !IsLaterProperty(p, m_.strings[extra.name]))
      dict.push_back({extra.name, nodes_.AttrKey(extra.value, portable)});
  }
  placed.has_segments = !named && format_ >= kSegmentArrays && RowOf(op.shape).Has(Trait::kOperandSegments);
  std::sort(dict.begin(), dict.end(),
            [&](const auto& a, const auto& b) { return m_.strings[a.name] < m_.strings[b.name]; });
  placed.num_properties = uint32_t(property_keys_.size()) - placed.first_property;
  if (!dict.empty()) {
    if (portable) {
      placed.dict = nodes_.OpDict(dict);
    } else {
      // Equal to any other dictionary of the program.
      std::vector<NamedAttr> entries;
      entries.reserve(dict.size());
      for (const auto& entry : dict) entries.push_back({entry.name, AttrId(entry.value.id)});
      placed.dict = nodes_.AttrKey(m_.Dict(std::move(entries)), false);
    }
  }
  placed.properties_index = id.v;  // the op, until everything is placed
  placed_.push_back(placed);
  placed_index_.Insert(hash, uint32_t(placed_.size() - 1));
  return uint32_t(placed_.size() - 1);
}

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

// Few sizes that are not zero are written with their places, the others all.
void ProgramOut::WriteSegments(AttrId attr, BytesOut* out) const {
  const auto node = m_.attrs[attr];
  if (node.kind != AttrKind::kDenseArray) return out->Varint(0);
  const Payload payload = m_.payloads[PayloadId(uint32_t(node.words[1]))];
  std::vector<uint32_t> sizes(payload.size / 4);
  if (!sizes.empty()) std::memcpy(sizes.data(), payload.data, sizes.size() * 4);
  size_t count = 0, last = 0;
  for (size_t i = 0; i < sizes.size(); ++i)
    if (sizes[i]) ++count, last = i;
  if (last > 256 || count > sizes.size() / 2) {
    out->VarintWithFlag(sizes.size(), false);
    for (uint32_t size : sizes) out->Varint(size);
    return;
  }
  out->VarintWithFlag(count, true);
  if (!count) return;
  const unsigned bits = unsigned(std::bit_width(last));
  out->Varint(bits);
  for (size_t i = 0; i < sizes.size(); ++i)
    if (sizes[i]) out->Varint(uint64_t(sizes[i]) << bits | i);
}

uint32_t ProgramOut::PropertiesIndex(Placed& placed) {
  if (placed.properties_index) return placed.properties_index - 1;
  BytesOut bytes;
  for (uint32_t i = 0; i < placed.num_properties; ++i) {
    const PropertyKey& p = property_keys_[placed.first_property + i];
    if (!p.optional)
      bytes.Varint(nodes_.NumberOf(p.key));
    else if (p.key)
      bytes.VarintWithFlag(nodes_.NumberOf(p.key), true);
    else
      bytes.Varint(0);
  }
  if (placed.has_segments) {
    // Groups that no attribute gives a size have none.
    const ShapeRow& shape = ShapeOf(placed.shape);
    for (const auto& [cells, attr] :
         {std::pair(shape.operands, placed.segments[0]), std::pair(shape.results, placed.segments[1])})
      if (std::count_if(cells.begin(), cells.end(), [](const Cell& c) { return c.variadic; }) > 1) {
        if (attr)
          WriteSegments(attr, &bytes);
        else
          bytes.VarintWithFlag(0, true);
      }
  }
  const std::string_view view = bytes.small_bytes();
  const uint64_t hash = HashBytes(view.data(), view.size());
  uint32_t index = properties_index_.Find(hash, [&](uint32_t i) { return properties_[i - 1] == view; });
  if (!index) {
    properties_.emplace_back(view);
    index = uint32_t(properties_.size());
    properties_index_.Insert(hash, index);
  }
  placed.properties_index = index;
  return index - 1;
}

void ProgramOut::WriteProperties(BytesOut* out) const {
  out->Varint(properties_.size());
  for (const std::string& bytes : properties_) {
    out->Varint(bytes.size());
    out->Bytes(bytes);
  }
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
