// Varints (docs/shlo-format.md, section 1): a growable buffer to write them to, and a cursor over borrowed
// bytes to read them from.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "base/growing_bytes.h"

namespace shlo {

// Fixed-size numbers are little-endian in files; this code copies them without swapping bytes.
static_assert(std::endian::native == std::endian::little, "big-endian machines are not supported");

constexpr uint64_t ZigZag(int64_t x) { return (uint64_t(x) << 1) ^ uint64_t(x >> 63); }
constexpr int64_t UnZigZag(uint64_t x) { return int64_t(x >> 1) ^ -int64_t(x & 1); }

// Append-only bytes.
class ByteBuffer {
 public:
  void Varint(uint64_t x) {
    uint8_t* p = bytes_.Room(10);
    while (x >= 0x80) {
      *p++ = uint8_t(x) | 0x80;
      x >>= 7;
    }
    *p++ = uint8_t(x);
    bytes_.EndAt(p);
  }
  void Byte(uint8_t x) { bytes_.push_back(x); }
  void Bytes(std::string_view bytes) {
    if (!bytes.empty()) std::memcpy(bytes_.Extend(bytes.size()), bytes.data(), bytes.size());
  }
  void Word(uint64_t x) { Bytes({reinterpret_cast<const char*>(&x), sizeof x}); }
  // Returns room for up to `bytes` bytes; EndRun keeps those before `end`.
  uint8_t* BeginRun(size_t bytes) { return bytes_.Room(bytes); }
  void EndRun(const uint8_t* end) { bytes_.EndAt(end); }
  void Reserve(size_t total) { bytes_.reserve(total); }
  size_t size() const { return bytes_.size(); }
  bool empty() const { return bytes_.empty(); }
  void clear() { bytes_.clear(); }
  std::string_view view() const { return {reinterpret_cast<const char*>(bytes_.data()), bytes_.size()}; }

 private:
  GrowingBytes<uint8_t> bytes_;
};

// Reads varints. After the first failure it is at its end and returns zeros, so callers may check once per
// run of reads.
class Cursor {
 public:
  Cursor() = default;
  explicit Cursor(std::string_view bytes)
      : p_(reinterpret_cast<const uint8_t*>(bytes.data())), end_(p_ + bytes.size()) {}
  uint64_t Varint() {
    if (p_ != end_ && *p_ < 0x80) return *p_++;
    return Long();
  }
  // Skips n varints.
  void Skip(uint64_t n) {
    for (; n && !failed_; --n) Varint();
  }
  uint64_t Word() {
    uint64_t x = 0;
    if (left() < sizeof x) return Fail();
    std::memcpy(&x, p_, sizeof x);
    p_ += sizeof x;
    return x;
  }
  std::string_view Bytes(uint64_t n) {
    if (left() < n) {
      Fail();
      return {};
    }
    std::string_view bytes(reinterpret_cast<const char*>(p_), n);
    p_ += n;
    return bytes;
  }
  size_t left() const { return size_t(end_ - p_); }
  bool ok() const { return !failed_; }
  // Whether all bytes were read without a failure.
  bool done() const { return !failed_ && p_ == end_; }
  uint64_t Fail() {
    failed_ = true;
    p_ = end_;
    return 0;
  }

 private:
  uint64_t Long() {
    uint64_t x = 0;
    for (int shift = 0; p_ != end_; shift += 7) {
      const uint8_t byte = *p_++;
      if (shift == 63 && byte > 1) return Fail();
      x |= uint64_t(byte & 0x7F) << shift;
      if (byte < 0x80) return x;
      if (shift == 63) return Fail();
    }
    return Fail();
  }
  const uint8_t* p_ = nullptr;
  const uint8_t* end_ = nullptr;
  bool failed_ = false;
};

}  // namespace shlo
