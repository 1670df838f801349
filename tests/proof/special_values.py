#!/usr/bin/env python3
"""Writes lib/eval/special_values.inc: values of the functions of CHLO at infinities, zeros, poles, subnormal and
extreme numbers, computed by mpmath with 60 digits and compared with SciPy. By hand; needs both.

usage: special_values.py > lib/eval/special_values.inc

Where SciPy has another value, or none, a comment in LIMITS states why this one is right.
"""
import math
import sys

import mpmath as mp
import numpy as np
import scipy.special as sp

mp.mp.dps = 60
INF, NAN = math.inf, math.nan
TINY, LEAST, MOST = 2.0**-1022, 5e-324, sys.float_info.max
SPECIAL = [0.0, -0.0, LEAST, -LEAST, TINY, 1e-20, -1e-8, 0.25, -0.5, 1 - 2.0**-53, 1.0, -1.0, 1 + 2.0**-52, 2.0, -2.0, 3.5, -3.5, 26.75, -170.5, 709.5,
           -1e8 + 0.5, 1e16, MOST, -MOST, INF, -INF, NAN]


def exact(x):
    return mp.mpf(x)


def zeta(x, q):
    """Hurwitz zeta, also for sums that begin below 0."""
    if q > 0:
        return mp.zeta(x, q)
    below, above = q - mp.floor(q), mp.ceil(q) - q
    sign = 1 if x % 2 == 0 else -1
    return mp.zeta(x, below) + sign * (mp.zeta(x, above) - mp.zeta(x, 1 - q))


def polygamma(n, x):
    return mp.digamma(x) if n == 0 else (-1) ** int(n + 1) * mp.factorial(n) * zeta(n + 1, x)


def within(low, high):
    return lambda x: low <= x <= high


def anywhere(x):
    return True


# The value by mpmath where it is finite, the function of SciPy or NumPy, and whether the value is finite.
UNARY = {
    "acos": (mp.acos, np.arccos, within(-1, 1)),
    "acosh": (mp.acosh, np.arccosh, within(1, MOST)),
    "asin": (mp.asin, np.arcsin, within(-1, 1)),
    "asinh": (mp.asinh, np.arcsinh, anywhere),
    "atan": (mp.atan, np.arctan, anywhere),
    "atanh": (mp.atanh, np.arctanh, lambda x: -1 < x < 1),
    "bessel_i1e": (lambda x: mp.besseli(1, x) * mp.exp(-abs(x)), sp.i1e, within(-1e9, 1e9)),
    "cosh": (mp.cosh, np.cosh, within(-710, 710)),
    "digamma": (mp.digamma, sp.digamma, lambda x: x > 1e-300 or (-1e17 < x < -1e-300 and x != math.floor(x))),
    "erf": (mp.erf, sp.erf, anywhere),
    "erfc": (mp.erfc, sp.erfc, within(-MOST, 27)),
    "erf_inv": (mp.erfinv, sp.erfinv, lambda x: -1 < x < 1 and (x == 0 or abs(x) > 1e-9)),
    "lgamma": (lambda x: mp.log(abs(mp.gamma(x))), sp.gammaln, lambda x: (0 < abs(x) < 1e9) and not (x < 0 and x == math.floor(x))),
    "sinh": (mp.sinh, np.sinh, within(-710, 710)),
    "tan": (mp.tan, np.tan, within(-1e9, 1e9)),
}
# Odd functions keep the sign of a zero, which SciPy loses in two of them.
ODD = {"asin", "asinh", "atan", "atanh", "bessel_i1e", "erf", "erf_inv", "sinh", "tan"}
# Places where the function has no finite value, or mpmath none: the value, and why SciPy's is another one.
LIMITS = {
    ("lgamma", -INF): INF,  # as in C and jaxlib: the logarithm of the absolute value
    ("zeta", INF, 2.0): 0.0,  # every term goes to 0; SciPy has no value at infinity
    ("zeta", INF, 1.0): 1.0,
    ("zeta", INF, 0.5): INF,
    ("zeta", INF, -1.5): INF,  # the term of -0.5
}
ZETA = [(2, 1), (2, 0.5), (3, 0.5), (1.5, 1e-10), (1 + 2.0**-52, 2), (1.5, 1e300), (40, 12.5), (50, 1), (400, 1.0), (2, -0.5), (2, -85.5), (3, -85.25),
        (3, -0.25), (12, -9.75), (2, -1e6 - 0.5), (2, 1e300), (1.25, 3), (7, TINY), (2, INF), (INF, 2.0), (INF, 1.0), (INF, 0.5), (INF, -1.5), (1, 2),
        (0.5, 2), (-1, 2), (2, 0.0), (2, -0.0), (2, -3), (3, 0.0), (3, -3), (2.5, -0.5), (NAN, 2), (2, NAN)]
POLYGAMMA = [(0, 1.5), (0, 0.0), (0, -0.0), (0, -2), (0, -0.5), (0, INF), (1, 1), (1, 0.5), (2, 0.5), (6, 0.125), (8, 3), (3, 1e10), (1, 1e300), (5, 50),
             (1, -85.5), (2, -85.25), (4, -0.75), (1, 0.0), (2, 0.0), (1, -1), (2, -1), (1, INF), (2, INF), (0.5, 2), (-1, 2), (NAN, 2), (2, NAN)]


def literal(x):
    if math.isnan(x):
        return "NAN"
    if math.isinf(x):
        return "INFINITY" if x > 0 else "-INFINITY"
    return float.hex(float(x))


def check(name, args, value, other):
    same = math.isnan(value) == math.isnan(other) and (math.isnan(value) or value == other or abs(value - other) <= 1e-9 * abs(value))
    if not same and (name, *args) not in LIMITS:
        print(f"{name}{args}: {value}, SciPy has {other}", file=sys.stderr)


def row(name, args, value):
    x, y = (*args, 0.0)[:2]
    print(f'SHLO_VALUE("chlo.{name}", {literal(x)}, {literal(y)}, {literal(value)})')


def main():
    print('''// Values of the functions of CHLO at places where formulas go wrong, by mpmath and SciPy. tests/proof/special_values.py
// writes this file.
//
// SHLO_VALUE(op, first operand, second operand or 0, result)''')
    with np.errstate(all="ignore"):
        for name, (function, other, finite) in UNARY.items():
            for x in SPECIAL:
                scipy = float(other(x))
                value = float(function(exact(x))) if math.isfinite(x) and x != 0 and finite(x) else LIMITS.get((name, x), scipy)
                if x == 0 and name in ODD:
                    value = x
                check(name, (x,), value, scipy)
                row(name, (x,), value)
        for name, places, function, other in (("zeta", ZETA, zeta, sp.zeta), ("polygamma", POLYGAMMA, polygamma, sp.polygamma)):
            for x, q in places:
                scipy = float(other(x, q)) if name == "zeta" or x == math.floor(x if x == x else 0) and x >= 0 else NAN
                power = x if name == "zeta" else x + 1
                whole = math.isfinite(power) and power == math.floor(power)
                finite = math.isfinite(x) and math.isfinite(q) and power > 1 and (name == "zeta" or whole) and (q > 0 or (whole and q != math.floor(q)))
                value = LIMITS.get((name, x, q), float(function(exact(x), exact(q))) if finite else scipy)
                check(name, (x, q), value, scipy)
                row(name, (x, q), value)
    print("\n#undef SHLO_VALUE")


if __name__ == "__main__":
    main()
