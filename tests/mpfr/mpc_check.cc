// Compares complex functions with MPC: at random numbers, and at all pairs of parts that test branch cuts and
// signed zeros. Prints a row per function and type. Exit code 1 if the error at a finite number that is not
// next to a cut exceeds LIMIT ULP of the larger part, or if a zero or a side of a cut has the wrong sign. Not
// part of ctest.
//
//   mpc_check [COUNT [FUNCTION]]
#include <mpc.h>

#include <bit>
#include <cmath>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string_view>
#include <vector>

#include "eval/input_generator.h"
#include "eval/loops/element_loops.h"

namespace shlo {
namespace {

constexpr mpfr_prec_t kPrecision = 400;
constexpr mpc_rnd_t kNear = MPC_RNDNN;
constexpr double kLimit = 2;

using Unary = int (*)(mpc_t, mpc_srcptr, mpc_rnd_t);

int Rsqrt(mpc_t out, mpc_srcptr z, mpc_rnd_t rounding) {
  // conj(w) / |w|^2: 1 / w would not determine the sign of a zero.
  mpfr_t norm;
  mpfr_init2(norm, kPrecision);
  mpc_sqrt(out, z, rounding);
  mpc_norm(norm, out, MPFR_RNDN);
  if (!mpfr_regular_p(norm)) {
    mpc_ui_div(out, 1, out, rounding);
  } else {
    mpc_conj(out, out, rounding);
    mpc_div_fr(out, out, norm, rounding);
  }
  mpfr_clear(norm);
  return 0;
}
// For tiny numbers, the first term of the series suffices; adding 1 would need too many digits.
bool IsTiny(mpc_srcptr z) {
  const auto tiny = [](mpfr_srcptr v) {
    return mpfr_zero_p(v) || (mpfr_regular_p(v) && mpfr_get_exp(v) < -200);
  };
  return tiny(mpc_realref(z)) && tiny(mpc_imagref(z));
}
int Expm1(mpc_t out, mpc_srcptr z, mpc_rnd_t rounding) {
  if (IsTiny(z)) return mpc_set(out, z, rounding);
  mpc_t keep;
  mpc_init2(keep, kPrecision);
  mpc_set(keep, z, rounding);
  mpc_exp(out, z, rounding);
  mpc_sub_ui(out, out, 1, rounding);
  if (mpfr_zero_p(mpc_imagref(keep))) mpfr_set(mpc_imagref(out), mpc_imagref(keep), MPFR_RNDN);
  mpc_clear(keep);
  return 0;
}
int Log1p(mpc_t out, mpc_srcptr z, mpc_rnd_t rounding) {
  if (IsTiny(z)) return mpc_set(out, z, rounding);
  mpc_add_ui(out, z, 1, rounding);
  return mpc_log(out, out, rounding);
}
// Computes the principal cube root.
int Cbrt(mpc_t out, mpc_srcptr z, mpc_rnd_t rounding) {
  mpc_log(out, z, rounding);
  mpc_div_ui(out, out, 3, rounding);
  return mpc_exp(out, out, rounding);
}

struct Function {
  const char* name;
  LoopPicker picker;
  Unary reference;
};
const Function kFunctions[] = {
    {"exponential", PickExponential, mpc_exp},
    {"exponential_minus_one", PickExponentialMinusOne, Expm1},
    {"log", PickLog, mpc_log},
    {"log_plus_one", PickLogPlusOne, Log1p},
    {"sine", PickSine, mpc_sin},
    {"cosine", PickCosine, mpc_cos},
    {"tan", PickTan, mpc_tan},
    {"tanh", PickTanh, mpc_tanh},
    {"sqrt", PickSqrt, mpc_sqrt},
    {"rsqrt", PickRsqrt, Rsqrt},
    {"cbrt", PickCbrt, Cbrt},
    {"acos", PickAcos, mpc_acos},
    {"acosh", PickAcosh, mpc_acosh},
    {"asin", PickAsin, mpc_asin},
    {"asinh", PickAsinh, mpc_asinh},
    {"atan", PickAtan, mpc_atan},
    {"atanh", PickAtanh, mpc_atanh},
    {"cosh", PickCosh, mpc_cosh},
    {"sinh", PickSinh, mpc_sinh},
};

template <typename T>
struct Tally {
  uint64_t inputs = 0, beyond = 0, signs = 0, special = 0;
  double most = 0;       // ULP of the larger part
  double most_part = 0;  // of the part itself
  std::complex<T> worst, worst_sign, worst_special;
};

template <typename T>
T Ulp(T v) {
  v = std::max(std::fabs(v), std::numeric_limits<T>::min());
  return std::nextafter(v, std::numeric_limits<T>::infinity()) - v;
}

template <typename T>
Tally<T> Check(const Function& f, const std::vector<std::complex<T>>& inputs) {
  std::vector<std::complex<T>> results(inputs.size());
  const ElementType types[] = {{sizeof(T) == 4 ? TypeKind::kF32 : TypeKind::kF64, true}};
  LoopQuery query{.operands = types};
  const ElementLoop loop = f.picker(query);
  const uint8_t* operands[] = {reinterpret_cast<const uint8_t*>(inputs.data())};
  loop.run(loop, operands, reinterpret_cast<uint8_t*>(results.data()), inputs.size());
  Tally<T> tally;
  mpc_t z, r;
  mpc_init2(z, kPrecision);
  mpc_init2(r, kPrecision);
  for (size_t i = 0; i < inputs.size(); ++i) {
    mpc_set_d_d(z, inputs[i].real(), inputs[i].imag(), kNear);
    f.reference(r, z, kNear);
    const auto rounded = [](mpfr_srcptr part) {
      return sizeof(T) == 4 ? T(mpfr_get_flt(part, MPFR_RNDN)) : T(mpfr_get_d(part, MPFR_RNDN));
    };
    const T expected[] = {rounded(mpc_realref(r)), rounded(mpc_imagref(r))};
    const T got[] = {results[i].real(), results[i].imag()};
    ++tally.inputs;
    bool finite = true, same = true;
    for (int part = 0; part < 2; ++part) {
      finite = finite && std::isfinite(expected[part]) && std::isfinite(got[part]);
      same = same && (expected[part] == got[part] || (std::isnan(expected[part]) && std::isnan(got[part])));
    }
    if (!finite) {
      if (!same) {
        ++tally.special;
        tally.worst_special = inputs[i];
      }
      continue;
    }
    const T larger = std::max(std::fabs(expected[0]), std::fabs(expected[1]));
    for (int part = 0; part < 2; ++part) {
      const double error = std::fabs(double(got[part]) - double(expected[part]));
      const double distance = error / double(Ulp(larger));
      tally.most_part = std::max(tally.most_part, error / double(Ulp(expected[part])));
      tally.beyond += distance > 1;
      if (distance > tally.most) {
        tally.most = distance;
        tally.worst = inputs[i];
      }
      // A zero with the wrong sign, or a significant part with the wrong sign: the wrong side of a cut.
      if (!std::isfinite(inputs[i].real()) || !std::isfinite(inputs[i].imag()) ||
          (IsTiny(z) && inputs[i] != T(0)))
        continue;
      if (std::signbit(got[part]) != std::signbit(expected[part]) && (error == 0 || distance > 1)) {
        ++tally.signs;
        tally.worst_sign = inputs[i];
      }
    }
  }
  mpc_clear(z);
  mpc_clear(r);
  return tally;
}

// Tests all pairs of these parts, and `count` random numbers, half of them with magnitudes near 1. None is
// large, because MPC would need millions of digits for the tangent.
template <typename T>
std::vector<std::complex<T>> Inputs(uint64_t count) {
  using Limits = std::numeric_limits<T>;
  std::vector<T> parts;
  for (const T v :
       {T(0), Limits::denorm_min(), Limits::min(), T(0.5), T(1), T(1.5), T(2), T(100), Limits::infinity()}) {
    parts.push_back(v);
    parts.push_back(-v);
  }
  parts.push_back(Limits::quiet_NaN());
  std::vector<std::complex<T>> inputs;
  for (const T re : parts)
    for (const T im : parts) inputs.push_back({re, im});
  SplitMix64 random(1);
  const auto part = [&](double span) {
    const uint64_t bits = random.Next();
    const double exponent = 8 - double(bits >> 32) / 4294967296.0 * span;
    return T((bits & 1 ? -1 : 1) * std::exp2(exponent) *
             (1 + double(random.Next() >> 11) / double(1ull << 53)));
  };
  for (uint64_t i = 0; i < count; ++i) {
    const double span = i % 2 ? 16 : 60;
    const T re = part(span), im = part(span);
    inputs.push_back({re, im});
  }
  return inputs;
}

template <typename T>
bool Row(const Function& f, uint64_t count) {
  const Tally<T> t = Check<T>(f, Inputs<T>(count));
  std::printf("| `%s` | %s | %llu | %.3g (%.3g) | %llu | %llu | %llu |", f.name,
              sizeof(T) == 4 ? "complex<f32>" : "complex<f64>", (unsigned long long)t.inputs, t.most,
              t.most_part, (unsigned long long)t.beyond, (unsigned long long)t.signs,
              (unsigned long long)t.special);
  if (t.beyond) std::printf(" ulp at (%.17g, %.17g)", double(t.worst.real()), double(t.worst.imag()));
  if (t.signs) std::printf(" sign at (%g, %g)", double(t.worst_sign.real()), double(t.worst_sign.imag()));
  if (t.special)
    std::printf(" special at (%g, %g)", double(t.worst_special.real()), double(t.worst_special.imag()));
  std::printf("\n");
  std::fflush(stdout);
  return t.most <= kLimit && t.signs == 0;
}

int Run(uint64_t count, std::string_view only) {
  bool good = true;
  std::printf(
      "| function | type | inputs | most ULP of the larger part (of the part) | beyond 1 | other sign | "
      "other "
      "infinity or NaN | at |\n|---|---|---|---|---|---|---|---|\n");
  for (const Function& f : kFunctions) {
    if (!only.empty() && only != f.name) continue;
    good = Row<float>(f, count) && good;
    good = Row<double>(f, count) && good;
  }
  return good ? 0 : 1;
}

}  // namespace
}  // namespace shlo

int main(int argc, char** argv) {
  return shlo::Run(argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 100'000, argc > 2 ? argv[2] : "");
}
