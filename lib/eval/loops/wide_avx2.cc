// Compiled for AVX2 and FMA; called only on machines that support them.
#include "eval/loops/wide_loops.h"

#if defined(__x86_64__)
#include <immintrin.h>

namespace shlo {
namespace {

struct Avx2 {
  typedef double Doubles __attribute__((vector_size(32)));
  typedef int64_t Longs __attribute__((vector_size(32)));
  typedef float Floats __attribute__((vector_size(16)));
  typedef float Singles __attribute__((vector_size(32)));
  typedef uint16_t Halves __attribute__((vector_size(16)));
  typedef uint16_t HalvesOfDoubles __attribute__((vector_size(8)));
  typedef int32_t Words __attribute__((vector_size(32)));
  [[gnu::always_inline]] static inline Doubles Fma(Doubles a, Doubles b, Doubles c) {
    return (Doubles)_mm256_fmadd_pd((__m256d)a, (__m256d)b, (__m256d)c);
  }
  [[gnu::always_inline]] static inline Singles Fma(Singles a, Singles b, Singles c) {
    return (Singles)_mm256_fmadd_ps((__m256)a, (__m256)b, (__m256)c);
  }
  [[gnu::always_inline]] static inline Doubles Sqrt(Doubles v) { return (Doubles)_mm256_sqrt_pd((__m256d)v); }
  [[gnu::always_inline]] static inline Doubles Floor(Doubles v) {
    return (Doubles)_mm256_floor_pd((__m256d)v);
  }
  [[gnu::always_inline]] static inline Doubles Pick(const double* table, Longs i) {
    return (Doubles)_mm256_i64gather_pd(table, (__m256i)i, 8);
  }
  [[gnu::always_inline]] static inline bool Any(Longs mask) {
    return _mm256_movemask_epi8((__m256i)mask) != 0;
  }
};

}  // namespace

constinit const WideFunctions kAvx2Functions = MakeWideFunctions<Avx2>();

}  // namespace shlo
#endif
