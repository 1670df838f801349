// Limits of what one input may cost. A file of a few bytes can ask for any amount of memory, work or text: a
// type that doubles at each level, a frame of zeros, a loop without end.
#pragma once

#include <chrono>
#include <cstdint>

namespace shlo {

// The budget of readers, writers, verification, conversion, evaluation and proofs: a member of the options of
// each, so that one value limits everything that is done to a program. Exceeding a limit is an error (kLimit)
// that names it.
struct Limits {
  uint32_t max_depth = 500;  // nesting of regions, types and attributes that are read; of calls, up to 500
  uint64_t max_memory = 8ull << 30;  // bytes that decoding takes beyond the input, or live tensors
  uint64_t max_steps = 1ull << 40;   // evaluated ops, including those of called functions
  uint64_t max_work = ~0ull;         // of evaluation, in approximate nanoseconds, the same on every machine
  uint64_t max_output = 1ull << 40;  // bytes of text
  // Threads that work on one program, with the same result for any number. 0: one per processor.
  uint32_t threads = 1;
  // Not set back or forth, as the time of day is.
  using Clock = std::chrono::steady_clock;
  Clock::time_point deadline = Clock::time_point::max();  // when work stops, soon after; max(): never

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

}  // namespace shlo
