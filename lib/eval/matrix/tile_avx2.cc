// Compiled for AVX2 and FMA; called only on machines that support them.
#include "eval/matrix/tile.h"

#if defined(__x86_64__)
#include <immintrin.h>

namespace shlo {
namespace {

struct Fused {
  static constexpr bool kInOrder = false;
  typedef float F32 __attribute__((vector_size(32)));
  typedef double F64 __attribute__((vector_size(32)));
  [[gnu::always_inline]] static inline F32 Add(F32 sum, float a, F32 b) {
    return F32(_mm256_fmadd_ps(_mm256_set1_ps(a), __m256(b), __m256(sum)));
  }
  [[gnu::always_inline]] static inline F64 Add(F64 sum, double a, F64 b) {
    return F64(_mm256_fmadd_pd(_mm256_set1_pd(a), __m256d(b), __m256d(sum)));
  }
};

}  // namespace

constinit const MatrixTileTable kAvx2Tiles = MakeTileTable<32, 5, 4, 3, Fused>();

}  // namespace shlo
#endif
