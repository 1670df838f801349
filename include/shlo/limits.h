// Limits of what one input may cost. A file of a few bytes can ask for any amount of memory, work or text: a
// type that doubles at each level, a frame of zeros, a loop without end.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>

namespace shlo {

// Ends calls from outside: for a user who presses Ctrl-C, or a server that stops. One object may be in the
// limits of several calls, and can be used again after `requested` is cleared.
struct Cancellation {
  // Set by any thread, or by a signal handler: calls then fail with kCanceled, within some milliseconds.
  std::atomic<bool> requested = false;
  // If not null, each thread that works on a call, or waits for others that do, calls this about every 50 ms.
  // It may set `requested`, and must not throw.
  void (*poll)(void* context) = nullptr;
  void* context = nullptr;
};

// How much of a call is done, for another thread that shows it: ops, functions, or entries of an archive.
struct WorkDone {
  // The units that are done, and all of them: 0 until it is known.
  std::atomic<uint64_t> done = 0, all = 0;  // likewise
};

// The budget of readers, writers, verification, conversion, evaluation and proofs: a member of the options of
// each, so that one value limits everything that is done to a program. Exceeding a limit is an error (kLimit)
// that names it.
struct Limits {
  uint32_t max_depth = 500;  // nesting of regions, types and attributes that are read; of calls, up to 500
  uint64_t max_memory = 8ull << 30;  // bytes for decoding beyond the input, or for live tensors
  uint64_t max_steps = 1ull << 40;   // evaluated ops, including called functions
  uint64_t max_work = ~0ull;         // of evaluation, in approximate nanoseconds, the same on every machine
  uint64_t max_output = 1ull << 40;  // bytes of text
  // Threads that work on one program, with the same result for any number. 0: one per processor.
  uint32_t threads = 1;
  // Not set back or forth, as the time of day is.
  using Clock = std::chrono::steady_clock;
  Clock::time_point deadline = Clock::time_point::max();  // when work stops, soon after; max(): never
  const Cancellation* cancellation = nullptr;             // if not null, ends the work; must outlive the call
  WorkDone* work_done = nullptr;  // if not null, kept up to date; must outlive the call

  // Returns limits that grow with the input, in bytes: an input of 1 MB takes no more than about 2 s and
  // 256 MB, and none of ordinary content reaches them.
  static constexpr Limits ForInput(uint64_t bytes) {
    constexpr uint64_t kMiB = 1ull << 20;
    constexpr uint64_t kLargest = 1ull << 40;  // of an input; more cannot overflow
    const uint64_t size = bytes < kLargest ? bytes : kLargest;
    return {.max_memory = 160 * kMiB + 64 * size,
            .max_steps = (size / kMiB + 1) << 22,
            .max_work = (size / kMiB + 1) * 1'000'000'000,
            .max_output = 32 * kMiB + 64 * size};
  }
};

// Returns the limits for inputs of this many bytes.
using LimitsFor = std::function<Limits(uint64_t bytes)>;

}  // namespace shlo
