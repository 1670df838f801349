#include "heap.h"

#ifdef __GLIBC__
#include <malloc.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "ir/workers.h"
#endif

namespace shlo::tool {

#ifdef __GLIBC__

namespace {

// Larger allocations are mapped one by one.
constexpr int kLargest = 2 << 20;
bool keeps_freed = false;

}  // namespace

void KeepFreedMemory() {
  keeps_freed = true;
  ::mallopt(M_MMAP_THRESHOLD, kLargest);
  ::mallopt(M_TRIM_THRESHOLD, 64 << 20);
}

void UseLargePages(uint64_t bytes) {
  constexpr uint64_t kManyOps = 1 << 20;
  constexpr int kReserved = 32 << 20;
  constexpr uintptr_t kPage = 4096;
  rlimit data;
  if (!keeps_freed || bytes < kManyOps || ::getrlimit(RLIMIT_DATA, &data) != 0 ||
      data.rlim_cur != RLIM_INFINITY)
    return;
  // Threads have heaps of their own otherwise, which are not advised. Many would wait for each other.
  if (NumThreads(0) <= 4) ::mallopt(M_ARENA_MAX, 1);
  // The heap grows by more than it needs, and what it grows by is advised before anything is in it.
  ::mallopt(M_TOP_PAD, kReserved);
  char* const begin = static_cast<char*>(::sbrk(0));
  char* const first = begin + (-reinterpret_cast<uintptr_t>(begin) & (kPage - 1));
  void* volatile const grown = ::malloc(kLargest / 2);  // volatile: the compiler may leave out both calls
  ::free(grown);
  char* const end = static_cast<char*>(::sbrk(0));
  if (end > first) ::madvise(first, size_t(end - first), MADV_HUGEPAGE);  // advice: it may be refused
}

#else

void KeepFreedMemory() {}
void UseLargePages(uint64_t) {}

#endif

}  // namespace shlo::tool
