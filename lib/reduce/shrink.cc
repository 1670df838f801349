#include "reduce/shrink.h"

#include <algorithm>
#include <set>
#include <string>

#include "base/stack.h"
#include "ir/module/node_words.h"
#include "shlo/types.h"

namespace shlo::reduce {
namespace {

// Returns the elements of a constant with the payload of one element; none if it has none.
std::optional<std::string> FirstElement(const Module& m, AttrId attr) {
  const auto elements = m.As<ElementsAttr>(attr);
  if (!elements) return std::nullopt;
  const uint64_t size = m.ElementBytes(ElementOf(m, elements->type));
  const std::string_view bytes = m.payloads[elements->payload].bytes();
  if (size == 0 || bytes.size() < size) return std::nullopt;
  return std::string(bytes.substr(0, size));
}

TypeId TypeOfConstant(const Module& m, AttrId attr) {
  if (const auto elements = m.As<ElementsAttr>(attr)) return elements->type;
  if (const auto resource = m.As<ResourceElementsAttr>(attr)) return resource->type;
  return TypeId();
}

bool IsZero(const Module& m, AttrId attr) {
  const auto elements = m.As<ElementsAttr>(attr);
  if (!elements || !elements->splat) return false;
  const std::string_view bytes = m.payloads[elements->payload].bytes();
  return bytes.find_first_not_of('\0') == std::string_view::npos;
}

}  // namespace

// --- Attributes --------------------------------------------------------------------------------------

std::vector<Removable> RemovableAttributes(const Module& m) {
  std::vector<Removable> out;
  for (uint32_t i = 1; i < m.ops.size(); ++i) {
    const Op& op = m.ops[i];
    for (uint32_t k = 0; k < m.DiscardableAttrsOf(op).size(); ++k) out.push_back({OpId(i), k, true});
    if (!m.RevisionIdOf(op)) continue;
    const auto cells = RevisionOf(m.RevisionIdOf(op)).attrs;
    const auto slots = m.InherentAttrsOf(op);
    for (uint32_t k = 0; k < slots.size(); ++k)
      if (slots[k] && !cells[k].required()) out.push_back({OpId(i), k, false});
  }
  return out;
}

Module WithoutAttributes(const Module& m, const std::vector<Removable>& all,
                         const std::vector<bool>& chosen) {
  Module out = m;
  for (size_t i = 0; i < all.size();) {
    const OpId op = all[i].op;
    EditedSignature kept(m.SignatureOf(m.ops[op.v]));
    for (; i < all.size() && all[i].op == op; ++i) {
      if (!chosen[i]) continue;
      if (all[i].discardable)
        kept.discardable_attrs[all[i].index].value = AttrId();
      else
        kept.inherent_attrs[all[i].index] = AttrId();
    }
    std::erase_if(kept.discardable_attrs, [](const NamedAttr& attr) { return !attr.value; });
    out.SetSignature(op, kept.view());
  }
  return out;
}

bool HasLocations(const Module& m) {
  return std::ranges::any_of(m.ops, [](const Op& op) { return bool(op.loc); }) ||
         std::ranges::any_of(m.values, [](const Value& v) { return bool(v.loc); });
}

Module WithoutLocations(const Module& m) {
  Module out = m;
  for (Op& op : out.ops) op.loc = AttrId();
  for (Value& value : out.values) value.loc = AttrId();
  return out;
}

// --- Constants ---------------------------------------------------------------------------------------

std::vector<Constant> Constants(const Module& m) {
  std::vector<Constant> out;
  for (uint32_t i = 1; i < m.ops.size(); ++i) {
    const Op& op = m.ops[i];
    if (!m.RevisionIdOf(op) || m.NumOperands(op) != 0 || m.NumResults(op) != 1) continue;
    const auto slots = m.InherentAttrsOf(op);
    for (uint32_t k = 0; k < slots.size(); ++k)
      if (slots[k] && TypeOfConstant(m, slots[k]) && !IsZero(m, slots[k])) out.push_back({OpId(i), k});
  }
  return out;
}

std::optional<Module> WithSplats(const Module& m, const std::vector<Constant>& all,
                                 const std::vector<bool>& chosen, bool zero) {
  Module out = m;
  bool changed = false;
  for (size_t i = 0; i < all.size(); ++i) {
    const AttrId attr = m.InherentAttrsOf(m.ops[all[i].op.v])[all[i].index];
    const TypeId type = TypeOfConstant(m, attr);
    const uint64_t size = chosen[i] ? m.ElementBytes(ElementOf(m, type)) : 0;
    if (size == 0) continue;
    std::optional<std::string> element = std::string(size, '\0');
    if (!zero) element = FirstElement(m, attr);
    if (!element) continue;
    const AttrId splat = out.Elements(type, out.payloads.AddCopy(*element), true);
    changed = changed || splat != attr;
    out.SetInherentAttr(all[i].op, int(all[i].index), splat);
  }
  if (!changed) return std::nullopt;
  return out;
}

// --- Shapes ------------------------------------------------------------------------------------------

int64_t Extents::Map(int64_t extent) const {
  if (extent == kDynamic || extent <= 1) return extent;
  if (from == 0) return std::min(extent, to);
  if (extent == from) return to;
  return multiples && extent % from == 0 ? extent / from * to : extent;
}

std::vector<int64_t> ExtentsOf(const Module& m) {
  std::set<int64_t, std::greater<>> extents;
  for (const Value& value : m.values) {
    if (!value.type) continue;
    const ShapedType type(m, value.type);
    for (int64_t extent : type.shape)
      if (extent > 1) extents.insert(extent);
  }
  return {extents.begin(), extents.end()};
}

std::vector<Extents> ExtentChanges(const std::vector<int64_t>& extents) {
  // Programs with more extents are rare, and each takes up to twelve candidates.
  constexpr size_t kMaxExtents = 64;
  std::vector<Extents> out;
  if (extents.empty()) return out;
  for (const int64_t to : {1, 2})
    for (const bool attributes : {true, false})
      out.push_back({.from = 0, .to = to, .attributes = attributes});
  for (size_t i = 0; i < std::min(extents.size(), kMaxExtents); ++i)
    for (const int64_t to : {1, 2, 3})
      for (const bool multiples : {false, true})
        for (const bool attributes : {true, false})
          if (to < extents[i]) out.push_back({extents[i], to, multiples, attributes});
  return out;
}

namespace {

// Maps types and attributes, with everything inside them.
class ExtentMap {
 public:
  ExtentMap(Module* out, const Extents& change) : m_(*out), change_(change) {
    types_.resize(m_.types.size());
    attrs_.resize(m_.attrs.size());
  }

  // Nodes refer to smaller ids only.
  void MapAll() {
    const uint32_t num_types = uint32_t(types_.size()), num_attrs = uint32_t(attrs_.size());
    // Types refer to attributes (encodings) and attributes to types: both in turns, on demand.
    for (uint32_t i = 1; i < num_types; ++i) Of(TypeId(i), 0);
    for (uint32_t i = 1; i < num_attrs; ++i) Of(AttrId(i), 0);
  }
  TypeId Mapped(TypeId type) const { return type ? types_[type.v] : type; }
  AttrId Mapped(AttrId attr) const { return attr ? attrs_[attr.v] : attr; }

 private:
  TypeId Of(TypeId type, uint32_t depth) {
    CheckStack();
    if (!type || type.v >= types_.size()) return type;
    if (types_[type.v]) return types_[type.v];
    const TypeKind kind = m_.types.KindOf(type);
    const bool shape = kind == TypeKind::kTensor || kind == TypeKind::kVector || kind == TypeKind::kMemref;
    const std::vector<uint64_t> words = Words(RowOf(kind), m_.types[type].words, shape ? "shape" : "", depth);
    return types_[type.v] = m_.types.Intern(kind, words);
  }

  AttrId Of(AttrId attr, uint32_t depth) {
    CheckStack();
    if (!attr || attr.v >= attrs_.size()) return attr;
    if (attrs_[attr.v]) return attrs_[attr.v];
    const AttrKind kind = m_.attrs.KindOf(attr);
    std::string_view list;
    if (kind == AttrKind::kTypeExtensions) list = "bounds";
    if (kind == AttrKind::kI64Array && change_.attributes) list = "values";
    if (IsLocation(kind)) return attrs_[attr.v] = attr;
    const AttrId mapped = m_.attrs.Intern(kind, Words(RowOf(kind), m_.attrs[attr].words, list, depth));
    return attrs_[attr.v] = mapped == attr ? attr : WithElements(attr, mapped);
  }

  // A constant of another shape has its first element everywhere.
  AttrId WithElements(AttrId attr, AttrId mapped) {
    const TypeId type = TypeOfConstant(m_, mapped);
    if (!type || type == TypeOfConstant(m_, attr)) return mapped;
    std::string element(m_.ElementBytes(ElementOf(m_, type)), '\0');
    if (const auto first = FirstElement(m_, attr)) element = *first;
    if (element.empty()) return mapped;
    return m_.Elements(type, m_.payloads.AddCopy(element), true);
  }

  std::vector<uint64_t> Words(const KindRow& row, std::span<const uint64_t> node, std::string_view list,
                              uint32_t depth) {
    std::vector<uint64_t> words(node.begin(), node.end());
    ForEachWord(row, words, [&](FieldType type, size_t at, const FieldRow& field) {
      uint64_t& word = words[at];
      if (type == FieldType::kInt && IsList(field.type) && field.name == list)
        word = uint64_t(change_.Map(int64_t(word)));
      if (depth > kMaxDepth) return;
      if (type == FieldType::kType) word = Of(TypeId(uint32_t(word)), depth + 1).v;
      if (type == FieldType::kAttr) word = Of(AttrId(uint32_t(word)), depth + 1).v;
    });
    return words;
  }

  static constexpr uint32_t kMaxDepth = 500;
  Module& m_;
  const Extents change_;
  std::vector<TypeId> types_;
  std::vector<AttrId> attrs_;
};

}  // namespace

std::optional<Module> WithExtents(const Module& m, const Extents& change) {
  Module out = m;
  ExtentMap map(&out, change);
  map.MapAll();
  bool changed = false;
  for (size_t i = 1; i < out.values.size(); ++i) {
    const TypeId type = map.Mapped(out.values[i].type);
    changed = changed || type != out.values[i].type;
    out.values[i].type = type;
  }
  if (!changed) return std::nullopt;
  out.RewriteSignatures([&](SignatureId, EditedSignature* op) {
    for (AttrId& attr : op->inherent_attrs) attr = map.Mapped(attr);
    for (NamedAttr& attr : op->discardable_attrs) attr.value = map.Mapped(attr.value);
    for (TypeId& type : op->operand_types) type = map.Mapped(type);
    for (TypeId& type : op->result_types) type = map.Mapped(type);
  });
  return out;
}

// --- Resources ---------------------------------------------------------------------------------------

namespace {

void NoteKeys(const Module& m, AttrId attr, std::set<uint32_t>* keys) {
  CheckStack();
  if (!attr) return;
  if (const auto resource = m.As<ResourceElementsAttr>(attr)) keys->insert(resource->key.v);
  for (AttrId item : m.ElementsOf(attr)) NoteKeys(m, item, keys);
  if (const auto dict = m.As<DictionaryAttr>(attr))
    for (NamedAttr entry : dict->entries) NoteKeys(m, entry.value, keys);
}

}  // namespace

void DropUnusedResources(Module* m) {
  if (m->resources.empty()) return;
  std::set<uint32_t> keys;
  for (uint32_t i = 1; i < m->ops.size(); ++i) {
    const Op& op = m->ops[i];
    for (AttrId slot : m->InherentAttrsOf(op)) NoteKeys(*m, slot, &keys);
    for (const NamedAttr& attr : m->DiscardableAttrsOf(op)) NoteKeys(*m, attr.value, &keys);
  }
  std::erase_if(m->resources, [&](const Resource& r) { return !keys.contains(r.key.v); });
}

}  // namespace shlo::reduce
