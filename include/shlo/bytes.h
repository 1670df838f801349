// Bytes that somebody else owns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

namespace shlo {

// Owner of bytes that stay valid and in place as long as a reference exists: a mapped file, a decoded
// section.
using Buffer = std::shared_ptr<const void>;

// The bytes of a constant as their origin has them: themselves, or as upper-case hexadecimal digits.
struct StoredBytes {
  std::string_view stored;  // valid as long as the table or a copy of it
  bool hex = false;         // two digits are a byte
  // Returns the number of bytes.
  uint64_t size() const { return hex ? stored.size() / 2 : stored.size(); }
  // Returns some of the bytes, or as many as there are.
  StoredBytes Part(uint64_t from, uint64_t count) const {
    return {stored.substr(hex ? 2 * from : from, hex ? 2 * count : count), hex};
  }
  StoredBytes First(uint64_t count) const { return Part(0, count); }
};

// Returns a stable hash of bytes (XXH3, 64 bits), the same on every machine.
uint64_t HashBytes(const void* data, size_t size, uint64_t seed = 0);

}  // namespace shlo
