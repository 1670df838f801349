// Stops work at Limits::deadline, or when it is canceled. Public functions state both in a scope; loops
// whose length depends on the input tick, wherever they are, and the tick that finds that the work ends
// unwinds to Guarded.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>

#include "shlo/limits.h"

namespace shlo {

// Thrown by Tick, caught by Guarded.
struct DeadlinePassed {};
struct Canceled {};
constexpr const char* kCanceledMessage = "the call was canceled";

// Sets the deadline of this thread, unless an outer one is earlier, and its cancellation, if there is one.
class DeadlineScope {
 public:
  explicit DeadlineScope(const Limits& limits);
  DeadlineScope(const DeadlineScope&) = delete;
  DeadlineScope& operator=(const DeadlineScope&) = delete;
  ~DeadlineScope();

 private:
  const Limits::Clock::time_point deadline_before_;
  const Cancellation* const cancellation_before_;
};

// Returns the deadline of this thread: max() if there is none.
Limits::Clock::time_point CurrentDeadline();
// Returns limits with the deadline and the cancellation of this thread, for threads that help it.
Limits CurrentEnds();

// Returns whether Cancellation::requested is set for this thread.
bool IsCanceled();

// Waits until `changed` is notified, or for a short time if there is something to poll: spurious wakeups must
// be expected. For threads that wait for others that tick.
void WaitAwhile(std::condition_variable& changed, std::unique_lock<std::mutex>& lock);

// Ticks until the clock is read again, which takes longer than a tick.
extern constinit thread_local int64_t ticks_left;
// Throws if the work ends.
void ReadClock();

// Counts work, in units of roughly 10 to 100 ns: one op, attribute or type, or 16 bytes of a constant.
inline void Tick(uint64_t work = 1) {
  ticks_left -= int64_t(work);
  if (ticks_left < 0) [[unlikely]]
    ReadClock();
}

}  // namespace shlo
