// Special functions that the C library lacks, in long double: the functions of CHLO. Accurate to the last
// bit of a double or nearly so; not fast.
#pragma once

namespace shlo {

// Derivative of the logarithm of the gamma function; NaN at its poles.
long double Digamma(long double x);
// Hurwitz zeta: the sum of (q + k)^-x over k >= 0. Infinite at x = 1 and at poles, NaN outside its domain.
long double Zeta(long double x, long double q);
// The n-th derivative of Digamma, for integers n >= 0; NaN otherwise.
long double Polygamma(long double n, long double x);
// The inverse of the error function on [-1, 1]; NaN outside.
long double ErfInv(long double x);
// exp(-|x|) * I1(x), the modified Bessel function of the first kind.
long double BesselI1e(long double x);

}  // namespace shlo
