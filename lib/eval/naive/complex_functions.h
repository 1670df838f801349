// Functions of complex numbers by their textbook formulas, in long double: good to some bits less where these
// cancel.
#pragma once

#include <complex>
#include <functional>
#include <map>
#include <string_view>

namespace shlo::naive {

using Complex = std::complex<long double>;

inline Complex TimesI(Complex z) { return {-z.imag(), z.real()}; }
inline Complex Exp(Complex z) {
  const long double size = std::exp(z.real());
  return {size * std::cos(z.imag()), size * std::sin(z.imag())};
}
inline Complex Log(Complex z) {
  return {std::log(std::hypot(z.real(), z.imag())), std::atan2(z.imag(), z.real())};
}
inline Complex Power(Complex z, long double exponent) {
  const long double size = std::pow(std::hypot(z.real(), z.imag()), exponent);
  const long double angle = exponent * std::atan2(z.imag(), z.real());
  return {size * std::cos(angle), size * std::sin(angle)};
}
inline Complex Sin(Complex z) {
  return {std::sin(z.real()) * std::cosh(z.imag()), std::cos(z.real()) * std::sinh(z.imag())};
}
inline Complex Cos(Complex z) {
  return {std::cos(z.real()) * std::cosh(z.imag()), -std::sin(z.real()) * std::sinh(z.imag())};
}
inline Complex Asin(Complex z) { return -TimesI(Log(TimesI(z) + Power(Complex(1) - z * z, 0.5L))); }
inline Complex Atanh(Complex z) { return 0.5L * (Log(Complex(1) + z) - Log(Complex(1) - z)); }

// The ops that are defined for complex numbers, by name. Functions of one operand ignore the second.
inline const std::map<std::string_view, std::function<Complex(Complex, Complex)>>& ComplexFunctions() {
  static const std::map<std::string_view, std::function<Complex(Complex, Complex)>> kFunctions = {
      {"stablehlo.sine", [](Complex z, Complex) { return Sin(z); }},
      {"stablehlo.cosine", [](Complex z, Complex) { return Cos(z); }},
      {"stablehlo.tan", [](Complex z, Complex) { return Sin(z) / Cos(z); }},
      {"chlo.tan", [](Complex z, Complex) { return Sin(z) / Cos(z); }},
      {"stablehlo.tanh", [](Complex z, Complex) { return -TimesI(Sin(TimesI(z)) / Cos(TimesI(z))); }},
      {"stablehlo.exponential", [](Complex z, Complex) { return Exp(z); }},
      {"stablehlo.exponential_minus_one", [](Complex z, Complex) { return Exp(z) - Complex(1); }},
      {"stablehlo.log", [](Complex z, Complex) { return Log(z); }},
      {"stablehlo.log_plus_one", [](Complex z, Complex) { return Log(Complex(1) + z); }},
      {"stablehlo.logistic", [](Complex z, Complex) { return Complex(1) / (Complex(1) + Exp(-z)); }},
      {"stablehlo.sqrt", [](Complex z, Complex) { return Power(z, 0.5L); }},
      {"stablehlo.rsqrt", [](Complex z, Complex) { return Power(z, -0.5L); }},
      {"stablehlo.cbrt", [](Complex z, Complex) { return Power(z, 1 / 3.0L); }},
      {"chlo.asin", [](Complex z, Complex) { return Asin(z); }},
      {"chlo.acos", [](Complex z, Complex) { return Complex(std::acos(-1.0L) / 2) - Asin(z); }},
      {"chlo.asinh", [](Complex z, Complex) { return -TimesI(Asin(TimesI(z))); }},
      {"chlo.acosh",
       [](Complex z, Complex) { return Log(z + Power(z + Complex(1), 0.5L) * Power(z - Complex(1), 0.5L)); }},
      {"chlo.atanh", [](Complex z, Complex) { return Atanh(z); }},
      {"chlo.atan", [](Complex z, Complex) { return -TimesI(Atanh(TimesI(z))); }},
      {"chlo.sinh", [](Complex z, Complex) { return -TimesI(Sin(TimesI(z))); }},
      {"chlo.cosh", [](Complex z, Complex) { return Cos(TimesI(z)); }},
      {"stablehlo.power", [](Complex a, Complex b) { return Exp(b * Log(a)); }},
      {"stablehlo.atan2",
       [](Complex y, Complex x) { return -TimesI(Log((x + TimesI(y)) / Power(x * x + y * y, 0.5L))); }},
  };
  return kFunctions;
}

}  // namespace shlo::naive
