// Stops recursion before it exceeds the stack of its thread: 8 MB in most main threads, 512 KB in other
// threads of macOS, 128 KB in those of musl. Every function that recurses on its input checks first, and the
// check that finds the stack used up unwinds to Guarded, as a deadline does. How deep a program may be thus
// depends on bytes, and not on a count of levels, of which each recursion needs others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>

#include "base/sanitized.h"

namespace shlo {

// Thrown by CheckStack, caught by Guarded. Functions that may throw std::bad_alloc throw it to their callers.
struct StackExhausted : std::bad_alloc {
  const char* what() const noexcept override;
};
// The message and hint of Guarded's error in that case.
inline constexpr char kStackMessage[] = "nesting needs more stack than this thread has";
inline constexpr char kStackHint[] =
    "run 'ulimit -s 65536' first, or call the library in a thread with a larger stack";

// Bytes that remain for what does not recurse: kernels, libraries, messages and the unwinder.
inline constexpr size_t kStackReserve = (kSanitized ? 256 : 48) << 10;

// The part of this thread's stack in which calls may still recurse; empty until the first check.
struct StackPart {
  uintptr_t low = 0, size = 0;
};
extern constinit thread_local StackPart stack_part;
// Finds the part, and throws StackExhausted unless `address` is in it.
void FindStackPart(uintptr_t address);

// Throws StackExhausted if less is left than `needed` bytes and the reserve.
inline void CheckStack(size_t needed = 0) {
  const uintptr_t address = uintptr_t(__builtin_frame_address(0)) - needed;
  if (address - stack_part.low >= stack_part.size) [[unlikely]]
    FindStackPart(address);
}

}  // namespace shlo
