// Compares transcendental functions with MPFR: all 16-bit inputs, and COUNT others of f32 and f64 each.
// Prints a row per function and type: how many results are not the correctly rounded one, and by how many ULP
// at most. Exit code 1 when any is off by more than 1 ULP. Not part of ctest.
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

#include "eval/element_loops.h"
#include "eval/input_generator.h"
#include "ir/float_format.h"

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
// The specification's reciprocal square root has the sign of the zero; MPFR's has not.
int Rsqrt(mpfr_t out, mpfr_srcptr x, mpfr_rnd_t rounding) {
  if (!mpfr_zero_p(x)) return mpfr_rec_sqrt(out, x, rounding);
  mpfr_set_inf(out, mpfr_signbit(x) ? -1 : 1);
  return 0;
}
int Lgamma(mpfr_t out, mpfr_srcptr x, mpfr_rnd_t rounding) {
  int sign;
  return mpfr_lgamma(out, &sign, x, rounding);
}

// All poles are NaN here, that at zero too.
int Digamma(mpfr_t out, mpfr_srcptr x, mpfr_rnd_t rounding) {
  if (!mpfr_zero_p(x)) return mpfr_digamma(out, x, rounding);
  mpfr_set_nan(out);
  return 0;
}

struct Function {
  const char* name;
  LoopPicker picker;
  Unary unary = nullptr;
  Binary binary = nullptr;
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
    {"lgamma", PickLgamma, Lgamma},
    {"digamma", PickDigamma, Digamma},
    {"power", PickPower, nullptr, mpfr_pow},
    {"atan2", PickAtan2, nullptr, mpfr_atan2},
};

// The bits of the number of this format that is nearest to x.
uint64_t Rounded(TypeKind kind, mpfr_srcptr x) {
  if (kind == TypeKind::kF64) return std::bit_cast<uint64_t>(mpfr_get_d(x, MPFR_RNDN));
  // To odd first: the second rounding then is right.
  double d = mpfr_get_d(x, MPFR_RNDZ);
  if (std::isfinite(d) && mpfr_cmp_d(x, d) != 0) {
    const uint64_t bits = std::bit_cast<uint64_t>(d) | 1;
    d = std::bit_cast<double>(bits);
    if (d == 0 || std::fpclassify(d) == FP_SUBNORMAL) d = mpfr_signbit(x) ? -0.0 : 0.0;
  }
  return EncodeFloat(kind, d);
}

// Floats in order as integers.
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

// Half of them any bits, half of them where functions are neither 0 nor infinite.
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

int Run(uint64_t count, std::string_view only) {
  bool good = true;
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
        left = Inputs(kind, count, 1);
      if (f.binary) right = Inputs(kind, left.size(), 2);
      const Tally t = Check(f, kind, left, right);
      good = good && t.beyond == 0;
      std::printf("| `%s` | %s | %llu | %llu | %llu | %llu | ", f.name,
                  std::string(RowOf(kind).mnemonic).c_str(), (unsigned long long)t.inputs,
                  (unsigned long long)t.inexact, (unsigned long long)t.beyond, (unsigned long long)t.most);
      if (t.most) std::printf(f.binary ? "%.17g, %.17g" : "%.17g", t.worst[0], t.worst[1]);
      std::printf(" |\n");
      std::fflush(stdout);
    }
  }
  return good ? 0 : 1;
}

}  // namespace
}  // namespace shlo

int main(int argc, char** argv) {
  return shlo::Run(argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1'000'000, argc > 2 ? argv[2] : "");
}
