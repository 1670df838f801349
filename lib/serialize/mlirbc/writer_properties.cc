// Op attributes and properties: divides them, and encodes properties.
#include <algorithm>
#include <bit>

#include "base/format.h"
#include "ir/module/cells.h"
#include "ir/module/node_words.h"
#include "ir/module/struct_words.h"
#include "ir/table/attr_class.h"
#include "ir/table/trait.h"
#include "serialize/mlirbc/writer_program.h"

namespace shlo::mlirbc {
namespace {

// Returns the revision whose properties a writer of that release writes for an op: its own for VHLO ops, the
// newest for other ops. None if the op lacks a required attribute.
RevisionId WrittenShape(RevisionId id, bool vhlo, Version writer) {
  if (vhlo) return id;
  RevisionId written = RevisionAt(RevisionOf(id).row, writer);
  if (!written) written = id;
  for (const Cell& cell : RevisionOf(written).attrs)
    if (cell.attr_default() == Default::kRequired && RevisionOf(id).FindSlot(cell.name) < 0) return {};
  return written;
}

}  // namespace

const ProgramOut::RevisionProperties& ProgramOut::PropertiesOf(RevisionId id) {
  if (shapes_.empty()) shapes_.resize(OpRevisions().size());
  RevisionProperties& p = shapes_[id.v];
  if (p.known) return p;
  p.known = true;
  const std::string_view vhlo_name = VhloName(id);
  p.vhlo = options_.vhlo && !vhlo_name.empty();
  p.segments = RowOf(id).Has(Trait::kOperandSegments);
  p.name = nodes_.Name(p.vhlo ? vhlo_name : RowOf(id).name, true);
  const RevisionId written = WrittenShape(id, p.vhlo, options_.writer);
  p.named = format_ < kProperties || !written;
  const OpRevision& revision = RevisionOf(written ? written : id);
  const std::string_view name = RowOf(id).name;
  const auto later = [&](std::string_view attr) {
    return std::ranges::find_if(WireProperties(), [&](const WireProperty& property) {
      return property.op == name && property.name == attr;
    });
  };
  const auto slot_of = [&](std::string_view attr) { return RevisionOf(id).FindSlot(attr); };
  std::vector<bool> placed(RevisionOf(id).attrs.size());
  if (!p.vhlo)
    for (const Cell& struct_attr : revision.struct_attrs) {
      RevisionProperties::Item item{struct_attr.name, -1, &struct_attr, true};
      for (const FieldRow& field : RowOf(struct_attr.attr_kind()).fields())
        if (const int slot = slot_of(field.name); slot >= 0) {
          placed[size_t(slot)] = true;
          if (RevisionOf(id).attrs[size_t(slot)].attr_default() == Default::kRequired) item.optional = false;
        }
      p.items.push_back(item);
    }
  for (const Cell& cell : revision.attrs) {
    if (p.vhlo && cell.attr_default() == Default::kTextOnly) continue;
    const auto found = p.vhlo ? WireProperties().end() : later(cell.name);
    if (found != WireProperties().end() && options_.writer < found->since) continue;
    const int slot = slot_of(cell.name);
    if (slot >= 0 && placed[size_t(slot)]) continue;
    if (slot >= 0) placed[size_t(slot)] = true;
    p.items.push_back({cell.name, slot, nullptr, !p.vhlo && cell.attr_default() != Default::kRequired});
  }
  if (!p.vhlo)
    for (const WireProperty& property : WireProperties())
      if (property.op == name && property.since <= options_.writer && revision.FindSlot(property.name) < 0)
        p.items.push_back({property.name, -1, nullptr, true});
  // Attributes that the mirrored release does not know as properties stay attributes.
  if (!p.vhlo)
    for (size_t i = 0; i < placed.size(); ++i)
      if (!placed[i]) p.items.push_back({RevisionOf(id).attrs[i].name, int(i), nullptr, true, true});
  // Before format 6 the segment sizes were ordinary properties; from then on they are numbers after the
  // others.
  if (p.segments && !p.named && format_ < kSegmentArrays)
    for (const bool results : {false, true})
      if (WrittenSegments(results ? revision.results : revision.operands))
        p.items.push_back({kSegmentSizes[results], -1, nullptr, false});
  std::sort(p.items.begin(), p.items.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return p;
}

// Known ops without a row are registered; unknown ones keep everything in the dictionary.
const ProgramOut::RevisionProperties& ProgramOut::PropertiesOf(StringId op_without_row) {
  RevisionProperties& p = without_row_[op_without_row.v];
  if (p.known) return p;
  p.known = true;
  const std::string_view name = m_.strings[op_without_row];
  const WireOp* op = FindWireOp(name);
  p.name = nodes_.Name(name, op != nullptr);
  p.named = !op || format_ < kProperties;
  if (p.named) return p;
  p.segments = op->operand_groups() != 0;
  op->ForEach([&](std::string_view property, bool optional, std::string_view filled) {
    p.items.push_back({property, -1, nullptr, optional, false, filled});
  });
  for (const WireProperty& property : WireProperties())
    if (property.op == name && property.since <= options_.writer)
      p.items.push_back({property.name, -1, nullptr, true});
  if (p.segments && format_ < kSegmentArrays) p.items.push_back({kSegmentSizes[0], -1, nullptr, false});
  std::sort(p.items.begin(), p.items.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return p;
}

// A struct attribute of the slots that its fields name; none if no slot is written.
AttrId ProgramOut::StructAttrOf(const Op& op, const Cell& struct_attr) {
  const AttrKind kind = struct_attr.attr_kind();
  const auto fields = RowOf(kind).fields();
  const auto is_written = [&](const FieldRow& field) { return bool(m_.InherentAttrOf(op, field.name)); };
  if (std::ranges::none_of(fields, is_written)) return {};
  const FieldWriter made = StructWordsOf(m_, op, kind);
  std::vector<uint64_t> words(made.words().begin(), made.words().end());
  ForEachWord(RowOf(kind), words, [&](FieldType type, size_t at, const FieldRow&) {
    if (type == FieldType::kType && !words[at]) words[at] = m_.Type(TypeKind::kNone).v;
  });
  return m_.attrs.Intern(kind, words);
}

// Returns whether a discardable attribute of the module is a property in the mirrored release.
bool ProgramOut::IsLaterProperty(const RevisionProperties& p, std::string_view name) {
  return std::ranges::any_of(p.items, [&](const RevisionProperties::Item& item) {
    return item.slot < 0 && !item.struct_attr && item.name == name;
  });
}

ProgramOut::Placed ProgramOut::MakePlaced(const Op& op) {
  const OpSignature signature = m_.SignatureOf(op);
  const RevisionId revision = signature.revision;
  const auto discardable_attrs = signature.discardable_attrs;
  Placed placed;
  placed.known = true;
  placed.revision = revision;
  placed.first_property = uint32_t(property_keys_.size());
  std::vector<NodesOut::OpDictEntry> dict;
  const RevisionProperties& p = revision ? PropertiesOf(revision) : PropertiesOf(signature.name);
  const bool vhlo = p.vhlo;
  const auto discardable_named = [&](std::string_view name) {
    for (const NamedAttr& discardable : discardable_attrs)
      if (m_.strings[discardable.name] == name) return discardable.value;
    return AttrId();
  };
  const bool named = p.named || (!revision && p.segments && !discardable_named(kSegmentSizes[0])) ||
                     (!revision && std::ranges::any_of(p.items, [&](const RevisionProperties::Item& item) {
                       return !item.optional && !discardable_named(item.name);
                     }));
  placed.name = p.name;
  {
    for (const RevisionProperties::Item& item : p.items) {
      AttrId value;
      if (item.struct_attr) {
        value = StructAttrOf(op, *item.struct_attr);
      } else if (item.slot < 0) {
        if (!named) value = discardable_named(item.name);
        if (!named && !value && !item.filled.empty())
          value = m_.Opaque("arith", "." + std::string(item.filled));
      } else {
        value = signature.inherent_attrs[size_t(item.slot)];
        const Cell& cell = RevisionOf(revision).attrs[size_t(item.slot)];
        if (!value && (vhlo || cell.filled())) value = m_.DefaultOf(op, item.slot);
        if (vhlo) {
          int64_t number;
          if (cell.attr_class() == AttrClass::kApiVersion && value && m_.AsInteger(value, &number) &&
              FindCase(AttrKind::kCustomCallApiVersion, number))
            value = m_.Enum(AttrKind::kCustomCallApiVersion, number);
          if (value && m_.attrs.KindOf(value) == AttrKind::kUnit && !IsOfAnyDialect(cell.attr_class()))
            value = m_.Bool(true);
        } else if (value && item.optional) {
          bool flag;
          if (cell.attr_class() == AttrClass::kFlag && m_.AsBool(value, &flag))
            value = flag ? m_.Unit() : AttrId();
        }
      }
      if (!value && !item.optional) {
        if (!vhlo && revision) nodes_.Fail("op lacks a required attribute");
        continue;
      }
      const Key key = value ? nodes_.AttrKey(value, vhlo) : Key();
      if (!named && !item.discardable)
        property_keys_.push_back({key, item.optional});
      else if (key)
        dict.push_back({m_.strings.Intern(item.name), key});
    }
  }
  for (const NamedAttr& discardable : discardable_attrs) {
    const std::string_view name = m_.strings[discardable.name];
    const bool results = name == kSegmentSizes[1];
    const size_t segments = p.segments && !named && IsSegmentSizes(name) ? SegmentsOf(op, results) : 0;
    if (segments && I32sOf(m_, discardable.value).size() != segments)
      nodes_.Fail(StrFormat("attribute '{}' of '{}' is not an array of {} 32-bit integers", name,
                            m_.NameOf(op), segments),
                  Code::kInvalidProgram);
    if (segments && format_ >= kSegmentArrays)
      placed.segments[results] = discardable.value;
    else if (named || !IsLaterProperty(p, name))
      dict.push_back({discardable.name, nodes_.AttrKey(discardable.value, vhlo)});
  }
  placed.has_segments = !named && format_ >= kSegmentArrays && p.segments;
  std::sort(dict.begin(), dict.end(),
            [&](const auto& a, const auto& b) { return m_.strings[a.name] < m_.strings[b.name]; });
  placed.num_properties = uint32_t(property_keys_.size()) - placed.first_property;
  if (!dict.empty()) {
    if (vhlo) {
      placed.dict = nodes_.OpDict(dict);
    } else {
      // Equal to any other dictionary of the program.
      std::vector<NamedAttr> entries;
      entries.reserve(dict.size());
      for (const auto& entry : dict) entries.push_back({entry.name, AttrId(entry.value.id)});
      placed.dict = nodes_.AttrKey(m_.Dict(std::move(entries)), false);
    }
  }
  return placed;
}

// Returns how many segments the operands or results have whose sizes are written.
size_t ProgramOut::SegmentsOf(const Op& op, bool results) const {
  if (const RevisionId id = m_.RevisionIdOf(op)) {
    const OpRevision& revision = RevisionOf(id);
    return WrittenSegments(results ? revision.results : revision.operands);
  }
  const WireOp* wire = results ? nullptr : FindWireOp(m_.NameOf(op));
  return wire ? wire->operand_groups() : 0;
}

// If few sizes are nonzero, they are written with their indices, otherwise all are.
void ProgramOut::WriteSegments(AttrId attr, BytesOut* out) const {
  const std::vector<int32_t> sizes = I32sOf(m_, attr);
  if (sizes.empty()) return out->Varint(0);
  size_t count = 0, last = 0;
  for (size_t i = 0; i < sizes.size(); ++i)
    if (sizes[i]) ++count, last = i;
  if (last > 256 || count > sizes.size() / 2) {
    out->VarintWithFlag(sizes.size(), false);
    for (const int32_t size : sizes) out->Varint(uint32_t(size));
    return;
  }
  out->VarintWithFlag(count, true);
  if (!count) return;
  const unsigned bits = unsigned(std::bit_width(last));
  out->Varint(bits);
  for (size_t i = 0; i < sizes.size(); ++i)
    if (sizes[i]) out->Varint(uint64_t(uint32_t(sizes[i])) << bits | i);
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
  if (placed.has_segments && !placed.revision) {
    WriteSegments(placed.segments[0], &bytes);
  } else if (placed.has_segments) {
    // Segments without a stated size have none.
    const OpRevision& revision = RevisionOf(placed.revision);
    for (const auto& [cells, attr] :
         {std::pair(revision.operands, placed.segments[0]), std::pair(revision.results, placed.segments[1])})
      if (WrittenSegments(cells)) {
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

}  // namespace shlo::mlirbc
