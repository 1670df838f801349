#include "ir/sha256.h"

#include "ir/mapped_bytes.h"

namespace shlo {

std::array<uint8_t, 32> Sha256Of(std::string_view bytes) {
  Sha256Hasher hasher;
  VisitPieces(bytes, [&](std::string_view piece) {
    hasher.Add(piece);
    return true;
  });
  return hasher.Finish();
}

std::string Sha256Text(const std::array<uint8_t, 32>& digest) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  text.reserve(2 * digest.size());
  for (const uint8_t byte : digest) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

}  // namespace shlo
