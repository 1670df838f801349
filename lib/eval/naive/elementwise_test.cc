// Every element-wise op with every element type that its row allows, against scalars.h: all values of small
// types in pairs, boundary values of others, splats, quantized types, shapes that broadcast.
#include <algorithm>
#include <set>

#include "eval/naive/complex_functions.h"
#include "eval/naive/program.h"
#include "eval/naive/scalars.h"

namespace shlo::naive {
namespace {

// Ops whose meaning is checked elsewhere.
const std::set<std::string_view> kElsewhere = {
    "stablehlo.compare",
    "stablehlo.select",
    "stablehlo.clamp",
    "stablehlo.convert",
    "stablehlo.complex",
    "stablehlo.reduce_precision",
    "arith.select",
    "chlo.broadcast_compare",
    "chlo.broadcast_select",
    "chlo.broadcast_complex",  // below
    "chlo._asin_acos_kernel",
    "chlo.bessel_i1e",
    "chlo.digamma",
    "chlo.erf_inv",
    "chlo.polygamma",
    "chlo.zeta",
    "chlo.broadcast_polygamma",
    "chlo.broadcast_zeta",  // functions_test.cc
};

// The op that an op of another name computes.
std::string_view BaseOf(std::string_view op) {
  constexpr std::string_view kBroadcast = "chlo.broadcast_";
  if (!op.starts_with(kBroadcast)) return op;
  for (const Meaning& meaning : Meanings())
    if (meaning.op.substr(meaning.op.find('.') + 1) == op.substr(kBroadcast.size())) return meaning.op;
  return op;
}

std::vector<std::string_view> ElementwiseOps() {
  return {
#define SHLO_ELEMENTWISE(op, picker) op,
#define SHLO_BROADCASTING(op, picker) op,
#include "eval/kernels/kernel_rows.inc"
  };
}

// Few of many codes: the first, the last, those in the middle (where signs change), and some in between.
std::vector<uint64_t> Thinned(const std::vector<uint64_t>& codes, size_t most) {
  if (codes.size() <= most) return codes;
  std::vector<uint64_t> kept;
  const size_t half = codes.size() / 2;
  for (size_t i :
       {size_t(0), size_t(1), half - 2, half - 1, half, half + 1, codes.size() - 2, codes.size() - 1})
    kept.push_back(codes[i]);
  for (size_t i = kept.size(); i < most; ++i) kept.push_back(codes[i * codes.size() / most]);
  return kept;
}

std::vector<Scalar> ScalarsOf(const Type& type, size_t most) {
  std::vector<Scalar> scalars;
  if (!type.complex) {
    for (uint64_t code : Thinned(CodesOf(type), most)) scalars.push_back({code});
    return scalars;
  }
  // Finite parts; what infinite and NaN parts give is checked by name below.
  for (double re : {0.0, 1.0, -1.0, 0.5, -2.75, 100.0, 1e-3, -0.3})
    for (double im : {0.0, 1.0, -0.7, 2.5, -30.0, 1e-4})
      scalars.push_back({Encode(*type.format, re), Encode(*type.format, im)});
  return scalars;
}

// Whether results agree: the same bits, or for functions that f64 and complex numbers do not have exactly,
// nearly so.
::testing::AssertionResult Agree(const Meaning& m, const Type& type, Scalar actual, Scalar expected) {
  if (actual == expected) return ::testing::AssertionSuccess();
  if (m.ulps > 0 && type.format && type.complex) {
    const Format& f = *type.format;
    const Wide re = Decode(f, actual.re) - Decode(f, expected.re),
               im = Decode(f, actual.im) - Decode(f, expected.im);
    const Wide size = Modulus({Decode(f, expected.re), Decode(f, expected.im)});
    if (Modulus({re, im}) <= Scale(size, -f.mantissa_bits) * Wide(m.ulps))
      return ::testing::AssertionSuccess();
  } else if (m.ulps > 0 && type.width == 64 && type.format && IsFinite(Decode(*type.format, actual.re))) {
    const uint64_t distance = std::max(actual.re, expected.re) - std::min(actual.re, expected.re);
    if (distance <= uint64_t(m.ulps)) return ::testing::AssertionSuccess();
  }
  return ::testing::AssertionFailure() << std::hex << "(0x" << actual.re << ", 0x" << actual.im
                                       << ") instead of (0x" << expected.re << ", 0x" << expected.im << ")";
}

void Compare(std::string_view op, const Meaning& m, const std::vector<Values>& operands,
             const Values& actual) {
  const Type& type = operands[0].type;
  const Type to = ResultType(m, type);
  ASSERT_EQ(actual.type.name, to.name) << op;
  for (size_t i = 0; i < actual.at.size(); ++i) {
    Scalar in[2] = {operands[0].at[i], operands.back().at[i]};
    const std::optional<Scalar> expected = Apply(m, type, in);
    ASSERT_TRUE(expected) << op << " of " << type.name << " has a result";
    ASSERT_TRUE(Agree(m, to, actual.at[i], *expected))
        << op << " of " << type.name << std::hex << " (0x" << in[0].re << ", 0x" << in[0].im << ") and (0x"
        << in[1].re << ", 0x" << in[1].im << ")";
  }
}

void CheckOp(std::string_view op, const Type& type) {
  const Meaning* m = MeaningOf(BaseOf(op));
  if (!m) {
    ADD_FAILURE() << op << " has no meaning in lib/eval/naive/scalars.h";
    return;
  }
  if (type.complex && !m->on_complex && ComplexFunctions().contains(m->op)) return;  // functions_test.cc
  const bool broadcasts = op.starts_with("chlo.broadcast_");
  const Type to = ResultType(*m, type);
  // Pairs: all of small types. The operands are a column and a row, repeated for ops that do not broadcast.
  const std::vector<Scalar> left = ScalarsOf(type, broadcasts ? 40 : 256),
                            right = ScalarsOf(type, broadcasts ? 9 : 14);
  const int64_t rows = int64_t(left.size()), columns = m->arity == 1 ? 1 : int64_t(right.size());
  Values a(type, {rows, columns}), b(type, {rows, columns});
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t c = 0; c < columns; ++c) a[{r, c}] = left[size_t(r)], b[{r, c}] = right[size_t(c)];
  OneOp one{.name = std::string(op), .operands = {a}, .results = {TypeText(to.name, a.shape)}};
  if (m->arity == 2) one.operands.push_back(b);
  if (broadcasts) {
    one.operands = {Values(type, {rows, 1}, left), Values(type, {columns}, right)};
    one.operands[1].at.resize(size_t(columns));
  }
  if (!Verifies(one)) return;
  const Scalar zeros[2] = {};
  if (!Apply(*m, type, zeros)) {
    // The row allows the type, and the op means nothing there: one diagnostic.
    std::vector<Tensor> args;
    for (const Values& operand : one.operands) args.push_back(ToTensor(operand));
    const auto result = RunText(one.Text(), args);
    ASSERT_FALSE(result) << one.Text();
    EXPECT_EQ(result.error()[0].code, Code::kUnsupported) << one.Text();
    return;
  }
  const std::vector<Values> results = ResultsOf(one);
  if (results.empty()) return;
  Compare(op, *m, m->arity == 2 ? std::vector{a, b} : std::vector{a}, results[0]);
}

TEST(NaiveElementwise, EveryOpHasAMeaning) {
  for (std::string_view op : ElementwiseOps())
    EXPECT_TRUE(MeaningOf(BaseOf(op)) || kElsewhere.contains(op)) << op << " has no independent meaning";
}

TEST(NaiveElementwise, EveryOpOnEveryType) {
  const std::vector<Type> types = AllTypes();
  for (std::string_view op : ElementwiseOps()) {
    if (kElsewhere.contains(op)) continue;
    for (const Type& type : types) {
      CheckOp(op, type);
      if (HasFatalFailure()) return;
    }
  }
}

// Zero, infinite and NaN parts.
TEST(NaiveElementwise, ComplexArithmeticOfSpecialParts) {
  for (std::string_view name : {"complex<f32>", "complex<f64>"}) {
    const Type type = *TypeOf(name);
    const Format& f = *type.format;
    std::vector<Scalar> all;
    for (Wide re : {Wide(0), -Wide(0), Wide(1), Wide(-2), kInfinity, -kInfinity, kNan})
      for (Wide im : {Wide(0), -Wide(0), Wide(3), kInfinity, -kInfinity, kNan})
        all.push_back({Encode(f, re), Encode(f, im)});
    const uint64_t signaling = (Ones(f.exponent_bits) << f.mantissa_bits) + 1;
    all.push_back({Encode(f, kInfinity), signaling});
    all.push_back({signaling, Encode(f, Wide(1))});
    const int64_t n = int64_t(all.size());
    Values a(type, {n, n}), b(type, {n, n});
    for (int64_t r = 0; r < n; ++r)
      for (int64_t c = 0; c < n; ++c) a[{r, c}] = all[size_t(r)], b[{r, c}] = all[size_t(c)];
    for (std::string_view op : {"stablehlo.add", "stablehlo.subtract", "stablehlo.multiply",
                                "stablehlo.maximum", "stablehlo.minimum"}) {
      const std::vector<Values> results =
          ResultsOf({.name = std::string(op), .operands = {a, b}, .results = {TypeText(a)}});
      ASSERT_EQ(results.size(), 1u);
      Compare(op, *MeaningOf(op), {a, b}, results[0]);
    }
    for (std::string_view op :
         {"stablehlo.abs", "stablehlo.negate", "chlo.conj", "stablehlo.real", "stablehlo.imag"}) {
      const Meaning& m = *MeaningOf(op);
      const std::vector<Values> results =
          ResultsOf({.name = std::string(op),
                     .operands = {a},
                     .results = {TypeText(ResultType(m, type).name, a.shape)}});
      ASSERT_EQ(results.size(), 1u);
      Compare(op, m, {a}, results[0]);
    }
  }
}

// Annex G of the C standard: a nonzero number divided by zero is infinite, a finite one divided by an
// infinite one zero.
TEST(NaiveElementwise, ComplexQuotientsOfZeroAndInfinity) {
  for (const std::string_view name : {"complex<f32>", "complex<f64>"}) {
    const Type type = *TypeOf(name);
    const Format& f = *type.format;
    const auto scalar = [&](Wide re, Wide im) { return Scalar{Encode(f, re), Encode(f, im)}; };
    const auto divide = [&](Scalar x, Scalar y) {
      const std::vector<Values> r =
          ResultsOf({.name = "stablehlo.divide",
                     .operands = {Values(type, {}, std::vector{x}), Values(type, {}, std::vector{y})},
                     .results = {TypeText(name, {})}});
      return r.empty() ? ComplexNumber{kNan, kNan} : DecodeParts(type, r[0].at[0]);
    };
    for (Wide re : {Wide(1), Wide(-1)}) {
      const ComplexNumber up = divide(scalar(re, 2), scalar(0, 0));
      EXPECT_TRUE(up.re == re * kInfinity && up.im == kInfinity);
      const ComplexNumber down = divide(scalar(re, 2), scalar(-Wide(0), 0));
      EXPECT_TRUE(down.re == -re * kInfinity && down.im == -kInfinity);
      const ComplexNumber small = divide(scalar(re, 2), scalar(kInfinity, 1));
      EXPECT_TRUE(small.re == 0 && small.im == 0 && IsNegative(small.re) == (re < 0));
      const ComplexNumber large = divide(scalar(re * kInfinity, 2), scalar(2, 0));
      EXPECT_TRUE(large.re == re * kInfinity);
      const ComplexNumber both = divide(scalar(1, kInfinity), scalar(2, 2));
      EXPECT_TRUE(both.re == kInfinity && both.im == kInfinity);
    }
    const ComplexNumber none = divide(scalar(0, 0), scalar(0, 0));
    EXPECT_TRUE(IsNan(none.re) && IsNan(none.im));
    const ComplexNumber nan = divide(scalar(kNan, kNan), scalar(0, 0));
    EXPECT_TRUE(IsNan(nan.re) && IsNan(nan.im));
    // The divisor neither overflows nor underflows when it is squared.
    const int e = f.bias - 3;
    const ComplexNumber one = divide(scalar(Scale(1, e), Scale(1, e)), scalar(Scale(1, e), Scale(1, e)));
    EXPECT_TRUE(one.re == 1 && one.im == 0);
    const ComplexNumber tiny = divide(scalar(Scale(1, -e), 0), scalar(0, Scale(1, -e)));
    EXPECT_TRUE(tiny.re == 0 && tiny.im == -1);
  }
}

// The formula of `square` may not cancel: ((x - y)(x + y), 2xy).
TEST(NaiveElementwise, SquareOfEqualPartsIsImaginary) {
  for (const std::string_view name : {"complex<f32>", "complex<f64>"}) {
    const Type type = *TypeOf(name);
    const Format& f = *type.format;
    const auto square = [&](Wide re, Wide im) {
      const Values z(type, {}, std::vector{Scalar{Encode(f, re), Encode(f, im)}});
      return DecodeParts(
          type, ResultsOf({.name = "chlo.square", .operands = {z}, .results = {TypeText(z)}})[0].at[0]);
    };
    EXPECT_TRUE(square(3, -3).re == 0 && square(3, -3).im == -18);
    const Wide huge = Scale(1, f.bias - 1);
    EXPECT_TRUE(square(huge, huge).re == 0 && square(huge, huge).im == kInfinity);
    EXPECT_TRUE(IsNan(square(kInfinity, -kInfinity).re) && square(kInfinity, -kInfinity).im == -kInfinity);
    EXPECT_TRUE(square(kInfinity, 1).re == kInfinity && square(1, kInfinity).re == -kInfinity);
  }
}

// --- Splats -------------------------------------------------------------------------------------

// A splat among other operands, alone, and among splats: longer than a block, and not a multiple of one.
TEST(NaiveElementwise, SplatsAreTheirElements) {
  for (const std::string_view name :
       {"i8", "ui16", "i64", "f8E5M2", "bf16", "f32", "f64", "complex<f32>", "complex<f64>"}) {
    const Type type = *TypeOf(name);
    const std::vector<Scalar> some = ScalarsOf(type, 40);
    Values a(type, {1037});
    for (size_t i = 0; i < a.at.size(); ++i) a.at[i] = some[i % some.size()];
    const Tensor dense = ToTensor(a);
    const Tensor splat =
        Tensor::Copy(dense.type_ptr(), {reinterpret_cast<const char*>(dense.at(7)), type.bytes()}, true);
    const Values repeated(type, {1037}, a.at[7]);
    for (std::string_view op : {"stablehlo.add", "stablehlo.multiply"}) {
      const OneOp one{.name = std::string(op), .operands = {a, a}, .results = {TypeText(a)}};
      const auto run = [&](const Tensor& x, const Tensor& y) {
        const auto result = RunText(one.Text(), {x, y});
        EXPECT_TRUE(result);
        return result ? FromTensor(result->results[0]) : Values();
      };
      Compare(op, *MeaningOf(op), {a, repeated}, run(dense, splat));
      Compare(op, *MeaningOf(op), {repeated, a}, run(splat, dense));
      Compare(op, *MeaningOf(op), {repeated, repeated}, run(splat, splat));
    }
  }
}

// --- Quantized types --------------------------------------------------------------------------------

struct Quantized {
  std::string_view text;     // of the type
  std::string_view storage;  // its integers
  std::string_view expressed;
  int64_t least, greatest;     // of the stored integers
  std::vector<double> scales;  // one, or one per index along `axis`
  std::vector<int64_t> zero_points;
  int axis = -1;
  size_t Part(const Ints& index) const { return axis < 0 ? 0 : size_t(index[size_t(axis)]); }
};
const Quantized kQuantized[] = {
    {"!quant.uniform<i8:f32, 5.000000e-01:3>", "i8", "f32", -128, 127, {0.5}, {3}},
    {"!quant.uniform<u8:f32, 3.400000e-01:128>", "ui8", "f32", 0, 255, {0.34}, {128}},
    {"!quant.uniform<i8<-127:127>:f32, 1.250000e-01>", "i8", "f32", -127, 127, {0.125}, {0}},
    {"!quant.uniform<i4:f32, 2.000000e+00:-1>", "i4", "f32", -8, 7, {2.0}, {-1}},
    {"!quant.uniform<u4:bf16, 3.000000e-01:1>", "ui4", "bf16", 0, 15, {0.3}, {1}},
    {"!quant.uniform<i16:f16, 1.000000e-02:-30>", "i16", "f16", -32768, 32767, {0.01}, {-30}},
    {"!quant.uniform<i32:f64, 7.000000e-02:5>", "i32", "f64", INT32_MIN, INT32_MAX, {0.07}, {5}},
};

// Specification, "dequantize": (stored - zero point) * scale, in the expressed type.
Wide Dequantized(const Quantized& q, uint64_t code, size_t part) {
  const Format& f = *TypeOf(q.expressed)->format;
  const Wide difference = Wide(Integer(*TypeOf(q.storage), code) - q.zero_points[part]);
  return Round(f, Round(f, difference) * Round(f, Wide(q.scales[part])));
}
// Specification, "quantize": round to even(x / scale) + zero point, between the ends. NaN is stored as 0.
uint64_t QuantizedCode(const Quantized& q, const Format& f, Wide x, size_t part) {
  const Wide quotient = Round(f, x / Round(f, Wide(q.scales[part])));
  Wide stored = 0;
  if (!IsNan(quotient)) {
    const Meaning& even = *MeaningOf("stablehlo.round_nearest_even");
    stored = even.on_floats(f, quotient, 0) + Wide(q.zero_points[part]);
  }
  if (stored < Wide(q.least)) stored = Wide(q.least);
  if (stored > Wide(q.greatest)) stored = Wide(q.greatest);
  return Wrap(*TypeOf(q.storage), __int128(stored));
}

// Runs a program on the stored integers of quantized arguments, whose types the module knows.
std::vector<Values> RunStored(const OneOp& one) {
  Result<Module> module = Read(one.Text());
  EXPECT_TRUE(module) << one.Text();
  if (!module) return {};
  const auto types = ArgumentTypes(*module, "main");
  EXPECT_TRUE(types) << one.Text();
  if (!types) return {};
  std::vector<Tensor> args;
  for (size_t i = 0; i < types->size(); ++i) args.push_back(ToTensor(one.operands[i]).As((*types)[i]));
  const auto result = Evaluate(*module, "main", args);
  EXPECT_TRUE(result) << one.Text() << Message(result.error());
  std::vector<Values> out;
  if (result)
    for (const Tensor& tensor : result->results) out.push_back(FromTensor(tensor));
  return out;
}

TEST(NaiveElementwise, QuantizedOperandsAreNumbers) {
  int tried = 0;
  for (std::string_view op : ElementwiseOps()) {
    const Meaning* m = MeaningOf(BaseOf(op));
    if (!m || kElsewhere.contains(op) || !m->on_floats || m->result == Meaning::kBool) continue;
    for (const Quantized& q : kQuantized) {
      const Type storage = *TypeOf(q.storage);
      const std::vector<Scalar> left = ScalarsOf(storage, 64), right = ScalarsOf(storage, 9);
      const int64_t rows = int64_t(left.size()), columns = int64_t(right.size());
      Values a(storage, {rows, columns}), b(storage, {rows, columns});
      for (int64_t r = 0; r < rows; ++r)
        for (int64_t c = 0; c < columns; ++c) {
          const auto within = [&](Scalar v) {
            const __int128 n = Integer(storage, v.re);
            return n < q.least ? Scalar{Wrap(storage, q.least)} : v;
          };
          a[{r, c}] = within(left[size_t(r)]), b[{r, c}] = within(right[size_t(c)]);
        }
      const std::string text = TypeText(q.text, a.shape);
      OneOp one{.name = std::string(op), .operands = {a}, .results = {text}, .operand_types = {text}};
      if (m->arity == 2) one.operands.push_back(b), one.operand_types.push_back(text);
      if (!Verifies(one)) continue;
      ++tried;
      const Format& f = *TypeOf(q.expressed)->format;
      const std::vector<Values> results = RunStored(one);
      ASSERT_EQ(results.size(), 1u);
      for (size_t i = 0; i < a.at.size(); ++i) {
        const Wide x = Dequantized(q, a.at[i].re, 0), y = Dequantized(q, b.at[i].re, 0);
        const uint64_t expected = QuantizedCode(q, f, Round(f, m->on_floats(f, x, y)), 0);
        ASSERT_EQ(results[0].at[i].re, expected) << op << " of " << q.text << " at " << i;
      }
    }
  }
  EXPECT_GT(tried, 100);
}

const Quantized kPerAxis[] = {
    {"!quant.uniform<i8:f32:1, {5.000000e-01:3,2.500000e-01:-4,3.300000e-01}>",
     "i8",
     "f32",
     -128,
     127,
     {0.5, 0.25, 0.33},
     {3, -4, 0},
     1},
    {"!quant.uniform<u8:f32:0, {1.000000e-01,7.000000e-01:9}>", "ui8", "f32", 0, 255, {0.1, 0.7}, {0, 9}, 0},
};

TEST(NaiveElementwise, QuantizeAndDequantize) {
  std::vector<Quantized> all(std::begin(kQuantized), std::end(kQuantized));
  all.insert(all.end(), std::begin(kPerAxis), std::end(kPerAxis));
  for (const Quantized& q : all) {
    const Type storage = *TypeOf(q.storage), expressed = *TypeOf(q.expressed);
    const Format& f = *expressed.format;
    const Ints shape = {2, 3, 150};
    const std::vector<Scalar> stored = ScalarsOf(storage, 300);
    std::vector<Scalar> numbers;
    for (double v :
         {0.0, -0.0, 0.25, 0.75, -0.25, 1.0, -1.0, 3.14, 1e30, -1e30, 127.5, 63.75, 64.0, 0.125, 5.0, -2.6})
      numbers.push_back({Encode(f, Wide(v))});
    for (Wide v : {kInfinity, -kInfinity, kNan}) numbers.push_back({Encode(f, v)});
    Values codes(storage, shape), floats(expressed, shape);
    for (size_t i = 0; i < codes.at.size(); ++i) {
      codes.at[i] = stored[i * 7 % stored.size()];
      if (Integer(storage, codes.at[i].re) < q.least) codes.at[i] = {Wrap(storage, q.least)};
      floats.at[i] = numbers[i % numbers.size()];
    }
    const std::string text = TypeText(q.text, shape), plain = TypeText(q.expressed, shape);
    const OneOp down{.name = "stablehlo.uniform_dequantize",
                     .operands = {codes},
                     .results = {plain},
                     .operand_types = {text}};
    const OneOp up{.name = "stablehlo.uniform_quantize", .operands = {floats}, .results = {text}};
    ASSERT_TRUE(Verifies(down)) << down.Text();
    ASSERT_TRUE(Verifies(up)) << up.Text();
    const std::vector<Values> dequantized = RunStored(down), quantized = RunStored(up);
    ASSERT_EQ(dequantized.size() + quantized.size(), 2u);
    for (const Ints& index : Indices(shape)) {
      ASSERT_EQ(dequantized[0][index].re, Encode(f, Dequantized(q, codes[index].re, q.Part(index))))
          << q.text;
      ASSERT_EQ(quantized[0][index].re, QuantizedCode(q, f, Decode(f, floats[index].re), q.Part(index)))
          << q.text << List(index);
    }
  }
}

TEST(NaiveElementwise, RequantizeGoesThroughNumbers) {
  for (const Quantized& from : kQuantized)
    for (const Quantized& to : kQuantized) {
      if (from.expressed != to.expressed) continue;
      const Type storage = *TypeOf(from.storage);
      Values codes(storage, {int64_t(ScalarsOf(storage, 256).size())}, ScalarsOf(storage, 256));
      const OneOp one{.name = "stablehlo.uniform_quantize",
                      .operands = {codes},
                      .results = {TypeText(to.text, codes.shape)},
                      .operand_types = {TypeText(from.text, codes.shape)}};
      const std::vector<Values> results = RunStored(one);
      ASSERT_EQ(results.size(), 1u);
      const Format& f = *TypeOf(to.expressed)->format;
      for (size_t i = 0; i < codes.at.size(); ++i)
        ASSERT_EQ(results[0].at[i].re, QuantizedCode(to, f, Dequantized(from, codes.at[i].re, 0), 0))
            << from.text << to.text;
    }
}

}  // namespace
}  // namespace shlo::naive
