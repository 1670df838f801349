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

// Sixteen elements of each row at a time.
void Transpose(const uint8_t* const* rows, int64_t depth, int64_t step, uint32_t* out) {
  for (int64_t p = 0; p < depth; p += 16) {
    const int64_t count = depth - p < 16 ? depth - p : 16;
    const __mmask16 mask = __mmask16((1u << count) - 1);
    __m512 row[4];
    for (int r = 0; r < 4; ++r) row[r] = _mm512_maskz_loadu_ps(mask, rows[r] + p * int64_t(sizeof(uint32_t)));
    const __m512 low01 = _mm512_unpacklo_ps(row[0], row[1]), low23 = _mm512_unpacklo_ps(row[2], row[3]);
    const __m512 high01 = _mm512_unpackhi_ps(row[0], row[1]), high23 = _mm512_unpackhi_ps(row[2], row[3]);
    // Column 4 i + j is lane i of columns[j].
    const __m512 columns[4] = {_mm512_shuffle_ps(low01, low23, 0x44), _mm512_shuffle_ps(low01, low23, 0xEE),
                               _mm512_shuffle_ps(high01, high23, 0x44),
                               _mm512_shuffle_ps(high01, high23, 0xEE)};
    __m128 lanes[4][4];
    for (int j = 0; j < 4; ++j) memcpy(lanes[j], &columns[j], sizeof columns[j]);
    for (int64_t q = 0; q < count; ++q) memcpy(out + (p + q) * step, &lanes[q % 4][q / 4], sizeof(__m128));
  }
}

}  // namespace

constinit const MatrixTileTable kAvx512Tiles = MakeTileTable<64, 14, 8, 3, Fused>(Transpose);

}  // namespace shlo
#endif
