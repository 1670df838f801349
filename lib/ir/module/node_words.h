// Copies the words of a node for another module.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "shlo/kinds.h"

namespace shlo {

// Returns the words of a node with map(type, word) in place of each word that a field's type covers; the keys
// of named attributes have the type of a list of strings.
template <typename MapT>
std::vector<uint64_t> MappedWords(const KindRow& row, std::span<const uint64_t> node, MapT&& map) {
  std::vector<uint64_t> words(node.begin(), node.end());
  size_t at = 0;
  const auto next = [&](FieldType type) {
    words[at] = map(type, words[at]);
    ++at;
  };
  for (const FieldRow& field : row.fields()) {
    if (at >= words.size()) break;
    const size_t count = IsList(field.type) ? words[at++] : 1;
    for (size_t i = 0; i < count; ++i) {
      if (field.type != FieldType::kNamed) {
        next(field.type);
        continue;
      }
      next(FieldType::kStrings);
      next(FieldType::kAttr);
    }
  }
  return words;
}

}  // namespace shlo
