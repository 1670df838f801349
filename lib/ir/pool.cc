#include "ir/pool.h"

// Sanitizers see into memory of the heap only.
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SHLO_SANITIZED
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define SHLO_SANITIZED
#endif

#if defined(__linux__) && !defined(SHLO_SANITIZED)
#define SHLO_LARGE_PAGES
#include <sys/mman.h>
#endif

namespace shlo {
namespace {

#ifdef SHLO_LARGE_PAGES
// From a quarter of a large page on, memory is asked for in whole ones: first touches of small pages are a
// quarter of the time it takes to read a program.
constexpr std::size_t kLargePage = std::size_t(2) << 20;
constexpr bool IsLarge(std::size_t bytes) { return bytes >= kLargePage / 4; }

// Whole large pages that begin at one.
void* MapLarge(std::size_t bytes) {
  void* const mapped =
      mmap(nullptr, bytes + kLargePage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED) throw std::bad_alloc();
  char* const first = static_cast<char*>(mapped);
  const std::size_t before = -reinterpret_cast<std::uintptr_t>(first) & (kLargePage - 1);
  char* const memory = first + before;
  if (before) munmap(first, before);
  munmap(memory + bytes, kLargePage - before);
  madvise(memory, bytes, MADV_HUGEPAGE);  // advice: it may be refused
  return memory;
}
#endif

}  // namespace

void* AllocatePool(std::size_t* bytes) {
#ifdef SHLO_LARGE_PAGES
  if (IsLarge(*bytes)) {
    *bytes = (*bytes + kLargePage - 1) & ~(kLargePage - 1);
    return MapLarge(*bytes);
  }
#endif
  return ::operator new(*bytes);
}

void FreePool(void* memory, std::size_t bytes) {
#ifdef SHLO_LARGE_PAGES
  if (IsLarge(bytes)) {
    munmap(memory, bytes);
    return;
  }
#endif
  ::operator delete(memory, bytes);
}

}  // namespace shlo
