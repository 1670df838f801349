// Functions of real and complex numbers that the C library does not have, by series and integrals of their
// definitions, and functions of complex numbers by textbook formulas.
#include <algorithm>
#include <cmath>

#include "eval/naive/complex_functions.h"
#include "eval/naive/program.h"
#include "eval/naive/scalars.h"

namespace shlo::naive {
namespace {

using Long = long double;

// Results of an op for numbers that the type has exactly.
std::vector<Long> Computed(std::string_view op, const Type& type,
                           const std::vector<std::vector<Long>>& operands) {
  OneOp one{.name = std::string(op), .results = {TypeText(type.name, {int64_t(operands[0].size())})}};
  for (const std::vector<Long>& operand : operands) {
    Values values(type, {int64_t(operand.size())});
    for (size_t i = 0; i < operand.size(); ++i) values.at[i].re = Encode(*type.format, Wide(operand[i]));
    one.operands.push_back(values);
  }
  const std::vector<Values> results = ResultsOf(one);
  std::vector<Long> out;
  if (!results.empty())
    for (const Scalar& v : results[0].at) out.push_back(Long(Decode(*type.format, v.re)));
  return out;
}
// Half a step of the type, and a little for the reference.
Long Tolerance(const Type& type, Long expected) {
  const Long step = std::ldexp(1.0L, -type.format->mantissa_bits);
  const Long least = Long(Scale(1, 1 - type.format->bias - type.format->mantissa_bits));
  return std::max(std::fabs(expected) * (0.51L * step + 1e-15L), least);
}
template <typename F>
void ExpectUnary(std::string_view op, const std::vector<Long>& operands, F f) {
  for (std::string_view name : {"f64", "f32", "bf16", "f16", "f8E5M2"}) {
    const Type type = *TypeOf(name);
    std::vector<Long> rounded;
    for (Long x : operands) rounded.push_back(Long(Round(*type.format, Wide(x))));
    const std::vector<Long> results = Computed(op, type, {rounded});
    for (size_t i = 0; i < results.size(); ++i) {
      const Long expected = f(rounded[i]);
      if (std::isnan(expected) || std::isinf(expected)) {
        EXPECT_TRUE(std::isnan(expected) ? std::isnan(results[i]) : results[i] == expected)
            << op << " " << name << " " << rounded[i] << ": " << results[i];
      } else if (std::fabs(expected) < Long(Decode(*type.format, LargestCode(*type.format)))) {
        EXPECT_NEAR(double(results[i]), double(expected), double(Tolerance(type, expected)))
            << op << " " << name << " " << rounded[i];
      }
    }
  }
}

constexpr Long kPi = 3.14159265358979323846264338327950288L;

// Derivatives of the logarithm of the gamma function, by the sum over its poles and the rest by Euler and
// Maclaurin:
// (-1)^(n+1) n! sum (x + k)^-(n+1).
Long HurwitzZeta(Long s, Long q) {
  Long sum = 0;
  constexpr int kTerms = 60;
  for (int k = 0; k < kTerms; ++k) sum += std::pow(q + k, -s);
  const Long x = q + kTerms;
  sum += std::pow(x, 1 - s) / (s - 1) + std::pow(x, -s) / 2;
  // B(2j) / (2j)! * s (s + 1) ... (s + 2j - 2) * x^(-s - 2j + 1)
  const Long bernoulli[] = {1 / 6.0L, -1 / 30.0L, 1 / 42.0L, -1 / 30.0L, 5 / 66.0L};
  Long factor = s;
  for (int j = 1; j <= 5; ++j) {
    Long factorial = 1;
    for (int i = 2; i <= 2 * j; ++i) factorial *= i;
    sum += bernoulli[j - 1] / factorial * factor * std::pow(x, -s - 2 * j + 1);
    factor *= (s + 2 * j - 1) * (s + 2 * j);
  }
  return sum;
}
Long DigammaByRecurrence(Long x) {
  if (x <= 0 && std::floor(x) == x) return NAN;
  if (x < 0) return DigammaByRecurrence(1 - x) - kPi / std::tan(kPi * x);
  Long sum = 0;
  for (; x < 40; ++x) sum -= 1 / x;
  const Long y = 1 / (x * x);
  return sum + std::log(x) - 0.5L / x - y * (1 / 12.0L - y * (1 / 120.0L - y * (1 / 252.0L - y / 240)));
}
// exp(-|x|) I1(x) = 1/pi * integral of exp(|x| (cos t - 1)) cos t over [0, pi], by the trapezoid rule, which
// converges geometrically for a periodic function.
Long BesselByIntegral(Long x) {
  if (x == 0) return x;
  constexpr int kSteps = 4000;
  Long sum = 0;
  for (int i = 0; i <= kSteps; ++i) {
    const Long t = kPi * i / kSteps;
    sum += (i == 0 || i == kSteps ? 0.5L : 1) * std::exp(std::fabs(x) * (std::cos(t) - 1)) * std::cos(t);
  }
  return std::copysign(sum / kSteps, x);
}

TEST(NaiveFunctions, Digamma) {
  ExpectUnary("chlo.digamma", {1, 2, 0.5L, 0.0625L, 3.75L, 10, 48, 1024, 16384, -0.5L, -1.25L, -2.5L, -3, -1},
              DigammaByRecurrence);
}

TEST(NaiveFunctions, BesselI1e) {
  ExpectUnary("chlo.bessel_i1e", {0, 0.5L, -0.5L, 1, 2, -3.5L, 7, 8, 9, 24, 100, -480, 1024},
              BesselByIntegral);
}

// erf(erf_inv(x)) = x, and the ends are infinite.
TEST(NaiveFunctions, ErfInvInvertsErf) {
  const Type type = *TypeOf("f64");
  const std::vector<Long> x = {0,      0.5L,      -0.5L, 0.125L, 0.875L, -0.984375L,
                               0.9999, -0.999999, 1e-10, 0.3,    0.7};
  const std::vector<Long> y = Computed("chlo.erf_inv", type, {x});
  ASSERT_EQ(y.size(), x.size());
  for (size_t i = 0; i < x.size(); ++i) {
    const Long exact = Long(double(x[i]));
    // A step of y moves erf by its derivative.
    const Long slope = 2 / std::sqrt(kPi) * std::exp(-y[i] * y[i]);
    EXPECT_LE(std::fabs(std::erf(y[i]) - exact), 0.52L * slope * std::fabs(y[i]) * 0x1p-52L + 1e-19L) << x[i];
  }
  const std::vector<Long> ends = Computed("chlo.erf_inv", type, {{1, -1, 1.5L, -2, NAN}});
  EXPECT_EQ(ends[0], INFINITY);
  EXPECT_EQ(ends[1], -INFINITY);
  for (int i : {2, 3, 4}) EXPECT_TRUE(std::isnan(ends[size_t(i)]));
  for (std::string_view name : {"f32", "bf16", "f16", "f8E4M3FN"}) {
    const Type small = *TypeOf(name);
    const std::vector<Long> narrow = {0.5L, -0.25L, 0.875L};
    const std::vector<Long> results = Computed("chlo.erf_inv", small, {narrow}),
                            wide = Computed("chlo.erf_inv", type, {narrow});
    for (size_t i = 0; i < narrow.size(); ++i)
      EXPECT_EQ(results[i], Long(Round(*small.format, Wide(wide[i])))) << name;
  }
}

TEST(NaiveFunctions, ZetaAndPolygamma) {
  const std::vector<Long> x = {2, 3, 1.5L, 4.25L, 10, 2, 7.5L, 30},
                          q = {1, 0.5L, 2, 3.75L, 1, 100, 0.125L, 2};
  for (std::string_view name : {"f64", "f32", "bf16"}) {
    const Type type = *TypeOf(name);
    for (std::string_view op : {"chlo.zeta", "chlo.broadcast_zeta"}) {
      const std::vector<Long> results = Computed(op, type, {x, q});
      ASSERT_EQ(results.size(), x.size());
      for (size_t i = 0; i < x.size(); ++i) {
        const Long expected = HurwitzZeta(x[i], q[i]);
        EXPECT_NEAR(double(results[i]), double(expected), double(Tolerance(type, expected)))
            << name << x[i] << q[i];
      }
    }
    // (-1)^(n+1) n! zeta(n + 1, x), and digamma for n = 0.
    const std::vector<Long> n = {0, 1, 2, 3, 5, 1}, at = {2.5L, 1, 0.5L, 3, 2, 40};
    for (std::string_view op : {"chlo.polygamma", "chlo.broadcast_polygamma"}) {
      const std::vector<Long> results = Computed(op, type, {n, at});
      ASSERT_EQ(results.size(), n.size());
      for (size_t i = 0; i < n.size(); ++i) {
        const Long expected =
            n[i] == 0 ? DigammaByRecurrence(at[i])
                      : (int(n[i]) % 2 ? 1 : -1) * std::tgamma(n[i] + 1) * HurwitzZeta(n[i] + 1, at[i]);
        EXPECT_NEAR(double(results[i]), double(expected), double(Tolerance(type, expected)))
            << name << n[i] << at[i];
      }
    }
  }
  // Poles, and what is outside the domain.
  const Type type = *TypeOf("f64");
  const std::vector<Long> edges =
      Computed("chlo.zeta", type, {{1, 0.5L, 2, 2, NAN, 2}, {2, 1, 0, -1, 1, NAN}});
  ASSERT_EQ(edges.size(), 6u);
  EXPECT_EQ(edges[0], INFINITY);
  EXPECT_TRUE(std::isnan(edges[1]));
  EXPECT_EQ(edges[2], INFINITY);
  EXPECT_EQ(edges[3], INFINITY);
  EXPECT_TRUE(std::isnan(edges[4]) && std::isnan(edges[5]));
  // For even exponents a negative q has the terms of a positive one, and those before it.
  const std::vector<Long> below = Computed("chlo.zeta", type, {{2, 3}, {-0.5L, -1.5L}});
  EXPECT_NEAR(double(below[0]), double(4 + HurwitzZeta(2, 0.5L)), 1e-14);
  EXPECT_NEAR(double(below[1]), double(-8 / 27.0L - 8 + HurwitzZeta(3, 0.5L)), 1e-14);
  const std::vector<Long> odd = Computed("chlo.polygamma", type, {{0.5L, -1, 1, NAN}, {1, 1, NAN, 1}});
  for (Long v : odd) EXPECT_TRUE(std::isnan(v)) << v;
}

// --- Complex ----------------------------------------------------------------------------------------

TEST(NaiveFunctions, Complex) {
  std::vector<Complex> numbers;
  for (Long re : {0.25L, -0.75L, 1.5L, -2.0L, 3.0L, 0.015625L, -6.5L})
    for (Long im : {0.5L, -0.125L, 1.25L, -3.0L, 5.5L}) numbers.emplace_back(re, im);
  for (const auto& [op, function] : ComplexFunctions()) {
    for (std::string_view name : {"complex<f32>", "complex<f64>"}) {
      const Type type = *TypeOf(name);
      const bool binary = op == "stablehlo.power" || op == "stablehlo.atan2";
      const int64_t n = int64_t(numbers.size());
      Values a(type, {n}), b(type, {n});
      const auto code = [&](Complex z) {
        return Scalar{Encode(*type.format, Wide(z.real())), Encode(*type.format, Wide(z.imag()))};
      };
      for (size_t i = 0; i < numbers.size(); ++i) {
        a.at[i] = code(numbers[i]);
        b.at[i] = code(numbers[(i * 11 + 3) % numbers.size()] / 2.0L);
      }
      OneOp one{.name = std::string(op), .operands = {a}, .results = {TypeText(a)}};
      if (binary) one.operands.push_back(b);
      const std::vector<Values> results = ResultsOf(one);
      ASSERT_EQ(results.size(), 1u) << op;
      for (size_t i = 0; i < numbers.size(); ++i) {
        const ComplexNumber z = DecodeParts(type, results[0].at[i]);
        const Complex actual(Long(z.re), Long(z.im));
        const Complex expected = function(numbers[i], numbers[(i * 11 + 3) % numbers.size()] / 2.0L);
        const Long tolerance = std::ldexp(2.0L, -type.format->mantissa_bits) * std::abs(expected) + 1e-17L;
        EXPECT_LE(std::abs(actual - expected), tolerance)
            << op << " " << name << " " << numbers[i] << ": " << actual << " instead of " << expected;
      }
    }
  }
}

// w with asin(z) = atan2(Re z, Re w) + i sign(Im z) Im w, and acos(z) = atan2(Re w, Re z) - i sign(Im z) Im
// w.
TEST(NaiveFunctions, AsinAcosKernel) {
  for (std::string_view name : {"complex<f32>", "complex<f64>"}) {
    const Type type = *TypeOf(name);
    std::vector<Complex> numbers;
    Values in(type, {36});
    for (Long re : {0.25L, -0.75L, 1.0L, 1.5L, -2.0L, 40.0L})
      for (Long im : {0.5L, -0.125L, 1.25L, -3.0L, 30.0L, 0.0009765625L}) {
        in.at[numbers.size()] = {Encode(*type.format, Wide(re)), Encode(*type.format, Wide(im))};
        numbers.emplace_back(re, im);
      }
    const std::vector<Values> results =
        ResultsOf({.name = "chlo._asin_acos_kernel", .operands = {in}, .results = {TypeText(in)}});
    ASSERT_EQ(results.size(), 1u);
    for (size_t i = 0; i < numbers.size(); ++i) {
      const ComplexNumber w = DecodeParts(type, results[0].at[i]);
      const Complex z = numbers[i], asin = std::asin(z), acos = std::acos(z);
      const Long tolerance = std::ldexp(4.0L, -type.format->mantissa_bits);
      const Long sign = z.imag() < 0 ? -1 : 1;
      EXPECT_NEAR(double(std::atan2(z.real(), Long(w.re))), double(asin.real()), double(tolerance)) << z;
      EXPECT_NEAR(double(std::atan2(Long(w.re), z.real())), double(acos.real()), double(tolerance)) << z;
      EXPECT_NEAR(double(sign * Long(w.im)), double(asin.imag()), double(tolerance * std::abs(asin))) << z;
    }
  }
}

// If the imaginary part is not finite, exp is NaN in both parts; a zero base has its own powers.
TEST(NaiveFunctions, ComplexFunctionsOfSpecialNumbers) {
  for (std::string_view name : {"complex<f32>", "complex<f64>"}) {
    const Type type = *TypeOf(name);
    const Format& f = *type.format;
    const auto run = [&](std::string_view op, std::vector<ComplexNumber> operands) {
      OneOp one{.name = std::string(op), .results = {TypeText(name, {})}};
      for (const ComplexNumber& z : operands)
        one.operands.push_back(Values(type, {}, std::vector{Scalar{Encode(f, z.re), Encode(f, z.im)}}));
      return DecodeParts(type, ResultsOf(one).at(0).at[0]);
    };
    const auto equal = [](ComplexNumber z, Wide re, Wide im) {
      return (z.re == re || (IsNan(z.re) && IsNan(re))) && (z.im == im || (IsNan(z.im) && IsNan(im)));
    };
    const Wide inf = kInfinity, nan = kNan;
    EXPECT_TRUE(equal(run("stablehlo.exponential", {{1, inf}}), nan, nan));
    EXPECT_TRUE(equal(run("stablehlo.exponential", {{-inf, nan}}), nan, nan));
    EXPECT_TRUE(equal(run("stablehlo.exponential", {{-inf, 2}}), 0, 0));
    EXPECT_TRUE(equal(run("stablehlo.power", {{0, 0}, {0, 0}}), 1, 0));
    EXPECT_TRUE(equal(run("stablehlo.power", {{0, 0}, {2, 0}}), 0, 0));
    EXPECT_TRUE(equal(run("stablehlo.power", {{4, 0}, {0.5, 0}}), 2, 0));
    EXPECT_TRUE(equal(run("stablehlo.log_plus_one", {{0, 0}}), 0, 0));
    EXPECT_TRUE(equal(run("stablehlo.log_plus_one", {{-1, 0}}), -inf, 0));
    EXPECT_TRUE(equal(run("stablehlo.exponential_minus_one", {{0, 0}}), 0, 0));
    EXPECT_TRUE(equal(run("stablehlo.exponential_minus_one", {{-inf, 0}}), -1, 0));
    EXPECT_TRUE(equal(run("stablehlo.sqrt", {{-4, 0}}), 0, 2));
    EXPECT_TRUE(equal(run("stablehlo.sqrt", {{-4, -Wide(0)}}), 0, -2));
    EXPECT_TRUE(equal(run("stablehlo.rsqrt", {{-4, 0}}), 0, -Wide(0.5)));
    EXPECT_TRUE(equal(run("stablehlo.sign", {{nan, 1}}), nan, nan));
    EXPECT_TRUE(equal(run("stablehlo.sign", {{0, -Wide(0)}}), 0, 0));
    // The kernel of asin and acos of infinite numbers: the imaginary part's size.
    EXPECT_TRUE(equal(run("chlo._asin_acos_kernel", {{1, inf}}), inf, inf));
    EXPECT_TRUE(equal(run("chlo._asin_acos_kernel", {{inf, 2}}), 2, inf));
  }
}

}  // namespace
}  // namespace shlo::naive
