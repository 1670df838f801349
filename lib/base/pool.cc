#include "shlo/pool.h"

// Sanitizers check only heap memory.
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

#include "base/large_page.h"
#endif

namespace shlo {
namespace {

#ifdef SHLO_LARGE_PAGES
// Allocations of three quarters of a large page or more use whole large pages: page faults of small pages
// take a quarter of the time to read a program.
constexpr bool IsLarge(std::size_t bytes) { return bytes >= kLargePage / 4 * 3; }

constexpr std::size_t RoundedUp(std::size_t bytes) { return (bytes + kLargePage - 1) & ~(kLargePage - 1); }

// Maps whole, aligned large pages; nullptr if the system has no more.
void* MapAligned(std::size_t bytes, int protection) {
  void* const mapped = mmap(nullptr, bytes + kLargePage, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED) return nullptr;
  char* const first = static_cast<char*>(mapped);
  const std::size_t before = -reinterpret_cast<std::uintptr_t>(first) & (kLargePage - 1);
  char* const memory = first + before;
  if (before) munmap(first, before);
  munmap(memory + bytes, kLargePage - before);
  return memory;
}

void* MapLarge(std::size_t bytes) {
  void* const memory = MapAligned(bytes, PROT_READ | PROT_WRITE);
  if (!memory) throw std::bad_alloc();
  madvise(memory, bytes, MADV_HUGEPAGE);  // advice: it may be refused
  return memory;
}
#endif

}  // namespace

PoolCache::~PoolCache() {
#ifdef SHLO_LARGE_PAGES
  for (std::size_t i = 0; i < count_; ++i) munmap(blocks_[i].memory, blocks_[i].bytes);
#endif
}

void* PoolCache::Take(std::size_t* bytes) {
  const std::lock_guard lock(mutex_);
  for (std::size_t i = 0; i < count_; ++i) {
    if (blocks_[i].bytes < *bytes || blocks_[i].bytes / 2 > *bytes) continue;
    const Block taken = blocks_[i];
    blocks_[i] = blocks_[--count_];
    held_ -= taken.bytes;
    *bytes = taken.bytes;
    return taken.memory;
  }
  return nullptr;
}

bool PoolCache::Keep(void* memory, std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  if (count_ == kMaxBlocks || bytes > kMaxBytes - held_) return false;
  blocks_[count_++] = {memory, bytes};
  held_ += bytes;
  return true;
}

void* AllocatePool(std::size_t* bytes, [[maybe_unused]] PoolCache* cache) {
  if (*bytes > SIZE_MAX / 2) throw std::bad_array_new_length();
#ifdef SHLO_LARGE_PAGES
  if (IsLarge(*bytes)) {
    *bytes = RoundedUp(*bytes);
    void* const memory = cache ? cache->Take(bytes) : nullptr;
    return memory ? memory : MapLarge(*bytes);
  }
#endif
  return ::operator new(*bytes);
}

void* AllocateZeros(std::size_t* bytes) {
  const std::size_t wanted = *bytes;
  void* const memory = AllocatePool(bytes, nullptr);
#ifdef SHLO_LARGE_PAGES
  if (IsLarge(wanted)) return memory;
#endif
  return std::memset(memory, 0, wanted);
}

// Moves pages, not bytes: to where they stay aligned.
void* GrowPool([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t old_bytes,
               [[maybe_unused]] std::size_t* bytes) {
#ifdef SHLO_LARGE_PAGES
  if (!IsLarge(old_bytes) || *bytes > SIZE_MAX / 2) return nullptr;
  const std::size_t wanted = RoundedUp(*bytes);
  void* grown = mremap(memory, old_bytes, wanted, 0);
  if (grown == MAP_FAILED) {
    void* const place = MapAligned(wanted, PROT_NONE);
    if (!place) return nullptr;
    grown = mremap(memory, old_bytes, wanted, MREMAP_MAYMOVE | MREMAP_FIXED, place);
    // The place is not unmapped then: it may be another thread's already.
    if (grown == MAP_FAILED) return nullptr;
  }
  *bytes = wanted;
  return grown;
#else
  return nullptr;
#endif
}

void FreePool(void* memory, [[maybe_unused]] std::size_t bytes, [[maybe_unused]] PoolCache* cache) {
#ifdef SHLO_LARGE_PAGES
  if (IsLarge(bytes)) {
    if (!cache || !cache->Keep(memory, bytes)) munmap(memory, bytes);
    return;
  }
#endif
  ::operator delete(memory);
}

}  // namespace shlo
