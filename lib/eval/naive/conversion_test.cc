// Ops between types and between values: convert for all pairs of types, reduce_precision, complex, compare in
// every direction and order, clamp.
#include <algorithm>

#include "eval/naive/program.h"
#include "eval/naive/scalars.h"

namespace shlo::naive {
namespace {

std::vector<Scalar> ScalarsOf(const Type& type) {
  const std::vector<uint64_t> codes = CodesOf(type);
  std::vector<Scalar> scalars;
  for (size_t i = 0; i < codes.size(); ++i)
    scalars.push_back({codes[i], type.complex ? codes[(i * 7 + 3) % codes.size()] : 0});
  return scalars;
}
Values ListOf(const Type& type, std::vector<Scalar> scalars) {
  const int64_t n = int64_t(scalars.size());
  return Values(type, {n}, std::move(scalars));
}
// The code of a number in a real type: rounded in floats; in integers toward zero, between the ends, NaN as
// 0.
uint64_t CodeOf(const Type& to, Wide x) {
  if (to.format) return Encode(*to.format, x);
  if (to.is_bool()) return !(x == 0);
  if (IsNan(x)) return 0;
  const Wide least = to.is_unsigned ? 0 : -Scale(1, to.width - 1);
  const Wide most = Scale(1, to.is_unsigned ? to.width : to.width - 1) - 1;
  const Wide whole = x < 0 ? -Floor(-x) : Floor(x);
  return Wrap(to, __int128(whole < least ? least : whole > most ? most : whole));
}
Scalar Converted(const Type& from, const Type& to, Scalar v) {
  if (from == to) return v;
  const auto part = [&](uint64_t code) {
    if (from.format) return CodeOf(to, Decode(*from.format, code));
    const __int128 n = Integer(from, code);
    if (to.format) return Encode(*to.format, Wide(n));
    return to.is_bool() ? uint64_t(n != 0) : Wrap(to, n);
  };
  // A complex number becomes its real part.
  return {part(v.re), from.complex && to.complex ? part(v.im) : 0};
}

// In arith, i1 is an integer of one bit: 0 or -1.
Scalar CastInteger(const Type& from, const Type& to, Scalar v) {
  const __int128 n = from.is_bool() ? -__int128(v.re) : Integer(from, v.re);
  return {to.is_bool() ? uint64_t(n & 1) : Wrap(to, n)};
}

TEST(NaiveConversion, ConvertBetweenAllPairsOfTypes) {
  int tried = 0;
  for (const Type& from : AllTypes())
    for (const Type& to : AllTypes()) {
      const Values in = ListOf(from, ScalarsOf(from));
      Values out(to, in.shape);
      for (std::string_view op : {"stablehlo.convert", "arith.extsi", "arith.trunci", "arith.index_cast"}) {
        const auto meaning = op == "stablehlo.convert" ? Converted : CastInteger;
        for (size_t i = 0; i < in.at.size(); ++i) out.at[i] = meaning(from, to, in.at[i]);
        const OneOp one{.name = std::string(op), .operands = {in}, .results = {TypeText(out)}};
        if (!Verifies(one)) continue;
        ++tried;
        Expect(one, {out});
        if (HasFatalFailure()) return;
      }
    }
  EXPECT_GT(tried, 30 * 30);
}

// Ties of each pair of floats: exactly between two numbers, and next to that on both sides.
TEST(NaiveConversion, ConvertRoundsTiesToEven) {
  for (const Type& from : AllTypes())
    for (const Type& to : AllTypes()) {
      if (!from.is_float() || !to.is_float() || from.format->mantissa_bits <= to.format->mantissa_bits)
        continue;
      std::vector<Scalar> ties;
      const uint64_t last = LargestCode(*to.format);
      for (uint64_t code = 0; code <= last; code += last > 4096 ? last / 997 : 1) {
        const Wide x = Decode(*to.format, code);
        const Wide next = code < last ? Decode(*to.format, code + 1)
                                      : x + (x - Decode(*to.format, code - 1));  // where overflow begins
        const uint64_t tie = Encode(*from.format, (x + next) / 2);
        for (uint64_t near : {tie - 1, tie, tie + 1}) ties.push_back({near & Ones(from.width)});
      }
      const Values in = ListOf(from, ties);
      Values out(to, in.shape);
      for (size_t i = 0; i < in.at.size(); ++i) out.at[i] = Converted(from, to, in.at[i]);
      Expect({.name = "stablehlo.convert", .operands = {in}, .results = {TypeText(out)}}, {out});
      if (HasFatalFailure()) return;
    }
}

// Specification, "reduce_precision": round the mantissa, then what is out of the exponent's range becomes
// infinite or zero.
uint64_t Reduced(const Format& f, uint64_t code, int exponent_bits, int mantissa_bits) {
  const Wide x = Decode(f, code);
  if (IsNan(x)) return mantissa_bits > 0 ? code : code & ~Ones(f.mantissa_bits);
  if (IsInfinite(x) || x == 0) return code;
  const Wide size = Abs(x);
  const int e = std::max(Exponent(size), 1 - f.bias);
  Wide kept = size;
  if (mantissa_bits < f.mantissa_bits) {
    const Wide steps = Scale(size, mantissa_bits - e);
    // Without mantissa bits, the even one of two neighbors is that whose exponent has an even code.
    const bool tie = mantissa_bits == 0 && steps == Wide(1.5);
    kept = tie ? Scale(1, (e + f.bias) % 2 ? e + 1 : e)
               : Scale(MeaningOf("stablehlo.round_nearest_even")->on_floats(f, steps, 0), e - mantissa_bits);
  }
  if (exponent_bits < f.exponent_bits) {
    const int bias = (1 << (exponent_bits - 1)) - 1;
    if (kept >= Scale(2, bias)) kept = kInfinity;
    if (kept < Scale(1, 1 - bias)) kept = 0;
  }
  return Encode(f, IsNegative(x) ? -kept : kept);
}

TEST(NaiveConversion, ReducePrecision) {
  for (const Type& type : AllTypes()) {
    if (!type.is_float() || type.format->special != Special::kInfinities) continue;
    const Values in = ListOf(type, ScalarsOf(type));
    for (int exponent : {1, 2, 4, 5, 8, 11, 40})
      for (int mantissa : {0, 1, 3, 7, 10, 23, 52, 60}) {
        Values out(type, in.shape);
        for (size_t i = 0; i < in.at.size(); ++i)
          out.at[i].re = Reduced(*type.format, in.at[i].re, exponent, mantissa);
        Expect({.name = "stablehlo.reduce_precision",
                .operands = {in},
                .results = {TypeText(in)},
                .attributes = "exponent_bits = " + std::to_string(exponent) +
                              " : i32, mantissa_bits = " + std::to_string(mantissa) + " : i32"},
               {out});
        if (HasFatalFailure()) return;
      }
  }
}

TEST(NaiveConversion, ComplexOfParts) {
  for (std::string_view name : {"f32", "f64"}) {
    const Type type = *TypeOf(name), to = *TypeOf("complex<" + std::string(name) + ">");
    const Values re = ListOf(type, ScalarsOf(type));
    Values im = re, out(to, re.shape);
    std::reverse(im.at.begin(), im.at.end());
    for (size_t i = 0; i < re.at.size(); ++i) out.at[i] = {re.at[i].re, im.at[i].re};
    for (std::string_view op : {"stablehlo.complex", "chlo.broadcast_complex"})
      Expect({.name = std::string(op), .operands = {re, im}, .results = {TypeText(out)}}, {out});
  }
}

// --- Comparison -----------------------------------------------------------------------------------

// -1, 0 or 1; nullopt if they have no order.
using Ordering = std::optional<int>;
template <typename T>
int Compared(const T& a, const T& b) {
  return a < b ? -1 : b < a ? 1 : 0;
}
// IEEE 754: NaN has no order.
Ordering FloatOrder(const Type& type, uint64_t a, uint64_t b) {
  const Wide x = Decode(*type.format, a), y = Decode(*type.format, b);
  if (IsNan(x) || IsNan(y)) return std::nullopt;
  return Compared(x, y);
}
// IEEE 754, totalOrder: by sign, then by the bits of the magnitude, which decide between NaNs as well.
Ordering TotalOrder(const Type& type, uint64_t a, uint64_t b) {
  if (type.format->special == Special::kPowers) return Compared(a, b);
  const uint64_t sign = 1ull << (type.width - 1);
  if ((a & sign) != (b & sign)) return a & sign ? -1 : 1;
  return a & sign ? Compared(b, a) : Compared(a, b);
}
// Numbers in order, zeros equal, then NaNs, all equal.
Ordering WeakOrder(const Type& type, uint64_t a, uint64_t b) {
  const bool x = IsNan(Decode(*type.format, a)), y = IsNan(Decode(*type.format, b));
  return x || y ? Compared(x, y) : FloatOrder(type, a, b);
}
bool Holds(std::string_view direction, Ordering order) {
  if (!order) return direction == "NE";
  if (direction == "EQ") return *order == 0;
  if (direction == "NE") return *order != 0;
  if (direction == "GE") return *order >= 0;
  if (direction == "GT") return *order > 0;
  return direction == "LE" ? *order <= 0 : *order < 0;
}

TEST(NaiveConversion, CompareInEveryDirectionAndOrder) {
  int tried = 0;
  for (const Type& type : AllTypes()) {
    std::vector<Scalar> some = ScalarsOf(type);
    if (type.complex)
      for (Scalar& v : some) v = {v.re & ~7ull, v.re >> 3 & 1 ? v.re & ~7ull : 0};
    if (some.size() > 80 && type.width > 8) some.resize(80);
    const int64_t n = int64_t(some.size()), m = std::min<int64_t>(n, 15);
    Values a(type, {n, m}), b(type, {n, m});
    for (int64_t i = 0; i < n; ++i)
      for (int64_t k = 0; k < m; ++k)
        a[{i, k}] = some[size_t(i)], b[{i, k}] = some[size_t(k * (n - 1) / std::max<int64_t>(m - 1, 1))];
    for (std::string_view direction : {"EQ", "NE", "GE", "GT", "LE", "LT"})
      for (std::string_view order :
           {"", "NOTYPE", "FLOAT", "TOTALORDER", "WEAKORDER", "SIGNED", "UNSIGNED"}) {
        Values out(*TypeOf("i1"), a.shape);
        for (size_t i = 0; i < a.at.size(); ++i) {
          const uint64_t x = a.at[i].re, y = b.at[i].re;
          if (type.complex) {
            const Ordering re = FloatOrder(type, x, y), im = FloatOrder(type, a.at[i].im, b.at[i].im);
            out.at[i].re = (re == 0 && im == 0) == (direction == "EQ");
          } else if (type.format) {
            out.at[i].re = Holds(direction, order == "TOTALORDER"  ? TotalOrder(type, x, y)
                                            : order == "WEAKORDER" ? WeakOrder(type, x, y)
                                                                   : FloatOrder(type, x, y));
          } else {
            out.at[i].re = Holds(direction, Compared(Integer(type, x), Integer(type, y)));
          }
        }
        for (std::string_view op : {"stablehlo.compare", "chlo.broadcast_compare"}) {
          const std::string dialect(op.substr(0, op.find('.')));
          std::string attributes =
              "comparison_direction = #" + dialect + "<comparison_direction " + std::string(direction) + ">";
          if (!order.empty())
            attributes += ", compare_type = #" + dialect + "<comparison_type " + std::string(order) + ">";
          const OneOp one{.name = std::string(op),
                          .operands = {a, b},
                          .results = {TypeText(out)},
                          .attributes = attributes};
          if (!Verifies(one)) continue;
          if (type.complex && direction != "EQ" && direction != "NE") {  // complex numbers have no order
            EXPECT_FALSE(RunText(one.Text(), {ToTensor(a), ToTensor(b)}));
            continue;
          }
          ++tried;
          Expect(one, {out});
          if (HasFatalFailure()) return;
        }
      }
  }
  EXPECT_GT(tried, 500);
}

// --- Clamp ------------------------------------------------------------------------------------------

TEST(NaiveConversion, ClampIsMinimumOfMaximum) {
  const Meaning &maximum = *MeaningOf("stablehlo.maximum"), &minimum = *MeaningOf("stablehlo.minimum");
  for (const Type& type : AllTypes()) {
    const std::vector<Scalar> all = ScalarsOf(type);
    const size_t n = 600;
    Values low(type, {int64_t(n)}), operand = low, high = low;
    for (size_t i = 0; i < n; ++i) {
      low.at[i] = all[i * 3 % all.size()];
      operand.at[i] = all[i * 5 % all.size()];
      high.at[i] = all[i * 11 % all.size()];
    }
    const auto clamp = [&](Scalar least, Scalar v, Scalar most) {
      const Scalar larger[] = {v, least};
      const Scalar both[] = {*Apply(maximum, type, larger), most};
      return *Apply(minimum, type, both);
    };
    const OneOp one{
        .name = "stablehlo.clamp", .operands = {low, operand, high}, .results = {TypeText(operand)}};
    if (!Verifies(one)) continue;
    Values out = operand;
    for (size_t i = 0; i < n; ++i) out.at[i] = clamp(low.at[i], operand.at[i], high.at[i]);
    Expect(one, {out});
    if (HasFatalFailure()) return;
    // Bounds may be scalars.
    for (size_t k : {size_t(1), size_t(17)}) {
      for (size_t i = 0; i < n; ++i) out.at[i] = clamp(low.at[k], operand.at[i], high.at[k]);
      Expect({.name = "stablehlo.clamp",
              .operands = {Values(type, {}, low.at[k]), operand, Values(type, {}, high.at[k])},
              .results = {TypeText(operand)}},
             {out});
      if (HasFatalFailure()) return;
    }
  }
}

}  // namespace
}  // namespace shlo::naive
