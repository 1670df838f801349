#include "eval/loops/numeric/special_functions.h"

#include <cmath>
#include <iterator>
#include <limits>

#include "eval/loops/numeric/double_long.h"

namespace shlo {
namespace {

constexpr long double kPi = 3.141592653589793238462643383279502884L;
constexpr long double kNan = std::numeric_limits<long double>::quiet_NaN();
constexpr long double kInf = std::numeric_limits<long double>::infinity();

// Bernoulli numbers B(2k), k from 1.
struct Fraction {
  long double numerator, denominator;
  constexpr long double value() const { return numerator / denominator; }
};
constexpr Fraction kBernoulli[] = {{1, 6},       {-1, 30},       {1, 42},       {-1, 30},
                                   {5, 66},      {-691, 2730},   {7, 6},        {-3617, 510},
                                   {43867, 798}, {-174611, 330}, {854513, 138}, {-236364091, 2730}};

// Returns tan(pi x), with exact argument reduction.
long double TanPi(long double x) { return std::tan(kPi * (x - std::round(x))); }

// Computes digamma near its zeros in double precision of long double, because large terms cancel.

DoubleLong Constant(double a, double b, double c) { return DoubleLong(a) + DoubleLong(b) + DoubleLong(c); }

DoubleLong WidePi() { return Constant(0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53, -0x1.f1976b7ed8fbcp-109); }

// Returns the logarithm of a positive number, as 2 atanh((m - 1) / (m + 1)) of the mantissa m.
DoubleLong WideLog(DoubleLong y) {
  int exponent;
  const bool low = std::frexp(y.high, &exponent) < 0.70710678L;
  exponent -= low;
  const DoubleLong m(std::ldexp(y.high, -exponent), std::ldexp(y.low, -exponent));
  const DoubleLong t = (m - 1) / (m + 1), square = t * t;
  DoubleLong sum;
  for (int k = 24; k >= 0; --k) sum = sum * square + DoubleLong(1) / DoubleLong(2 * k + 1);
  return Constant(0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56, 0x1.7b57a079a1934p-111) * exponent +
         t * sum * 2;
}

// Returns 1 / tan(pi x).
DoubleLong WideCotPi(long double x) {
  const DoubleLong angle = WidePi() * (x - std::round(x)), square = angle * angle;
  DoubleLong sine, cosine;
  for (int k = 20; k >= 0; --k) {
    sine = DoubleLong(1) - square * sine / ((2 * k + 2) * (2 * k + 3));
    cosine = DoubleLong(1) - square * cosine / ((2 * k + 1) * (2 * k + 2));
  }
  return cosine / (angle * sine);
}

// Digamma of a positive number, by the recurrence and the asymptotic series.
DoubleLong WideDigamma(DoubleLong x) {
  DoubleLong shift;
  for (; x.high < 40; x = x + 1) shift = shift + DoubleLong(1) / x;
  const DoubleLong inverse = DoubleLong(1) / (x * x);
  DoubleLong tail;
  for (int k = int(std::size(kBernoulli)) - 1; k >= 0; --k)
    tail = (tail + DoubleLong(kBernoulli[k].numerator) / (kBernoulli[k].denominator * 2 * (k + 1))) * inverse;
  return WideLog(x) - DoubleLong(0.5L) / x - tail - shift;
}

}  // namespace

long double Digamma(long double x) {
  // At 0 there is a limit on each side, which the sign selects, as in SciPy; the other poles have no sign.
  if (x == 0) return -1 / x;
  if (x != x || (x < 0 && x == std::floor(x))) return kNan;
  if (x < 0) {
    // psi(1 - x) - psi(x) = pi / tan(pi x).
    const long double part = Digamma(1 - x), value = part - kPi / TanPi(x);
    if (std::fabs(value) > std::fabs(part) / 8) return value;
    return (WideDigamma(DoubleLong::Sum(1, -x)) - WidePi() * WideCotPi(x)).high;
  }
  if (x > 1.2L && x < 1.8L) return WideDigamma(x).high;
  long double shift = 0;
  for (; x < 24; x += 1) shift += 1 / x;
  const long double inverse = 1 / (x * x);
  long double power = inverse, tail = 0;
  for (int k = 0; k < 10; ++k, power *= inverse) tail += kBernoulli[k].value() / (2 * (k + 1)) * power;
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
  // Some term of a sum that begins below 1 has a base below 1.
  if (std::isinf(x)) return q < 1 ? kInf : q == 1 ? 1 : 0;
  if (std::isinf(q)) return 0;
  if (q < 0) {
    // The terms next to 0 decide, if they overflow; at equal distances, those of odd powers cancel.
    const long double below = q - std::floor(q), above = std::ceil(q) - q;
    const bool odd = std::fmod(x, 2.0L) == 1;
    if (odd && below == above) return Zeta(x, 1 - q);
    if (std::isinf(std::pow(std::fmin(below, above), -x))) return odd && above < below ? -kInf : kInf;
  }
  // Terms of negative arguments, which reach from q to -fraction, are sums of positive ones.
  constexpr long double kFarBelow = -64;
  if (q < kFarBelow) {
    const long double fraction = std::ceil(q) - q;
    const long double near = Zeta(x, fraction), beyond = Zeta(x, 1 - q), above = Zeta(x, 1 - fraction);
    // For odd powers the large terms cancel first.
    return std::fmod(x, 2.0L) == 0 ? above + near - beyond : above - near + beyond;
  }
  long double sum = 0;
  // A pole near q dominates the sum; terms of negative arguments are summed like the others.
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
    const long double term = kBernoulli[k].value() / factorial * factor * power;
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
  // Initial guess (Winitzki), then Halley's method.
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
