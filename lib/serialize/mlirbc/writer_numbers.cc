// Numbering of strings, attributes, types and op names, and the order of resources.
#include <algorithm>
#include <numeric>

#include "serialize/mlirbc/writer_nodes.h"

namespace shlo::mlirbc {

uint32_t StringsOut::Add(std::string_view text) {
  const uint64_t hash = HashBytes(text.data(), text.size());
  if (const uint32_t id = index_.Find(hash, [&](uint32_t i) { return strings_[i - 1] == text; }))
    return id - 1;
  strings_.push_back(text);
  index_.Insert(hash, uint32_t(strings_.size()));
  return uint32_t(strings_.size() - 1);
}

void StringsOut::Write(BytesOut* out) const {
  out->Varint(strings_.size());
  for (size_t i = strings_.size(); i-- > 0;) out->Varint(strings_[i].size() + 1);
  for (std::string_view text : strings_) {
    out->Bytes(text);
    out->Byte(0);
  }
}

uint32_t NodesOut::Name(std::string_view full, bool registered) {
  if (names_.empty()) names_.emplace_back();
  const auto [at, added] = name_index_.try_emplace(full, uint32_t(names_.size()));
  if (added) {
    NameNode node;
    const size_t dot = std::min(full.find('.'), full.size());
    node.dialect_name = full.substr(0, dot);
    node.name = full.substr(std::min(dot + 1, full.size()));
    node.registered = registered;
    names_.push_back(node);
  }
  return at->second;
}

void NodesOut::CollectName(uint32_t name, uint32_t uses) {
  NameNode& node = names_[name];
  const bool met = node.uses;
  node.uses += uses;
  if (met) return;
  node.dialect = CollectDialect(node.dialect_name);
  name_order_.push_back(name);
}

namespace {

// Most used first; ties in order of first use. Then, among those whose numbers take the same number of bytes,
// grouped by dialect, beginning with the dialect of the previous run.
template <typename NodeT>
void Order(std::vector<uint32_t>& order, std::vector<NodeT>& nodes) {
  std::stable_sort(order.begin(), order.end(),
                   [&](uint32_t a, uint32_t b) { return nodes[a].uses > nodes[b].uses; });
  uint32_t first_dialect = 0;
  size_t begin = 0, in_run = 0;
  for (unsigned bytes = 1; bytes < 9 && begin < order.size(); ++bytes) {
    in_run = (size_t(1) << (7 * bytes)) - in_run;
    const size_t end = begin + std::min(in_run, order.size() - begin);
    const auto rank = [&](uint32_t i) {
      return nodes[i].dialect == first_dialect ? -1 : int64_t(nodes[i].dialect);
    };
    std::stable_sort(order.begin() + ptrdiff_t(begin), order.begin() + ptrdiff_t(end),
                     [&](uint32_t a, uint32_t b) { return rank(a) < rank(b); });
    first_dialect = nodes[order[end - 1]].dialect;
    begin = end;
  }
  for (size_t i = 0; i < order.size(); ++i) nodes[order[i]].number = uint32_t(i);
}

}  // namespace

void NodesOut::Number() {
  for (Table* table : {&attrs_, &types_}) {
    table->order.resize(table->nodes.size());
    std::iota(table->order.begin(), table->order.end(), 0);
    Order(table->order, table->nodes);
  }
  Order(name_order_, names_);
}

void NodesOut::WriteResources(StringsOut* strings, BytesOut* offsets, BytesOut* contents) const {
  offsets->Varint(0);  // external resources
  if (resources_.empty()) return;
  uint32_t builtin = 0;
  while (builtin < dialects_.size() && dialects_[builtin] != "builtin") ++builtin;
  offsets->Varint(builtin);
  offsets->Varint(resources_.size());
  for (StringId key : resources_) {
    const uint64_t begin = contents->size();
    for (const Resource& resource : m_.resources) {
      if (resource.key != key) continue;
      const StoredBytes bytes = m_.payloads.StoredOf(resource.payload);
      contents->Varint(resource.alignment);
      contents->Varint(bytes.size());
      contents->Align(resource.alignment);
      contents->Blob(bytes);
      break;
    }
    offsets->Varint(strings->Add(m_.strings[key]));
    offsets->Varint(contents->size() - begin);
    offsets->Byte(uint8_t(ResourceKind::kBlob));
  }
}

}  // namespace shlo::mlirbc
