#include "base/sha256.h"

#include "base/mapped_bytes.h"

namespace shlo {

std::array<uint8_t, 32> Sha256Of(std::string_view bytes) {
  Sha256Hasher hasher;
  VisitPieces(bytes, [&](std::string_view piece) {
    hasher.Add(piece);
    return true;
  });
  return hasher.Finish();
}

}  // namespace shlo
