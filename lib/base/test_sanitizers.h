// For tests that take sanitizers minutes: they see the same code in a part of the cases.
#pragma once

#include <cstddef>

#include "base/sanitized.h"

namespace shlo {

// Chooses all cases, or one of `step` where sanitizers run.
class SomeCases {
 public:
  explicit SomeCases(size_t step) : step_(kSanitized ? step : 1) {}
  bool Next() { return next_++ % step_ == 0; }

 private:
  const size_t step_;
  size_t next_ = 0;
};

}  // namespace shlo
