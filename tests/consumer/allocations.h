// Allocation functions of a program that refuse one allocation. Included by its only source.
#pragma once

#include <atomic>
#include <cstdlib>
#include <functional>
#include <new>
#include <stdexcept>

namespace {

// Allocations until one fails; negative: none does.
std::atomic<long> countdown{-1};
std::atomic<bool> refused{false};

void* Allocate(size_t size) {
  if (countdown >= 0 && countdown-- == 0) {
    refused = true;
    return nullptr;
  }
  return std::malloc(size ? size : 1);
}

void* AllocateAligned(size_t size, std::align_val_t align) {
  if (countdown >= 0 && countdown-- == 0) {
    refused = true;
    return nullptr;
  }
  return std::aligned_alloc(size_t(align), (size + size_t(align) - 1) / size_t(align) * size_t(align));
}

// Throws for the caller, as this file cannot.
void* OrThrow(void* memory) {
  if (!memory) std::__throw_bad_alloc();
  return memory;
}

}  // namespace

void* operator new(size_t size) { return OrThrow(Allocate(size)); }
void* operator new[](size_t size) { return OrThrow(Allocate(size)); }
void* operator new(size_t size, const std::nothrow_t&) noexcept { return Allocate(size); }
void* operator new[](size_t size, const std::nothrow_t&) noexcept { return Allocate(size); }
void* operator new(size_t size, std::align_val_t align) { return OrThrow(AllocateAligned(size, align)); }
void* operator new[](size_t size, std::align_val_t align) { return OrThrow(AllocateAligned(size, align)); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, size_t, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, size_t, std::align_val_t) noexcept { std::free(memory); }

// Runs `call`, which returns whether it succeeded, with the first, the second, ... allocation refused, until
// one run needs fewer allocations. Returns the number of runs in which one was refused, and counts those that
// failed.
inline long RefuseEach(const std::function<bool()>& call, long* failed) {
  *failed = 0;
  for (long n = 0;; ++n) {
    refused = false;
    countdown = n;
    const bool done = call();
    countdown = -1;
    if (!refused) return n;
    *failed += !done;
  }
}
