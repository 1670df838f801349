// The arrays a large program lies in. Not for small or short-lived lists: those are plain vectors.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace shlo {

// Allocates like the default allocator, but asks the system for large pages where an array spans several:
// first touches of small pages are a sixth of the time it takes to read a program.
template <typename T>
struct PoolAllocator {
  using value_type = T;
  PoolAllocator() = default;
  template <typename U>
  PoolAllocator(const PoolAllocator<U>&) {}

  T* allocate(std::size_t n) {
    if (n < kLarge / sizeof(T)) return static_cast<T*>(::operator new(n * sizeof(T)));
    if (n > SIZE_MAX / 2 / sizeof(T)) throw std::bad_array_new_length();
    const std::size_t bytes = n * sizeof(T);
    void* memory = ::operator new(bytes, std::align_val_t(kPage));
#ifdef __linux__
    madvise(memory, bytes, MADV_HUGEPAGE);  // advice: it may be refused
#endif
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, std::size_t n) {
    if (n < kLarge / sizeof(T))
      ::operator delete(memory);
    else
      ::operator delete(memory, std::align_val_t(kPage));
  }
  friend bool operator==(PoolAllocator, PoolAllocator) { return true; }

 private:
  static constexpr std::size_t kPage = std::size_t(2) << 20;
  static constexpr std::size_t kLarge = 2 * kPage;
};

template <typename T>
using Pool = std::vector<T, PoolAllocator<T>>;

}  // namespace shlo
