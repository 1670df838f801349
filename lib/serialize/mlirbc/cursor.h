// Bounds-checked cursor over borrowed bytecode. The first failure of a file is kept, with its place; after it
// every cursor is at its end and returns zeros, so callers may check once per run of reads.
#pragma once

#include <bit>
#include <cstring>
#include <string>
#include <string_view>

#include "serialize/mlirbc/format.h"
#include "serialize/varint.h"
#include "shlo/diagnostics.h"

namespace shlo::mlirbc {

// The one failure of a file.
struct Failure {
  Diagnostics diagnostics;
  explicit operator bool() const { return !diagnostics.empty(); }
};

class InCursor {
 public:
  InCursor() = default;
  InCursor(std::string_view bytes, Section section, Failure* failure)
      : p_(reinterpret_cast<const uint8_t*>(bytes.data())),
        end_(p_ + bytes.size()),
        base_(p_),
        section_(section),
        failure_(failure) {}

  uint64_t Varint() {
    if (p_ != end_ && (*p_ & 1)) return *p_++ >> 1;
    return LongVarint();
  }
  int64_t SignedVarint() { return UnZigZag(Varint()); }
  uint8_t Byte() {
    if (p_ != end_) return *p_++;
    Fail("unexpected end of data: expected another byte");
    return 0;
  }
  std::string_view Bytes(uint64_t n, const char* what) {
    if (n > left()) {
      FailSize(n, what);
      return {};
    }
    const std::string_view bytes(reinterpret_cast<const char*>(p_), size_t(n));
    p_ += n;
    return bytes;
  }
  // Reads a count of items of at least `bytes_each` bytes each. `what` names one item in messages.
  uint64_t Count(const char* what, uint64_t bytes_each = 1) {
    const char* at = position();
    const uint64_t n = Varint();
    if (n <= left() / bytes_each) return n;
    FailCount(at, n, what);
    return 0;
  }
  // Reads an index into a table of `size` entries.
  uint32_t Index(uint64_t size, const char* what) {
    const uint64_t i = Varint();
    if (i < size) return uint32_t(i);
    FailIndex(i, size, what);
    return 0;
  }
  void FailIndex(uint64_t index, uint64_t size, const char* what);
  // Skips padding to an alignment, which counts from the start of the file.
  void Align(uint64_t alignment, const char* file);

  // For runs of numbers that cannot end outside of the file. SkipTo returns false, and skips nothing, if they
  // end outside of this section.
  const uint8_t* at() const { return p_; }
  bool SkipTo(const uint8_t* at) {
    if (at > end_) return false;
    p_ = at;
    return true;
  }
  static constexpr size_t kMaxVarint = 9;
  static uint64_t TakeVarint(const uint8_t*& at) {
    const uint8_t first = *at;
    if (first & 1) return ++at, first >> 1;
    uint64_t word;
    if (!first) {
      std::memcpy(&word, at + 1, sizeof word);
      return at += kMaxVarint, word;
    }
    std::memcpy(&word, at, sizeof word);
    const unsigned more = unsigned(std::countr_zero(first));
    at += more + 1;
    return word << (8 * (7 - more)) >> (8 * (7 - more) + more + 1);
  }

  size_t left() const { return size_t(end_ - p_); }
  bool ok() const { return !*failure_; }
  const char* position() const { return reinterpret_cast<const char*>(p_); }
  uint64_t offset() const { return uint64_t(p_ - base_); }
  Section section() const { return section_; }
  // Returns a part of this section, whose offsets count from the same place.
  InCursor Part(std::string_view bytes) const {
    InCursor part(bytes, section_, failure_);
    part.base_ = base_;
    return part;
  }

  // Records the failure of the file, unless there is one already. Returns false.
  bool Fail(std::string message, Code code = Code::kMalformed, std::string hint = {});
  bool FailAt(const char* position, std::string message, Code code = Code::kMalformed, std::string hint = {});
  Failure* failure() const { return failure_; }

 private:
  uint64_t LongVarint();
  void FailCount(const char* at, uint64_t count, const char* what);
  void FailSize(uint64_t size, const char* what);

  const uint8_t* p_ = nullptr;
  const uint8_t* end_ = nullptr;
  const uint8_t* base_ = nullptr;
  Section section_ = kNumSections;
  Failure* failure_ = nullptr;
};

}  // namespace shlo::mlirbc
