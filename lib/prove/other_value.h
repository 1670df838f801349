// Mistakes in attributes, for tests that plant them.
#pragma once

#include <string>
#include <vector>

#include "shlo/module.h"

namespace shlo {

// Returns an attribute of the same kind with a different value, or none.
inline AttrId OtherValue(Module* m, AttrId attr) {
  if (!attr) return {};
  if (const auto v = m->As<IntegerAttr>(attr)) {
    std::vector<int64_t> words(v->value.begin(), v->value.end());
    words[0] ^= 1;
    FieldWriter fields;
    fields.Type(v->type).Ints(words);
    return m->attrs.Intern(AttrKind::kIntegerAttr, fields);
  }
  if (const auto v = m->As<FloatAttr>(attr)) return m->Float(v->type, uint64_t(v->bits[0]) ^ 1);
  if (const auto v = m->As<StringAttr>(attr)) return m->String(std::string(m->strings[v->value]) + "x");
  if (!CasesOf(m->attrs.KindOf(attr)).empty()) {
    const auto now = m->EnumValue(attr);
    for (const EnumCase& c : CasesOf(m->attrs.KindOf(attr)))
      if (c.value != now) return m->Enum(m->attrs.KindOf(attr), c.value);
    return {};
  }
  if (const auto v = m->As<I64ArrayAttr>(attr)) {
    std::vector<int64_t> values(v->values.begin(), v->values.end());
    if (values.empty())
      values.push_back(7);
    else
      ++values.back();
    return m->I64s(values);
  }
  if (const auto v = m->As<ElementsAttr>(attr)) {
    std::string bytes(m->payloads[v->payload].bytes());
    if (bytes.empty()) return {};
    bytes[bytes.size() / 2] ^= 1;
    return m->Elements(v->type, m->payloads.AddCopy(bytes), v->splat != 0);
  }
  if (const auto v = m->As<DenseArrayAttr>(attr)) {
    std::string bytes(m->payloads[v->payload].bytes());
    if (bytes.empty()) return {};
    bytes[0] ^= 1;
    return m->Make(DenseArrayAttr{.element = v->element, .payload = m->payloads.AddCopy(bytes)});
  }
  if (const auto v = m->As<ArrayAttr>(attr)) {
    std::vector<AttrId> items(v->elements.begin(), v->elements.end());
    for (AttrId& item : items)
      if (const AttrId other = OtherValue(m, item)) {
        item = other;
        return m->Array(items);
      }
    items.push_back(m->I64(1));
    return m->Array(items);
  }
  if (const auto v = m->As<DictionaryAttr>(attr)) {
    std::vector<NamedAttr> entries(v->entries.begin(), v->entries.end());
    for (NamedAttr& entry : entries)
      if (const AttrId other = OtherValue(m, entry.value)) {
        entry.value = other;
        return m->Dict(entries);
      }
    entries.push_back({m->strings.Intern("x"), m->I64(1)});
    return m->Dict(entries);
  }
  if (const auto v = m->As<OpaqueAttr>(attr))
    return m->Opaque(m->strings[v->dialect], std::string(m->strings[v->text]) + "x");
  if (const auto v = m->As<TypeAttr>(attr))
    return m->TypeAttr(m->Type(m->types.KindOf(v->type) == TypeKind::kF64 ? TypeKind::kF32 : TypeKind::kF64));
  if (const auto v = m->As<ResultAccuracyAttr>(attr)) {
    auto other = *v;
    ++other.ulps;
    return m->Make(other);
  }
  return {};
}

}  // namespace shlo
