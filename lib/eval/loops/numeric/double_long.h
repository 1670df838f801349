// Numbers with twice the precision of long double, as an unevaluated sum of two, for special functions with
// cancellation of large terms. Internal to lib/eval.
#pragma once

#include <cmath>
#include <limits>

namespace shlo {

struct DoubleLong {
  long double high = 0, low = 0;  // |low| is at most half an ULP of high

  constexpr DoubleLong() = default;
  constexpr DoubleLong(long double v) : high(v) {}
  constexpr DoubleLong(long double h, long double l) : high(h), low(l) {}

  // Returns the exact sum of two numbers (Knuth).
  static DoubleLong Sum(long double a, long double b) {
    const long double s = a + b, t = s - a;
    return {s, (a - (s - t)) + (b - t)};
  }
  // Returns the exact product of two numbers (Dekker): splits each into halves, whose products are exact.
  static DoubleLong Product(long double a, long double b) {
    constexpr int kHalf = (std::numeric_limits<long double>::digits + 1) / 2;
    constexpr long double kSplit = (long double)(1ull << kHalf) + 1;
    const long double ca = kSplit * a, cb = kSplit * b;
    const long double ah = ca - (ca - a), al = a - ah, bh = cb - (cb - b), bl = b - bh;
    const long double p = a * b;
    return {p, ((ah * bh - p) + ah * bl + al * bh) + al * bl};
  }

  friend DoubleLong operator-(DoubleLong a) { return {-a.high, -a.low}; }
  friend DoubleLong operator+(DoubleLong a, DoubleLong b) {
    const DoubleLong s = Sum(a.high, b.high), t = Sum(a.low, b.low);
    const DoubleLong u = Sum(s.high, s.low + t.high);
    return Sum(u.high, u.low + t.low);
  }
  friend DoubleLong operator-(DoubleLong a, DoubleLong b) { return a + -b; }
  friend DoubleLong operator*(DoubleLong a, DoubleLong b) {
    const DoubleLong p = Product(a.high, b.high);
    return Sum(p.high, p.low + (a.high * b.low + a.low * b.high));
  }
  friend DoubleLong operator/(DoubleLong a, DoubleLong b) {
    const long double q = a.high / b.high;
    const DoubleLong r = a - b * q;
    const long double q2 = r.high / b.high;
    const DoubleLong r2 = r - b * q2;
    return Sum(q, q2) + DoubleLong(r2.high / b.high);
  }
};

}  // namespace shlo
