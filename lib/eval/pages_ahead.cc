#include "eval/pages_ahead.h"

#include <utility>

#include "ir/mapped_bytes.h"

namespace shlo {
namespace {

std::string_view BytesOf(const Tensor& tensor) {
  return {reinterpret_cast<const char*>(tensor.data()), tensor.stored_bytes()};
}

}  // namespace

void PagesAhead::Set(Tensor operand) {
  const std::lock_guard lock(mutex_);
  std::swap(operand_, operand);
  done_ = 0;
  any_ = bool(operand_);
}

bool PagesAhead::Step() {
  constexpr size_t kStep = 128 << 10;  // takes some microseconds, for which work may wait
  if (!any_) return false;
  Tensor operand;
  size_t begin = 0;
  {
    const std::lock_guard lock(mutex_);
    if (!any_) return false;
    operand = operand_;
    begin = std::exchange(done_, done_ + kStep);
    any_ = done_ < operand_.stored_bytes();
  }
  TouchPages(BytesOf(operand).substr(begin, kStep));
  return true;
}

std::string_view PagesAhead::Rest(std::string_view bytes) {
  Tensor forgotten;  // freed without the lock
  const std::lock_guard lock(mutex_);
  if (!operand_ || BytesOf(operand_).data() != bytes.data()) return bytes;
  std::swap(operand_, forgotten);
  any_ = false;
  return bytes.substr(std::min(done_, bytes.size()));
}

}  // namespace shlo
