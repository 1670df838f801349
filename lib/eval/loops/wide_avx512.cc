// Compiled for AVX-512 (F, DQ, VL); called only on machines that support it.
#include "eval/loops/wide_loops.h"

#if defined(__x86_64__)
#include <immintrin.h>

namespace shlo {
namespace {

struct Avx512 {
  typedef double Doubles __attribute__((vector_size(64)));
  typedef int64_t Longs __attribute__((vector_size(64)));
  typedef float Floats __attribute__((vector_size(32)));
  typedef float Singles __attribute__((vector_size(64)));
  typedef uint16_t Halves __attribute__((vector_size(32)));
  typedef uint16_t HalvesOfDoubles __attribute__((vector_size(16)));
  typedef int32_t Words __attribute__((vector_size(64)));
  [[gnu::always_inline]] static inline Doubles Fma(Doubles a, Doubles b, Doubles c) {
    return (Doubles)_mm512_fmadd_pd((__m512d)a, (__m512d)b, (__m512d)c);
  }
  [[gnu::always_inline]] static inline Singles Fma(Singles a, Singles b, Singles c) {
    return (Singles)_mm512_fmadd_ps((__m512)a, (__m512)b, (__m512)c);
  }
  [[gnu::always_inline]] static inline Doubles Sqrt(Doubles v) { return (Doubles)_mm512_sqrt_pd((__m512d)v); }
  [[gnu::always_inline]] static inline Doubles Floor(Doubles v) {
    return (Doubles)_mm512_roundscale_pd((__m512d)v, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC);
  }
  [[gnu::always_inline]] static inline Doubles Pick(const double* table, Longs i) {
    return (Doubles)_mm512_permutexvar_pd((__m512i)i, _mm512_loadu_pd(table));
  }
  [[gnu::always_inline]] static inline bool Any(Longs mask) {
    return _mm512_test_epi64_mask((__m512i)mask, (__m512i)mask) != 0;
  }
};

}  // namespace

constinit const WideFunctions kAvx512Functions = MakeWideFunctions<Avx512>();

}  // namespace shlo
#endif
