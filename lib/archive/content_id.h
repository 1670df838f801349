// SHA-256, which names content in an archive. Internal to the library; the type is public.
#pragma once

#include <nettle/sha2.h>

#include <string_view>

#include "shlo/archive.h"

namespace shlo::archive {

// Computes the id of bytes that come in pieces.
class IdHasher {
 public:
  IdHasher() { sha256_init(&context_); }
  void Add(std::string_view bytes) {
    sha256_update(&context_, bytes.size(), reinterpret_cast<const uint8_t*>(bytes.data()));
  }
  // Returns the id, and begins again.
  ContentId Finish() {
    ContentId id;
    sha256_digest(&context_, id.bytes.size(), id.bytes.data());
    return id;
  }

 private:
  sha256_ctx context_;
};

// For hash tables.
struct IdHash {
  size_t operator()(const ContentId& id) const {
    size_t x;
    __builtin_memcpy(&x, id.bytes.data(), sizeof x);
    return x;
  }
};

// The bytes of an id, for files and databases.
inline std::string_view IdBytes(const ContentId& id) {
  return {reinterpret_cast<const char*>(id.bytes.data()), id.bytes.size()};
}

}  // namespace shlo::archive
