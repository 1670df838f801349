// Booleans: a byte each in memory, a bit each in files. The first of eight is the lowest bit of a byte, and
// the bits that are left over are 0.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace shlo {

// Returns the number of bytes that have `count` bits.
constexpr uint64_t BytesOfBits(uint64_t count) { return count / 8 + (count % 8 != 0); }

// Packs bytes that come in pieces.
class BitPacker {
 public:
  explicit BitPacker(uint64_t count) : bits_(BytesOfBits(count), '\0') {}

  // Adds booleans, of which there must be `count` in all. Returns false at a byte other than 0 and 1.
  bool Add(std::string_view booleans) {
    constexpr uint64_t kLowest = 0x0101010101010101, kGather = 0x0102040810204080;
    size_t i = 0;
    for (; at_ % 8 && i < booleans.size(); ++i)
      if (!AddOne(booleans[i])) return false;
    for (; booleans.size() - i >= 8; i += 8, at_ += 8) {
      uint64_t eight;
      std::memcpy(&eight, booleans.data() + i, 8);
      if (eight & ~kLowest) return false;
      bits_[at_ / 8] = char(eight * kGather >> 56);
    }
    for (; i < booleans.size(); ++i)
      if (!AddOne(booleans[i])) return false;
    return true;
  }

  std::string Take() { return std::move(bits_); }

 private:
  bool AddOne(char boolean) {
    if (uint8_t(boolean) > 1) return false;
    bits_[at_ / 8] = char(uint8_t(bits_[at_ / 8]) | uint8_t(boolean) << at_ % 8);
    ++at_;
    return true;
  }

  std::string bits_;
  uint64_t at_ = 0;
};

// Writes `count` booleans at `out`. `bits` must have BytesOfBits(count) bytes.
inline void UnpackBits(std::string_view bits, uint64_t count, char* out) {
  constexpr uint64_t kLowest = 0x0101010101010101, kOneEach = 0x8040201008040201, kCarry = 0x7F7F7F7F7F7F7F7F;
  const uint64_t whole = count / 8;
  for (uint64_t i = 0; i < whole; ++i) {
    const uint64_t eight = (((uint8_t(bits[i]) * kLowest) & kOneEach) + kCarry) >> 7 & kLowest;
    std::memcpy(out + i * 8, &eight, 8);
  }
  for (uint64_t i = whole * 8; i < count; ++i) out[i] = char(uint8_t(bits[i / 8]) >> i % 8 & 1);
}

}  // namespace shlo
