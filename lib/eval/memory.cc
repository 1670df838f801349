#include "eval/memory.h"

#include <algorithm>
#include <new>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace shlo {
namespace {

constexpr uint64_t kPage = 2 << 20;

void* AllocatePages(uint64_t size) {
  size = (size + kPage - 1) / kPage * kPage;
  void* bytes = std::aligned_alloc(kPage, size);
#if defined(__linux__)
  if (bytes) madvise(bytes, size, MADV_HUGEPAGE);
#endif
  return bytes;
}

}  // namespace

uint8_t* AllocateBytes(uint64_t size) {
  if (size < 2 * kPage) return static_cast<uint8_t*>(std::malloc(std::max<uint64_t>(size, 16)));
  return static_cast<uint8_t*>(AllocatePages(size));
}

void* AllocateScratch(uint64_t size) {
  constexpr uint64_t kVector = 64;
  void* bytes =
      size >= kPage / 4 ? AllocatePages(size) : std::aligned_alloc(kVector, (size / kVector + 1) * kVector);
  if (!bytes) throw std::bad_alloc();
  return bytes;
}

}  // namespace shlo
