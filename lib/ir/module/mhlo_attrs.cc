#include "ir/module/mhlo_attrs.h"

#include <algorithm>

#include "ir/module/struct_words.h"
#include "ir/table/attr_class.h"
#include "ir/table/mhlo.h"

namespace shlo {
namespace {

// Returns a case of an enum from its name ("LT", before 2022), from its number, or from an enum that has a
// case of this name.
AttrId CaseOf(Module& m, AttrKind kind, AttrId value) {
  const EnumCase* found = nullptr;
  std::string_view name;
  int64_t number;
  if (const auto of_other = m.EnumValue(value)) {
    if (const EnumCase* other = FindCase(m.attrs.KindOf(value), *of_other))
      found = FindCase(kind, other->name);
  } else if (m.AsString(value, &name)) {
    found = FindCase(kind, name);
  } else if (m.AsInteger(value, &number)) {
    found = FindCase(kind, number);
  }
  return found ? m.Enum(kind, found->value) : value;
}

AttrId CasesIn(Module& m, AttrKind kind, AttrId value) {
  const auto array = m.As<ArrayAttr>(value);
  if (!array) return value;
  std::vector<AttrId> cases = array->elements.ToVector();
  for (AttrId& one : cases) one = CaseOf(m, kind, one);
  return m.Array(cases);
}

// Returns a struct from a dictionary of its fields. Absent fields are zero or empty.
AttrId StructOf(Module& m, AttrKind kind, AttrId value) {
  const auto dict = m.As<DictionaryAttr>(value);
  if (!dict) return value;
  const std::vector<NamedAttr> entries = dict->entries.ToVector();
  const auto is_type = [](const FieldRow& field) { return field.type == FieldType::kType; };
  if (std::ranges::any_of(RowOf(kind).fields(), is_type)) return value;
  FieldWriter words;
  size_t used = 0;
  const auto entry_of = [&](const FieldRow& field) {
    AttrId given;
    for (const NamedAttr& entry : entries)
      if (m.strings[entry.name] == field.name || m.strings[entry.name] == field.text) given = entry.value;
    used += bool(given);
    return given;
  };
  const bool fit = MakeStructWords(m, kind, entry_of, &words);
  return fit && used == entries.size() ? m.attrs.Intern(kind, words) : value;
}

}  // namespace

AttrId FromMhlo(Module& m, RevisionId id, std::string_view* name, AttrId value) {
  const OpRevision& revision = RevisionOf(id);
  const std::string_view now = mhlo::AttrNow(revision.row, *name);
  // A channel was a dictionary under the name that its first number has today.
  if (!now.empty() && m.attrs.KindOf(value) != AttrKind::kIntegerAttr) *name = now;
  for (const Cell& cell : revision.struct_attrs)
    if (cell.name == *name) return StructOf(m, cell.attr_kind(), value);
  const int slot = revision.FindSlot(*name);
  if (slot < 0) return value;
  const Cell& cell = revision.attrs[size_t(slot)];
  switch (cell.attr_class()) {
    case AttrClass::kEnum:
      return CaseOf(m, cell.attr_kind(), value);
    case AttrClass::kStruct:
      return StructOf(m, cell.attr_kind(), value);
    case AttrClass::kPrecisions:
      return CasesIn(m, AttrKind::kPrecision, value);
    default:
      return value;
  }
}

bool MeansNothing(const Module& m, const mhlo::OpRow& op, std::string_view name, AttrId value) {
  const auto opaque = m.As<OpaqueAttr>(value);
  return opaque && m.strings[opaque->dialect] == "mhlo" &&
         mhlo::MeansNothing(op, name, m.strings[opaque->text]);
}

}  // namespace shlo
