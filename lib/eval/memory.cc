#include "eval/memory.h"

#include <algorithm>
#include <new>

#if defined(__linux__)
#include <sys/mman.h>
#endif
#if defined(__SANITIZE_ADDRESS__)
#define SHLO_ADDRESS_SANITIZER
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SHLO_ADDRESS_SANITIZER
#endif
#endif

namespace shlo {

namespace {

constexpr uint64_t kPage = 2 << 20;  // a huge one
constexpr uint64_t kLarge = 2 * kPage;
uint64_t WholePages(uint64_t size) { return (size + kPage - 1) / kPage * kPage; }

// AddressSanitizer sees what malloc returns.
#if defined(__linux__) && !defined(SHLO_ADDRESS_SANITIZER)
// Returns pages that go back to the system when they are freed: malloc would keep them, in pieces of which
// the next large tensor fits into none.
uint8_t* AllocatePages(uint64_t size) {
  const uint64_t mapped = size + kPage;
  void* const all = mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (all == MAP_FAILED) return nullptr;
  uint8_t* const first = static_cast<uint8_t*>(all);
  const uint64_t before = (kPage - reinterpret_cast<uintptr_t>(all) % kPage) % kPage;
  if (before) munmap(first, before);
  munmap(first + before + size, kPage - before);
  madvise(first + before, size, MADV_HUGEPAGE);
  return first + before;
}
void FreePages(uint8_t* bytes, uint64_t size) { munmap(bytes, size); }
#else
uint8_t* AllocatePages(uint64_t size) { return static_cast<uint8_t*>(std::aligned_alloc(kPage, size)); }
void FreePages(uint8_t* bytes, uint64_t) { std::free(bytes); }
#endif

}  // namespace

uint8_t* AllocateBytes(uint64_t size) {
  if (size < kLarge) return static_cast<uint8_t*>(std::malloc(std::max<uint64_t>(size, 16)));
  return size > UINT64_MAX - 2 * kPage ? nullptr : AllocatePages(WholePages(size));
}

void FreeBytes(uint8_t* bytes, uint64_t size) {
  if (size < kLarge)
    std::free(bytes);
  else if (bytes)
    FreePages(bytes, WholePages(size));
}

void* AllocateScratch(uint64_t size) {
  constexpr uint64_t kVector = 64;
  void* bytes = std::aligned_alloc(kVector, (size / kVector + 1) * kVector);
  if (!bytes) throw std::bad_alloc();
  return bytes;
}

}  // namespace shlo
