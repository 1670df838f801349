// Struct attributes whose fields are attributes of the same names: of an op, or of a dictionary.
#pragma once

#include <vector>

#include "shlo/module.h"

namespace shlo {

// Makes the words of a struct from attr_of(field): a list, a number or a type; none where that is absent, so
// that the list is empty, the number 0 or the type none. Returns false if an attribute does not fit its
// field.
template <typename AttrOfT>
bool MakeStructWords(const Module& m, AttrKind kind, AttrOfT&& attr_of, FieldWriter* words) {
  bool fit = true;
  std::vector<int64_t> list;
  for (const FieldRow& field : RowOf(kind).fields()) {
    const AttrId attr = attr_of(field);
    int64_t number = 0;
    list.clear();
    if (field.type == FieldType::kInts) {
      fit &= !attr || m.AsI64s(attr, &list);
      words->Ints(list);
    } else if (field.type == FieldType::kInt) {
      fit &= !attr || m.AsInteger(attr, &number);
      words->Int(number);
    } else {
      const auto type = m.As<TypeAttr>(attr);
      fit &= field.type == FieldType::kType && (!attr || type);
      words->Type(type ? type->type : TypeId());
    }
  }
  return fit;
}

// Returns the words of a struct attribute from the inherent attributes of an op.
inline FieldWriter StructWordsOf(const Module& m, const Op& op, AttrKind kind) {
  FieldWriter words;
  MakeStructWords(
      m, kind, [&](const FieldRow& field) { return m.InherentAttrOf(op, field.name); }, &words);
  return words;
}

}  // namespace shlo
