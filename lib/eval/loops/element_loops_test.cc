// Tests loops by element type: conversions of all values of small formats against ir/table/float_format.h,
// functions against the C library.
#include "eval/loops/element_loops.h"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>

#include "eval/kernels/kernels.h"
#include "eval/loops/comparison.h"
#include "eval/loops/numeric/float_codec.h"
#include "eval/loops/numeric/special_functions.h"
#include "ir/table/float_format.h"

namespace shlo {
namespace {

std::vector<TypeKind> FloatKinds() {
  std::vector<TypeKind> kinds;
  for (const KindRow& row : TypeKinds())
    if (FloatFormatOf(TypeKind(row.id))) kinds.push_back(TypeKind(row.id));
  return kinds;
}

// Converts one element and returns its bits.
uint64_t Converted(TypeKind from, TypeKind to, uint64_t bits) {
  const ElementType type[1] = {{from}};
  LoopQuery query{nullptr, nullptr, type, {to}};
  const ElementLoop loop = PickConvert(query);
  EXPECT_TRUE(bool(loop));
  uint8_t in[8], out[8] = {};
  std::memcpy(in, &bits, 8);
  const uint8_t* operands[1] = {in};
  loop.run(loop, operands, out, 1);
  uint64_t result = 0;
  std::memcpy(&result, out, 8);
  return result;
}

TEST(Convert, AllSmallFloatsToAllFloats) {
  for (TypeKind from : FloatKinds()) {
    if (BitWidth(from) > 16) continue;
    const uint64_t step = BitWidth(from) == 16 ? 7 : 1;
    for (TypeKind to : FloatKinds()) {
      for (uint64_t bits = 0; bits >> BitWidth(from) == 0; bits += step) {
        if (from == to) continue;
        const double value = DecodeFloat(from, bits);
        const uint64_t got = Converted(from, to, bits);
        if (value != value) {
          // Formats without NaN use negative zero.
          EXPECT_TRUE(IsNan(to, got) || DecodeFloat(to, got) == 0)
              << RowOf(from).mnemonic << RowOf(to).mnemonic;
        } else if (to == TypeKind::kF8E8M0FNU) {
          EXPECT_EQ(value < 0, value < 0 && IsNan(to, got));
        } else if (!IsNan(to, EncodeFloat(to, value))) {
          ASSERT_EQ(got, EncodeFloat(to, value))
              << RowOf(from).mnemonic << " " << bits << " to " << RowOf(to).mnemonic;
        }
      }
    }
  }
}

TEST(Convert, DoublesAreRoundedOnce) {
  // Just above the tie of two bf16 values: rounding to f32 first would give the tie.
  const double above = 1.00390625 + 0x1p-40;
  EXPECT_EQ(Converted(TypeKind::kF64, TypeKind::kBF16, std::bit_cast<uint64_t>(above)), 0x3F81u);
  EXPECT_EQ(Converted(TypeKind::kF64, TypeKind::kBF16, std::bit_cast<uint64_t>(1.00390625)), 0x3F80u);
  // The same for integers.
  const uint64_t integer = (1ull << 62) + (1ull << 54) + 1;
  EXPECT_EQ(Converted(TypeKind::kI64, TypeKind::kBF16, integer), 0x5E81u);
  EXPECT_EQ(Converted(TypeKind::kI64, TypeKind::kBF16, integer - 1), 0x5E80u);
}

TEST(Convert, FloatsToIntegersStopAtTheEnds) {
  const auto i8 = [](double v) {
    return Converted(TypeKind::kF64, TypeKind::kI8, std::bit_cast<uint64_t>(v));
  };
  EXPECT_EQ(i8(3.99), 3u);
  EXPECT_EQ(i8(-3.99), 0xFDu);
  EXPECT_EQ(i8(1000), 127u);
  EXPECT_EQ(i8(-1000), 0x80u);
  EXPECT_EQ(i8(std::nan("")), 0u);
  EXPECT_EQ(Converted(TypeKind::kF64, TypeKind::kUI64, std::bit_cast<uint64_t>(1e30)), ~0ull);
  EXPECT_EQ(Converted(TypeKind::kF64, TypeKind::kUI64, std::bit_cast<uint64_t>(-1.0)), 0u);
  EXPECT_EQ(Converted(TypeKind::kI32, TypeKind::kI8, 0x1FF), 0xFFu);
  EXPECT_EQ(Converted(TypeKind::kI4, TypeKind::kI32, 0x8), 0xFFFFFFF8u);
}

// Checks that results for all values of a 16-bit format are correctly rounded, or off by one.
void ExpectNear(LoopPicker picker, TypeKind kind, long double (*function)(long double)) {
  const ElementType type[1] = {{kind}};
  LoopQuery query{nullptr, nullptr, type, {}};
  const ElementLoop loop = picker(query);
  ASSERT_TRUE(bool(loop));
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    const uint16_t in = uint16_t(bits);
    uint16_t out = 0;
    const uint8_t* operands[1] = {reinterpret_cast<const uint8_t*>(&in)};
    loop.run(loop, operands, reinterpret_cast<uint8_t*>(&out), 1);
    const double exact = double(function(DecodeFloat(kind, bits)));
    if (exact != exact) {
      ASSERT_TRUE(IsNan(kind, out)) << bits;
    } else {
      const int64_t expected = int64_t(EncodeFloat(kind, exact));
      ASSERT_LE(std::abs(int64_t(out) - expected), 1) << bits;
    }
  }
}

TEST(Functions, AllValuesOfSixteenBits) {
  for (TypeKind kind : {TypeKind::kBF16, TypeKind::kF16}) {
    ExpectNear(PickExponential, kind, [](long double v) { return std::exp(v); });
    ExpectNear(PickLog, kind, [](long double v) { return std::log(v); });
    ExpectNear(PickTanh, kind, [](long double v) { return std::tanh(v); });
    ExpectNear(PickLogistic, kind, [](long double v) { return 1 / (1 + std::exp(-v)); });
    ExpectNear(PickSqrt, kind, [](long double v) { return std::sqrt(v); });
    ExpectNear(PickCbrt, kind, [](long double v) { return std::cbrt(v); });
    ExpectNear(PickSine, kind, [](long double v) { return std::sin(v); });
    ExpectNear(PickErf, kind, [](long double v) { return std::erf(v); });
  }
}

TEST(Functions, SpecialFunctions) {
  EXPECT_NEAR(double(Digamma(1)), -0.57721566490153286, 1e-16);
  EXPECT_NEAR(double(Digamma(0.5L)), -1.9635100260214235, 1e-15);
  EXPECT_NEAR(double(Digamma(-0.5L)), 0.036489973978576520, 1e-16);
  EXPECT_TRUE(std::isnan(Digamma(-3)));
  // Numbers next to the zeros, where nearly all digits of the terms cancel.
  constexpr double kNextToZeros[][2] = {
      {0x1.762d86356be3fp+0, -0x1.aa2d9b3ce29e0p-54}, {-0x1.02172b05ee260p-1, 0x1.502e5780c52dap-54},
      {-0x1.92d0cbc289d4ap+0, 0x1.68dc0bb58132fp-53}, {-0x1.4e2c19f679e5ap+1, -0x1.34fdacb52af39p-50},
      {-0x1.367c4b1f635e4p+3, 0x1.63e93516bf585p-48}, {-0x1.933d4aa394c66p+6, 0x1.77ba7bce599ebp-44},
      {-0x1.388e334a3f4bcp+12, 0x1.9d9f2d5c57292p-37}};
  for (const auto& [x, value] : kNextToZeros) EXPECT_EQ(double(Digamma(x)), value) << x;
  EXPECT_NEAR(double(Zeta(2, 1)), 1.6449340668482264, 1e-15);
  EXPECT_NEAR(double(Zeta(3, 0.5L)), 8.4143983221171603, 1e-14);
  EXPECT_TRUE(std::isinf(Zeta(1, 2)));
  // Zeta(x, q) = q^-x + Zeta(x, q + 1), also where the terms of negative arguments are summed in another way.
  for (long double x : {2.0L, 3.0L, 7.0L})
    for (long double q : {-64.25L, -64.75L, -1000.5L})
      EXPECT_NEAR(double(Zeta(x, q) / (std::pow(q, -x) + Zeta(x, q + 1))), 1, 1e-15) << x << " " << q;
  // Almost all terms on both sides: pi^2 for x = 2 and half a step.
  EXPECT_NEAR(double(Zeta(2, -1e12L - 0.5L)), std::numbers::pi * std::numbers::pi, 1e-11);
  // Powers that overflow.
  EXPECT_EQ(Zeta(5341431, -145.757L), std::numeric_limits<long double>::infinity());
  EXPECT_EQ(Zeta(5341431, -145.25L), -std::numeric_limits<long double>::infinity());
  EXPECT_EQ(Zeta(5341431, -3.25L), -std::numeric_limits<long double>::infinity());
  EXPECT_EQ(Zeta(5341431, -3.5L), Zeta(5341431, 4.5L));
  EXPECT_EQ(Zeta(std::numeric_limits<long double>::infinity(), -1.5L),
            std::numeric_limits<long double>::infinity());
  // Limits at 0, by sign.
  EXPECT_EQ(Digamma(0), -std::numeric_limits<long double>::infinity());
  EXPECT_EQ(Digamma(-0.0L), std::numeric_limits<long double>::infinity());
  EXPECT_NEAR(double(Polygamma(1, 1)), 1.6449340668482264, 1e-15);
  EXPECT_NEAR(double(Polygamma(2, 1)), -2.4041138063191886, 1e-14);
  for (long double x : {-0.999L, -0.3L, 1e-9L, 0.5L, 0.99999L})
    EXPECT_NEAR(double(std::erf(ErfInv(x))), double(x), 1e-16);
  EXPECT_NEAR(double(BesselI1e(1)), 0.20791041534970845, 1e-16);
  EXPECT_NEAR(double(BesselI1e(-50)), -0.055993123892895402, 1e-16);
}

// As IEEE 754 says for quiet NaN: pow(1, NaN), pow(NaN, 0) and hypot(inf, NaN) are numbers.
TEST(Functions, SignalingNanIsAsAnyNan) {
  const double nan = std::bit_cast<double>(0x7FF0000000000001ull),
               inf = std::numeric_limits<double>::infinity();
  const auto run = [](LoopPicker picker, ElementType type, std::vector<const double*> operands) {
    std::vector<ElementType> types(operands.size(), type);
    LoopQuery query{.operands = types};
    const ElementLoop loop = picker(query);
    std::vector<const uint8_t*> in;
    for (const double* operand : operands) in.push_back(reinterpret_cast<const uint8_t*>(operand));
    double out = 0;
    loop.run(loop, in.data(), reinterpret_cast<uint8_t*>(&out), 1);
    return out;
  };
  const ElementType f64{TypeKind::kF64};
  const double one = 1, zero = 0, parts[] = {inf, nan}, swapped[] = {nan, -inf};
  EXPECT_EQ(run(PickPower, f64, {&one, &nan}), 1);
  EXPECT_EQ(run(PickPower, f64, {&nan, &zero}), 1);
  EXPECT_TRUE(std::isnan(run(PickPower, f64, {&nan, &one})));
  const LoopPicker abs = PickerOf(NewestRevision(FindOp("stablehlo.abs")));
  EXPECT_EQ(run(abs, {TypeKind::kF64, true}, {parts}), inf);
  EXPECT_EQ(run(abs, {TypeKind::kF64, true}, {swapped}), inf);
}

TEST(Comparison, CasesAreThoseOfTheRows) {
  const auto name = [](AttrKind kind, int64_t value) { return FindCase(kind, value)->name; };
  const std::string_view directions[] = {"EQ", "NE", "GE", "GT", "LE", "LT"};
  for (const AttrKind kind : {AttrKind::kComparisonDirection, AttrKind::kChloComparisonDirection})
    for (const int64_t direction : {kEq, kNe, kGe, kGt, kLe, kLt})
      EXPECT_EQ(name(kind, direction), directions[direction]);
  for (const AttrKind kind : {AttrKind::kComparisonType, AttrKind::kChloComparisonType}) {
    EXPECT_EQ(name(kind, kNoType), "NOTYPE");
    EXPECT_EQ(name(kind, kFloatType), "FLOAT");
    EXPECT_EQ(name(kind, kTotalOrder), "TOTALORDER");
    EXPECT_EQ(name(kind, kSignedType), "SIGNED");
    EXPECT_EQ(name(kind, kUnsignedType), "UNSIGNED");
    EXPECT_EQ(name(kind, kWeakOrder), "WEAKORDER");
  }
}

// Applies a complex function of f64.
std::complex<double> OfComplex(LoopPicker picker, std::complex<double> z) {
  const ElementType type[1] = {{TypeKind::kF64, true}};
  LoopQuery query{.operands = type};
  const ElementLoop loop = picker(query);
  std::complex<double> result;
  const uint8_t* operands[1] = {reinterpret_cast<const uint8_t*>(&z)};
  loop.run(loop, operands, reinterpret_cast<uint8_t*>(&result), 1);
  return result;
}

TEST(Functions, ComplexCorners) {
  // The real part is positive on both sides of the cut.
  for (const double side : {0.0, -0.0}) {
    const auto r = OfComplex(PickRsqrt, {-100, side});
    EXPECT_EQ(r.real(), 0);
    EXPECT_FALSE(std::signbit(r.real())) << side;
    EXPECT_EQ(r.imag(), std::signbit(side) ? 0.1 : -0.1);
  }
  // Next to the pole, and at zeros of both signs.
  EXPECT_EQ(OfComplex(PickLogPlusOne, {-1, 0x1p-1000}).real(), std::log(0x1p-1000));
  EXPECT_TRUE(std::signbit(OfComplex(PickLogPlusOne, {-0.0, -0.0}).real()));
  // Next to 1, where sqrt(a^2 - x^2) is small: by 60 decimal digits.
  EXPECT_DOUBLE_EQ(OfComplex(PickAsinAcosKernel, {-1 - 0x1p-52, 4.2015170152899351e-08}).real(),
                   2.0497602497241481456e-4);
}

// Infinities, zeros and NaN as the C standard's annex G says; the compiler's division follows it.
TEST(Functions, ComplexDivisionIsThatOfC) {
  const double inf = std::numeric_limits<double>::infinity();
  const double parts[] = {0.0, -0.0, 1, -2, 0.5, 3, inf, -inf, std::nan("")};
  const ElementType types[2] = {{TypeKind::kF64, true}, {TypeKind::kF64, true}};
  const auto expect = [&](std::complex<double> x, std::complex<double> y, std::complex<double> expected) {
    LoopQuery query{.operands = types};
    const ElementLoop loop = PickDivide(query);
    std::complex<double> result;
    const uint8_t* operands[2] = {reinterpret_cast<const uint8_t*>(&x), reinterpret_cast<const uint8_t*>(&y)};
    loop.run(loop, operands, reinterpret_cast<uint8_t*>(&result), 1);
    const auto same = [](double a, double b) {
      if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
      return a == b || std::fabs(a - b) <= 0x1p-50 * std::fabs(b);
    };
    EXPECT_TRUE(same(result.real(), expected.real()) && same(result.imag(), expected.imag()))
        << x << " / " << y << " = " << result << ", expected " << expected;
  };
  for (const double a : parts)
    for (const double b : parts)
      for (const double c : parts)
        for (const double d : parts)
          expect({a, b}, {c, d}, std::complex<double>(a, b) / std::complex<double>(c, d));
  // The squares of the denominator's parts overflow or underflow: (3 + 4i) / (1 + 2i) = (11 - 2i) / 5.
  for (const double scale : {0x1p-1020, 0x1p-600, 0x1p600, 0x1p1020}) {
    expect({3 * scale, 4 * scale}, {scale, 2 * scale}, {2.2, -0.4});
    expect({4 * scale, -3 * scale}, {2 * scale, -scale}, {2.2, -0.4});
  }
}

// Operands of binary functions have one type, and there are two of them.
TEST(Functions, OperandsOfOneType) {
  const ElementType f32{TypeKind::kF32}, f64{TypeKind::kF64}, i32{TypeKind::kI32}, i64{TypeKind::kI64},
      c64{TypeKind::kF32, true};
  std::vector<std::pair<std::string, LoopPicker>> pickers;
  for (const std::string_view op :
       {"stablehlo.add", "stablehlo.subtract", "stablehlo.multiply", "stablehlo.divide", "stablehlo.maximum",
        "stablehlo.minimum", "stablehlo.remainder", "stablehlo.power", "stablehlo.atan2", "stablehlo.and",
        "stablehlo.or", "stablehlo.xor", "stablehlo.shift_left", "stablehlo.shift_right_arithmetic",
        "stablehlo.shift_right_logical", "chlo.next_after", "chlo.polygamma", "chlo.zeta"})
    pickers.push_back({std::string(op), PickerOf(NewestRevision(FindOp(op)))});
  for (const auto& [name, picker] : pickers) {
    ASSERT_TRUE(picker) << name;
    const auto picks = [&pick = picker](std::vector<ElementType> types) {
      LoopQuery query{.operands = types};
      return bool(pick(query));
    };
    EXPECT_TRUE(picks({f32, f32}) || picks({i32, i32})) << name;
    for (const ElementType a : {f32, f64, i32, i64, c64}) {
      for (const ElementType b : {f32, f64, i32, i64, c64}) EXPECT_TRUE(a == b || !picks({a, b})) << name;
      EXPECT_FALSE(picks({a})) << name;
      EXPECT_FALSE(picks({a, a, a})) << name;
    }
    EXPECT_FALSE(picks({})) << name;
  }
}

}  // namespace
}  // namespace shlo
