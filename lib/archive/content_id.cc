#include "archive/content_id.h"

#include "base/hex.h"

namespace shlo::archive {

ContentId IdOf(std::string_view bytes) { return {Sha256Of(bytes)}; }

std::string IdText(const ContentId& id) { return Sha256Text(id.bytes); }

std::optional<ContentId> ParseId(std::string_view text) {
  ContentId id;
  if (text.size() != 2 * id.bytes.size()) return std::nullopt;
  for (const char c : text)
    if (c >= 'A' && c <= 'F') return std::nullopt;
  if (!DecodeHex(text, id.bytes.data())) return std::nullopt;
  return id;
}

}  // namespace shlo::archive
