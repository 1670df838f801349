#include "tasks/sha256.h"

#include <fmt/format.h>
#include <nettle/sha2.h>

#include "ir/mapped_bytes.h"

namespace shlo::tasks {

std::string Sha256Of(std::string_view bytes) {
  sha256_ctx context;
  sha256_init(&context);
  VisitPieces(bytes, [&](std::string_view piece) {
    sha256_update(&context, piece.size(), reinterpret_cast<const uint8_t*>(piece.data()));
    return true;
  });
  uint8_t digest[SHA256_DIGEST_SIZE];
  sha256_digest(&context, sizeof digest, digest);
  std::string text;
  for (const uint8_t byte : digest) text += fmt::format("{:02x}", byte);
  return text;
}

}  // namespace shlo::tasks
