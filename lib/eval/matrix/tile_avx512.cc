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

// Sixteen columns of four rows: column 4 i + j is lane i of columns[j]. Lanes beyond `mask` are zero.
struct FourRows {
  __m512 columns[4];

  [[gnu::always_inline]] inline FourRows(const uint8_t* const* rows, int64_t p, __mmask16 mask) {
    __m512 row[4];
    for (int r = 0; r < 4; ++r) row[r] = _mm512_maskz_loadu_ps(mask, rows[r] + p * int64_t(sizeof(uint32_t)));
    const __m512 low01 = _mm512_unpacklo_ps(row[0], row[1]), low23 = _mm512_unpacklo_ps(row[2], row[3]);
    const __m512 high01 = _mm512_unpackhi_ps(row[0], row[1]), high23 = _mm512_unpackhi_ps(row[2], row[3]);
    columns[0] = _mm512_shuffle_ps(low01, low23, 0x44);
    columns[1] = _mm512_shuffle_ps(low01, low23, 0xEE);
    columns[2] = _mm512_shuffle_ps(high01, high23, 0x44);
    columns[3] = _mm512_shuffle_ps(high01, high23, 0xEE);
  }
};

void TransposeFour(const uint8_t* const* rows, int64_t depth, int64_t step, uint32_t* out) {
  for (int64_t p = 0; p < depth; p += 16) {
    const int64_t count = depth - p < 16 ? depth - p : 16;
    const FourRows all(rows, p, __mmask16((1u << count) - 1));
    __m128 lanes[4][4];
    for (int j = 0; j < 4; ++j) memcpy(lanes[j], &all.columns[j], sizeof lanes[j]);
    for (int64_t q = 0; q < count; ++q) memcpy(out + (p + q) * step, &lanes[q % 4][q / 4], sizeof(__m128));
  }
}

// Twice as wide stores, half as many.
void TransposeEight(const uint8_t* const* rows, int64_t depth, int64_t step, uint32_t* out) {
  const __m512i first = _mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11);
  const __m512i second = _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15);
  int64_t p = 0;
  for (; p + 16 <= depth; p += 16) {
    const FourRows upper(rows, p, 0xFFFF), lower(rows + 4, p, 0xFFFF);
    for (int j = 0; j < 4; ++j) {
      const __m512d u = _mm512_castps_pd(upper.columns[j]), l = _mm512_castps_pd(lower.columns[j]);
      const __m512d low = _mm512_permutex2var_pd(u, first, l), high = _mm512_permutex2var_pd(u, second, l);
      uint32_t* const to = out + (p + j) * step;
      _mm256_storeu_pd(reinterpret_cast<double*>(to), _mm512_castpd512_pd256(low));
      _mm256_storeu_pd(reinterpret_cast<double*>(to + 4 * step), _mm512_extractf64x4_pd(low, 1));
      _mm256_storeu_pd(reinterpret_cast<double*>(to + 8 * step), _mm512_castpd512_pd256(high));
      _mm256_storeu_pd(reinterpret_cast<double*>(to + 12 * step), _mm512_extractf64x4_pd(high, 1));
    }
  }
  if (p == depth) return;
  const uint8_t* rest[8];
  for (int r = 0; r < 8; ++r) rest[r] = rows[r] + p * int64_t(sizeof(uint32_t));
  TransposeFour(rest, depth - p, step, out + p * step);
  TransposeFour(rest + 4, depth - p, step, out + p * step + 4);
}

// The last rows may be some of those before, too.
void Transpose(const uint8_t* const* rows, int64_t count, int64_t depth, uint32_t* out) {
  const int64_t at_once = count < 8 ? 4 : 8;
  for (int64_t r = 0; r < count; r += at_once) {
    const int64_t at = r + at_once <= count ? r : count - at_once;
    (at_once == 8 ? TransposeEight : TransposeFour)(rows + at, depth, count, out + at);
  }
}

}  // namespace

constinit const MatrixTileTable kAvx512Tiles = MakeTileTable<64, 14, 8, 3, Fused>(Transpose);

}  // namespace shlo
#endif
