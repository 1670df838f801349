// Stops work at Limits::deadline. Public functions state their deadline in a scope; loops whose length
// depends on the input tick, wherever they are, and the tick that finds the deadline passed unwinds to
// Guarded.
#pragma once

#include <cstdint>

#include "shlo/limits.h"

namespace shlo {

// Thrown by Tick, caught by Guarded.
struct DeadlinePassed {};

// Sets the deadline of this thread, unless an outer one is earlier.
class DeadlineScope {
 public:
  explicit DeadlineScope(const Limits& limits);
  DeadlineScope(const DeadlineScope&) = delete;
  DeadlineScope& operator=(const DeadlineScope&) = delete;
  ~DeadlineScope();

 private:
  const Limits::Clock::time_point before_;
};

// Returns the deadline of this thread: max() if there is none.
Limits::Clock::time_point CurrentDeadline();

// Ticks until the clock is read again, which takes longer than a tick.
extern constinit thread_local int64_t ticks_left;
void ReadClock();

// Counts work, in units of roughly 10 to 100 ns: one op, attribute or type, or 16 bytes of a constant.
inline void Tick(uint64_t work = 1) {
  ticks_left -= int64_t(work);
  if (ticks_left < 0) [[unlikely]]
    ReadClock();
}

}  // namespace shlo
