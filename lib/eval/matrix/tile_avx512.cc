// Compiled for AVX-512 (F, DQ, VL); called only on machines that support it.
#include "eval/matrix/tile.h"

#if defined(__x86_64__)
#include <immintrin.h>

namespace shlo {
namespace {

struct Fused {
  static constexpr bool kInOrder = false;
  typedef float F32 __attribute__((vector_size(64)));
  typedef double F64 __attribute__((vector_size(64)));
  [[gnu::always_inline]] static inline F32 Add(F32 sum, float a, F32 b) {
    return F32(_mm512_fmadd_ps(_mm512_set1_ps(a), __m512(b), __m512(sum)));
  }
  [[gnu::always_inline]] static inline F64 Add(F64 sum, double a, F64 b) {
    return F64(_mm512_fmadd_pd(_mm512_set1_pd(a), __m512d(b), __m512d(sum)));
  }
};

}  // namespace

constinit const MatrixTileTable kAvx512Tiles = MakeTileTable<64, 14, 8, 3, Fused>();

}  // namespace shlo
#endif
