// Maps the pages of an operand in a file before an op reads them, on threads that wait for work: otherwise
// the op begins with page faults. Internal to lib/eval.
#pragma once

#include <atomic>
#include <mutex>
#include <string_view>

#include "shlo/tensor.h"

namespace shlo {

class PagesAhead {
 public:
  // Sets the next operand, or none, in place of the one before.
  void Set(Tensor operand);
  // Maps some of its pages, on any thread. Returns false if there is nothing to do.
  bool Step();
  // Returns the bytes of these whose pages Step has not mapped, and forgets the operand if it begins with
  // them.
  std::string_view Rest(std::string_view bytes);
  bool empty() const { return !any_; }

 private:
  std::mutex mutex_;
  std::atomic<bool> any_{false};  // whether there is something to do, without the mutex
  Tensor operand_;                // keeps the file mapped
  size_t done_ = 0;               // bytes
};

}  // namespace shlo
