// The exponential is computed in vectors of f64 with an error below 2^-45. That rounds to the same f32 as the
// C library's result unless a tie of f32 is that close; these elements, one in millions, and those that are
// NaN or have a subnormal result go through the C library.
#include "eval/loops/exponential.h"

#include <cmath>
#include <limits>

namespace shlo {
namespace {

struct ExponentialOf {
  static float Scalar(float x) { return float(std::exp(double(x))); }
};
struct LogisticOf {
  static float Scalar(float x) { return float(1 / (1 + std::exp(-double(x)))); }
};

#if defined(__x86_64__)
#define SHLO_WIDE [[gnu::target("avx2,fma")]]

constexpr size_t kLanes = 4;
typedef double Doubles __attribute__((vector_size(32)));
typedef int64_t Longs __attribute__((vector_size(32)));
typedef float Floats __attribute__((vector_size(16)));

SHLO_WIDE inline Doubles All(double v) { return Doubles{v, v, v, v}; }
SHLO_WIDE inline Longs AllLongs(int64_t v) { return Longs{v, v, v, v}; }

// Returns exp(x) for |x| <= 104 with a relative error below 2^-46.
SHLO_WIDE inline Doubles Exponential(Doubles x) {
  // x = k ln 2 + r; adding 1.5 * 2^52 rounds to an integer, which is in the low bits.
  const Doubles shifter = All(0x1.8p52);
  const Doubles shifted = x * All(0x1.71547652b82fep0) + shifter;
  const Doubles k = shifted - shifter;
  const Doubles r = (x - k * All(0x1.62e42fefa3800p-1)) - k * All(0x1.ef35793c76730p-45);
  // The Taylor series up to r^12, |r| <= 0.35.
  constexpr double kFactors[] = {1.0 / 39916800, 1.0 / 3628800, 1.0 / 362880, 1.0 / 40320,
                                 1.0 / 5040,     1.0 / 720,     1.0 / 120,    1.0 / 24,
                                 1.0 / 6,        1.0 / 2,       1.0,          1.0};
  Doubles sum = All(1.0 / 479001600);
  for (const double factor : kFactors) sum = sum * r + All(factor);
  Longs power;
  std::memcpy(&power, &shifted, sizeof power);
  power = (power + AllLongs(1023)) << 52;  // the bits of 2^k
  Doubles scale;
  std::memcpy(&scale, &power, sizeof scale);
  return sum * scale;
}

// Whether a tie of f32 is near a result that is a normal f32.
SHLO_WIDE inline Longs NearTie(Doubles v) {
  constexpr int64_t kUnused = (int64_t(1) << 29) - 1, kTie = int64_t(1) << 28, kNear = 256;
  Longs bits;
  std::memcpy(&bits, &v, sizeof bits);
  return ((bits + AllLongs(kNear - kTie)) & AllLongs(kUnused)) < AllLongs(2 * kNear);
}

template <typename Function>
SHLO_WIDE void WideRun(const ElementLoop&, const uint8_t* const* in, uint8_t* out, size_t n) {
  constexpr double kLeastNormal = -87.3, kMost = 104;
  constexpr bool kLogistic = std::is_same_v<Function, LogisticOf>;
  size_t i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    Floats narrow;
    std::memcpy(&narrow, in[0] + i * sizeof(float), sizeof narrow);
    const Doubles x = __builtin_convertvector(narrow, Doubles);
    // Beyond these, results are 0, 1 or infinite. NaN is below as well.
    Doubles bounded = x > All(-kMost) ? x : All(-kMost);
    bounded = bounded < All(kMost) ? bounded : All(kMost);
    Doubles result;
    if constexpr (kLogistic)
      result = All(1) / (All(1) + Exponential(-bounded));
    else
      result = Exponential(bounded);
    const Longs subnormal = (x < All(kLeastNormal)) & (x > All(-kMost));
    const Longs rare = NearTie(result) | subnormal | (x != x);
    const Floats rounded = __builtin_convertvector(result, Floats);
    std::memcpy(out + i * sizeof(float), &rounded, sizeof rounded);
    if ((rare[0] | rare[1] | rare[2] | rare[3]) == 0) continue;
    for (size_t lane = 0; lane < kLanes; ++lane)
      if (rare[lane]) Store<float>(out, i + lane, CanonicalNan(Function::Scalar(narrow[lane])));
  }
  for (; i < n; ++i) Store<float>(out, i, CanonicalNan(Function::Scalar(Load<float>(in[0], i))));
}
#undef SHLO_WIDE

template <typename Function>
ElementLoop::Run RunOf() {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? WideRun<Function> : nullptr;
}
#else
template <typename Function>
ElementLoop::Run RunOf() {
  return nullptr;
}
#endif

}  // namespace

ElementLoop::Run WideExponential() { return RunOf<ExponentialOf>(); }
ElementLoop::Run WideLogistic() { return RunOf<LogisticOf>(); }

}  // namespace shlo
