#include "eval/special_functions.h"

#include <cmath>
#include <limits>

namespace shlo {
namespace {

constexpr long double kPi = 3.141592653589793238462643383279502884L;
constexpr long double kNan = std::numeric_limits<long double>::quiet_NaN();
constexpr long double kInf = std::numeric_limits<long double>::infinity();

// Bernoulli numbers B(2k), k from 1.
constexpr long double kBernoulli[] = {
    1.0L / 6, -1.0L / 30,     1.0L / 42,      -1.0L / 30,       5.0L / 66,       -691.0L / 2730,
    7.0L / 6, -3617.0L / 510, 43867.0L / 798, -174611.0L / 330, 854513.0L / 138, -236364091.0L / 2730};

// tan(pi x), reduced exactly first.
long double TanPi(long double x) { return std::tan(kPi * (x - std::round(x))); }

}  // namespace

long double Digamma(long double x) {
  if (x != x || (x <= 0 && x == std::floor(x))) return kNan;
  if (x == -kInf) return kNan;
  // psi(1 - x) - psi(x) = pi / tan(pi x).
  if (x < 0) return Digamma(1 - x) - kPi / TanPi(x);
  // Next to the positive zero, the difference from it is what counts.
  // In two parts, because near it every bit of the difference counts.
  constexpr long double kZero = 0x1.762d86356be3fp+0L, kZeroRest = 9.5499954299656977151841991e-17L;
  if (std::fabs(x - kZero) < 0.05L) {
    // psi(z) - psi(z0) = sum of (z - z0) / ((k + z)(k + z0)).
    constexpr int kTerms = 64;
    const long double d = (x - kZero) - kZeroRest;
    long double sum = 0;
    for (int k = kTerms - 1; k >= 0; --k) sum += d / ((k + x) * (k + kZero));
    // What is left is psi(a) - psi(b) by their asymptotic series, term by term: all differences have the
    // factor d, so that nothing cancels.
    const long double a = x + kTerms, b = kZero + kTerms;
    const long double a2 = 1 / (a * a), b2 = 1 / (b * b);
    const long double difference = -d * (a + b) * a2 * b2;  // of the squares of the inverses
    const long double tail = difference / 12 - difference * (a2 + b2) / 120 +
                             difference * (a2 * a2 + a2 * b2 + b2 * b2) / 252 -
                             difference * (a2 + b2) * (a2 * a2 + b2 * b2) / 240;
    return sum + (std::log1p(d / b) + d / (2 * a * b) - tail);
  }
  long double shift = 0;
  for (; x < 24; x += 1) shift += 1 / x;
  const long double inverse = 1 / (x * x);
  long double power = inverse, tail = 0;
  for (int k = 0; k < 10; ++k, power *= inverse) tail += kBernoulli[k] / (2 * (k + 1)) * power;
  return std::log(x) - 1 / (2 * x) - tail - shift;
}

// Euler-Maclaurin summation.
long double Zeta(long double x, long double q) {
  if (x != x || q != q || x < 1) return kNan;
  if (x == 1) return kInf;
  if (q <= 0) {
    if (q == std::floor(q)) return kInf;
    if (x != std::floor(x)) return kNan;
  }
  if (std::isinf(x)) return q < 1 && q > -1 ? kInf : q == 1 ? 1 : 0;
  if (std::isinf(q)) return 0;
  long double sum = 0;
  // A pole next to q dominates everything else; terms far below zero are summed like the others.
  if (q < -100000) return kNan;
  constexpr int kTerms = 24;
  long double a = q;
  for (int k = 0; k < kTerms || a < kTerms; ++k, a += 1) {
    const long double term = std::pow(a, -x);
    sum += term;
    if (a > 0 && std::fabs(term) < 1e-22L * std::fabs(sum)) return sum;
  }
  const long double base = std::pow(a, -x);
  sum += base * a / (x - 1) + base / 2;
  long double factor = x * base / a, power = 1;
  long double factorial = 2;
  for (int k = 0; k < 12; ++k) {
    const long double term = kBernoulli[k] / factorial * factor * power;
    sum += term;
    if (std::fabs(term) < 1e-22L * std::fabs(sum)) break;
    power /= a * a;
    factor *= (x + 2 * k + 1) * (x + 2 * k + 2);
    factorial *= (long double)(2 * k + 3) * (2 * k + 4);
  }
  return sum;
}

long double Polygamma(long double n, long double x) {
  if (n != n || x != x || n < 0 || n != std::floor(n) || std::isinf(n)) return kNan;
  if (n == 0) return Digamma(x);
  const long double sign = std::fmod(n, 2.0L) == 0 ? -1 : 1;
  return sign * std::tgamma(n + 1) * Zeta(n + 1, x);
}

long double ErfInv(long double x) {
  if (x != x || x < -1 || x > 1) return kNan;
  if (x == 1 || x == -1) return x * kInf;
  if (x == 0) return x;
  const long double y = 1 - std::fabs(x);
  // A first guess (Winitzki), then Newton's method with the second derivative (Halley).
  const long double log_term = std::log(y * (2 - y));
  constexpr long double kA = 0.147L;
  const long double first = 2 / (kPi * kA) + log_term / 2;
  long double z = std::sqrt(std::fmax(0.0L, std::sqrt(first * first - log_term / kA) - first));
  const long double half_sqrt_pi = std::sqrt(kPi) / 2;
  if (std::fabs(x) < 1e-4L) z = std::fabs(x) * half_sqrt_pi;
  for (int i = 0; i < 4; ++i) {
    const long double f = std::fabs(x) < 0.5L ? std::erf(z) - std::fabs(x) : y - std::erfc(z);
    const long double step = f * half_sqrt_pi * std::exp(z * z);
    z -= step / (1 + z * step);
  }
  return std::copysign(z, x);
}

long double BesselI1e(long double x) {
  if (x != x) return kNan;
  const long double a = std::fabs(x);
  if (std::isinf(a)) return std::copysign(0.0L, x);
  long double value = 0;
  if (a <= 30) {
    // The power series: all terms are positive.
    const long double h = a / 2;
    long double term = h;
    for (int k = 1; k < 200 && term > 1e-24L * value; ++k) {
      value += term;
      term *= h * h / ((long double)k * (k + 1));
    }
    value = (value + term) * std::exp(-a);
  } else {
    // The asymptotic series for large arguments.
    long double term = 1, sum = 0;
    for (int k = 1; k < 60; ++k) {
      sum += term;
      const long double odd = 2 * k - 1;
      const long double next = -term * (4 - odd * odd) / (k * 8 * a);
      if (std::fabs(next) > std::fabs(term) || std::fabs(next) < 1e-24L) break;
      term = next;
    }
    value = sum / std::sqrt(2 * kPi * a);
  }
  return std::copysign(value, x);
}

}  // namespace shlo
