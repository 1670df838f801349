#include "shlo/bytes.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace shlo {

uint64_t HashBytes(const void* data, size_t size, uint64_t seed) {
  return XXH3_64bits_withSeed(data, size, seed);
}

}  // namespace shlo
