// Op names, attributes and properties.
#include <algorithm>

#include "base/format.h"
#include "ir/module/cells.h"
#include "ir/module/mhlo_attrs.h"
#include "ir/table/attr_class.h"
#include "ir/table/ops.h"
#include "ir/table/trait.h"
#include "serialize/mlirbc/reader_program.h"

namespace shlo::mlirbc {
bool ProgramIn::ReadNames() {
  InCursor c = file_.In(kDialectSection);
  std::string full;
  for (const OpNameEntry& entry : file_.op_names()) {
    const DialectEntry& dialect = file_.dialects()[entry.dialect];
    full = std::string(dialect.name) + "." + std::string(entry.name);
    NameInfo info;
    info.registered = entry.registered;
    if (dialect.dialect == Dialect::kVhlo) {
      info.vhlo = true;
      info.revision = FindVhlo(full);
      if (!info.revision)
        // Mirrors MLIR.
        return file_.FailUnknown(c, file_.ContentOf(kDialectSection).data(),
                                 StrFormat("unregistered operation '{}' found in dialect ('vhlo') that does "
                                           "not allow unknown operations",
                                           full));
      const RowId row = RevisionOf(info.revision).row;
      info.returns = row == ops::kReturn || row == ops::kFuncReturn;
    } else if ((info.mhlo = mhlo::FindOpRow(full)) && info.mhlo->fate == mhlo::Fate::kStablehlo) {
      info.revision = NewestRevision(info.mhlo->row);
    } else if (const RowId row = FindOp(full)) {
      info.revision = NewestRevision(row);
    } else if (dialect.dialect == Dialect::kStablehlo) {
      return file_.FailUnknown(
          c, file_.ContentOf(kDialectSection).data(),
          StrFormat("unregistered operation '{}' found in dialect ('stablehlo') that does "
                    "not allow unknown operations",
                    full));
    } else if (mhlo::IsRefused(dialect.name)) {
      return c.FailAt(
          file_.ContentOf(kDialectSection).data(),
          StrFormat("ops of '{}' work on buffers, and have no counterpart in StableHLO", dialect.name),
          Code::kUnsupported, "export the program before XLA assigns buffers");
    } else {
      info.name = m_.strings.Intern(full);
      if (const WireOp* op = FindWireOp(full)) AddLayouts(*op, &info);
    }
    if (info.revision) {
      if (RowOf(info.revision).Has(Trait::kOperandSegments)) {
        info.groups[0] = WrittenSegments(RevisionOf(info.revision).operands);
        info.groups[1] = WrittenSegments(RevisionOf(info.revision).results);
      }
      AddLayouts(full, &info);
      info.cast = RevisionOf(info.revision).row == ops::kCast;
      info.old = info.mhlo || RowOf(info.revision).dialect == "chlo";
      info.num_inherent_attrs = uint32_t(RevisionOf(info.revision).attrs.size());
    }
    names_.push_back(std::move(info));
  }
  placed_.emplace_back();
  return true;
}

// The properties of an op in encoding order: by name. VHLO ops have the attributes of their revision. Those
// of other ops changed from release to release: the attributes of each revision of the row, and those that no
// row has.
void ProgramIn::AddLayouts(std::string_view name, NameInfo* info) const {
  const auto add = [&](RevisionId id, Version writer) {
    const OpRevision& revision = RevisionOf(id);
    std::vector<Property> layout;
    std::vector<bool> grouped(revision.attrs.size());
    // In the revision that ops get, which may lack the attribute.
    const auto slot_of = [&](std::string_view attr) { return RevisionOf(info->revision).FindSlot(attr); };
    if (!info->vhlo)
      for (const Cell& struct_attr : revision.struct_attrs) {
        Property property{struct_attr.name, -1, &struct_attr, true};
        for (const FieldRow& field : RowOf(struct_attr.attr_kind()).fields())
          if (const int slot = revision.FindSlot(field.name); slot >= 0) {
            grouped[size_t(slot)] = true;
            if (revision.attrs[size_t(slot)].attr_default() == Default::kRequired) property.optional = false;
          }
        layout.push_back(property);
      }
    for (size_t i = 0; i < revision.attrs.size(); ++i) {
      const Cell& cell = revision.attrs[i];
      if (grouped[i] || (info->vhlo && cell.attr_default() == Default::kTextOnly)) continue;
      layout.push_back({cell.name, slot_of(cell.name), nullptr,
                        !info->vhlo && (cell.attr_default() != Default::kRequired ||
                                        (info->mhlo && mhlo::IsOptional(*info->mhlo, cell.name)))});
    }
    if (!info->vhlo)
      for (const WireProperty& property : WireProperties())
        if (property.op == name && property.since <= writer && revision.FindSlot(property.name) < 0)
          layout.push_back({property.name, -1, nullptr, true});
    AddLayout(std::move(layout), info);
  };
  add(info->revision, {});
  if (info->vhlo) return;
  for (const WireProperty& property : WireProperties())
    if (property.op == name) add(info->revision, property.since);
  const OpRow& row = RowOf(info->revision);
  for (uint16_t shape = info->revision.v; shape-- > row.first_revision;) add(RevisionId{shape}, {});
  // Rows of other dialects have one revision: an optional attribute may be a later addition.
  std::vector<Property> required = info->layouts[0];
  std::erase_if(required, [](const Property& property) { return property.optional; });
  if (required.size() < info->layouts[0].size()) info->layouts.push_back(std::move(required));
}

// An op without a row has its first properties, then those that later releases added.
void ProgramIn::AddLayouts(const WireOp& op, NameInfo* info) const {
  info->groups[0] = op.operand_groups();
  std::vector<Property> layout;
  op.ForEach([&](std::string_view name, bool optional, std::string_view) {
    layout.push_back({name, -1, nullptr, optional});
  });
  AddLayout(layout, info);
  for (const WireProperty& property : WireProperties()) {
    if (property.op != op.op) continue;
    layout.push_back({property.name, -1, nullptr, true});
    AddLayout(layout, info);
  }
}

// Before format 6 the segment sizes were ordinary properties; from then on they are numbers after the others.
void ProgramIn::AddLayout(std::vector<Property> layout, NameInfo* info) const {
  if (file_.format() < kSegmentArrays)
    for (const bool results : {false, true})
      if (info->groups[results]) layout.push_back({kSegmentSizes[results], -1, nullptr, false});
  std::sort(layout.begin(), layout.end(),
            [](const Property& a, const Property& b) { return a.name < b.name; });
  info->layouts.push_back(std::move(layout));
}

// Returns the layout with as many properties as there are numbers. If there is none, or if segment sizes
// follow, which take any number, returns the layout of the newest revision.
const std::vector<ProgramIn::Property>& ProgramIn::LayoutFor(const NameInfo& info, InCursor p) const {
  if (info.layouts.size() > 1 && (!info.groups[0] || file_.format() < kSegmentArrays)) {
    size_t numbers = 0;
    for (; p.left(); ++numbers) p.Varint();
    for (const auto& layout : info.layouts)
      if (layout.size() == numbers) return layout;
  }
  return info.layouts[0];
}

bool ProgramIn::ReadProperties() {
  last_placed_.resize(1);
  if (!file_.Has(kPropertySection)) return true;
  InCursor c = file_.In(kPropertySection);
  const uint64_t count = c.Count("properties");
  properties_.reserve(count);
  for (uint64_t i = 0; i < count && c.ok(); ++i) properties_.push_back(c.Bytes(c.Varint(), "op property"));
  if (!c.ok()) return false;
  if (c.left()) return c.Fail("trailing data after the last properties");
  last_placed_.resize(properties_.size() + 1);
  return true;
}

bool ProgramIn::PlaceAttr(const NameInfo& info, const Property* property, std::string_view name, AttrId value,
                          const char* at) {
  if (info.mhlo && MeansNothing(m_, *info.mhlo, name, value)) return true;
  InCursor& c = cursors_.back();
  const auto place = [&](int slot, AttrId attr) {
    if (inherent_attrs_[size_t(slot)])
      return c.FailAt(at, StrFormat("op has a duplicate attribute '{}'", name));
    inherent_attrs_[size_t(slot)] =
        m_.NormalizeInherentAttr(RevisionOf(info.revision).attrs[size_t(slot)], attr);
    return true;
  };
  if (!property || (!property->struct_attr && property->slot < 0)) {
    discardable_attrs_.push_back({m_.strings.Intern(name), value});
    return true;
  }
  if (!property->struct_attr) return place(property->slot, value);
  if (m_.attrs.KindOf(value) != property->struct_attr->attr_kind())
    return c.FailAt(at, StrFormat("expected attribute '{}' to be of kind '{}'", name,
                                  RowOf(property->struct_attr->attr_kind()).mnemonic));
  struct_attr_values_.clear();
  m_.ExpandStructAttr(*property->struct_attr, RevisionOf(info.revision), value, &struct_attr_values_);
  for (const Module::SlotValue& v : struct_attr_values_)
    if (!place(v.slot, v.value)) return false;
  return true;
}

// Reads segment sizes: all of them, or the indices and values of those that are not zero.
bool ProgramIn::ReadSegments(InCursor& p, size_t groups, std::string_view name) {
  std::vector<int32_t> sizes(groups);
  const uint64_t word = p.Varint();
  const bool sparse = word & 1;
  const uint64_t count = word >> 1;
  if (p.ok() && (sparse ? count > sizes.size() : count != sizes.size()))
    return p.Fail("number of segment sizes differs from the number of segments");
  const uint64_t bits = sparse && count ? p.Varint() : 0;
  if (bits > 8) return p.Fail("segment index out of range");
  for (uint64_t i = 0; i < count && p.ok(); ++i) {
    const uint64_t value = p.Varint();
    const uint64_t place = sparse ? value & ((1u << bits) - 1) : i;
    if (place >= sizes.size()) return p.Fail("segment index out of range");
    if (value >> bits > INT32_MAX) return p.Fail("segment size is too large");
    sizes[place] = int32_t(value >> bits);
  }
  if (!p.ok()) return false;
  if (std::ranges::count(sizes, 0) != ptrdiff_t(groups))
    discardable_attrs_.push_back({m_.strings.Intern(name), MakeI32s(&m_, sizes)});
  return true;
}

// Ops repeat attributes and properties: each combination is decoded once.
bool ProgramIn::Place(uint32_t name, uint32_t attrs, uint32_t properties, const char* at, uint32_t* placed) {
  uint32_t& last = last_placed_[properties];
  const uint32_t key[3] = {name, attrs, properties};
  const uint64_t hash = HashBytes(key, sizeof key);
  *placed = last = placed_index_.Find(hash, [&](uint32_t i) { return IsPlaced(i, name, attrs, properties); });
  if (*placed) return true;
  InCursor& c = cursors_.back();
  const NameInfo& info = names_[name];
  const OpRevision& revision = RevisionOf(info.revision);
  inherent_attrs_.assign(revision.attrs.size(), {});
  discardable_attrs_.clear();
  const auto find = [&](std::string_view attr_name) -> const Property* {
    if (!info.layouts.empty())
      for (const Property& property : info.layouts[0])
        if (property.name == attr_name) return &property;
    return nullptr;
  };
  const auto place_dict = [&](AttrId dict, const char* what) {
    if (!dict) return false;
    if (m_.attrs.KindOf(dict) != AttrKind::kDict)
      return c.FailAt(at, StrFormat("{} of an op are not a dictionary", what));
    // Placing interns attributes, which moves the entries.
    const std::vector<NamedAttr> entries = m_.Get<DictionaryAttr>(dict).entries.ToVector();
    for (const NamedAttr& entry : entries) {
      std::string_view attr_name = m_.strings[entry.name];
      const AttrId value = info.old ? FromMhlo(m_, info.revision, &attr_name, entry.value) : entry.value;
      if (!PlaceAttr(info, find(attr_name), attr_name, value, at)) return false;
    }
    return true;
  };
  if (attrs && !place_dict(nodes_.Attr(attrs - 1), "attributes")) return false;
  if (properties) {
    const std::string_view bytes = properties_[properties - 1];
    InCursor p = file_.In(kPropertySection).Part(bytes);
    if (info.registered && !info.revision && info.layouts.empty()) {
      const std::string_view full = m_.strings[info.name];
      return p.Fail(StrFormat("unknown encoding of the properties of '{}'", full), Code::kUnsupported,
                    StrFormat("print the program as text with a tool that has the dialect '{}'",
                              full.substr(0, full.find('.'))));
    }
    if (!info.registered) {
      const AttrId dict = nodes_.AttrAt(p);
      if (!p.ok() || !place_dict(dict, "properties")) return false;
    } else {
      for (const Property& property : LayoutFor(info, p)) {
        AttrId value;
        if (property.optional) {
          bool given;
          value = nodes_.FlaggedAttrAt(p, &given);
          if (!given && p.ok()) continue;
        } else {
          value = nodes_.AttrAt(p);
        }
        std::string_view attr_name = property.name;
        if (value && info.old) value = FromMhlo(m_, info.revision, &attr_name, value);
        if (!value || !PlaceAttr(info, &property, attr_name, value, at)) return false;
      }
      if (file_.format() >= kSegmentArrays)
        for (const bool results : {false, true})
          if (info.groups[results] && !ReadSegments(p, info.groups[results], kSegmentSizes[results]))
            return false;
    }
    if (p.left()) return p.Fail("trailing bytes after the properties of an op");
  }
  if (info.vhlo) m_.DropWrittenDefaults(info.revision, inherent_attrs_);
  if (discardable_attrs_.size() > 1) {
    m_.SortByName(discardable_attrs_);
    for (size_t i = 1; i < discardable_attrs_.size(); ++i)
      if (discardable_attrs_[i].name == discardable_attrs_[i - 1].name)
        return c.FailAt(
            at, StrFormat("op has a duplicate attribute '{}'", m_.strings[discardable_attrs_[i].name]));
  }
  Placed entry{name,
               attrs,
               properties,
               uint32_t(placed_inherent_attrs_.size()),
               uint32_t(placed_discardable_attrs_.size()),
               uint32_t(discardable_attrs_.size())};
  placed_inherent_attrs_.insert(placed_inherent_attrs_.end(), inherent_attrs_.begin(), inherent_attrs_.end());
  placed_discardable_attrs_.insert(placed_discardable_attrs_.end(), discardable_attrs_.begin(),
                                   discardable_attrs_.end());
  *placed = last = uint32_t(placed_.size());
  placed_.push_back(entry);
  placed_index_.Insert(hash, *placed);
  return true;
}

}  // namespace shlo::mlirbc
