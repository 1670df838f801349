// The arithmetic family: add, subtract, multiply, divide, remainder, maximum, minimum, negate, abs, sign.
//
// Implementation-defined behavior, for all loops of the family:
// - integer overflow wraps modulo 2^n (the first draft also permits saturation).
// - integer division by zero yields all ones, the remainder is the dividend; dividing the minimum by -1
// yields the
//   minimum, remainder 0.
// - a NaN result is the positive quiet NaN of its format, so that results are the same on every machine.
// Parts of
//   complex numbers that are selected, not computed, keep their bits; negate and abs only change the sign.
// - f4E2M1FN and the f6 types have neither NaN nor infinity: results out of range saturate.
//   f8E8M0FNU has no zero and no sign: a result below its range becomes the smallest value, a negative one
//   NaN.
// - subtraction of booleans, which is no longer in the specification but in programs of older versions, is
// modulo 2,
//   like that of integers: exclusive or.
// - subnormal numbers are not flushed to zero, not even in bf16.
#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>

#include "eval/loops/element_loops.h"
#include "eval/loops/numeric/float_codec.h"
#include "eval/loops/numeric/small_float.h"
#include "eval/loops/wide_functions.h"
#include "ir/table/float_format.h"

namespace shlo {
namespace {

// An operation is a struct with static functions for the supported element classes: Bool (0 or 1), Int (any
// integer type; the result is truncated to the element width), Float (f32 and f64), Complex.

// Specification, "add": logical OR; integer addition; IEEE 754 addition; complex addition.
struct AddOp {
  static constexpr WideArithmetic WideFunctions::*kWide = &WideFunctions::add;
  static uint8_t Bool(uint8_t a, uint8_t b) { return a | b; }
  template <typename T>
  static T Int(T a, T b) {
    using U = std::make_unsigned_t<T>;
    return T(U(U(a) + U(b)));
  }
  template <typename T>
  static T Float(T a, T b) {
    return a + b;
  }
  template <typename C>
  static C Complex(C a, C b) {
    return {a.real() + b.real(), a.imag() + b.imag()};
  }
};

// Specification, "subtract": integer subtraction; IEEE 754 subtraction; complex subtraction.
struct SubtractOp {
  static constexpr WideArithmetic WideFunctions::*kWide = &WideFunctions::subtract;
  static uint8_t Bool(uint8_t a, uint8_t b) { return a ^ b; }
  template <typename T>
  static T Int(T a, T b) {
    using U = std::make_unsigned_t<T>;
    return T(U(U(a) - U(b)));
  }
  template <typename T>
  static T Float(T a, T b) {
    return a - b;
  }
  template <typename C>
  static C Complex(C a, C b) {
    return {a.real() - b.real(), a.imag() - b.imag()};
  }
};

// `sub`, versions 37 to 39: the sum of the left operand and the negated right one. Two's
// complement for integers, the sign flipped for floats, modulo 2 for booleans (where -1 = 1).
struct SubV37Op {
  static uint8_t Bool(uint8_t a, uint8_t b) { return uint8_t((a + b) & 1); }
  template <typename T>
  static T Int(T a, T b) {
    using U = std::make_unsigned_t<T>;
    const U negated = U(U(~U(b)) + U(1));
    return T(U(U(a) + negated));
  }
  template <typename T>
  static T Float(T a, T b) {
    return a + (-b);
  }
  template <typename C>
  static C Complex(C a, C b) {
    return {a.real() + (-b.real()), a.imag() + (-b.imag())};
  }
};

// Specification, "multiply": logical AND; integer, IEEE 754 and complex multiplication. The complex product
// is (ac - bd, ad + bc), each operation rounded.
struct MultiplyOp {
  static constexpr WideArithmetic WideFunctions::*kWide = &WideFunctions::multiply;
  static uint8_t Bool(uint8_t a, uint8_t b) { return a & b; }
  template <typename T>
  static T Int(T a, T b) {
    return T(uint64_t(a) * uint64_t(b));
  }
  template <typename T>
  static T Float(T a, T b) {
    return a * b;
  }
  template <typename C>
  static C Complex(C a, C b) {
    return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
  }
};

// Complex division, scaled so that the denominator neither overflows nor underflows (C standard, annex
// G.5.1). Computed in double and rounded once.
std::complex<double> Quotient(std::complex<double> x, std::complex<double> y) {
  double a = x.real(), b = x.imag(), c = y.real(), d = y.imag();
  int scale = 0;
  const double logb = std::logb(std::fmax(std::fabs(c), std::fabs(d)));
  if (std::isfinite(logb)) {
    scale = int(logb);
    c = std::scalbn(c, -scale);
    d = std::scalbn(d, -scale);
  }
  const double denominator = c * c + d * d;
  double re = std::scalbn((a * c + b * d) / denominator, -scale);
  double im = std::scalbn((b * c - a * d) / denominator, -scale);
  if (std::isnan(re) && std::isnan(im)) {
    const auto box = [](double v) { return std::copysign(std::isinf(v) ? 1.0 : 0.0, v); };
    constexpr double kInf = std::numeric_limits<double>::infinity();
    if (denominator == 0 && (!std::isnan(a) || !std::isnan(b))) {
      re = std::copysign(kInf, c) * a;
      im = std::copysign(kInf, c) * b;
    } else if ((std::isinf(a) || std::isinf(b)) && std::isfinite(c) && std::isfinite(d)) {
      a = box(a), b = box(b);
      re = kInf * (a * c + b * d);
      im = kInf * (b * c - a * d);
    } else if (std::isinf(logb) && logb > 0 && std::isfinite(a) && std::isfinite(b)) {
      c = box(c), d = box(d);
      re = 0.0 * (a * c + b * d);
      im = 0.0 * (b * c - a * d);
    }
  }
  return {re, im};
}

// Specification, "divide": integer division that rounds toward zero; IEEE 754 and complex division.
struct DivideOp {
  static constexpr WideArithmetic WideFunctions::*kWide = &WideFunctions::divide;
  template <typename T>
  static T Int(T a, T b) {
    using U = std::make_unsigned_t<T>;
    if (b == 0) return T(-1);
    if constexpr (std::is_signed_v<T>)
      if (b == T(-1)) return T(U(U(0) - U(a)));
    return T(a / b);
  }
  template <typename T>
  static T Float(T a, T b) {
    return a / b;
  }
  template <typename C>
  static C Complex(C a, C b) {
    return C(Quotient(std::complex<double>(a), std::complex<double>(b)));
  }
};

// Specification, "remainder": the sign is that of the dividend. IEEE 754 has no name for it; C has fmod.
struct RemainderOp {
  template <typename T>
  static T Int(T a, T b) {
    if (b == 0) return a;
    if constexpr (std::is_signed_v<T>)
      if (b == T(-1)) return 0;
    return T(a % b);
  }
  template <typename T>
  static T Float(T a, T b) {
    return std::fmod(a, b);
  }
};

template <typename T>
using FloatBits = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;

// Specification, "maximum": logical OR; integer maximum; IEEE 754-2019 `maximum` (a NaN operand gives NaN,
// -0 is less than +0); lexicographic maximum of (real, imaginary). The first draft says `maxNum`, which
// ignores a NaN operand. All versions use today's semantics, so that `prove` compares what today's consumers
// compute. For unordered complex numbers, returns the right operand.
struct MaximumOp {
  static constexpr WideArithmetic WideFunctions::*kWide = &WideFunctions::maximum;
  static uint8_t Bool(uint8_t a, uint8_t b) { return a | b; }
  template <typename T>
  static T Int(T a, T b) {
    return a > b ? a : b;
  }
  template <typename T>
  static T Float(T a, T b) {
    // Equal operands have equal bits, or are zeros; the result is -0 only if both are -0.
    const T both = std::bit_cast<T>(std::bit_cast<FloatBits<T>>(a) & std::bit_cast<FloatBits<T>>(b));
    const T larger = a > b ? a : a == b ? both : b;
    return a != a ? a : larger;
  }
  template <typename C>
  static C Complex(C a, C b) {
    return (a.real() == b.real() ? a.imag() > b.imag() : a.real() > b.real()) ? a : b;
  }
  static constexpr bool kSelectsComplex = true;
};

// Specification, "minimum": like maximum, with AND and `minimum`.
struct MinimumOp {
  static constexpr WideArithmetic WideFunctions::*kWide = &WideFunctions::minimum;
  static uint8_t Bool(uint8_t a, uint8_t b) { return a & b; }
  template <typename T>
  static T Int(T a, T b) {
    return a < b ? a : b;
  }
  template <typename T>
  static T Float(T a, T b) {
    const T either = std::bit_cast<T>(std::bit_cast<FloatBits<T>>(a) | std::bit_cast<FloatBits<T>>(b));
    const T smaller = a < b ? a : a == b ? either : b;
    return a != a ? a : smaller;
  }
  template <typename C>
  static C Complex(C a, C b) {
    return (a.real() == b.real() ? a.imag() < b.imag() : a.real() < b.real()) ? a : b;
  }
  static constexpr bool kSelectsComplex = true;
};

// --- Loops ----------------------------------------------------------------------------------------

template <typename Op>
void BoolRun(const ElementLoop&, const uint8_t* const* in, uint8_t* out, size_t n) {
  for (size_t i = 0; i < n; ++i) out[i] = Op::Bool(in[0][i], in[1][i]);
}
template <typename Op>
void BoolFold(uint8_t* acc, const uint8_t* in, size_t n, ptrdiff_t stride) {
  uint8_t value = *acc;
  for (size_t i = 0; i < n; ++i, in += stride) value = Op::Bool(value, *in);
  *acc = value;
}

template <typename Op, typename T, int kWidth>
void IntRun(const ElementLoop&, const uint8_t* const* in, uint8_t* out, size_t n) {
  const uint8_t *a = in[0], *b = in[1];
  for (size_t i = 0; i < n; ++i)
    StoreInt<T, kWidth>(out, i, Op::template Int<T>(LoadInt<T, kWidth>(a, i), LoadInt<T, kWidth>(b, i)));
}
template <typename Op, typename T, int kWidth>
void IntFold(uint8_t* acc, const uint8_t* in, size_t n, ptrdiff_t stride) {
  T value = LoadInt<T, kWidth>(acc, 0);
  for (size_t i = 0; i < n; ++i, in += stride) value = Op::template Int<T>(value, LoadInt<T, kWidth>(in, 0));
  StoreInt<T, kWidth>(acc, 0, value);
}

template <typename Op, typename T>
void FloatRun(const ElementLoop&, const uint8_t* const* in, uint8_t* out, size_t n) {
  const uint8_t *a = in[0], *b = in[1];
  for (size_t i = 0; i < n; ++i)
    Store<T>(out, i, CanonicalNan(Op::template Float<T>(Load<T>(a, i), Load<T>(b, i))));
}
template <typename Op, typename T>
void FloatFold(uint8_t* acc, const uint8_t* in, size_t n, ptrdiff_t stride) {
  T value = Load<T>(acc, 0);
  for (size_t i = 0; i < n; ++i, in += stride) value = Op::template Float<T>(value, Load<T>(in, 0));
  Store<T>(acc, 0, CanonicalNan(value));
}

template <typename Op, typename T>
void FloatFoldRows(uint8_t* acc, const uint8_t* in, size_t rows, size_t n) {
  constexpr size_t kRows = 8;
  size_t first = 0;
  for (; first + kRows <= rows; first += kRows, in += kRows * n * sizeof(T)) {
    T values[kRows];
    for (size_t r = 0; r < kRows; ++r) values[r] = Load<T>(acc, first + r);
    for (size_t i = 0; i < n; ++i)
      for (size_t r = 0; r < kRows; ++r) values[r] = Op::template Float<T>(values[r], Load<T>(in, r * n + i));
    for (size_t r = 0; r < kRows; ++r) Store<T>(acc, first + r, CanonicalNan(values[r]));
  }
  for (; first < rows; ++first, in += n * sizeof(T))
    FloatFold<Op, T>(acc + first * sizeof(T), in, n, sizeof(T));
}

// The same for a narrow format, whose sums are computed in f32 and rounded each.
template <typename Op, TypeKind kKind>
float NarrowStep(float value, float element) {
  return DecodeSmall<kKind>(EncodeSmall<kKind>(Op::template Float<float>(value, element)));
}
template <TypeKind kKind>
float LoadNarrow(const uint8_t* in, size_t i) {
  return DecodeSmall<kKind>(Load<uint16_t>(in, i));
}
template <TypeKind kKind>
void StoreNarrow(uint8_t* out, size_t i, float value) {
  Store<uint16_t>(out, i, uint16_t(EncodeSmall<kKind>(value)));
}
template <typename Op, TypeKind kKind>
void NarrowFold(uint8_t* acc, const uint8_t* in, size_t n, ptrdiff_t stride) {
  float value = LoadNarrow<kKind>(acc, 0);
  for (size_t i = 0; i < n; ++i, in += stride) value = NarrowStep<Op, kKind>(value, LoadNarrow<kKind>(in, 0));
  StoreNarrow<kKind>(acc, 0, value);
}
template <typename Op, TypeKind kKind>
void NarrowFoldRows(uint8_t* acc, const uint8_t* in, size_t rows, size_t n) {
  constexpr size_t kRows = 16, kColumns = 32, kBytes = 2;
  for (; rows >= kRows; rows -= kRows, acc += kRows * kBytes, in += kRows * n * kBytes) {
    float values[kRows], columns[kColumns][kRows];
    for (size_t r = 0; r < kRows; ++r) values[r] = LoadNarrow<kKind>(acc, r);
    for (size_t first = 0; first < n; first += kColumns) {
      const size_t count = std::min(kColumns, n - first);
      for (size_t r = 0; r < kRows; ++r)
        for (size_t i = 0; i < count; ++i) columns[i][r] = LoadNarrow<kKind>(in, r * n + first + i);
      for (size_t i = 0; i < count; ++i)
        for (size_t r = 0; r < kRows; ++r) values[r] = NarrowStep<Op, kKind>(values[r], columns[i][r]);
    }
    for (size_t r = 0; r < kRows; ++r) StoreNarrow<kKind>(acc, r, values[r]);
  }
  for (; rows > 0; --rows, acc += kBytes, in += n * kBytes) NarrowFold<Op, kKind>(acc, in, n, kBytes);
}

template <typename Op, typename T>
void ComplexRun(const ElementLoop&, const uint8_t* const* in, uint8_t* out, size_t n) {
  using C = std::complex<T>;
  for (size_t i = 0; i < n; ++i) {
    const C r = Op::template Complex<C>(Load<C>(in[0], i), Load<C>(in[1], i));
    if constexpr (requires { Op::kSelectsComplex; })
      Store<C>(out, i, r);
    else
      Store<C>(out, i, C(CanonicalNan(r.real()), CanonicalNan(r.imag())));
  }
}

// Returns the loops on f32 for vectors of this machine, if there are any.
template <typename Op>
WideArithmetic WideOf() {
  if constexpr (requires { Op::kWide; })
    if (const WideFunctions* const wide = BestWideFunctions()) return wide->*Op::kWide;
  return {};
}

template <typename Op>
ElementLoop PickArithmetic(LoopQuery& q) {
  if (q.operands.size() != 2 || q.operands[0] != q.operands[1]) return {};
  const ElementType element = q.operands[0];
  q.result = element;
  ElementLoop loop;
  if (element.is_bool()) {
    if constexpr (requires { Op::Bool(1, 1); }) {
      loop.run = BoolRun<Op>;
      loop.fold = BoolFold<Op>;
    }
  } else if (element.complex) {
    if constexpr (requires { Op::Complex(std::complex<float>(), std::complex<float>()); })
      loop.run = element.kind == TypeKind::kF32 ? ComplexRun<Op, float> : ComplexRun<Op, double>;
  } else if (IsFloat(element.kind)) {
    const WideArithmetic wide = WideOf<Op>();
    const ElementLoop::Run on_f32 = wide.run ? wide.run : FloatRun<Op, float>;
    if (element.kind == TypeKind::kF32) {
      loop.run = on_f32;
      loop.fold = FloatFold<Op, float>;
      loop.fold_rows = q.fast && wide.fast_fold_rows ? wide.fast_fold_rows
                       : wide.fold_rows              ? wide.fold_rows
                                                     : FloatFoldRows<Op, float>;
    } else if (element.kind == TypeKind::kF64) {
      loop.run = FloatRun<Op, double>;
      loop.fold = FloatFold<Op, double>;
      loop.fold_rows = FloatFoldRows<Op, double>;
    } else {
      loop = ThroughFloat(element.kind, on_f32, FloatRun<Op, double>, 2);
      if (element.kind == TypeKind::kBF16) {
        loop.fold = NarrowFold<Op, TypeKind::kBF16>;
        loop.fold_rows = NarrowFoldRows<Op, TypeKind::kBF16>;
      } else if (element.kind == TypeKind::kF16) {
        loop.fold = NarrowFold<Op, TypeKind::kF16>;
        loop.fold_rows = NarrowFoldRows<Op, TypeKind::kF16>;
      }
    }
  } else {
    loop = WithIntType(element.kind, []<typename T, int kWidth>() {
      ElementLoop l;
      l.run = IntRun<Op, T, kWidth>;
      l.fold = IntFold<Op, T, kWidth>;
      return l;
    });
  }
  return loop;
}

// --- One operand ----------------------------------------------------------------------------------

template <typename T, int kWidth>
void NegateInt(const ElementLoop&, const uint8_t* const* in, uint8_t* out, size_t n) {
  using U = std::make_unsigned_t<T>;
  for (size_t i = 0; i < n; ++i) StoreInt<T, kWidth>(out, i, T(U(U(0) - U(LoadInt<T, kWidth>(in[0], i)))));
}
template <typename T, int kWidth>
void AbsInt(const ElementLoop&, const uint8_t* const* in, uint8_t* out, size_t n) {
  using U = std::make_unsigned_t<T>;
  for (size_t i = 0; i < n; ++i) {
    const T v = LoadInt<T, kWidth>(in[0], i);
    StoreInt<T, kWidth>(out, i, v < 0 ? T(U(U(0) - U(v))) : v);
  }
}
template <typename T, int kWidth>
void SignInt(const ElementLoop&, const uint8_t* const* in, uint8_t* out, size_t n) {
  for (size_t i = 0; i < n; ++i) {
    const T v = LoadInt<T, kWidth>(in[0], i);
    StoreInt<T, kWidth>(out, i, v < 0 ? T(-1) : T(v > 0));
  }
}

// Changes bits of every part of kBytes bytes: keeps those in mask x, then flips those in y.
template <int kBytes>
void MaskRun(const ElementLoop& self, const uint8_t* const* in, uint8_t* out, size_t n) {
  for (size_t i = 0; i < n; ++i) {
    uint64_t v = 0;
    std::memcpy(&v, in[0] + kBytes * i, kBytes);
    v = (v & uint64_t(self.x)) ^ uint64_t(self.y);
    std::memcpy(out + kBytes * i, &v, kBytes);
  }
}
template <int kBytes>
void MaskPartsRun(const ElementLoop& self, const uint8_t* const* in, uint8_t* out, size_t n) {
  MaskRun<kBytes>(self, in, out, 2 * n);
}

ElementLoop MaskLoop(ElementType element, uint64_t keep, uint64_t flip) {
  ElementLoop loop;
  loop.x = int64_t(keep);
  loop.y = int64_t(flip);
  switch (element.part_bytes()) {
    case 1:
      loop.run = MaskRun<1>;
      break;
    case 2:
      loop.run = MaskRun<2>;
      break;
    case 3:
      loop.run = MaskRun<3>;
      break;
    case 4:
      loop.run = element.complex ? MaskPartsRun<4> : MaskRun<4>;
      break;
    case 5:
      loop.run = MaskRun<5>;
      break;
    case 6:
      loop.run = MaskRun<6>;
      break;
    case 7:
      loop.run = MaskRun<7>;
      break;
    default:
      loop.run = element.complex ? MaskPartsRun<8> : MaskRun<8>;
  }
  return loop;
}

// hypot(inf, NaN) is infinite, also for a signaling NaN, of which the C library makes a NaN.
template <typename T>
void AbsComplex(const ElementLoop&, const uint8_t* const* in, uint8_t* out, size_t n) {
  for (size_t i = 0; i < n; ++i) {
    const T re = CanonicalNan(Load<T>(in[0], 2 * i)), im = CanonicalNan(Load<T>(in[0], 2 * i + 1));
    Store<T>(out, i, CanonicalNan(T(std::hypot(double(re), double(im)))));
  }
}

template <typename T>
void NegateFloat(const ElementLoop&, const uint8_t* const* in, uint8_t* out, size_t n) {
  for (size_t i = 0; i < n; ++i) Store<T>(out, i, -Load<T>(in[0], i));
}
template <typename T>
void AbsFloat(const ElementLoop&, const uint8_t* const* in, uint8_t* out, size_t n) {
  for (size_t i = 0; i < n; ++i) Store<T>(out, i, std::fabs(Load<T>(in[0], i)));
}
template <typename T>
void SignFloat(const ElementLoop&, const uint8_t* const* in, uint8_t* out, size_t n) {
  for (size_t i = 0; i < n; ++i) {
    const T v = Load<T>(in[0], i);
    Store<T>(out, i, v != v ? CanonicalNan(v) : v == 0 ? v : std::copysign(T(1), v));
  }
}
template <typename T>
void SignComplex(const ElementLoop&, const uint8_t* const* in, uint8_t* out, size_t n) {
  using C = std::complex<T>;
  for (size_t i = 0; i < n; ++i) {
    const C v = Load<C>(in[0], i);
    C r;
    if (v.real() != v.real() || v.imag() != v.imag()) {
      const T nan = std::numeric_limits<T>::quiet_NaN();
      r = C(nan, nan);
    } else if (v.real() != 0 || v.imag() != 0) {
      const T abs = T(std::hypot(double(v.real()), double(v.imag())));
      const C q = C(Quotient(std::complex<double>(v), std::complex<double>(double(abs), 0)));
      r = C(CanonicalNan(q.real()), CanonicalNan(q.imag()));
    }
    Store<C>(out, i, r);
  }
}

template <typename T>
void SquareFloat(const ElementLoop&, const uint8_t* const* in, uint8_t* out, size_t n) {
  for (size_t i = 0; i < n; ++i) {
    const T v = Load<T>(in[0], i);
    Store<T>(out, i, CanonicalNan(v * v));
  }
}
// (x + iy)^2 = ((x - y)(x + y), 2xy): avoids the cancellation of x^2 - y^2.
template <typename T>
void SquareComplex(const ElementLoop&, const uint8_t* const* in, uint8_t* out, size_t n) {
  for (size_t i = 0; i < n; ++i) {
    const T x = Load<T>(in[0], 2 * i), y = Load<T>(in[0], 2 * i + 1);
    T re = (x - y) * (x + y);
    if (std::isinf(x) && std::isinf(y)) re = std::numeric_limits<T>::quiet_NaN();
    if (std::fabs(x) == std::fabs(y) && std::isfinite(x)) re = 0;
    T im = x * y;
    im = im + im;
    Store<T>(out, 2 * i, CanonicalNan(re));
    Store<T>(out, 2 * i + 1, CanonicalNan(im));
  }
}

}  // namespace

ElementLoop PickAdd(LoopQuery& query) { return PickArithmetic<AddOp>(query); }
ElementLoop PickSubtract(LoopQuery& query) { return PickArithmetic<SubtractOp>(query); }
ElementLoop PickSubV37(LoopQuery& query) { return PickArithmetic<SubV37Op>(query); }
ElementLoop PickMultiply(LoopQuery& query) { return PickArithmetic<MultiplyOp>(query); }
ElementLoop PickDivide(LoopQuery& query) { return PickArithmetic<DivideOp>(query); }
ElementLoop PickRemainder(LoopQuery& query) { return PickArithmetic<RemainderOp>(query); }
ElementLoop PickMaximum(LoopQuery& query) { return PickArithmetic<MaximumOp>(query); }
ElementLoop PickMinimum(LoopQuery& query) { return PickArithmetic<MinimumOp>(query); }

// Specification, "negate": integer negation modulo 2^n; IEEE 754 `negate`, which flips the sign.
ElementLoop PickNegate(LoopQuery& q) {
  if (q.operands.size() != 1 || q.operands[0].is_bool()) return {};
  const ElementType element = q.result = q.operands[0];
  if (!IsFloat(element.kind))
    return WithIntType(element.kind,
                       []<typename T, int kWidth>() { return ElementLoop{.run = NegateInt<T, kWidth>}; });
  // Formats without a sign, or with a NaN at negative zero, round the negated value.
  const FloatFormat* format = FloatFormatOf(element.kind);
  if (format->flavor == FloatFormat::kFnuz || format->flavor == FloatFormat::kFnu)
    return ThroughFloat(element.kind, NegateFloat<float>, NegateFloat<double>, 1);
  return MaskLoop(element, ~0ull, 1ull << (BitWidth(element.kind) - 1));
}

// Specification, "abs": integer absolute value modulo 2^n; IEEE 754 `abs`; the modulus of a complex number.
ElementLoop PickAbs(LoopQuery& q) {
  if (q.operands.size() != 1 || q.operands[0].is_bool()) return {};
  const ElementType element = q.result = q.operands[0];
  if (element.complex) {
    q.result.complex = false;
    return {.run = element.kind == TypeKind::kF32 ? AbsComplex<float> : AbsComplex<double>};
  }
  if (!IsFloat(element.kind))
    return WithIntType(element.kind,
                       []<typename T, int kWidth>() { return ElementLoop{.run = AbsInt<T, kWidth>}; });
  const FloatFormat* format = FloatFormatOf(element.kind);
  if (format->flavor == FloatFormat::kFnu) return MaskLoop(element, ~0ull, 0);
  if (format->flavor == FloatFormat::kFnuz)
    return ThroughFloat(element.kind, AbsFloat<float>, AbsFloat<double>, 1);
  return MaskLoop(element, (1ull << (BitWidth(element.kind) - 1)) - 1, 0);
}

// Specification, "sign": -1, 0 or 1; zeros keep their sign and NaN stays NaN; z / abs(z) for complex numbers.
ElementLoop PickSign(LoopQuery& q) {
  if (q.operands.size() != 1 || q.operands[0].is_bool()) return {};
  const ElementType element = q.result = q.operands[0];
  if (element.complex)
    return {.run = element.kind == TypeKind::kF32 ? SignComplex<float> : SignComplex<double>};
  if (!IsFloat(element.kind))
    return WithIntType(element.kind,
                       []<typename T, int kWidth>() { return ElementLoop{.run = SignInt<T, kWidth>}; });
  if (element.kind == TypeKind::kF64) return {.run = SignFloat<double>};
  if (element.kind == TypeKind::kF32) return {.run = SignFloat<float>};
  return ThroughFloat(element.kind, SignFloat<float>, SignFloat<double>, 1);
}

// CHLO, "square": x * x; for complex numbers without cancellation in the real part.
ElementLoop PickSquare(LoopQuery& q) {
  if (q.operands.size() != 1) return {};
  const ElementType element = q.operands[0];
  if (element.complex) {
    q.result = element;
    return {.run = element.kind == TypeKind::kF32 ? SquareComplex<float> : SquareComplex<double>};
  }
  if (element.kind == TypeKind::kF64 || element.kind == TypeKind::kF32) {
    q.result = element;
    return {.run = element.kind == TypeKind::kF32 ? SquareFloat<float> : SquareFloat<double>};
  }
  if (IsFloat(element.kind)) {
    q.result = element;
    return ThroughFloat(element.kind, SquareFloat<float>, SquareFloat<double>, 1);
  }
  return {};
}

}  // namespace shlo
