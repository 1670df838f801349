// Allocation of tensors and kernel scratch space. Internal to lib/eval.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>

namespace shlo {

// Allocates bytes aligned for every element type, to be freed by FreeBytes with the same size; returns
// nullptr if allocation fails. Large allocations use huge pages if available, which reduces page faults and
// TLB misses.
uint8_t* AllocateBytes(uint64_t size);
void FreeBytes(uint8_t* bytes, uint64_t size);

struct FreeScratch {
  void operator()(void* bytes) const { std::free(bytes); }
};

// Allocates uninitialized bytes aligned for vector instructions, to be freed by std::free. Throws
// std::bad_alloc, like containers.
void* AllocateScratch(uint64_t size);

// Uninitialized scratch space of a kernel.
template <typename T>
using Scratch = std::unique_ptr<T[], FreeScratch>;
template <typename T>
Scratch<T> MakeScratch(int64_t n) {
  return Scratch<T>(static_cast<T*>(AllocateScratch(uint64_t(n) * sizeof(T))));
}

}  // namespace shlo
