// Compares transcendental functions with MPFR: all 16-bit inputs, and COUNT inputs of f32 and f64 each (fewer
// if the MPFR function is slow). Prints a row per function and type: the number of results that are not
// correctly rounded, and the maximum error in ULP. Exit code 1 if an error exceeds 1 ULP. Not part of ctest.
//
//   mpfr_check [COUNT [FUNCTION]]
#include <mpfr.h>

#include <bit>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <vector>

#include "eval/input_generator.h"
#include "eval/loops/element_loops.h"
#include "ir/table/float_format.h"

namespace shlo {
namespace {

constexpr mpfr_prec_t kPrecision = 256;

using Unary = int (*)(mpfr_t, mpfr_srcptr, mpfr_rnd_t);
using Binary = int (*)(mpfr_t, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t);

int Logistic(mpfr_t out, mpfr_srcptr x, mpfr_rnd_t rounding) {
  mpfr_neg(out, x, rounding);
  mpfr_exp(out, out, rounding);
  mpfr_add_ui(out, out, 1, rounding);
  return mpfr_ui_div(out, 1, out, rounding);
}
// The specification's reciprocal square root keeps the sign of zero; MPFR's does not.
int Rsqrt(mpfr_t out, mpfr_srcptr x, mpfr_rnd_t rounding) {
  if (!mpfr_zero_p(x)) return mpfr_rec_sqrt(out, x, rounding);
  mpfr_set_inf(out, mpfr_signbit(x) ? -1 : 1);
  return 0;
}
int Lgamma(mpfr_t out, mpfr_srcptr x, mpfr_rnd_t rounding) {
  int sign;
  return mpfr_lgamma(out, &sign, x, rounding);
}

// All poles are NaN, including the one at zero.
int Digamma(mpfr_t out, mpfr_srcptr x, mpfr_rnd_t rounding) {
  if (!mpfr_zero_p(x)) return mpfr_digamma(out, x, rounding);
  mpfr_set_nan(out);
  return 0;
}

// Newton's method on erf, or on erfc near 1. The initial guess has the precision of double.
int ErfInv(mpfr_t out, mpfr_srcptr x, mpfr_rnd_t rounding) {
  if (mpfr_nan_p(x) || mpfr_zero_p(x) || mpfr_cmpabs_ui(x, 1) >= 0) {
    if (mpfr_nan_p(x) || mpfr_zero_p(x))
      mpfr_set(out, x, rounding);
    else if (mpfr_cmpabs_ui(x, 1) == 0)
      mpfr_set_inf(out, mpfr_sgn(x));
    else
      mpfr_set_nan(out);
    return 0;
  }
  mpfr_t z, f, y, slope;
  mpfr_inits2(kPrecision, z, f, y, slope, nullptr);
  mpfr_abs(y, x, rounding);
  mpfr_ui_sub(y, 1, y, rounding);  // 1 - |x|
  // sqrt(-log(1 - |x|)) is above it for |x| near 1; elsewhere |x| sqrt(pi) / 2 is below.
  mpfr_log(z, y, rounding);
  mpfr_neg(z, z, rounding);
  mpfr_sqrt(z, z, rounding);
  if (mpfr_cmp_d(y, 0.5) > 0) {
    mpfr_abs(z, x, rounding);
    mpfr_mul_d(z, z, 0.8862269254527580, rounding);
  }
  for (int i = 0; i < 60; ++i) {
    mpfr_erfc(f, z, rounding);
    mpfr_sub(f, f, y, rounding);
    if (mpfr_cmp_d(y, 0.5) > 0) {
      mpfr_erf(f, z, rounding);
      mpfr_abs(slope, x, rounding);
      mpfr_sub(f, slope, f, rounding);
    }
    // f / erf'(z) = f exp(z^2) sqrt(pi) / 2, with the second derivative (Halley).
    mpfr_sqr(slope, z, rounding);
    mpfr_exp(slope, slope, rounding);
    mpfr_mul(f, f, slope, rounding);
    mpfr_const_pi(slope, rounding);
    mpfr_sqrt(slope, slope, rounding);
    mpfr_mul(f, f, slope, rounding);
    mpfr_div_2ui(f, f, 1, rounding);
    mpfr_mul(slope, f, z, rounding);
    mpfr_ui_sub(slope, 1, slope, rounding);
    mpfr_div(f, f, slope, rounding);
    mpfr_add(z, z, f, rounding);
    if (mpfr_zero_p(f) || mpfr_get_exp(f) < mpfr_get_exp(z) - 150) break;
  }
  mpfr_copysign(out, z, x, rounding);
  mpfr_clears(z, f, y, slope, nullptr);
  return 0;
}

// exp(-|x|) I1(|x|) by the power series, or by the asymptotic series if its smallest term is below the
// precision.
int BesselI1e(mpfr_t out, mpfr_srcptr x, mpfr_rnd_t rounding) {
  if (mpfr_nan_p(x) || mpfr_zero_p(x) || mpfr_inf_p(x)) {
    mpfr_set(out, x, rounding);
    if (mpfr_inf_p(x)) mpfr_set_zero(out, mpfr_sgn(x));
    return 0;
  }
  mpfr_t a, term, sum, t;
  mpfr_inits2(kPrecision, a, term, sum, t, nullptr);
  mpfr_abs(a, x, rounding);
  if (mpfr_cmp_ui(a, 150) < 0) {
    mpfr_div_2ui(term, a, 1, rounding);
    mpfr_sqr(t, term, rounding);
    mpfr_set(sum, term, rounding);
    for (unsigned k = 1; mpfr_get_exp(term) > mpfr_get_exp(sum) - 260; ++k) {
      mpfr_mul(term, term, t, rounding);
      mpfr_div_ui(term, term, k * (k + 1), rounding);
      mpfr_add(sum, sum, term, rounding);
    }
    mpfr_neg(t, a, rounding);
    mpfr_exp(t, t, rounding);
    mpfr_mul(sum, sum, t, rounding);
  } else {
    mpfr_set_ui(term, 1, rounding);
    mpfr_set_ui(sum, 1, rounding);
    for (unsigned k = 1; k < 150 && mpfr_get_exp(term) > -260; ++k) {
      mpfr_mul_si(term, term, long(2 * k - 1) * long(2 * k - 1) - 4, rounding);
      mpfr_div(term, term, a, rounding);
      mpfr_div_ui(term, term, 8 * k, rounding);
      mpfr_add(sum, sum, term, rounding);
      if (mpfr_zero_p(term)) break;
    }
    mpfr_const_pi(t, rounding);
    mpfr_mul(t, t, a, rounding);
    mpfr_mul_2ui(t, t, 1, rounding);
    mpfr_sqrt(t, t, rounding);
    mpfr_div(sum, sum, t, rounding);
  }
  mpfr_copysign(out, sum, x, rounding);
  mpfr_clears(a, term, sum, t, nullptr);
  return 0;
}

// The Hurwitz zeta function by Euler-Maclaurin summation after 40 terms.
int Zeta(mpfr_t out, mpfr_srcptr x, mpfr_srcptr q, mpfr_rnd_t rounding) {
  constexpr int kTerms = 40, kCorrections = 40;
  if (mpfr_nan_p(x) || mpfr_nan_p(q) || mpfr_cmp_ui(x, 1) < 0) {
    mpfr_set_nan(out);
    return 0;
  }
  if (mpfr_cmp_ui(x, 1) == 0) {
    mpfr_set_inf(out, 1);
    return 0;
  }
  mpfr_t a, s, term, power, factor, t;
  mpfr_inits2(kPrecision, a, s, term, power, factor, t, nullptr);
  mpfr_set(a, q, rounding);
  mpfr_neg(s, x, rounding);
  mpfr_set_ui(out, 0, rounding);
  for (int k = 0; k < kTerms; ++k) {
    mpfr_pow(term, a, s, rounding);
    mpfr_add(out, out, term, rounding);
    mpfr_add_ui(a, a, 1, rounding);
  }
  mpfr_pow(power, a, s, rounding);
  mpfr_div_2ui(t, power, 1, rounding);
  mpfr_add(out, out, t, rounding);
  mpfr_sub_ui(t, x, 1, rounding);
  mpfr_div(t, a, t, rounding);
  mpfr_mul(t, t, power, rounding);
  mpfr_add(out, out, t, rounding);
  // B(2k) / (2k)! = 2 (-1)^(k+1) zeta(2k) / (2 pi)^2k.
  static std::vector<mpfr_ptr> bernoulli;
  for (unsigned k = unsigned(bernoulli.size()) + 1; k <= kCorrections; ++k) {
    auto* b = new __mpfr_struct;
    mpfr_init2(b, kPrecision);
    mpfr_const_pi(t, rounding);
    mpfr_mul_2ui(t, t, 1, rounding);
    mpfr_pow_ui(t, t, 2 * k, rounding);
    mpfr_zeta_ui(b, 2 * k, rounding);
    mpfr_mul_si(b, b, k % 2 ? 2 : -2, rounding);
    mpfr_div(b, b, t, rounding);
    bernoulli.push_back(b);
  }
  mpfr_mul(factor, x, power, rounding);
  mpfr_div(factor, factor, a, rounding);
  for (unsigned k = 1; k <= kCorrections; ++k) {
    mpfr_mul(term, factor, bernoulli[k - 1], rounding);
    mpfr_add(out, out, term, rounding);
    if (!mpfr_regular_p(term) || !mpfr_regular_p(out) || mpfr_get_exp(term) < mpfr_get_exp(out) - 150) break;
    for (unsigned i = 2 * k - 1; i <= 2 * k; ++i) {
      mpfr_add_ui(t, x, i, rounding);
      mpfr_mul(factor, factor, t, rounding);
      mpfr_div(factor, factor, a, rounding);
    }
  }
  mpfr_clears(a, s, term, power, factor, t, nullptr);
  return 0;
}
int Polygamma(mpfr_t out, mpfr_srcptr n, mpfr_srcptr x, mpfr_rnd_t rounding) {
  if (mpfr_zero_p(n)) return Digamma(out, x, rounding);
  mpfr_t s, f;
  mpfr_inits2(kPrecision, s, f, nullptr);
  mpfr_add_ui(s, n, 1, rounding);
  Zeta(out, s, x, rounding);
  mpfr_gamma(f, s, rounding);
  mpfr_mul(out, out, f, rounding);
  if (std::fmod(mpfr_get_d(n, rounding), 2) == 0) mpfr_neg(out, out, rounding);
  mpfr_clears(s, f, nullptr);
  return 0;
}

// Domain of a function of two operands.
enum class Domain { kAll, kZeta, kPolygamma };

struct Function {
  const char* name;
  LoopPicker picker;
  Unary unary = nullptr;
  Binary binary = nullptr;
  uint64_t slow = 1;  // the count of inputs is divided by this
  Domain domain = Domain::kAll;
};
const Function kFunctions[] = {
    {"exponential", PickExponential, mpfr_exp},
    {"exponential_minus_one", PickExponentialMinusOne, mpfr_expm1},
    {"log", PickLog, mpfr_log},
    {"log_plus_one", PickLogPlusOne, mpfr_log1p},
    {"logistic", PickLogistic, Logistic},
    {"sine", PickSine, mpfr_sin},
    {"cosine", PickCosine, mpfr_cos},
    {"tan", PickTan, mpfr_tan},
    {"tanh", PickTanh, mpfr_tanh},
    {"sqrt", PickSqrt, mpfr_sqrt},
    {"rsqrt", PickRsqrt, Rsqrt},
    {"cbrt", PickCbrt, mpfr_cbrt},
    {"acos", PickAcos, mpfr_acos},
    {"acosh", PickAcosh, mpfr_acosh},
    {"asin", PickAsin, mpfr_asin},
    {"asinh", PickAsinh, mpfr_asinh},
    {"atan", PickAtan, mpfr_atan},
    {"atanh", PickAtanh, mpfr_atanh},
    {"cosh", PickCosh, mpfr_cosh},
    {"sinh", PickSinh, mpfr_sinh},
    {"erf", PickErf, mpfr_erf},
    {"erfc", PickErfc, mpfr_erfc},
    {"erf_inv", PickErfInv, ErfInv, nullptr, 4},
    {"bessel_i1e", PickBesselI1e, BesselI1e, nullptr, 4},
    {"lgamma", PickLgamma, Lgamma, nullptr, 4},
    {"digamma", PickDigamma, Digamma, nullptr, 4},
    {"zeta", PickZeta, nullptr, Zeta, 40, Domain::kZeta},
    {"polygamma", PickPolygamma, nullptr, Polygamma, 40, Domain::kPolygamma},
    {"power", PickPower, nullptr, mpfr_pow},
    {"atan2", PickAtan2, nullptr, mpfr_atan2},
};

// Returns the bits of the number of this format that is nearest to x.
uint64_t Rounded(TypeKind kind, mpfr_srcptr x) {
  if (kind == TypeKind::kF64) return std::bit_cast<uint64_t>(mpfr_get_d(x, MPFR_RNDN));
  // Round to odd first, so that the second rounding is correct.
  double d = mpfr_get_d(x, MPFR_RNDZ);
  if (std::isfinite(d) && mpfr_cmp_d(x, d) != 0) {
    const uint64_t bits = std::bit_cast<uint64_t>(d) | 1;
    d = std::bit_cast<double>(bits);
    if (d == 0 || std::fpclassify(d) == FP_SUBNORMAL) d = mpfr_signbit(x) ? -0.0 : 0.0;
  }
  return EncodeFloat(kind, d);
}

// Maps floats to integers in the same order.
int64_t Ordered(TypeKind kind, uint64_t bits) {
  const uint64_t sign = 1ull << (BitWidth(kind) - 1);
  return bits & sign ? -int64_t(bits & (sign - 1)) : int64_t(bits);
}

struct Tally {
  uint64_t inputs = 0, inexact = 0, beyond = 0;
  uint64_t most = 0;  // ULP
  double worst[2] = {};
};

Tally Check(const Function& f, TypeKind kind, const std::vector<uint64_t>& left,
            const std::vector<uint64_t>& right) {
  const size_t bytes = size_t(BitWidth(kind)) / 8, n = left.size();
  std::vector<uint8_t> in[2], out(n * bytes);
  for (const auto* operand : {&left, &right}) {
    auto& to = in[operand == &right];
    to.resize(n * bytes);
    for (size_t i = 0; i < operand->size(); ++i) std::memcpy(to.data() + i * bytes, &(*operand)[i], bytes);
  }
  const ElementType types[2] = {{kind}, {kind}};
  LoopQuery query{nullptr, nullptr, {types, f.binary ? size_t(2) : size_t(1)}, {}};
  const ElementLoop loop = f.picker(query);
  const uint8_t* operands[3] = {in[0].data(), in[1].data(), nullptr};
  loop.run(loop, operands, out.data(), n);
  Tally tally;
  mpfr_t x, y, r;
  mpfr_inits2(kPrecision, x, y, r, nullptr);
  for (size_t i = 0; i < n; ++i) {
    const double a = DecodeFloat(kind, left[i]), b = f.binary ? DecodeFloat(kind, right[i]) : 0;
    mpfr_set_d(x, a, MPFR_RNDN);
    mpfr_set_d(y, b, MPFR_RNDN);
    if (f.unary)
      f.unary(r, x, MPFR_RNDN);
    else
      f.binary(r, x, y, MPFR_RNDN);
    uint64_t ours = 0;
    std::memcpy(&ours, out.data() + i * bytes, bytes);
    ++tally.inputs;
    const bool nan = IsNan(kind, ours);
    uint64_t distance = 0;
    if (nan || mpfr_nan_p(r)) {
      if (!nan || !mpfr_nan_p(r)) distance = 1'000'000'000;
    } else {
      distance = uint64_t(std::llabs(Ordered(kind, ours) - Ordered(kind, Rounded(kind, r))));
    }
    tally.inexact += distance > 0;
    tally.beyond += distance > 1;
    if (distance > tally.most) {
      tally.most = distance;
      tally.worst[0] = a;
      tally.worst[1] = b;
    }
  }
  mpfr_clears(x, y, r, nullptr);
  return tally;
}

// Half of the inputs are random bits, half are in a range in which functions are neither 0 nor infinite.
std::vector<uint64_t> Inputs(TypeKind kind, uint64_t count, uint64_t seed) {
  SplitMix64 random(seed);
  const int width = BitWidth(kind);
  std::vector<uint64_t> inputs;
  for (uint64_t i = 0; i < count; ++i) {
    const uint64_t bits = random.Next() >> (64 - width);
    const double exponent = double(random.Next() >> 11) / double(1ull << 53) * 40 - 30;
    const double value =
        (bits & 1 ? -1 : 1) * std::exp2(exponent / 3) * (1 + double(bits >> 1 & 0xFFFFFF) / (1 << 24));
    inputs.push_back(i % 2 ? bits : EncodeFloat(kind, value));
  }
  return inputs;
}

// Brings operands into the domain: zeta(x, q) has x > 1 and q > 0, polygamma(n, x) whole n >= 0 and x > 0.
void Confine(Domain domain, TypeKind kind, std::vector<uint64_t>* left, std::vector<uint64_t>* right) {
  SplitMix64 random(3);
  for (size_t i = 0; domain != Domain::kAll && i < left->size(); ++i) {
    const double uniform = double(random.Next() >> 11) / double(1ull << 53);
    (*left)[i] = EncodeFloat(
        kind, domain == Domain::kZeta ? 1 + std::exp2(uniform * 12 - 7) : double(random.Next() % 20));
    const double second = std::exp2(double(random.Next() >> 11) / double(1ull << 53) * 24 - 10);
    (*right)[i] = EncodeFloat(kind, second);
  }
}

int Run(uint64_t count, std::string_view only) {
  bool good = true;
  uint64_t all_inputs = 0, others = 0;
  std::printf(
      "| function | type | inputs | not correctly rounded | off by more than 1 ULP | most ULP | at |\n");
  std::printf("|---|---|---|---|---|---|---|\n");
  for (const Function& f : kFunctions) {
    if (!only.empty() && only != f.name) continue;
    for (const TypeKind kind : {TypeKind::kF16, TypeKind::kBF16, TypeKind::kF32, TypeKind::kF64}) {
      std::vector<uint64_t> left, right;
      const bool all = BitWidth(kind) == 16;
      if (all && f.unary)
        for (uint64_t bits = 0; bits < 1 << 16; ++bits) left.push_back(bits);
      else
        left = Inputs(kind, count / f.slow, 1);
      if (f.binary) right = Inputs(kind, left.size(), 2);
      Confine(f.domain, kind, &left, &right);
      const Tally t = Check(f, kind, left, right);
      good = good && t.beyond == 0;
      (all && f.unary ? all_inputs : others) += t.inputs;
      std::printf("| `%s` | %s | %llu | %llu | %llu | %llu | ", f.name,
                  std::string(RowOf(kind).mnemonic).c_str(), (unsigned long long)t.inputs,
                  (unsigned long long)t.inexact, (unsigned long long)t.beyond, (unsigned long long)t.most);
      if (t.most) std::printf(f.binary ? "%.17g, %.17g" : "%.17g", t.worst[0], t.worst[1]);
      std::printf(" |\n");
      std::fflush(stdout);
    }
  }
  std::printf("\n%llu inputs that are all of their type, %llu others\n", (unsigned long long)all_inputs,
              (unsigned long long)others);
  return good ? 0 : 1;
}

}  // namespace
}  // namespace shlo

int main(int argc, char** argv) {
  return shlo::Run(argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1'000'000, argc > 2 ? argv[2] : "");
}
