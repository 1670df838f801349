// Limits of what one input may cost. A file of a few bytes can ask for any amount of memory, work or text: a
// type that doubles at each level, a frame of zeros, a loop without end.
#pragma once

#include <cstdint>

namespace shlo {

// Limits of readers, writers and the evaluator. Exceeding one is an error (kLimit) that names it.
struct Limits {
  uint64_t max_memory = 1ull << 40;  // bytes that decoding takes beyond the input, or live tensors
  uint64_t max_steps = 1ull << 40;   // evaluated ops, including those of called functions
  uint64_t max_work = ~0ull;         // of evaluation, in approximate nanoseconds, the same on every machine
  uint64_t max_output = 1ull << 40;  // bytes of text

  // Returns limits that grow with the input, in bytes: an input of 1 MB takes no more than about 2 s and
  // 256 MB, and none of ordinary content reaches them.
  static constexpr Limits ForInput(uint64_t bytes) {
    constexpr uint64_t kMiB = 1ull << 20;
    constexpr uint64_t kLargest = 1ull << 40;  // of an input; more cannot overflow
    const uint64_t size = bytes < kLargest ? bytes : kLargest;
    return {.max_memory = 160 * kMiB + 64 * size,
            .max_steps = (size / kMiB + 1) << 22,
            .max_work = (size / kMiB + 1) * 1'500'000'000,
            .max_output = 32 * kMiB + 64 * size};
  }
};

}  // namespace shlo
