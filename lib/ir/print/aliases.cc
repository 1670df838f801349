#include "ir/print/aliases.h"

#include <algorithm>
#include <unordered_map>

#include "base/stack.h"
#include "ir/module/node_words.h"

namespace shlo::text {
namespace {

constexpr size_t kLongTuple = 16;  // members; longer ones get an alias

bool IsEncoding(const Module& m, const NodeView<AttrKind>& node) {
  const auto opaque = node.As<OpaqueAttr>();
  return opaque && m.strings[opaque->dialect] == "sparse_tensor" &&
         m.strings[opaque->text].starts_with(".encoding<");
}

}  // namespace

std::string_view Aliases::BaseOf(AttrId attr) const {
  const auto node = m_.attrs[attr];
  if (IsLocation(node.kind)) return "#loc";
  switch (node.kind) {
    case AttrKind::kAffineMap:
      return "#map";
    case AttrKind::kIntegerSet:
      return "#set";
    case AttrKind::kDistinct:
      return m_.attrs.KindOf(node.Get<DistinctAttr>().attribute) == AttrKind::kUnit ? "" : "#distinct";
    default:
      return IsEncoding(m_, node) ? "#sparse" : "";
  }
}

std::string_view Aliases::BaseOf(TypeId type) const {
  const auto tuple = m_.As<TupleType>(type);
  return tuple && tuple->types.size() > kLongTuple ? "!tuple" : "";
}

bool Aliases::Needed(const Module& m, bool locations) {
  if (locations) return true;
  const Aliases some(m);
  // Ops' own locations are usually not printed: a location counts only if an attribute contains it.
  bool holds_location = false;
  const auto count = [&](AttrId attr) { holds_location |= IsLocation(m.attrs.KindOf(attr)); };
  for (size_t i = 1; i < m.ops.size(); ++i)
    for (const NamedAttr& discardable : m.DiscardableAttrsOf(m.ops[i])) count(discardable.value);
  for (uint32_t i = 1; i < m.attrs.size(); ++i) {
    const auto node = m.attrs[AttrId(i)];
    if (IsLocation(node.kind)) continue;
    if (!some.BaseOf(AttrId(i)).empty()) return true;
    if (const auto array = node.As<ArrayAttr>()) std::ranges::for_each(array->elements, count);
    if (const auto dict = node.As<DictionaryAttr>())
      for (const NamedAttr entry : dict->entries) count(entry.value);
  }
  if (holds_location) return true;
  for (uint32_t i = 1; i < m.types.size(); ++i)
    if (!some.BaseOf(TypeId(i)).empty()) return true;
  return false;
}

uint32_t& Aliases::Slot(std::vector<uint32_t>& index, uint32_t id) {
  if (index.size() <= id) index.resize(std::max<size_t>(size_t(id) + 1, index.size() * 2));
  return index[id];
}

// The depth of a node is 0 if it contains no aliases, 1 if it is an alias without others inside, and
// otherwise one more than that of its contents.
uint32_t Aliases::VisitAttr(AttrId attr, bool deferrable) {
  if (!attr) return 0;
  uint32_t& slot = Slot(by_attr_, attr.v);
  if (slot) {
    Entry& entry = entries_[slot - 1];
    const uint32_t depth = entry.depth;
    if (!deferrable && entry.deferrable) {
      entry.deferrable = false;
      const auto node = m_.attrs[attr];
      VisitFields(RowOf(node.kind), node.words, false);
    }
    return depth;
  }
  const std::string_view base = BaseOf(attr);
  const size_t at = entries_.size();
  entries_.push_back(
      {.name = std::string(base), .id = attr.v, .depth = !base.empty(), .deferrable = deferrable});
  slot = uint32_t(at + 1);
  const auto node = m_.attrs[attr];
  const uint32_t inner = VisitFields(RowOf(node.kind), node.words, deferrable);
  if (inner) entries_[at].depth = inner + 1;
  return entries_[at].depth;
}

uint32_t Aliases::VisitType(TypeId type, bool deferrable) {
  if (!type) return 0;
  uint32_t& slot = Slot(by_type_, type.v);
  if (slot) {
    entries_[slot - 1].deferrable &= deferrable;
    return entries_[slot - 1].depth;
  }
  const std::string_view base = BaseOf(type);
  const size_t at = entries_.size();
  entries_.push_back({.name = std::string(base),
                      .id = type.v,
                      .depth = !base.empty(),
                      .is_type = true,
                      .deferrable = deferrable});
  slot = uint32_t(at + 1);
  const auto node = m_.types[type];
  const uint32_t inner = VisitFields(RowOf(node.kind), node.words, deferrable);
  if (inner) entries_[at].depth = inner + 1;
  return entries_[at].depth;
}

uint32_t Aliases::VisitFields(const KindRow& row, std::span<const uint64_t> words, bool deferrable) {
  CheckStack();
  uint32_t depth = 0;
  ForEachChild(
      row, words, [&](TypeId type) { depth = std::max(depth, VisitType(type, deferrable)); },
      [&](AttrId attr) { depth = std::max(depth, VisitAttr(attr, deferrable)); });
  return depth;
}

void Aliases::Number() {
  for (size_t i = 0; i < entries_.size(); ++i)
    if (!entries_[i].name.empty()) order_.push_back(uint32_t(i));
  std::stable_sort(order_.begin(), order_.end(), [&](uint32_t a, uint32_t b) {
    const Entry &x = entries_[a], &y = entries_[b];
    if (x.depth != y.depth) return x.depth < y.depth;
    if (x.is_type != y.is_type) return x.is_type;
    return x.name < y.name;
  });
  std::unordered_map<std::string, uint32_t> counts;
  for (uint32_t i : order_) {
    std::string& name = entries_[i].name;
    const uint32_t number = counts[name]++;
    if (number) name += std::to_string(number);
  }
}

std::vector<const Aliases::Entry*> Aliases::Definitions(bool deferred) const {
  std::vector<const Entry*> out;
  for (uint32_t i : order_)
    if (entries_[i].deferrable == deferred) out.push_back(&entries_[i]);
  return out;
}

}  // namespace shlo::text
