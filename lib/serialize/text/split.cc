// Splits a file at its markers.
#include <algorithm>

#include "base/guarded.h"
#include "base/mapped_bytes.h"
#include "shlo/text_reader.h"

namespace shlo {

bool IsSplitLine(std::string_view text, size_t at) {
  const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
  size_t end = at + kSplitMarker.size();
  while (end < text.size() && blank(text[end])) ++end;
  if (end < text.size() && text[end] != '\n') return false;
  while (at > 0 && blank(text[at - 1])) --at;
  return at == 0 || text[at - 1] == '\n';
}

Result<std::vector<TextChunk>> SplitText(std::string_view text, bool anywhere) {
  return Guarded([&]() -> Result<std::vector<TextChunk>> {
    std::vector<TextChunk> chunks;
    uint32_t line = 1;
    size_t from = 0;
    for (size_t at = 0; (at = text.find(kSplitMarker, at)) != text.npos; at += kSplitMarker.size()) {
      if (!anywhere && !IsSplitLine(text, at)) continue;
      chunks.push_back({text.substr(from, at - from), line});
      line += uint32_t(std::ranges::count(chunks.back().text, '\n'));
      from = at + kSplitMarker.size();
    }
    chunks.push_back({text.substr(from), line});
    // Readers take the pages of a large file one after the other.
    if (text.size() > kPieceBytes) ReleasePages(text);
    return chunks;
  });
}

}  // namespace shlo
