// Splits a file at its markers. On the way it finds constants of megabytes, which hold none, so that the
// reader need not look at their digits again.
#include <algorithm>
#include <utility>

#include "base/guarded.h"
#include "base/hex.h"
#include "base/workers.h"
#include "shlo/text_reader.h"

namespace shlo {
namespace {

// Size of the parts of a text that threads search.
constexpr size_t kPart = size_t(4) << 20;
// Digits are looked for in steps, so that shorter runs may be missed.
constexpr size_t kStep = size_t(64) << 10, kSample = 64;

struct Found {
  std::vector<size_t> markers;
  std::vector<std::string_view> digits;
};

// Searches for markers and digits that begin between two places.
Found Search(std::string_view text, size_t from, size_t to, bool anywhere) {
  Found found;
  while (from < to) {
    const std::string_view rest = text.substr(from, to - from);
    if (rest.size() >= kSample && CountUpperHex(rest.substr(0, kSample)) == kSample) {
      found.digits.push_back(rest.substr(0, CountUpperHex(rest)));
      from += found.digits.back().size();
      continue;
    }
    const size_t until = std::min(from + kStep, to);
    const size_t at = text.substr(from, until - from + kSplitMarker.size() - 1).find(kSplitMarker);
    if (at == text.npos) {
      from = until;
    } else {
      if (anywhere || IsSplitLine(text, from + at)) found.markers.push_back(from + at);
      from += at + kSplitMarker.size();
    }
  }
  return found;
}

std::vector<TextChunk> Split(std::string_view text, uint32_t threads, bool anywhere) {
  std::vector<Found> parts(text.size() / kPart + 1);
  RunParts(parts.size(), NumThreads(threads), [&](size_t i) {
    parts[i] = Search(text, i * kPart, std::min((i + 1) * kPart, text.size()), anywhere);
  });
  std::vector<TextChunk> chunks;
  std::vector<std::string_view> digits;
  uint32_t line = 1;
  size_t from = 0;
  const auto add_chunk = [&](size_t end) {
    chunks.push_back({text.substr(from, end - from), line, std::exchange(digits, {})});
  };
  for (const Found& part : parts) {
    size_t next = 0;
    const auto add_digits = [&](const char* before) {
      for (; next < part.digits.size() && part.digits[next].data() < before; ++next) {
        const std::string_view run = part.digits[next];
        if (!digits.empty() && digits.back().data() + digits.back().size() == run.data())
          digits.back() = {digits.back().data(), digits.back().size() + run.size()};
        else
          digits.push_back(run);
      }
    };
    for (const size_t marker : part.markers) {
      add_digits(text.data() + marker);
      add_chunk(marker);
      line += uint32_t(std::ranges::count(chunks.back().text, '\n'));
      from = marker + kSplitMarker.size();
    }
    add_digits(text.data() + text.size());
  }
  add_chunk(text.size());
  return chunks;
}

}  // namespace

bool IsSplitLine(std::string_view text, size_t at) {
  const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
  size_t end = at + kSplitMarker.size();
  while (end < text.size() && blank(text[end])) ++end;
  if (end < text.size() && text[end] != '\n') return false;
  while (at > 0 && blank(text[at - 1])) --at;
  return at == 0 || text[at - 1] == '\n';
}

Result<std::vector<TextChunk>> SplitText(std::string_view text, uint32_t threads, bool anywhere) {
  return Guarded([&]() -> Result<std::vector<TextChunk>> { return Split(text, threads, anywhere); });
}

}  // namespace shlo
