#include "base/stack.h"

#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/syscall.h>
#endif

#include <algorithm>

namespace shlo {
namespace {

// The space assumed to remain where a stack is first seen, if no system call describes it: stacks of fibers,
// and of threads without /proc.
constexpr uintptr_t kUnknown = kStackReserve + (size_t(64) << 10);

struct Bounds {
  uintptr_t low = 0, high = 0;  // 0: not known
  bool Have(uintptr_t address) const { return address >= low && address < high; }
};

// The stack of a main thread grows up to a limit.
[[maybe_unused]] void GrowToLimit(Bounds* bounds) {
  constexpr rlim_t kMost = rlim_t(1) << 30;
  rlimit limit;
  if (::getrlimit(RLIMIT_STACK, &limit) != 0) return;
  bounds->low = std::min(bounds->low,
                         bounds->high - std::min(uintptr_t(std::min(limit.rlim_cur, kMost)), bounds->high));
}

Bounds BoundsOfThread() {
#if defined(__APPLE__)
  const auto high = uintptr_t(::pthread_get_stackaddr_np(::pthread_self()));
  return {high - ::pthread_get_stacksize_np(::pthread_self()), high};
#elif defined(__linux__)
  pthread_attr_t attributes;
  if (::pthread_getattr_np(::pthread_self(), &attributes) != 0) return {};
  void* low = nullptr;
  size_t size = 0, guard = 0;
  const bool known = ::pthread_attr_getstack(&attributes, &low, &size) == 0;
  ::pthread_attr_getguardsize(&attributes, &guard);
  ::pthread_attr_destroy(&attributes);
  if (!known) return {};
  Bounds bounds{uintptr_t(low), uintptr_t(low) + size};
  const bool main_thread = ::syscall(SYS_gettid) == ::getpid();
#ifndef __GLIBC__
  if (main_thread) GrowToLimit(&bounds);  // musl reports the part that is in use
#endif
  // Whether the guard page is a part of the stack depends on the version of the C library.
  if (!main_thread) bounds.low += std::min<uintptr_t>(guard, size / 4);
  return bounds;
#else
  return {};
#endif
}

}  // namespace

const char* StackExhausted::what() const noexcept { return kStackMessage; }

constinit thread_local StackPart stack_part;

void FindStackPart(uintptr_t address) {
  static constinit thread_local Bounds bounds;
  if (bounds.high == 0) bounds = BoundsOfThread();
  if (bounds.Have(address)) {
    const uintptr_t low = bounds.low + kStackReserve;
    stack_part = {low, std::max(bounds.high, low) - low};
  } else if (stack_part.low - address > kUnknown) {  // not below the part that was assumed, so another stack
    stack_part = {address - (kUnknown - kStackReserve), 2 * kUnknown};
  }
  if (address - stack_part.low < stack_part.size) return;
  if (!bounds.Have(address)) stack_part = {};
  throw StackExhausted();
}

}  // namespace shlo
