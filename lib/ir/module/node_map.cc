#include "ir/module/node_map.h"

#include <string>

#include "base/stack.h"
#include "ir/module/node_words.h"

namespace shlo {

NodeMap::NodeMap(std::shared_ptr<const Module> from, Module* to, SymbolNames names)
    : owner_(std::move(from)),
      from_(*owner_),
      to_(*to),
      names_(std::move(names)),
      strings_(from_.strings.size()),
      types_(from_.types.size()),
      attrs_(from_.attrs.size()),
      signatures_(from_.signatures.size()),
      payloads_(from_.payloads.size()) {}

NodeMap::NodeMap(Module* from, Module* to)
    : from_(*from),
      to_(*to),
      strings_(from_.strings.size()),
      types_(from_.types.size()),
      attrs_(from_.attrs.size()),
      signatures_(from_.signatures.size()) {
  for (uint32_t i = 1; i < strings_.size(); ++i) Map(StringId(i));
  payloads_ = to_.payloads.Absorb(std::move(from->payloads));
  Map(TypeId(uint32_t(types_.size()) - 1));
  Map(AttrId(uint32_t(attrs_.size()) - 1));
  for (uint32_t i = 1; i < signatures_.size(); ++i) Map(SignatureId(i));
}

StringId NodeMap::Map(StringId string) {
  StringId& mapped = strings_[string.v];
  if (!mapped && string) mapped = to_.strings.Intern(from_.strings[string]);
  return mapped;
}

StringId NodeMap::Renamed(StringId name) {
  const auto found = names_.find(from_.strings[name]);
  return found == names_.end() ? Map(name) : to_.strings.Intern(found->second);
}

PayloadId NodeMap::Map(PayloadId payload) {
  PayloadId& mapped = payloads_[payload.v];
  if (!mapped && payload) {
    const Payload bytes = from_.payloads[payload];
    mapped = to_.payloads.AddView(bytes.data, bytes.size, owner_);
  }
  return mapped;
}

// A node was read after those that it refers to, and so were the earlier nodes of their tables.
TypeId NodeMap::Added(TypeId type) {
  CheckStack();
  if (owner_) Add(type);
  while (!owner_ && next_type_ <= type.v) Add(TypeId(next_type_++));
  return types_[type.v];
}

AttrId NodeMap::Added(AttrId attr) {
  CheckStack();
  if (owner_) Add(attr);
  while (!owner_ && next_attr_ <= attr.v) Add(AttrId(next_attr_++));
  return attrs_[attr.v];
}

void NodeMap::Add(TypeId type) {
  const auto node = from_.types[type];
  types_[type.v] = to_.types.Intern(node.kind, Words(RowOf(node.kind), node.words, false));
}

void NodeMap::Add(AttrId attr) {
  const auto node = from_.attrs[attr];
  AttrId added;
  if (const auto resource = owner_ ? node.As<ResourceElementsAttr>() : std::nullopt)
    for (const Resource& r : from_.resources)
      if (r.key == resource->key) added = to_.Elements(Map(resource->type), Map(r.payload), false);
  if (!added) {
    const bool symbol = node.kind == AttrKind::kSymbolRef && !names_.empty();
    added = to_.attrs.Intern(node.kind, Words(RowOf(node.kind), node.words, symbol));
  }
  attrs_[attr.v] = added;
}

std::vector<uint64_t> NodeMap::Words(const KindRow& row, std::span<const uint64_t> node, bool symbol) {
  return MappedWords(row, node, [&](FieldType type, size_t at, uint64_t word) -> uint64_t {
    const uint32_t id = uint32_t(word);
    switch (type) {
      case FieldType::kString:  // the first one of a symbol is its root
        return symbol && at == 0 ? Renamed(StringId(id)).v : Map(StringId(id)).v;
      case FieldType::kType:
        return Map(TypeId(id)).v;
      case FieldType::kAttr:
        return Map(AttrId(id)).v;
      case FieldType::kPayload:
        return Map(PayloadId(id)).v;
      default:
        return word;
    }
  });
}

AttrId NodeMap::SlotOf(const Cell& cell, AttrId attr) {
  // The name of a definition is a string.
  if (const auto name = attr && cell.name == "sym_name" ? from_.As<StringAttr>(attr) : std::nullopt)
    return to_.String(std::string(to_.strings[Renamed(name->value)]));
  return Map(attr);
}

SignatureId NodeMap::Added(SignatureId id) {
  EditedSignature& s = signature_;
  s.Assign(from_.signatures[id]);
  s.name = Map(s.name);
  for (size_t i = 0; i < s.inherent_attrs.size(); ++i)
    s.inherent_attrs[i] = names_.empty() ? Map(s.inherent_attrs[i])
                                         : SlotOf(RevisionOf(s.revision).attrs[i], s.inherent_attrs[i]);
  for (NamedAttr& attr : s.discardable_attrs) attr = {Map(attr.name), Map(attr.value)};
  for (TypeId& type : s.operand_types) type = Map(type);
  for (TypeId& type : s.result_types) type = Map(type);
  return signatures_[id.v] = to_.signatures.Intern(s.view());
}

}  // namespace shlo
