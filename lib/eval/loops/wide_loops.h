// The loops of wide_functions.h. Transcendental functions are computed in vectors of f64. Errors are below
// 2^-45 of the result, so that rounding to f32 gives the same bits as rounding the C library's result, unless
// a tie of f32 is that close: these elements, one in millions, and those that are NaN or have a subnormal
// result go through the C library. Sources for each instruction set include this file, so everything except
// the table of loops has internal linkage, and nothing here inlines standard library functions. Internal to
// lib/eval.
#pragma once

#include <string.h>

#include "eval/loops/wide_functions.h"

namespace shlo {

namespace {

// erf(x) / x as a polynomial in x^2 - kErfCenters[i], the factor of the highest power first, for i / 2 <= |x|
// < (i + 1) / 2: the Chebyshev interpolation of degree 12, with a relative error below 2^-51.
// clang-format off
constexpr double kErfCenters[8] = {0.125, 0.625, 1.625, 3.125, 5.125, 7.625, 10.625, 14.125};
constexpr double kErfFactors[13][8] = {
    {0x1.7139f841b8fe9p-34, 0x1.d21b387892d86p-35, 0x1.74d13343a5128p-36, 0x1.7d3763faf2820p-38, 0x1.fab7741c38e3ep-41, 0x1.c38a72fcb2c1dp-44, 0x1.1de597e7c09d1p-47, 0x1.1e42ffca1c90bp-51},
    {-0x1.2d3c517e5ee75p-30, -0x1.7d91661304d91p-31, -0x1.33755fdd38a6ep-32, -0x1.3e6f2e688acdep-34, -0x1.b0514e669f1d7p-37, -0x1.8f1e6a787ad74p-40, -0x1.0c8b4f44e7725p-43, -0x1.2a397f75d1be1p-47},
    {0x1.c5eb2b7ca74b5p-27, 0x1.1fe6ac7fa7652p-27, 0x1.d1b4fd90bb73bp-29, 0x1.e6413e8873bc0p-31, 0x1.4fa74ddf5e083p-33, 0x1.4096a7f89f0e7p-36, 0x1.cd54cc9e79797p-40, 0x1.21439e6242044p-43},
    {-0x1.39e3c9983e438p-23, -0x1.8fea091dffc66p-24, -0x1.469a26f3019ebp-25, -0x1.5b03c9573b72fp-27, -0x1.edc54429055fdp-30, -0x1.f132a56f59497p-33, -0x1.885c368521be7p-36, -0x1.1dacb7c1b11b6p-39},
    {0x1.8b2b74c480797p-20, 0x1.fa259ca465c65p-21, 0x1.a24eb6c65b085p-22, 0x1.c63125d5b8520p-24, 0x1.4fabd63f6c81fp-26, 0x1.696cd6a069d55p-29, 0x1.400a3fab861c4p-32, 0x1.15d9587443b58p-35},
    {-0x1.c08f4dafee63ep-17, -0x1.2128f61924fb2p-17, -0x1.e51a986467528p-19, -0x1.0ea8f4948c79cp-20, -0x1.a3f7a9f4c7ebap-23, -0x1.ec9b88f4290ebp-26, -0x1.f73dad0d41061p-29, -0x1.0ba9aa271f4c9p-31},
    {0x1.c5c5703cefec3p-14, 0x1.26f9fcfbae830p-14, 0x1.f86149b339c3bp-16, 0x1.2396aae62b78cp-17, 0x1.e22935c659a0cp-20, 0x1.3bff094485062p-22, 0x1.810d5f17975a6p-25, 0x1.0182baed62cd9p-27},
    {-0x1.93403af727acfp-11, -0x1.09086089e765ap-11, -0x1.d0c5b9ee991e0p-13, -0x1.19ca0943cb6edp-14, -0x1.fb85ccbdf1398p-17, -0x1.8090b372321a3p-19, -0x1.2218b9af4f366p-21, -0x1.f2b1e2941fa7dp-24},
    {0x1.35219bf04bdf8p-8, 0x1.9c83eca489edap-9, 0x1.768ddd85e4693p-10, 0x1.e5489efc99e44p-12, 0x1.eb8b72d64ae26p-14, 0x1.c20b3683853c4p-16, 0x1.b49cfa9c328e9p-18, 0x1.ea33422f49902p-20},
    {-0x1.8f7e682c96cdcp-6, -0x1.1070cb9fee530p-6, -0x1.044d2891d7200p-7, -0x1.735d37ff6be6ep-9, -0x1.bba31662cfbc3p-11, -0x1.02dd0684eddbap-12, -0x1.4e18b8ab2ec56p-14, -0x1.eee86430c7a33p-16},
    {0x1.a6db683de1276p-4, 0x1.2a78d10016cb4p-4, 0x1.34ea73946470bp-5, 0x1.fe9c07f868d97p-7, 0x1.810498054c08dp-8, 0x1.2f4b3ae3dee37p-9, 0x1.0af3b74e4780dp-10, 0x1.06309bc12b214p-11},
    {-0x1.658407f4c04c0p-2, -0x1.0c56e48f1a817p-2, -0x1.3f030670cac79p-3, -0x1.4da1dd991e167p-4, -0x1.5b30eeb076ea8p-5, -0x1.84719e454d7f9p-6, -0x1.d906ebaa8829ap-7, -0x1.34a0dd6547561p-7},
    {0x1.15446b34ed348p+0, 0x1.dcf2e4601133ap-1, 0x1.74f57b1bf40a1p-1, 0x1.1e08aeaa8650ap-1, 0x1.c3b592a292a46p-2, 0x1.72ccab7ec05b1p-2, 0x1.3a25c8a8bc5dep-2, 0x1.10763b04d6ad1p-2},
};
// clang-format on

// `Isa` has the vectors of an instruction set: Doubles, Longs (of as many 64-bit integers), Floats (of as
// many f32), Singles and Words (of as many bytes), Halves and HalvesOfDoubles (as many 16-bit numbers as
// Singles and Doubles have elements); and Fma, Sqrt, Floor, Any, and Pick (elements of a table of eight).
template <typename Isa>
struct Wide {
  using Doubles = typename Isa::Doubles;
  using Longs = typename Isa::Longs;
  using Floats = typename Isa::Floats;
  static constexpr size_t kLanes = sizeof(Doubles) / sizeof(double);
#define SHLO_INLINE [[gnu::always_inline]] static inline

  SHLO_INLINE Doubles All(double v) { return Doubles{} + v; }
  SHLO_INLINE Longs AllLongs(int64_t v) { return Longs{} + v; }
  SHLO_INLINE Longs BitsOf(Doubles v) { return (Longs)v; }
  SHLO_INLINE Doubles AbsOf(Doubles v) { return (Doubles)(BitsOf(v) & AllLongs(INT64_MAX)); }
  SHLO_INLINE Doubles WithSignOf(Doubles v, Doubles sign) {
    return (Doubles)(BitsOf(v) | (BitsOf(sign) & AllLongs(INT64_MIN)));
  }

  // exp(x) = scale (1 + rest), for |x| <= 800; `rest` is exp(r) - 1 for a remainder |r| <= 0.35.
  struct Parts {
    Doubles scale, rest;
  };
  SHLO_INLINE Parts PartsOfExp(Doubles x) {
    // x = k ln 2 + r; adding 1.5 * 2^52 rounds to an integer, which is in the low bits.
    const Doubles shifter = All(0x1.8p52);
    const Doubles shifted = Isa::Fma(x, All(0x1.71547652b82fep0), shifter);
    const Doubles k = shifted - shifter;
    const Doubles r = Isa::Fma(k, All(-0x1.ef35793c76730p-45), Isa::Fma(k, All(-0x1.62e42fefa3800p-1), x));
    // The Taylor series up to r^12, odd and even powers apart, which shortens the chain of sums.
    const Doubles s = r * r;
    Doubles odd = All(1.0 / 39916800), even = All(1.0 / 479001600);
    odd = Isa::Fma(odd, s, All(1.0 / 362880)), even = Isa::Fma(even, s, All(1.0 / 3628800));
    odd = Isa::Fma(odd, s, All(1.0 / 5040)), even = Isa::Fma(even, s, All(1.0 / 40320));
    odd = Isa::Fma(odd, s, All(1.0 / 120)), even = Isa::Fma(even, s, All(1.0 / 720));
    odd = Isa::Fma(odd, s, All(1.0 / 6)), even = Isa::Fma(even, s, All(1.0 / 24));
    even = Isa::Fma(even, s, All(0.5));
    const Doubles rest = Isa::Fma(s, Isa::Fma(odd, r, even), r);
    return {(Doubles)((BitsOf(shifted) + AllLongs(1023)) << 52), rest};  // the bits of 2^k
  }
  SHLO_INLINE Doubles Bounded(Doubles x, double least, double most) {
    const Doubles low = x > All(least) ? x : All(least);  // NaN is below
    return low < All(most) ? low : All(most);
  }

  // Each function: Of(x) for any x but NaN; IsRare(x) if the result as f32 is subnormal or NaN; and Plain(x).
  struct Exponential {
    SHLO_INLINE Doubles Of(Doubles x) {
      // Beyond these, results are 0 or infinite in all formats up to f32.
      const Parts e = PartsOfExp(Bounded(x, -150, 150));
      return Isa::Fma(e.scale, e.rest, e.scale);
    }
    SHLO_INLINE Longs IsRare(Doubles x) { return (x < All(-87.3)) & (x > All(-104)); }
    static double Plain(double x) { return PlainExponential(x); }
  };
  struct Logistic {
    SHLO_INLINE Doubles Of(Doubles x) {
      const Parts e = PartsOfExp(-Bounded(x, -150, 150));
      return All(1) / (All(1) + Isa::Fma(e.scale, e.rest, e.scale));
    }
    SHLO_INLINE Longs IsRare(Doubles x) { return (x < All(-87.3)) & (x > All(-104)); }
    static double Plain(double x) { return PlainLogistic(x); }
  };
  struct Tanh {
    // (exp(2x) - 1) / (exp(2x) + 1), where exp(2x) - 1 is computed without cancellation.
    SHLO_INLINE Doubles Of(Doubles x) {
      const Doubles size = AbsOf(x);
      const Parts e = PartsOfExp(Bounded(size + size, 0, 50));
      const Doubles less = Isa::Fma(e.scale, e.rest, e.scale - All(1));
      return WithSignOf(less / (less + All(2)), x);
    }
    SHLO_INLINE Longs IsRare(Doubles) { return Longs{}; }
    static double Plain(double x) { return PlainTanh(x); }
  };
  struct Erf {
    SHLO_INLINE Doubles Of(Doubles x) {
      constexpr double kMost = 0x1.fffffffffffffp1;  // just below 4
      const Doubles size = Bounded(AbsOf(x), 0, kMost);
      // Adding 2^52 leaves the integer below in the low bits.
      const Doubles shifter = All(0x1p52);
      const Longs i = BitsOf(Isa::Floor(size + size) + shifter) & AllLongs(7);
      const Doubles u = Isa::Fma(size, size, -Isa::Pick(kErfCenters, i));
      Doubles sum = Isa::Pick(kErfFactors[0], i);
      for (int d = 1; d < 13; ++d) sum = Isa::Fma(sum, u, Isa::Pick(kErfFactors[d], i));
      const Doubles result = AbsOf(x) < All(4) ? sum * size : All(1);
      return WithSignOf(result, x);
    }
    SHLO_INLINE Longs IsRare(Doubles x) { return AbsOf(x) < All(0x1p-120); }
    static double Plain(double x) { return PlainErf(x); }
  };
  struct Sqrt {
    SHLO_INLINE Doubles Of(Doubles x) { return Isa::Sqrt(x); }
    SHLO_INLINE Longs IsRare(Doubles x) { return x < All(0); }
    static double Plain(double x) { return PlainSqrt(x); }
  };
  struct Rsqrt {
    SHLO_INLINE Doubles Of(Doubles x) { return All(1) / Isa::Sqrt(x); }
    SHLO_INLINE Longs IsRare(Doubles x) { return x < All(0); }
    static double Plain(double x) { return PlainRsqrt(x); }
  };

  // Whether a tie of f32 is near a result that is a normal f32.
  SHLO_INLINE Longs NearTie(Doubles v) {
    constexpr int64_t kUnused = (int64_t(1) << 29) - 1, kTie = int64_t(1) << 28, kNear = 256;
    return ((BitsOf(v) + AllLongs(kNear - kTie)) & AllLongs(kUnused)) < AllLongs(2 * kNear);
  }
  SHLO_INLINE bool Any(Longs mask) {
    int64_t any = 0;
    for (size_t lane = 0; lane < kLanes; ++lane) any |= mask[lane];
    return any != 0;
  }

  template <typename F>
  static float PlainOf(float x) {
    const float result = float(F::Plain(double(x)));
    return result == result ? result : __builtin_nanf("");
  }

  template <typename F>
  static void RunF32(const ElementLoop&, const uint8_t* const* in, uint8_t* out, size_t n) {
    const uint8_t* const from = in[0];
    size_t i = 0;
    for (; i + kLanes <= n; i += kLanes) {
      Floats narrow;
      memcpy(&narrow, from + i * sizeof(float), sizeof narrow);
      const Doubles x = __builtin_convertvector(narrow, Doubles);
      const Doubles result = F::Of(x);
      const Longs rare = NearTie(result) | F::IsRare(x) | (x != x);
      const Floats rounded = __builtin_convertvector(result, Floats);
      memcpy(out + i * sizeof(float), &rounded, sizeof rounded);
      if (!Isa::Any(rare)) continue;
      for (size_t lane = 0; lane < kLanes; ++lane) {
        if (!rare[lane]) continue;
        const float one = PlainOf<F>(narrow[lane]);
        memcpy(out + (i + lane) * sizeof(float), &one, sizeof one);
      }
    }
    for (; i < n; ++i) {
      float one;
      memcpy(&one, from + i * sizeof(float), sizeof one);
      one = PlainOf<F>(one);
      memcpy(out + i * sizeof(float), &one, sizeof one);
    }
  }

  // Results are rounded to formats of at most 11 bits, of whose ties the tests see all.
  template <typename F>
  static void RunF64(const ElementLoop&, const uint8_t* const* in, uint8_t* out, size_t n) {
    const uint8_t* const from = in[0];
    for (size_t i = 0; i < n; i += kLanes) {
      const size_t bytes = (n - i < kLanes ? n - i : kLanes) * sizeof(double);
      Doubles x{};
      memcpy(&x, from + i * sizeof(double), bytes);
      const Doubles result = x != x ? x : F::Of(x);
      memcpy(out + i * sizeof(double), &result, bytes);
    }
  }

  template <typename F>
  static constexpr WideLoops LoopsOf() {
    return {RunF32<F>, RunF64<F>};
  }

  // --- Functions computed in f32, with errors of some ulp ---

  using Singles = typename Isa::Singles;
  using Words = typename Isa::Words;
  static constexpr size_t kSingles = sizeof(Singles) / sizeof(float);

  SHLO_INLINE Singles AllSingles(float v) { return Singles{} + v; }
  SHLO_INLINE Singles SizeOf(Singles v) { return (Singles)((Words)v & (Words{} + INT32_MAX)); }
  SHLO_INLINE Singles PowerOfTwo(Words k) { return (Singles)((k + 127) << 23); }

  // exp(x) = 2^power (1 + rest), for |x| <= 110, as in Parts.
  struct FastParts {
    Words power;
    Singles rest;
  };
  SHLO_INLINE FastParts FastPartsOfExp(Singles x) {
    const Singles shifter = AllSingles(0x1.8p23f);
    const Singles shifted = Isa::Fma(x, AllSingles(0x1.715476p0f), shifter);
    const Singles k = shifted - shifter;
    const Singles r = Isa::Fma(k, AllSingles(0x1.05c610p-29f), Isa::Fma(k, AllSingles(-0x1.62e430p-1f), x));
    // The Taylor series up to r^7, whose rest is below 2^-27.
    constexpr float kFactors[] = {1.0f / 720, 1.0f / 120, 1.0f / 24, 1.0f / 6, 0.5f};
    Singles sum = AllSingles(1.0f / 5040);
    for (const float factor : kFactors) sum = Isa::Fma(sum, r, AllSingles(factor));
    return {(Words)shifted - (Words)shifter, Isa::Fma(r * r, sum, r)};
  }
  // In two steps, because 2^power may be subnormal or infinite where the result is not.
  SHLO_INLINE Singles FastExp(Singles x) {
    const FastParts e = FastPartsOfExp(x);
    const Words half = e.power >> 1;
    const Singles scale = PowerOfTwo(half);
    return Isa::Fma(scale, e.rest, scale) * PowerOfTwo(e.power - half);
  }

  // Each for any x but NaN.
  struct FastExponential {
    SHLO_INLINE Singles Of(Singles x) {
      const Singles low = x > -104.0f ? x : AllSingles(-104);
      return FastExp(low < 89.0f ? low : AllSingles(89));
    }
  };
  struct FastLogistic {
    SHLO_INLINE Singles Of(Singles x) {
      const Singles size = SizeOf(x);
      const Singles e = FastExp(size < 104.0f ? -size : AllSingles(-104));
      return (x < 0.0f ? e : AllSingles(1)) / (e + 1.0f);
    }
  };
  struct FastTanh {
    SHLO_INLINE Singles Of(Singles x) {
      const Singles size = SizeOf(x) * 2.0f;
      const FastParts e = FastPartsOfExp(size < 40.0f ? size : AllSingles(40));
      const Singles scale = PowerOfTwo(e.power);
      const Singles less = Isa::Fma(scale, e.rest, scale - 1.0f);
      return (Singles)((Words)(less / (less + 2.0f)) | ((Words)x & (Words{} + INT32_MIN)));
    }
  };

  template <typename F>
  static void RunFast(const ElementLoop&, const uint8_t* const* in, uint8_t* out, size_t n) {
    const size_t bytes = n * sizeof(float);
    const auto run = [&](size_t at, size_t count) __attribute__((always_inline)) {
      const Singles x = LoadSingles(in[0] + at, count);
      const Singles result = x == x ? F::Of(x) : AllSingles(__builtin_nanf(""));
      memcpy(out + at, &result, count);
    };
    size_t at = 0;
    for (; at + sizeof(Singles) <= bytes; at += sizeof(Singles)) run(at, sizeof(Singles));
    if (at < bytes) run(at, bytes - at);
  }
  template <typename F, typename Fast>
  static constexpr WideLoops FastLoopsOf() {
    return {RunF32<F>, RunF64<F>, RunFast<Fast>};
  }

  // --- Arithmetic of f32 ---

  struct Add {
    SHLO_INLINE Singles Of(Singles a, Singles b) { return a + b; }
  };
  struct Subtract {
    SHLO_INLINE Singles Of(Singles a, Singles b) { return a - b; }
  };
  struct Multiply {
    SHLO_INLINE Singles Of(Singles a, Singles b) { return a * b; }
  };
  struct Divide {
    SHLO_INLINE Singles Of(Singles a, Singles b) { return a / b; }
  };
  // NaN wins, and -0 is less than +0: equal operands have equal bits or are zeros.
  struct Maximum {
    SHLO_INLINE Singles Of(Singles a, Singles b) {
      const Singles larger = a > b ? a : a == b ? (Singles)((Words)a & (Words)b) : b;
      return a != a ? a : larger;
    }
  };
  struct Minimum {
    SHLO_INLINE Singles Of(Singles a, Singles b) {
      const Singles smaller = a < b ? a : a == b ? (Singles)((Words)a | (Words)b) : b;
      return a != a ? a : smaller;
    }
  };

  SHLO_INLINE Singles Canonical(Singles v) { return v == v ? v : Singles{} + __builtin_nanf(""); }
  SHLO_INLINE Singles LoadSingles(const uint8_t* from, size_t bytes) {
    Singles v{};
    memcpy(&v, from, bytes);
    return v;
  }

  template <typename Op>
  static void RunBinary(const ElementLoop&, const uint8_t* const* in, uint8_t* out, size_t n) {
    const uint8_t *const a = in[0], *const b = in[1];
    const size_t bytes = n * sizeof(float);
    size_t at = 0;
    for (; at + sizeof(Singles) <= bytes; at += sizeof(Singles)) {
      const Singles result =
          Canonical(Op::Of(LoadSingles(a + at, sizeof(Singles)), LoadSingles(b + at, sizeof(Singles))));
      memcpy(out + at, &result, sizeof result);
    }
    if (at == bytes) return;
    const Singles result =
        Canonical(Op::Of(LoadSingles(a + at, bytes - at), LoadSingles(b + at, bytes - at)));
    memcpy(out + at, &result, bytes - at);
  }

  // Each lane accumulates a part of the row, and then lanes do: for operations of any order.
  template <typename Op>
  static void FoldRows(uint8_t* acc, const uint8_t* in, size_t rows, size_t n) {
    for (size_t r = 0; r < rows; ++r, acc += sizeof(float), in += n * sizeof(float)) {
      float first;
      memcpy(&first, acc, sizeof first);
      Singles sums;
      for (size_t lane = 0; lane < kSingles; ++lane) sums[lane] = first;
      size_t i = 0;
      for (; i + kSingles <= n; i += kSingles)
        sums = Op::Of(sums, LoadSingles(in + i * sizeof(float), sizeof(Singles)));
      Singles rest = sums;  // lanes without elements accumulate themselves
      memcpy(&rest, in + i * sizeof(float), (n - i) * sizeof(float));
      sums = Op::Of(sums, rest);
      for (size_t half = kSingles / 2; half > 0; half /= 2) {
        Singles other = sums;
        for (size_t lane = 0; lane < half; ++lane) other[lane] = sums[lane + half];
        sums = Op::Of(sums, other);
      }
      const Singles result = Canonical(sums);
      memcpy(acc, &result, sizeof(float));
    }
  }

  // The sum of all lanes.
  SHLO_INLINE float SumOf(Singles v) {
    float sum = 0;
    for (size_t lane = 0; lane < kSingles; ++lane) sum += v[lane];
    return sum;
  }
  // Adds the elements of each row in any order.
  static void SumRows(uint8_t* acc, const uint8_t* in, size_t rows, size_t n) {
    constexpr size_t kSums = 4, kStep = sizeof(Singles);
    const size_t bytes = n * sizeof(float);
    for (size_t r = 0; r < rows; ++r, acc += sizeof(float), in += bytes) {
      Singles sums[kSums] = {};
      size_t at = 0;
      for (; at + kSums * kStep <= bytes; at += kSums * kStep)
        for (size_t s = 0; s < kSums; ++s) sums[s] += LoadSingles(in + at + s * kStep, kStep);
      for (; at + kStep <= bytes; at += kStep) sums[0] += LoadSingles(in + at, kStep);
      if (at < bytes) sums[1] += LoadSingles(in + at, bytes - at);
      float sum;
      memcpy(&sum, acc, sizeof sum);
      sum += SumOf((sums[0] + sums[1]) + (sums[2] + sums[3]));
      if (sum != sum) sum = __builtin_nanf("");
      memcpy(acc, &sum, sizeof sum);
    }
  }

  // --- Codecs ---

  using Halves = typename Isa::Halves;
  using HalvesOfDoubles = typename Isa::HalvesOfDoubles;

  // The formats, for vectors V of f32 and W of their bits. NaN become quiet ones without a payload, and
  // positive if written.
  struct Bf16 {
    template <typename V, typename W>
    SHLO_INLINE V Decode(W code) {
      const W bits = code << 16;
      const W quiet = (bits & 0x80000000u) | 0x7FC00000u;
      return (V)((bits & 0x7FFFFFFFu) > 0x7F800000u ? quiet : bits);
    }
    template <typename V, typename W>
    SHLO_INLINE W Encode(V v) {
      const W bits = (W)v;
      const W code = (bits + 0x7FFFu + ((bits >> 16) & 1u)) >> 16;
      return (bits & 0x7FFFFFFFu) > 0x7F800000u ? W{} + 0x7FC0u : code;
    }
  };
  struct F16 {
    template <typename V, typename W>
    SHLO_INLINE V Decode(W code) {
      const W size = code & 0x7FFFu, sign = (code & 0x8000u) << 16;
      const W finite = (W)((V)(size << 13) * 0x1p112f);  // moves the exponent and normalizes subnormals
      const W quiet = W{} + 0x7FC00000u, infinite = W{} + 0x7F800000u;
      return (V)((size > 0x7C00u ? quiet : size == 0x7C00u ? infinite : finite) | sign);
    }
    template <typename V, typename W>
    SHLO_INLINE W Encode(V v) {
      const W bits = (W)v, size = bits & 0x7FFFFFFFu;
      // Below 2^-14, numbers are multiples of 2^-24, like the sums of f32 with 0.5.
      const W small = (W)((V)size + 0.5f) - 0x3F000000u;
      W code = ((size + 0xFFFu + ((size >> 13) & 1u)) >> 13) - (112u << 10);
      code = size < 0x38800000u ? small : code;
      code = code >= 0x7C00u ? W{} + 0x7C00u : code;
      code |= (bits >> 16) & 0x8000u;
      return size > 0x7F800000u ? W{} + 0x7E00u : code;
    }
  };

  // As RoundToOdd; NaN stays NaN.
  SHLO_INLINE Floats RoundedToOdd(Doubles v) {
    typedef int32_t Ints __attribute__((vector_size(sizeof(Floats))));
    const Floats near = __builtin_convertvector(v, Floats);
    const Doubles back = __builtin_convertvector(near, Doubles);
    const Ints inexact = __builtin_convertvector(back != v, Ints);
    const Ints larger = __builtin_convertvector(AbsOf(back) > AbsOf(v), Ints);  // -1 where it is
    const Ints odd = ((Ints)near + larger) | 1;
    return near == near ? (Floats)(inexact ? odd : (Ints)near) : near;
  }

  // Convert vectors of as many elements as `Code` has, and the rest, by way of f32.
  template <typename F, typename Code, typename V, typename To>
  SHLO_INLINE void Read(const uint8_t* in, To* out, size_t n) {
    constexpr size_t kCount = sizeof(Code) / sizeof(uint16_t);
    typedef uint32_t W __attribute__((vector_size(kCount * sizeof(uint32_t))));
    typedef To R __attribute__((vector_size(kCount * sizeof(To))));
    for (size_t i = 0; i < n; i += kCount) {
      const size_t count = n - i < kCount ? n - i : kCount;
      Code code{};
      if (count == kCount)
        memcpy(&code, in + i * sizeof(uint16_t), sizeof code);
      else
        memcpy(&code, in + i * sizeof(uint16_t), count * sizeof(uint16_t));
      const V v = F::template Decode<V, W>(__builtin_convertvector(code, W));
      const R result = __builtin_convertvector(v, R);
      if (count == kCount)
        memcpy(out + i, &result, sizeof result);
      else
        memcpy(out + i, &result, count * sizeof(To));
    }
  }
  template <typename F, typename Code, typename V, typename From>
  SHLO_INLINE void Write(const From* in, uint8_t* out, size_t n) {
    constexpr size_t kCount = sizeof(Code) / sizeof(uint16_t);
    typedef uint32_t W __attribute__((vector_size(kCount * sizeof(uint32_t))));
    typedef From R __attribute__((vector_size(kCount * sizeof(From))));
    for (size_t i = 0; i < n; i += kCount) {
      const size_t count = n - i < kCount ? n - i : kCount;
      R from{};
      if (count == kCount)
        memcpy(&from, in + i, sizeof from);
      else
        memcpy(&from, in + i, count * sizeof(From));
      V v;
      if constexpr (sizeof(From) == sizeof(double))
        v = RoundedToOdd(from);
      else
        v = from;
      const W bits = F::template Encode<V, W>(v);
      const Code code = __builtin_convertvector(bits, Code);
      if (count == kCount)
        memcpy(out + i * sizeof(uint16_t), &code, sizeof code);
      else
        memcpy(out + i * sizeof(uint16_t), &code, count * sizeof(uint16_t));
    }
  }
  template <typename F>
  static void ToF32(const uint8_t* in, float* out, size_t n) {
    Read<F, Halves, Singles>(in, out, n);
  }
  template <typename F>
  static void FromF32(const float* in, uint8_t* out, size_t n) {
    Write<F, Halves, Singles>(in, out, n);
  }
  template <typename F>
  static void ToF64(const uint8_t* in, double* out, size_t n) {
    Read<F, HalvesOfDoubles, Floats>(in, out, n);
  }
  template <typename F>
  static void FromF64(const double* in, uint8_t* out, size_t n) {
    Write<F, HalvesOfDoubles, Floats>(in, out, n);
  }
  template <typename F>
  static constexpr FloatCodec CodecOf() {
    return {2, true, ToF32<F>, FromF32<F>, ToF64<F>, FromF64<F>};
  }
#undef SHLO_INLINE
};

template <typename Isa>
constexpr WideFunctions MakeWideFunctions() {
  using W = Wide<Isa>;
  return {W::template FastLoopsOf<typename W::Exponential, typename W::FastExponential>(),
          W::template FastLoopsOf<typename W::Logistic, typename W::FastLogistic>(),
          W::template FastLoopsOf<typename W::Tanh, typename W::FastTanh>(),
          W::template LoopsOf<typename W::Erf>(),
          W::template LoopsOf<typename W::Sqrt>(),
          W::template LoopsOf<typename W::Rsqrt>(),
          {W::template RunBinary<typename W::Add>, nullptr, W::SumRows},
          {W::template RunBinary<typename W::Subtract>},
          {W::template RunBinary<typename W::Multiply>},
          {W::template RunBinary<typename W::Divide>},
          {W::template RunBinary<typename W::Maximum>, W::template FoldRows<typename W::Maximum>},
          {W::template RunBinary<typename W::Minimum>, W::template FoldRows<typename W::Minimum>},
          W::template CodecOf<typename W::Bf16>(),
          W::template CodecOf<typename W::F16>()};
}

}  // namespace
}  // namespace shlo
