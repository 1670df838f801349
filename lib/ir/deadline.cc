#include "ir/deadline.h"

#include <algorithm>
#include <limits>

namespace shlo {
namespace {

using Clock = Limits::Clock;

constexpr int64_t kTicks = 4096;  // far below a millisecond
constexpr int64_t kForever = std::numeric_limits<int64_t>::max();

constinit thread_local Clock::time_point deadline = Clock::time_point::max();

void Set(Clock::time_point time) {
  deadline = time;
  ticks_left = time == Clock::time_point::max() ? kForever : 0;
}

}  // namespace

constinit thread_local int64_t ticks_left = kForever;

void ReadClock() {
  if (deadline == Clock::time_point::max()) {
    ticks_left = kForever;
    return;
  }
  ticks_left = kTicks;
  if (Clock::now() < deadline) return;
  ticks_left = 0;  // what catches this may go on
  throw DeadlinePassed();
}

Clock::time_point CurrentDeadline() { return deadline; }

DeadlineScope::DeadlineScope(const Limits& limits) : before_(deadline) {
  if (limits.deadline < deadline) Set(limits.deadline);
}

DeadlineScope::~DeadlineScope() {
  if (deadline != before_) Set(before_);
}

}  // namespace shlo
