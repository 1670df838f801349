// Splits a file at its markers.
#include <algorithm>

#include "base/guarded.h"
#include "base/workers.h"
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

Result<std::vector<TextChunk>> SplitText(std::string_view text, uint32_t threads, bool anywhere) {
  return Guarded([&]() -> Result<std::vector<TextChunk>> {
    constexpr size_t kPart = size_t(4) << 20;
    std::vector<std::vector<size_t>> markers(text.size() / kPart + 1);  // that begin in each part
    RunParts(markers.size(), NumThreads(threads), [&](size_t i) {
      const std::string_view until = text.substr(0, (i + 1) * kPart + kSplitMarker.size() - 1);
      for (size_t at = i * kPart; (at = until.find(kSplitMarker, at)) != until.npos; ++at)
        if (anywhere || IsSplitLine(text, at)) markers[i].push_back(at);
    });
    std::vector<TextChunk> chunks;
    uint32_t line = 1;
    size_t from = 0;
    for (const std::vector<size_t>& of_part : markers)
      for (const size_t at : of_part) {
        chunks.push_back({text.substr(from, at - from), line});
        line += uint32_t(std::ranges::count(chunks.back().text, '\n'));
        from = at + kSplitMarker.size();
      }
    chunks.push_back({text.substr(from), line});
    return chunks;
  });
}

}  // namespace shlo
