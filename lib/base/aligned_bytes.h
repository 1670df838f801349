// Memory of constants, aligned for vector loads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>

namespace shlo {

// Returns that many uninitialized bytes. Throws std::bad_alloc.
inline std::shared_ptr<uint8_t> AllocateAligned(size_t size) {
  constexpr std::align_val_t kAlignment{64};
  auto* const bytes = static_cast<uint8_t*>(::operator new(size ? size : 1, kAlignment));
  return {bytes, [](uint8_t* p) { ::operator delete(p, kAlignment); }};
}

}  // namespace shlo
