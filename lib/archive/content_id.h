// SHA-256, which names content in an archive. Internal to the library; the type is public.
#pragma once

#include <string_view>

#include "base/sha256.h"
#include "shlo/archive.h"

namespace shlo::archive {

// Computes the id of bytes that come in pieces.
class IdHasher {
 public:
  void Add(std::string_view bytes) { hasher_.Add(bytes); }
  // Returns the id, and begins again.
  ContentId Finish() { return {hasher_.Finish()}; }

 private:
  Sha256Hasher hasher_;
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
