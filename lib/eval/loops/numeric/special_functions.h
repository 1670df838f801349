// Special functions of CHLO that the C library lacks, in long double. Accurate to about 1 ULP of double, but
// slow.
#pragma once

namespace shlo {

// Returns the derivative of the logarithm of the gamma function; NaN at its poles.
long double Digamma(long double x);
// Returns the Hurwitz zeta function: the sum of (q + k)^-x over k >= 0. Infinite at x = 1 and at poles, NaN
// outside its domain.
long double Zeta(long double x, long double q);
// Returns the n-th derivative of Digamma, for integers n >= 0; NaN otherwise.
long double Polygamma(long double n, long double x);
// Returns the inverse of the error function on [-1, 1]; NaN outside.
long double ErfInv(long double x);
// Returns exp(-|x|) * I1(x), the modified Bessel function of the first kind.
long double BesselI1e(long double x);

}  // namespace shlo
