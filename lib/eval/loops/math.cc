// Transcendental functions and rounding. Formats up to f32 are computed in double and rounded once, so
// results are correctly rounded except for rare cases next to a tie. f64 uses the C library: its double
// functions if they are within 1 ULP, its long double functions otherwise. Complex numbers are computed in
// the next wider format, with the branch cuts and signed zeros of C99, annex G.
//
// CHLO functions compute the mathematical function, not the reference's expansion of it.
#include <cmath>
#include <complex>

#include "eval/loops/element_loops.h"
#include "eval/loops/numeric/float_codec.h"
#include "eval/loops/numeric/special_functions.h"
#include "eval/loops/wide_functions.h"
#include "ir/table/float_format.h"

namespace shlo {
namespace {

using Long = long double;

// A function is a struct: Real(double), optionally RealLong(long double) for f64 if double is not accurate
// enough, optionally Complex<C>(C) for C in double or long double.
template <typename F>
double RealF64(double v) {
  if constexpr (requires { F::RealLong(Long(1)); })
    return double(F::RealLong(Long(v)));
  else
    return F::Real(v);
}
template <typename F>
double RealNarrow(double v) {
  if constexpr (requires { F::Real(1.0); })
    return F::Real(v);
  else
    return double(F::RealLong(Long(v)));
}

template <typename F>
void F64Run(const ElementLoop&, const uint8_t* const* in, uint8_t* out, size_t n) {
  for (size_t i = 0; i < n; ++i) Store<double>(out, i, CanonicalNan(RealF64<F>(Load<double>(in[0], i))));
}
template <typename F>
void NarrowRun(const ElementLoop&, const uint8_t* const* in, uint8_t* out, size_t n) {
  for (size_t i = 0; i < n; ++i) Store<double>(out, i, RealNarrow<F>(Load<double>(in[0], i)));
}
template <typename F>
void F32Run(const ElementLoop&, const uint8_t* const* in, uint8_t* out, size_t n) {
  for (size_t i = 0; i < n; ++i)
    Store<float>(out, i, CanonicalNan(float(RealNarrow<F>(double(Load<float>(in[0], i))))));
}
template <typename F, typename T, typename W>
void ComplexRun(const ElementLoop&, const uint8_t* const* in, uint8_t* out, size_t n) {
  for (size_t i = 0; i < n; ++i) {
    const std::complex<W> z(Load<T>(in[0], 2 * i), Load<T>(in[0], 2 * i + 1));
    const std::complex<W> r = F::Complex(z);
    Store<T>(out, 2 * i, CanonicalNan(T(r.real())));
    Store<T>(out, 2 * i + 1, CanonicalNan(T(r.imag())));
  }
}

// Nanoseconds per element, approximately: real functions take 10 to 40, complex ones 100 to 300 and in long
// double up to 700. Functions that sum a series have kNanoseconds.
constexpr double kFunction = 20, kComplexFunction = 200, kWideComplexFunction = 600;

ElementLoop Costing(double nanoseconds, ElementLoop loop) {
  loop.nanoseconds = nanoseconds;
  return loop;
}

template <typename F>
ElementLoop PickMath(LoopQuery& q) {
  if (q.operands.size() != 1) return {};
  const ElementType element = q.result = q.operands[0];
  if (element.complex) {
    if constexpr (requires { F::Complex(std::complex<double>()); })
      return element.kind == TypeKind::kF32
                 ? Costing(kComplexFunction, {.run = ComplexRun<F, float, double>})
                 : Costing(kWideComplexFunction, {.run = ComplexRun<F, double, Long>});
    return {};
  }
  if (element.kind == TypeKind::kF32) return Costing(kFunction, {.run = F32Run<F>});
  if (element.kind == TypeKind::kF64) return Costing(kFunction, {.run = F64Run<F>});
  return Costing(kFunction, ThroughF64(element.kind, NarrowRun<F>, 1));
}

#define SHLO_BOTH(name, real, complex_function)      \
  struct name {                                      \
    static double Real(double v) { return real(v); } \
    template <typename C>                            \
    static C Complex(C z) {                          \
      return complex_function(z);                    \
    }                                                \
  };
#define SHLO_LONG(name, real, complex_function)      \
  struct name {                                      \
    static double Real(double v) { return real(v); } \
    static Long RealLong(Long v) { return real(v); } \
    template <typename C>                            \
    static C Complex(C z) {                          \
      return complex_function(z);                    \
    }                                                \
  };
SHLO_BOTH(SineFn, std::sin, std::sin)
SHLO_BOTH(CosineFn, std::cos, std::cos)
SHLO_BOTH(TanFn, std::tan, std::tan)
SHLO_LONG(TanhFn, std::tanh, std::tanh)
SHLO_BOTH(LogFn, std::log, std::log)
SHLO_BOTH(SqrtFn, std::sqrt, std::sqrt)
SHLO_BOTH(AcosFn, std::acos, std::acos)
SHLO_LONG(AcoshFn, std::acosh, std::acosh)
SHLO_BOTH(AsinFn, std::asin, std::asin)
SHLO_LONG(AsinhFn, std::asinh, std::asinh)
SHLO_BOTH(AtanFn, std::atan, std::atan)
SHLO_LONG(AtanhFn, std::atanh, std::atanh)
SHLO_LONG(CoshFn, std::cosh, std::cosh)
SHLO_LONG(SinhFn, std::sinh, std::sinh)
#undef SHLO_BOTH
#undef SHLO_LONG

// exp(x + iy) = exp(x) (cos(y) + i sin(y)). If y is not finite, the result is NaN (annex G of C99 has zeros
// and infinities for infinite x).
struct ExponentialFn {
  static double Real(double v) { return std::exp(v); }
  template <typename C>
  static C Complex(C z) {
    using W = typename C::value_type;
    constexpr W kNan = std::numeric_limits<W>::quiet_NaN();
    if (!std::isfinite(z.imag())) return C(kNan, kNan);
    return std::exp(z);
  }
};

// expm1(x + iy) = expm1(x) cos(y) - 2 sin^2(y / 2) + i e^x sin(y): avoids cancellation near 0.
struct ExponentialMinusOneFn {
  static double Real(double v) { return std::expm1(v); }
  template <typename C>
  static C Complex(C z) {
    using W = typename C::value_type;
    const W x = z.real(), y = z.imag();
    if (!std::isfinite(x) || !std::isfinite(y)) return std::exp(z) - W(1);
    const W s = std::sin(y / 2);
    const W im = std::exp(z).imag();
    return C(std::expm1(x) * std::cos(y) - 2 * s * s, y == 0 ? y : im);
  }
};

// Compensated sum of terms (Knuth's two-sum).
template <typename W, size_t kN>
W ExactSum(const W (&terms)[kN]) {
  W sum = 0, error = 0;
  for (W t : terms) {
    const W next = sum + t, back = next - sum;
    error += (sum - (next - back)) + (t - back);
    sum = next;
  }
  return sum + error;
}

// log1p(x + iy) = log1p(x (x + 2) + y^2) / 2 + i atan2(y, 1 + x). The argument of log1p cancels if
// |1 + z| is close to 1, so it is summed from exact products.
struct LogPlusOneFn {
  static double Real(double v) { return std::log1p(v); }
  template <typename C>
  static C Complex(C z) {
    using W = typename C::value_type;
    const W x = z.real(), y = z.imag();
    const W im = std::atan2(y, x + W(1));
    if (x == 0 && y == 0) return z;
    // Near -1 the sum below consists of rounding errors, and x + 1 is exact.
    const bool near_pole = std::fabs(x + W(1)) < W(0.5) && std::fabs(y) < W(0.5);
    if (near_pole || !(std::fabs(x) < 4) || !(std::fabs(y) < 4))
      return C(std::log(std::hypot(x + W(1), y)), im);
    const W xx = x * x, yy = y * y;
    const W terms[] = {2 * x, xx, yy, std::fma(x, x, -xx), std::fma(y, y, -yy)};
    return C(std::log1p(ExactSum(terms)) / 2, im);
  }
};

struct LogisticFn {
  static double Real(double v) { return 1 / (1 + std::exp(-v)); }
  static Long RealLong(Long v) { return 1 / (1 + std::exp(-v)); }
  template <typename C>
  static C Complex(C z) {
    using W = typename C::value_type;
    return C(1) / (C(1) + std::exp(C(-z.real(), -z.imag() + W(0))));
  }
};

struct RsqrtFn {
  static double Real(double v) { return 1 / std::sqrt(v); }
  static Long RealLong(Long v) { return 1 / std::sqrt(v); }
  template <typename C>
  static C Complex(C z) {
    using W = typename C::value_type;
    const C root = std::sqrt(z);
    const W size = std::hypot(z.real(), z.imag());
    if (!(size > 0) || !std::isfinite(size)) return C(1) / root;
    return C(root.real() / size, -root.imag() / size);  // 1 / root would lose the sign of a zero
  }
};

struct CbrtFn {
  static double Real(double v) { return std::cbrt(v); }
  static Long RealLong(Long v) { return std::cbrt(v); }
  template <typename C>
  static C Complex(C z) {
    using W = typename C::value_type;
    const W r = std::cbrt(std::hypot(z.real(), z.imag())), theta = std::atan2(z.imag(), z.real()) / 3;
    return C(r * std::cos(theta), r * std::sin(theta));
  }
};

// w with asin(z) = atan2(Re z, Re w) + i sign(Im z) Im w. Re w = sqrt(a^2 - x^2), where a is half the sum of
// the distances to -1 and 1; a - x is computed without cancellation (the real part of asin cannot be used: it
// has lost Re w near pi / 2).
struct AsinAcosKernelFn {
  static double Real(double) { return std::numeric_limits<double>::quiet_NaN(); }
  template <typename C>
  static C Complex(C z) {
    using W = typename C::value_type;
    const W v = std::fabs(std::asin(z).imag()), x = std::fabs(z.real()), y = std::fabs(z.imag());
    if (!std::isfinite(x) || !std::isfinite(y)) return C(y, v);
    const W r = std::hypot(x + 1, y), s = std::hypot(x - 1, y), half = ((r + s) / 2 + x) / 2;
    if (x <= 1) return C(std::sqrt(half * (y * y / (r + x + 1) + (s - (x - 1)))), v);
    // s + x would lose a small s near 1.
    return C(y * std::sqrt(half / (r + (x + 1)) + half / (s + (x - 1))), v);
  }
};

struct ErfFn {
  static double Real(double v) { return std::erf(v); }
  static Long RealLong(Long v) { return std::erf(v); }
};
struct ErfcFn {
  static double Real(double v) { return std::erfc(v); }
  static Long RealLong(Long v) { return std::erfc(v); }
};
struct ErfInvFn {
  static Long RealLong(Long v) { return ErfInv(v); }
};
struct LgammaFn {
  static Long RealLong(Long v) {
    int sign = 0;  // lgamma writes a global, lgamma_r does not
    return lgammal_r(v, &sign);
  }
};
struct DigammaFn {
  static Long RealLong(Long v) { return Digamma(v); }
};
struct BesselI1eFn {
  // Slightly less than half of the smallest numbers, where a half would be a tie.
  static double Real(double v) {
    const double r = double(BesselI1e(v));
    return v != 0 && std::fabs(v) < 1e-20 ? std::nextafter(r, 0.0) : r;
  }
  static Long RealLong(Long v) { return BesselI1e(v); }
};

// --- Rounding to integers: exact in every format --------------------------------------------------

template <typename F, typename T>
void RoundRun(const ElementLoop&, const uint8_t* const* in, uint8_t* out, size_t n) {
  for (size_t i = 0; i < n; ++i) Store<T>(out, i, CanonicalNan(F::Of(Load<T>(in[0], i))));
}
template <typename F>
ElementLoop PickRound(LoopQuery& q) {
  if (q.operands.size() != 1 || q.operands[0].complex) return {};
  const ElementType element = q.result = q.operands[0];
  if (element.kind == TypeKind::kF32) return {.run = RoundRun<F, float>};
  if (element.kind == TypeKind::kF64) return {.run = RoundRun<F, double>};
  return ThroughFloat(element.kind, RoundRun<F, float>, RoundRun<F, double>, 1);
}
struct CeilFn {
  template <typename T>
  static T Of(T v) {
    return std::ceil(v);
  }
};
struct FloorFn {
  template <typename T>
  static T Of(T v) {
    return std::floor(v);
  }
};
struct AwayFromZeroFn {
  template <typename T>
  static T Of(T v) {
    return std::round(v);
  }
};
struct TiesToEvenFn {
  template <typename T>
  static T Of(T v) {
    return std::nearbyint(v);  // the rounding mode is never changed
  }
};

// --- Two operands ---------------------------------------------------------------------------------

template <typename F>
void BinaryF64Run(const ElementLoop&, const uint8_t* const* in, uint8_t* out, size_t n) {
  for (size_t i = 0; i < n; ++i)
    Store<double>(out, i, CanonicalNan(F::Real(Load<double>(in[0], i), Load<double>(in[1], i))));
}
template <typename F, typename T, typename W>
void BinaryComplexRun(const ElementLoop&, const uint8_t* const* in, uint8_t* out, size_t n) {
  using C = std::complex<W>;
  for (size_t i = 0; i < n; ++i) {
    const C r = F::Complex(C(Load<T>(in[0], 2 * i), Load<T>(in[0], 2 * i + 1)),
                           C(Load<T>(in[1], 2 * i), Load<T>(in[1], 2 * i + 1)));
    Store<T>(out, 2 * i, CanonicalNan(T(r.real())));
    Store<T>(out, 2 * i + 1, CanonicalNan(T(r.imag())));
  }
}

template <typename F>
ElementLoop PickBinaryMath(LoopQuery& q) {
  if (q.operands.size() != 2 || q.operands[0] != q.operands[1]) return {};
  const ElementType element = q.result = q.operands[0];
  if (element.complex) {
    if constexpr (requires { F::Complex(std::complex<double>(), std::complex<double>()); })
      return element.kind == TypeKind::kF32
                 ? Costing(kComplexFunction, {.run = BinaryComplexRun<F, float, double>})
                 : Costing(kWideComplexFunction, {.run = BinaryComplexRun<F, double, Long>});
    return {};
  }
  double cost = kFunction;
  if constexpr (requires { F::kNanoseconds; }) cost = F::kNanoseconds;
  if (element.kind == TypeKind::kF64) return Costing(cost, {.run = BinaryF64Run<F>});
  return Costing(cost, ThroughF64(element.kind, BinaryF64Run<F>, 2));
}

// atan2(y, x) = -i log((x + iy) / sqrt(x^2 + y^2)) for complex numbers.
struct Atan2Fn {
  static double Real(double y, double x) { return std::atan2(y, x); }
  template <typename C>
  static C Complex(C y, C x) {
    using W = typename C::value_type;
    const C iy(-y.imag(), y.real());
    const C log = std::log((x + iy) / std::sqrt(x * x + y * y));
    return C(log.imag(), W(0) - log.real());
  }
};

struct PowerFn {
  // pow(1, NaN) and pow(NaN, 0) are 1, also for a signaling NaN, of which the C library makes a NaN.
  static double Real(double a, double b) { return std::pow(CanonicalNan(a), CanonicalNan(b)); }
  template <typename C>
  static C Complex(C a, C b) {
    using W = typename C::value_type;
    // The logarithm of zero is infinite, so handle powers of zero separately.
    if (a == C(0)) {
      if (b == C(0)) return C(1);
      if (b.real() > 0 && b.imag() == 0) return C(0);
    }
    if (a.imag() == 0 && b.imag() == 0 && a.real() >= 0) return C(std::pow(a.real(), b.real()), W(0));
    return std::exp(b * std::log(a));
  }
};

struct ZetaFn {
  static constexpr double kNanoseconds = 15'000;
  static double Real(double x, double q) { return double(Zeta(x, q)); }
};
struct PolygammaFn {
  static constexpr double kNanoseconds = 15'000;
  static double Real(double n, double x) { return double(Polygamma(n, x)); }
};

// Integer power by squaring, modulo 2^n; a negative exponent gives 0 unless the base is 1 or -1.
template <typename T, int kWidth>
void IntPowerRun(const ElementLoop&, const uint8_t* const* in, uint8_t* out, size_t n) {
  using U = std::make_unsigned_t<T>;
  for (size_t i = 0; i < n; ++i) {
    T base = LoadInt<T, kWidth>(in[0], i);
    T exponent = LoadInt<T, kWidth>(in[1], i);
    T result = 1;
    if (exponent < 0) {
      result = base == 1 || base == T(-1) ? (exponent & 1 ? base : T(1)) : T(0);
    } else {
      for (U e = U(exponent); e != 0; e = U(e >> 1)) {
        if (e & 1) result = T(uint64_t(result) * uint64_t(base));
        base = T(uint64_t(base) * uint64_t(base));
      }
    }
    StoreInt<T, kWidth>(out, i, result);
  }
}

// Adjacent values of a format have adjacent codes, ascending away from zero.
void NextAfterRun(const ElementLoop& self, const uint8_t* const* in, uint8_t* out, size_t n) {
  const TypeKind kind = TypeKind(self.x);
  const size_t bytes = size_t(self.y);
  const uint64_t sign = 1ull << (BitWidth(kind) - 1);
  for (size_t i = 0; i < n; ++i) {
    uint64_t a = 0, b = 0;
    std::memcpy(&a, in[0] + i * bytes, bytes);
    std::memcpy(&b, in[1] + i * bytes, bytes);
    const double x = DecodeFloat(kind, a), y = DecodeFloat(kind, b);
    if (x != x || y != y) {
      a = EncodeFloat(kind, std::numeric_limits<double>::quiet_NaN());
    } else if (x == y) {
      a = b;
    } else if (x == 0) {
      a = (y < 0 ? sign : 0) | 1;
    } else {
      a += (x < y) == (x > 0) ? 1 : ~0ull;
    }
    std::memcpy(out + i * bytes, &a, bytes);
  }
}

// Replaces a loop on f32, or one on f64 for a narrower format, by one for vectors if there is one.
ElementLoop Widened(WideLoops WideFunctions::*function, ElementLoop loop, const LoopQuery& query) {
  const WideFunctions* const wide = BestWideFunctions();
  if (!loop || !wide || query.result.complex || query.result.kind == TypeKind::kF64) return loop;
  const WideLoops& loops = wide->*function;
  constexpr double kFast = 0.5;  // nanoseconds
  if (query.result.kind != TypeKind::kF32)
    loop.inner = loops.f64;
  else if (query.fast && loops.fast_f32)
    loop.run = loops.fast_f32, loop.nanoseconds = kFast;
  else
    loop.run = loops.f32;
  return loop;
}

}  // namespace

double PlainExponential(double x) { return RealNarrow<ExponentialFn>(x); }
double PlainLogistic(double x) { return RealNarrow<LogisticFn>(x); }
double PlainTanh(double x) { return RealNarrow<TanhFn>(x); }
double PlainErf(double x) { return RealNarrow<ErfFn>(x); }
double PlainSqrt(double x) { return RealNarrow<SqrtFn>(x); }
double PlainRsqrt(double x) { return RealNarrow<RsqrtFn>(x); }

ElementLoop PickCbrt(LoopQuery& query) { return PickMath<CbrtFn>(query); }
ElementLoop PickCosine(LoopQuery& query) { return PickMath<CosineFn>(query); }
ElementLoop PickSine(LoopQuery& query) { return PickMath<SineFn>(query); }
ElementLoop PickTan(LoopQuery& query) { return PickMath<TanFn>(query); }
ElementLoop PickTanh(LoopQuery& query) {
  return Widened(&WideFunctions::tanh, PickMath<TanhFn>(query), query);
}
ElementLoop PickExponential(LoopQuery& query) {
  return Widened(&WideFunctions::exponential, PickMath<ExponentialFn>(query), query);
}
ElementLoop PickExponentialMinusOne(LoopQuery& query) { return PickMath<ExponentialMinusOneFn>(query); }
ElementLoop PickLog(LoopQuery& query) { return PickMath<LogFn>(query); }
ElementLoop PickLogPlusOne(LoopQuery& query) { return PickMath<LogPlusOneFn>(query); }
ElementLoop PickLogistic(LoopQuery& query) {
  return Widened(&WideFunctions::logistic, PickMath<LogisticFn>(query), query);
}
ElementLoop PickSqrt(LoopQuery& query) {
  return Widened(&WideFunctions::sqrt, PickMath<SqrtFn>(query), query);
}
ElementLoop PickRsqrt(LoopQuery& query) {
  return Widened(&WideFunctions::rsqrt, PickMath<RsqrtFn>(query), query);
}
ElementLoop PickAsinAcosKernel(LoopQuery& query) { return PickMath<AsinAcosKernelFn>(query); }
ElementLoop PickAcos(LoopQuery& query) { return PickMath<AcosFn>(query); }
ElementLoop PickAcosh(LoopQuery& query) { return PickMath<AcoshFn>(query); }
ElementLoop PickAsin(LoopQuery& query) { return PickMath<AsinFn>(query); }
ElementLoop PickAsinh(LoopQuery& query) { return PickMath<AsinhFn>(query); }
ElementLoop PickAtan(LoopQuery& query) { return PickMath<AtanFn>(query); }
ElementLoop PickAtanh(LoopQuery& query) { return PickMath<AtanhFn>(query); }
ElementLoop PickCosh(LoopQuery& query) { return PickMath<CoshFn>(query); }
ElementLoop PickSinh(LoopQuery& query) { return PickMath<SinhFn>(query); }
ElementLoop PickErf(LoopQuery& query) { return Widened(&WideFunctions::erf, PickMath<ErfFn>(query), query); }
ElementLoop PickErfc(LoopQuery& query) { return PickMath<ErfcFn>(query); }
ElementLoop PickErfInv(LoopQuery& query) { return PickMath<ErfInvFn>(query); }
ElementLoop PickLgamma(LoopQuery& query) { return PickMath<LgammaFn>(query); }
ElementLoop PickDigamma(LoopQuery& query) { return PickMath<DigammaFn>(query); }
ElementLoop PickBesselI1e(LoopQuery& query) { return PickMath<BesselI1eFn>(query); }
ElementLoop PickCeil(LoopQuery& query) { return PickRound<CeilFn>(query); }
ElementLoop PickFloor(LoopQuery& query) { return PickRound<FloorFn>(query); }
ElementLoop PickRoundNearestAfz(LoopQuery& query) { return PickRound<AwayFromZeroFn>(query); }
ElementLoop PickRoundNearestEven(LoopQuery& query) { return PickRound<TiesToEvenFn>(query); }
ElementLoop PickAtan2(LoopQuery& query) { return PickBinaryMath<Atan2Fn>(query); }
ElementLoop PickZeta(LoopQuery& query) { return PickBinaryMath<ZetaFn>(query); }
ElementLoop PickPolygamma(LoopQuery& query) { return PickBinaryMath<PolygammaFn>(query); }

// Specification, "power": integer, IEEE 754 `pow`, complex exponentiation.
ElementLoop PickPower(LoopQuery& q) {
  if (q.operands.size() != 2 || q.operands[0] != q.operands[1]) return {};
  if (!q.operands[0].is_integer()) return PickBinaryMath<PowerFn>(q);
  q.result = q.operands[0];
  return WithIntType(q.result.kind,
                     []<typename T, int kWidth>() { return ElementLoop{.run = IntPowerRun<T, kWidth>}; });
}

// CHLO, "next_after": the next value of the format from x in the direction of y.
ElementLoop PickNextAfter(LoopQuery& q) {
  if (q.operands.size() != 2 || q.operands[0] != q.operands[1]) return {};
  const ElementType element = q.result = q.operands[0];
  const FloatFormat* format = element.complex ? nullptr : FloatFormatOf(element.kind);
  if (!format || format->flavor == FloatFormat::kFnu || format->flavor == FloatFormat::kFnuz) return {};
  return {.run = NextAfterRun, .x = int64_t(element.kind), .y = int64_t(element.bytes())};
}

}  // namespace shlo
