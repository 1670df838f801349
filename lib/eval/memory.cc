#include "eval/memory.h"

#include <algorithm>
#include <new>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace shlo {

uint8_t* AllocateBytes(uint64_t size) {
  constexpr uint64_t kPage = 2 << 20;
  if (size < 2 * kPage) return static_cast<uint8_t*>(std::malloc(std::max<uint64_t>(size, 16)));
  size = (size + kPage - 1) / kPage * kPage;
  void* bytes = std::aligned_alloc(kPage, size);
#if defined(__linux__)
  if (bytes) madvise(bytes, size, MADV_HUGEPAGE);
#endif
  return static_cast<uint8_t*>(bytes);
}

void* AllocateScratch(uint64_t size) {
  constexpr uint64_t kVector = 64;
  void* bytes = std::aligned_alloc(kVector, (size / kVector + 1) * kVector);
  if (!bytes) throw std::bad_alloc();
  return bytes;
}

}  // namespace shlo
