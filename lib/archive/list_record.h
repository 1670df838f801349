// The content of list records: how bytes are assembled (docs/archive-format.md, "Lists").
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "archive/pack_format.h"

namespace shlo::archive {

struct ListPart {
  PartCode code = PartCode::kLiteral;
  uint64_t size = 0;         // of the literal, or of the bytes of the id
  ContentId id;              // unless it is a literal
  std::string_view literal;  // in the content
  // Returns the number of bytes that it contributes.
  uint64_t contributes() const { return code == PartCode::kHexPiece ? 2 * size : size; }
};

struct ListContent {
  uint64_t size = 0;  // of what the parts contribute together
  std::vector<ListPart> parts;
};

std::string WriteList(const ListContent& list);
// Returns nothing for a malformed record. Literals are views of the content.
std::optional<ListContent> ReadList(std::string_view content);

}  // namespace shlo::archive
