// Decides whether types and attributes are written as VHLO or in their own dialect.
#include <algorithm>
#include <cstring>

#include "base/hex.h"
#include "ir/module/node_versions.h"
#include "serialize/mlirbc/writer_nodes.h"
#include "shlo/print.h"
#include "shlo/types.h"

namespace shlo::mlirbc {

// The reference allows types of registered dialects in VHLO ops. A builtin type must have a VHLO equivalent;
// so must, to the reference, a type of an unregistered dialect.
bool NodesOut::IsRefused(TypeId type) const {
  const auto node = m_.types[type];
  if (!WireRowsOf(Dialect::kVhlo, node.kind).empty()) return false;
  const auto opaque = node.As<OpaqueType>();
  if (!opaque) return RowOf(node.kind).dialect.empty();
  const std::string_view dialect = m_.strings[opaque->dialect];
  return FindDialect(dialect) == Dialect::kOther &&
         std::ranges::find(OpRows(), dialect, &OpRow::dialect) == OpRows().end();
}

// An attribute in a VHLO op that keeps its own dialect: if it has a type, VHLO must be able to represent it.
void NodesOut::NoteNonVhlo(AttrId attr) {
  has_non_vhlo_ = true;
  if (!has_refused_.empty()) return;
  const auto node = m_.attrs[attr];
  // Struct attributes of StableHLO are flattened in VHLO ops; on their own they have no VHLO equivalent.
  bool refused = node.kind == AttrKind::kTypedString || RowOf(node.kind).dialect == "stablehlo";
  if (const auto type = node.As<TypeAttr>())
    refused = IsRefused(type->type);
  else if (node.kind == AttrKind::kIntegerAttr || node.kind == AttrKind::kFloatAttr ||
           node.kind == AttrKind::kElements)
    refused = IsRefused(m_.TypeOf(attr));
  if (refused) has_refused_ = AttrText(m_, attr);
}

// Large constants of equal bytes are distinct in the module and one in the format. A few bytes tell most of
// them apart, so only likely equal ones are compared in full.
AttrId NodesOut::Canonical(AttrId elements) {
  const auto node = m_.Get<ElementsAttr>(elements);
  const StoredBytes bytes = m_.payloads.StoredOf(node.payload);
  const uint64_t size = bytes.size();
  if (size <= PayloadTable::kDeduplicate) return elements;
  constexpr size_t kSample = 256;
  uint64_t hash = size ^ node.type.v;
  for (const uint64_t at : {uint64_t(0), size / 2, size - kSample}) {
    const std::string sample = CopyOf(bytes.Part(at, kSample));
    hash = HashBytes(sample.data(), sample.size(), hash);
  }
  const uint32_t found = large_index_.Find(hash, [&](uint32_t id) {
    const auto other = m_.Get<ElementsAttr>(AttrId(id));
    return other.type == node.type && other.splat == node.splat &&
           EqualStored(m_.payloads.StoredOf(other.payload), bytes);
  });
  if (found) return AttrId(found);
  large_index_.Insert(hash, elements.v);
  return elements;
}

Key NodesOut::AttrKey(AttrId attr, bool vhlo) {
  if (!vhlo) {
    const bool elements = m_.attrs.KindOf(attr) == AttrKind::kElements;
    return {elements ? Canonical(attr).v : attr.v, KeySpace::kOwn};
  }
  if (vhlo_keys_.size() <= attr.v) vhlo_keys_.resize(std::max<size_t>(m_.attrs.size(), attr.v + 1));
  if (const Key known = vhlo_keys_[attr.v]) {
    if (known.space == KeySpace::kOwn) NoteNonVhlo(attr);
    return known;
  }
  // Attributes that have a different VHLO attribute.
  AttrId as = attr;
  const auto node = m_.attrs[attr];
  switch (node.kind) {
    case AttrKind::kSymbolRef:
      if (std::string_view name; m_.AsSymbol(attr, &name)) as = m_.String(name);
      break;
    case AttrKind::kElements:
      as = Canonical(attr);
      break;
    case AttrKind::kI64Array: {
      const auto ints = node.Get<I64ArrayAttr>().values;
      const std::vector<int64_t> values(ints.begin(), ints.end());
      const int64_t shape[] = {int64_t(values.size())};
      as = m_.I64Elements(shape, values);
      break;
    }
    case AttrKind::kDenseArray: {
      const auto array = node.Get<DenseArrayAttr>();
      if (m_.types.KindOf(array.element) != TypeKind::kI1) break;
      const int64_t shape[] = {int64_t(m_.payloads[array.payload].size)};
      as = m_.Elements(m_.TensorType(shape, array.element), array.payload, false);
      break;
    }
    default:
      break;
  }
  const Key key{as.v, HasVhlo(m_, as) ? KeySpace::kVhlo : KeySpace::kOwn};
  if (vhlo_keys_.size() <= attr.v) vhlo_keys_.resize(attr.v + 1);
  if (key.space == KeySpace::kOwn) NoteNonVhlo(attr);
  const bool own = key.space == KeySpace::kOwn && node.kind != AttrKind::kElements;
  return vhlo_keys_[attr.v] = own ? Key{attr.v, KeySpace::kOwn} : key;
}

Key NodesOut::VhloTypeKey(TypeId type) {
  const bool has = !WireRowsOf(Dialect::kVhlo, m_.types.KindOf(type)).empty();
  has_non_vhlo_ |= !has;
  if (has_refused_.empty()) {
    // Among encodings, only bounds have a VHLO equivalent here.
    const AttrId encoding = ShapedType(m_, type).encoding;
    if (has ? encoding && m_.attrs.KindOf(encoding) != AttrKind::kTypeExtensions : IsRefused(type))
      has_refused_ = TypeText(m_, type);
  }
  if (vhlo_types_.size() <= type.v) vhlo_types_.resize(std::max<size_t>(m_.types.size(), type.v + 1));
  vhlo_types_[type.v] = has ? 1 : 2;
  return {type.v, has ? KeySpace::kVhlo : KeySpace::kOwn};
}

Key NodesOut::OpDict(std::span<const OpDictEntry> entries) {
  std::vector<uint32_t> words;
  for (const OpDictEntry& e : entries)
    words.insert(words.end(), {e.name.v, e.value.id, uint32_t(e.value.space)});
  const uint64_t hash = HashBytes(words.data(), words.size() * 4);
  if (op_dicts_.empty()) op_dicts_.emplace_back();
  uint32_t id = op_dict_index_.Find(hash, [&](uint32_t i) {
    return std::equal(entries.begin(), entries.end(), op_dicts_[i].begin(), op_dicts_[i].end());
  });
  if (!id) {
    id = uint32_t(op_dicts_.size());
    op_dicts_.emplace_back(entries.begin(), entries.end());
    op_dict_index_.Insert(hash, id);
  }
  return {id, KeySpace::kOpDict};
}

namespace {

// Returns the dialect of a node outside of VHLO.
template <typename OpaqueT>
std::string_view OwnDialect(const Module& m, const auto& node) {
  if (const auto opaque = node.template As<OpaqueT>()) return m.strings[opaque->dialect];
  const std::string_view dialect = RowOf(node.kind).dialect;
  return dialect.empty() ? "builtin" : dialect;
}

}  // namespace

std::string_view NodesOut::DialectOf(Key attr) const {
  if (attr.space == KeySpace::kVhlo) return "vhlo";
  return attr.space == KeySpace::kOpDict ? "builtin" : OwnDialect<OpaqueAttr>(m_, m_.attrs[AttrId(attr.id)]);
}

std::string_view NodesOut::TypeDialectOf(Key type) const {
  return type.space == KeySpace::kVhlo ? "vhlo" : OwnDialect<OpaqueType>(m_, m_.types[TypeId(type.id)]);
}

}  // namespace shlo::mlirbc
