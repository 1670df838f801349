// Walks the words of a node by the fields of its kind.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "shlo/ids.h"
#include "shlo/kinds.h"

namespace shlo {

// Returns the type of a field's items: kAttr for any attributes. The items of kNamed have a key, too.
constexpr FieldType ItemOf(FieldType type) {
  switch (type) {
    case FieldType::kInts:
      return FieldType::kInt;
    case FieldType::kFloats:
      return FieldType::kFloat;
    case FieldType::kStrings:
      return FieldType::kString;
    case FieldType::kTypes:
      return FieldType::kType;
    case FieldType::kOptAttr:
    case FieldType::kAttrs:
    case FieldType::kNamed:
      return FieldType::kAttr;
    default:
      return type;
  }
}

// The index of the first word of each field of a node.
class FieldStarts {
 public:
  FieldStarts(std::span<const FieldRow> fields, std::span<const uint64_t> words) {
    size_t at = 0;
    for (size_t i = 0; i < fields.size(); ++i) {
      starts_[i] = at;
      at += !IsList(fields[i].type) ? 1 : 1 + words[at] * (fields[i].type == FieldType::kNamed ? 2 : 1);
    }
  }
  size_t operator[](size_t field) const { return starts_[field]; }

 private:
  std::array<size_t, std::tuple_size_v<decltype(KindRow::field_rows)>> starts_{};
};

// Calls visit(type, at, field) for each word of a node, in order: its index, its field, and what it holds:
// kInt, kFloat, kString, kType, kAttr (0 for none) or kPayload; for the count of a list kInts. Stops, and
// returns false, if `visit` returns false.
template <typename VisitT>
bool EveryWord(const KindRow& row, std::span<const uint64_t> words, VisitT&& visit) {
  size_t at = 0;
  for (const FieldRow& field : row.fields()) {
    if (at >= words.size()) break;
    uint64_t count = 1;
    if (IsList(field.type)) {
      count = words[at];
      if (!visit(FieldType::kInts, at++, field)) return false;
    }
    const FieldType item = ItemOf(field.type);
    for (; count > 0; --count) {
      if (field.type == FieldType::kNamed && !visit(FieldType::kString, at++, field)) return false;
      if (!visit(item, at++, field)) return false;
    }
  }
  return true;
}

// The same for all words.
template <typename VisitT>
void ForEachWord(const KindRow& row, std::span<const uint64_t> words, VisitT&& visit) {
  EveryWord(row, words, [&](FieldType type, size_t at, const FieldRow& field) {
    visit(type, at, field);
    return true;
  });
}

// Calls types(id) and attrs(id) for what a node refers to; an absent attribute is none.
template <typename Types, typename Attrs>
void ForEachChild(const KindRow& row, std::span<const uint64_t> words, Types&& types, Attrs&& attrs) {
  ForEachWord(row, words, [&](FieldType type, size_t at, const FieldRow&) {
    if (type == FieldType::kType) types(TypeId(uint32_t(words[at])));
    if (type == FieldType::kAttr) attrs(AttrId(uint32_t(words[at])));
  });
}

// Returns the words of a node for another module: map(type, at, word) in place of each.
template <typename MapT>
std::vector<uint64_t> MappedWords(const KindRow& row, std::span<const uint64_t> node, MapT&& map) {
  std::vector<uint64_t> words(node.begin(), node.end());
  ForEachWord(row, words,
              [&](FieldType type, size_t at, const FieldRow&) { words[at] = map(type, at, words[at]); });
  return words;
}

}  // namespace shlo
