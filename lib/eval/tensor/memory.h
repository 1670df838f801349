// Allocation of tensors and kernel scratch space. Internal to lib/eval.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <utility>

namespace shlo {

// Allocates bytes aligned for every element type, to be freed by FreeBytes with the same size; returns
// nullptr if allocation fails. Large allocations use huge pages if available, which reduces page faults and
// TLB misses.
uint8_t* AllocateBytes(uint64_t size);
void FreeBytes(uint8_t* bytes, uint64_t size);

// The large tensors of an evaluation. Memory that one tensor leaves is used for the next, because the first
// touch of a page takes longer than most ops take for what is on it; and tensors share huge pages. May be
// used on several threads.
class TensorArena {
 public:
  // Smaller tensors are left to malloc.
  static constexpr uint64_t kLeast = 64 << 10;

  TensorArena() = default;
  TensorArena(const TensorArena&) = delete;
  TensorArena& operator=(const TensorArena&) = delete;
  ~TensorArena();

  // Like AllocateBytes, to be freed by Free with the same size.
  uint8_t* Allocate(uint64_t size);
  void Free(uint8_t* bytes, uint64_t size);
  // Returns the size of all memory that the arena has from the system.
  uint64_t mapped() const { return mapped_; }

 private:
  using Gap = std::pair<uint8_t* const, uint64_t>;
  uint8_t* TakeGap(uint64_t size);
  void AddGap(uint8_t* bytes, uint64_t size);
  void RemoveGap(std::map<uint8_t*, uint64_t>::iterator gap);
  // Returns chunks without tensors to the system.
  void FreeChunks();

  std::mutex mutex_;
  std::map<uint8_t*, uint64_t> chunks_;              // from the system: size by address
  std::map<uint8_t*, uint64_t> gaps_;                // parts of chunks that no tensor has
  std::set<std::pair<uint64_t, uint8_t*>> by_size_;  // the same
  uint64_t mapped_ = 0, most_mapped_ = 0;
};

struct FreeScratch {
  TensorArena* arena = nullptr;  // nullptr: from malloc
  uint64_t size = 0;
  void operator()(void* bytes) const {
    arena ? arena->Free(static_cast<uint8_t*>(bytes), size) : std::free(bytes);
  }
};

// Allocates uninitialized bytes aligned for vector instructions, to be freed by std::free. Throws
// std::bad_alloc, like containers.
void* AllocateScratch(uint64_t size);
// Allocates them in the arena if they are many.
std::unique_ptr<void, FreeScratch> AllocateScratch(TensorArena& arena, uint64_t size);

// Uninitialized scratch space of a kernel.
template <typename T>
using Scratch = std::unique_ptr<T[], FreeScratch>;
template <typename T>
Scratch<T> MakeScratch(int64_t n) {
  return Scratch<T>(static_cast<T*>(AllocateScratch(uint64_t(n) * sizeof(T))));
}
template <typename T>
Scratch<T> MakeScratch(TensorArena& arena, int64_t n) {
  auto bytes = AllocateScratch(arena, uint64_t(n) * sizeof(T));
  const FreeScratch free = bytes.get_deleter();
  return Scratch<T>(static_cast<T*>(bytes.release()), free);
}

}  // namespace shlo
