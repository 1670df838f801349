#include "eval/tensor/memory.h"

#include <algorithm>
#include <iterator>
#include <new>

#include "base/large_page.h"

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

constexpr uint64_t kLarge = 2 * kLargePage;
uint64_t WholePages(uint64_t size) { return (size + kLargePage - 1) / kLargePage * kLargePage; }

// AddressSanitizer sees what malloc returns.
#if defined(__linux__) && !defined(SHLO_ADDRESS_SANITIZER)
// Returns pages that go back to the system when they are freed: malloc would keep them, in pieces of which
// the next large tensor fits into none.
uint8_t* AllocatePages(uint64_t size) {
  const uint64_t mapped = size + kLargePage;
  void* const all = mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (all == MAP_FAILED) return nullptr;
  uint8_t* const first = static_cast<uint8_t*>(all);
  const uint64_t before = (kLargePage - reinterpret_cast<uintptr_t>(all) % kLargePage) % kLargePage;
  if (before) munmap(first, before);
  munmap(first + before + size, kLargePage - before);
  madvise(first + before, size, MADV_HUGEPAGE);
  return first + before;
}
void FreePages(uint8_t* bytes, uint64_t size) { munmap(bytes, size); }
#else
uint8_t* AllocatePages(uint64_t size) { return static_cast<uint8_t*>(std::aligned_alloc(kLargePage, size)); }
void FreePages(uint8_t* bytes, uint64_t) { std::free(bytes); }
#endif

}  // namespace

uint8_t* AllocateBytes(uint64_t size) {
  if (size < kLarge) return static_cast<uint8_t*>(std::malloc(std::max<uint64_t>(size, 16)));
  return size > UINT64_MAX - 2 * kLargePage ? nullptr : AllocatePages(WholePages(size));
}

void FreeBytes(uint8_t* bytes, uint64_t size) {
  if (size < kLarge)
    std::free(bytes);
  else if (bytes)
    FreePages(bytes, WholePages(size));
}

// --- Arena ----------------------------------------------------------------------------------------

namespace {
constexpr uint64_t kVector = 64;  // alignment
}  // namespace

#if defined(SHLO_ADDRESS_SANITIZER)
TensorArena::~TensorArena() = default;
uint8_t* TensorArena::Allocate(uint64_t size) { return AllocateBytes(size); }
void TensorArena::Free(uint8_t* bytes, uint64_t size) { FreeBytes(bytes, size); }
#else
namespace {
constexpr uint64_t kChunk = 16 << 20;
uint64_t WholeVectors(uint64_t size) { return (size + kVector - 1) / kVector * kVector; }
}  // namespace

TensorArena::~TensorArena() {
  for (const auto& [bytes, size] : chunks_) FreePages(bytes, size);
}

void TensorArena::AddGap(uint8_t* bytes, uint64_t size) {
  gaps_.emplace(bytes, size);
  by_size_.emplace(size, bytes);
}

void TensorArena::RemoveGap(std::map<uint8_t*, uint64_t>::iterator gap) {
  by_size_.erase({gap->second, gap->first});
  gaps_.erase(gap);
}

// Takes the smallest gap that is large enough: others may be needed for larger tensors.
uint8_t* TensorArena::TakeGap(uint64_t size) {
  const auto found = by_size_.lower_bound({size, nullptr});
  if (found == by_size_.end()) return nullptr;
  const auto [all, bytes] = *found;
  RemoveGap(gaps_.find(bytes));
  if (all > size) AddGap(bytes + size, all - size);
  return bytes;
}

void TensorArena::FreeChunks() {
  for (auto chunk = chunks_.begin(); chunk != chunks_.end();) {
    const auto gap = gaps_.find(chunk->first);
    if (gap == gaps_.end() || gap->second != chunk->second) {
      ++chunk;
      continue;
    }
    RemoveGap(gap);
    FreePages(chunk->first, chunk->second);
    mapped_ -= chunk->second;
    chunk = chunks_.erase(chunk);
  }
}

uint8_t* TensorArena::Allocate(uint64_t size) {
  if (size > UINT64_MAX / 2) return nullptr;
  size = WholeVectors(size);
  const std::lock_guard lock(mutex_);
  if (uint8_t* const bytes = TakeGap(size)) return bytes;
  uint64_t chunk = WholePages(std::max(size, kChunk));
  if (mapped_ + chunk > most_mapped_) FreeChunks();  // they must not add to the peak
  uint8_t* bytes = AllocatePages(chunk);
  if (!bytes) bytes = AllocatePages(chunk = WholePages(size));
  if (!bytes) return nullptr;
  chunks_.emplace(bytes, chunk);
  most_mapped_ = std::max(most_mapped_, mapped_ += chunk);
  if (chunk > size) AddGap(bytes + size, chunk - size);
  return bytes;
}

void TensorArena::Free(uint8_t* bytes, uint64_t size) {
  size = WholeVectors(size);
  const std::lock_guard lock(mutex_);
  // Joins the gaps around it, but not across chunks.
  auto after = gaps_.lower_bound(bytes);
  if (after != gaps_.end() && after->first == bytes + size && !chunks_.contains(after->first)) {
    size += after->second;
    const auto joined = after++;
    RemoveGap(joined);
  }
  if (after != gaps_.begin()) {
    const auto before = std::prev(after);
    if (before->first + before->second == bytes && !chunks_.contains(bytes)) {
      bytes = before->first;
      size += before->second;
      RemoveGap(before);
    }
  }
  AddGap(bytes, size);
}
#endif

void* AllocateScratch(uint64_t size) {
  void* bytes = std::aligned_alloc(kVector, (size / kVector + 1) * kVector);
  if (!bytes) throw std::bad_alloc();
  return bytes;
}

std::unique_ptr<void, FreeScratch> AllocateScratch(TensorArena& arena, uint64_t size) {
  if (size < TensorArena::kLeast) return {AllocateScratch(size), FreeScratch{}};
  uint8_t* const bytes = arena.Allocate(size);
  if (!bytes) throw std::bad_alloc();
  return {bytes, FreeScratch{&arena, size}};
}

}  // namespace shlo
