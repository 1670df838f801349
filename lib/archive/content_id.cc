#include "archive/content_id.h"

#include "ir/hex.h"
#include "ir/mapped_bytes.h"

namespace shlo::archive {

ContentId IdOf(std::string_view bytes) {
  IdHasher hasher;
  VisitPieces(bytes, [&](std::string_view piece) {
    hasher.Add(piece);
    return true;
  });
  return hasher.Finish();
}

std::string IdText(const ContentId& id) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  text.reserve(2 * id.bytes.size());
  for (const uint8_t byte : id.bytes) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

std::optional<ContentId> ParseId(std::string_view text) {
  ContentId id;
  if (text.size() != 2 * id.bytes.size()) return std::nullopt;
  for (const char c : text)
    if (c >= 'A' && c <= 'F') return std::nullopt;
  if (!DecodeHex(text, id.bytes.data())) return std::nullopt;
  return id;
}

}  // namespace shlo::archive
