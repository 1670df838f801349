// Memory of tensors and of what kernels lay out for a while. Internal to lib/eval.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>

namespace shlo {

// Bytes at any address that is aligned for every element type, to be freed by std::free; nullptr when there
// are none. Large ones lie in large pages where the system has them: tensors are touched from end to end,
// which then takes few faults, and columns of a matrix lie in few pages.
uint8_t* AllocateBytes(uint64_t size);

struct FreeBytes {
  void operator()(void* bytes) const { std::free(bytes); }
};

// Bytes that are aligned for vectors and not set, to be freed by std::free. Throws std::bad_alloc, as
// containers do.
void* AllocateScratch(uint64_t size);

// Room for `n` elements that a kernel needs while it runs.
template <typename T>
using Scratch = std::unique_ptr<T[], FreeBytes>;
template <typename T>
Scratch<T> MakeScratch(int64_t n) {
  return Scratch<T>(static_cast<T*>(AllocateScratch(uint64_t(n) * sizeof(T))));
}

}  // namespace shlo
