#include "serialize/mlirbc/cursor.h"

#include "base/format.h"

namespace shlo::mlirbc {

// The number of low zero bits of the first byte is the number of bytes that follow it; a first byte of zero
// precedes eight bytes.
uint64_t InCursor::LongVarint() {
  if (p_ == end_) {
    Fail("unexpected end of data: expected a number");
    return 0;
  }
  const int more = *p_ ? std::countr_zero(*p_) : 8;
  if (left() < size_t(more) + 1) {
    Fail("unexpected end of data inside a number");
    return 0;
  }
  uint64_t value = 0;
  if (more == 8) {
    std::memcpy(&value, p_ + 1, 8);
  } else {
    std::memcpy(&value, p_, size_t(more) + 1);
    value >>= more + 1;
  }
  p_ += more + 1;
  return value;
}

void InCursor::FailCount(const char* at, uint64_t count, const char* what) {
  FailAt(at, StrFormat("{} count {} exceeds the {} left", what, count, shlo::Count(left(), "byte")));
}

void InCursor::FailSize(uint64_t size, const char* what) {
  Fail(StrFormat("{} size {} exceeds the {} left", what, size, shlo::Count(left(), "byte")));
}

void InCursor::FailIndex(uint64_t index, uint64_t size, const char* what) {
  Fail(StrFormat("{} index {} out of range [0, {})", what, index, size));
}

void InCursor::Align(uint64_t alignment, const char* file) {
  if (alignment == 0 || (alignment & (alignment - 1)) != 0 || alignment > (1u << 31)) {
    Fail(StrFormat("alignment {} is not a power of two, or is too large", alignment));
    return;
  }
  while (ok() && (uint64_t(reinterpret_cast<const char*>(p_) - file) & (alignment - 1)) != 0)
    if (Byte() != kPaddingByte && ok()) Fail("padding before aligned data has unexpected bytes");
}

bool InCursor::Fail(std::string message, Code code, std::string hint) {
  return FailAt(position(), std::move(message), code, std::move(hint));
}

bool InCursor::FailAt(const char* position, std::string message, Code code, std::string hint) {
  const uint64_t at = uint64_t(position - reinterpret_cast<const char*>(base_));
  p_ = end_;
  if (*failure_) return false;
  Diagnostic d;
  d.code = code;
  d.place.offset = at;
  if (section_ != kNumSections) d.place.section = SectionName(section_);
  d.message = std::move(message);
  d.hint = std::move(hint);
  failure_->diagnostics.push_back(std::move(d));
  return false;
}

}  // namespace shlo::mlirbc
