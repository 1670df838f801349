// SHA-256 of bytes that come in pieces.
#pragma once

#include <nettle/sha2.h>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace shlo {

class Sha256Hasher {
 public:
  Sha256Hasher() { sha256_init(&context_); }
  void Add(std::string_view bytes) {
    sha256_update(&context_, bytes.size(), reinterpret_cast<const uint8_t*>(bytes.data()));
  }
  // Returns the digest, and begins again.
  std::array<uint8_t, 32> Finish() {
    std::array<uint8_t, 32> digest;
    sha256_digest(&context_, digest.size(), digest.data());
    return digest;
  }

 private:
  sha256_ctx context_;
};

// Returns the digest of bytes, and gives back pages of mapped files.
std::array<uint8_t, 32> Sha256Of(std::string_view bytes);
// Returns a digest in lower-case digits. Here, so that libshlo_lite has digests without what computes them.
inline std::string Sha256Text(const std::array<uint8_t, 32>& digest) {
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
