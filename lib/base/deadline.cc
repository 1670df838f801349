#include "base/deadline.h"

#include <algorithm>
#include <limits>

namespace shlo {
namespace {

using Clock = Limits::Clock;

constexpr int64_t kTicks = 4096;  // far below a millisecond
constexpr int64_t kForever = std::numeric_limits<int64_t>::max();
constexpr Clock::duration kPollInterval = std::chrono::milliseconds(50);

constinit thread_local Clock::time_point deadline = Clock::time_point::max();
constinit thread_local const Cancellation* cancellation = nullptr;
constinit thread_local Clock::time_point next_poll;

bool Ends() { return deadline != Clock::time_point::max() || cancellation; }

void Set(Clock::time_point time, const Cancellation* cancel) {
  deadline = time;
  cancellation = cancel;
  ticks_left = Ends() ? 0 : kForever;
}

bool Polls() { return cancellation && cancellation->poll; }

void Poll(Clock::time_point now) {
  if (now < next_poll) return;
  next_poll = now + kPollInterval;
  cancellation->poll(cancellation->context);
}

}  // namespace

constinit thread_local int64_t ticks_left = kForever;

void ReadClock() {
  if (!Ends()) {
    ticks_left = kForever;
    return;
  }
  const Clock::time_point now = Clock::now();
  if (Polls()) Poll(now);
  ticks_left = 0;  // what catches one of these may go on
  if (IsCanceled()) throw Canceled();
  if (now >= deadline) throw DeadlinePassed();
  ticks_left = kTicks;
}

Clock::time_point CurrentDeadline() { return deadline; }

Limits CurrentEnds() { return {.deadline = deadline, .cancellation = cancellation}; }

bool IsCanceled() { return cancellation && cancellation->requested.load(std::memory_order_relaxed); }

void WaitAwhile(std::condition_variable& changed, std::unique_lock<std::mutex>& lock) {
  if (!Polls()) return changed.wait(lock);
  if (changed.wait_for(lock, kPollInterval) == std::cv_status::no_timeout) return;
  lock.unlock();  // what is polled may wait for a thread that needs it
  Poll(Clock::now());
  lock.lock();
}

DeadlineScope::DeadlineScope(const Limits& limits)
    : deadline_before_(deadline), cancellation_before_(cancellation) {
  if (limits.cancellation && limits.cancellation != cancellation) {
    if (limits.cancellation->poll && !cancellation) next_poll = Clock::now() + kPollInterval;
    Set(std::min(deadline, limits.deadline), limits.cancellation);
  } else if (limits.deadline < deadline) {
    Set(limits.deadline, cancellation);
  }
}

DeadlineScope::~DeadlineScope() {
  if (deadline != deadline_before_ || cancellation != cancellation_before_)
    Set(deadline_before_, cancellation_before_);
}

}  // namespace shlo
