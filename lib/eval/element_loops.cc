#include "eval/element_loops.h"

#include <algorithm>

namespace shlo {

void RunBinary(BinaryLoop loop, const Tensor& a, const Tensor& b, Tensor& out, uint32_t per_element) {
  uint8_t* to = out.mutable_data();
  if (a.splat() == b.splat()) {
    loop(a.data(), b.data(), to, (a.splat() ? 1 : a.count()) * per_element);
    return;
  }
  // One operand is a splat: a block of it serves again and again.
  constexpr size_t kBlock = 8192;
  alignas(16) uint8_t block[kBlock];
  const Tensor& splat = a.splat() ? a : b;
  const uint8_t* dense = a.splat() ? b.data() : a.data();
  const size_t size = a.element().bytes();
  const size_t block_elements = std::min<uint64_t>(kBlock / size, a.count());
  for (size_t i = 0; i < block_elements; ++i) std::memcpy(block + i * size, splat.data(), size);
  for (uint64_t i = 0; i < a.count(); i += block_elements) {
    const size_t n = std::min<uint64_t>(block_elements, a.count() - i);
    if (a.splat())
      loop(block, dense + i * size, to + i * size, n * per_element);
    else
      loop(dense + i * size, block, to + i * size, n * per_element);
  }
}

}  // namespace shlo
