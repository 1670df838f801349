// Quantized programs and what the passes make of them, evaluated on the same stored integers:
// docs/quantization.md states which lowerings are exact, and these tests show it, and the counterexamples.
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>

#include "base/format.h"
#include "rewrite/quant/quant_rows.h"
#include "shlo/evaluate.h"
#include "shlo/passes.h"
#include "shlo/program_io.h"

namespace shlo::rewrite {
namespace {

// Returns arguments of a program with every stored integer in some element, and pairs of many.
std::vector<Tensor> Arguments(const Module& module) {
  std::vector<Tensor> args;
  const auto types = ArgumentTypes(module, "main");
  EXPECT_TRUE(types);
  for (const ValueTypePtr& type : *types) {
    const uint64_t step = args.empty() ? 1 : 7;
    std::string bytes(type->bytes, '\0');
    for (uint64_t k = 0; k < type->count; ++k) {
      if (type->element.kind == TypeKind::kF32) {
        const float number = (float(k * step % 1024) - 512) * 0.125f;
        std::memcpy(&bytes[k * 4], &number, 4);
        continue;
      }
      const uint64_t mask = (uint64_t(1) << type->element.width()) - 1, bits = (k * step + k / 256) & mask;
      std::memcpy(&bytes[k * type->element.bytes()], &bits, type->element.bytes());
    }
    args.push_back(Tensor::Copy(type, bytes));
  }
  return args;
}

// Returns an element as a number: a stored integer, if the tensor is quantized.
double NumberAt(const Tensor& tensor, uint64_t k) {
  const ElementType element = tensor.element();
  const char* const at =
      reinterpret_cast<const char*>(tensor.data()) + (tensor.splat() ? 0 : k * element.bytes());
  if (element.is_float()) {
    float number;
    std::memcpy(&number, at, sizeof number);
    return number;
  }
  uint64_t bits = 0;
  std::memcpy(&bits, at, element.bytes());
  const int unused = 64 - int(element.width());
  return element.is_unsigned() ? double(bits) : double(int64_t(bits << unused) >> unused);
}

// How the results of a program change.
struct Change {
  uint64_t differing = 0;  // results
  double most = 0;         // greatest difference of stored integers, or of floats
};

Change ChangeBy(std::span<const char* const> passes, const std::string& text) {
  Change change;
  const auto program = ReadProgram(text, nullptr, {});
  EXPECT_TRUE(program) << text;
  if (!program) return change;
  const std::vector<Tensor> args = Arguments(program->module);
  Program lowered = *program;
  std::vector<PassCall> calls;
  for (const char* const pass : passes) calls.push_back({pass, {}});
  const auto done = RunPasses(calls, &lowered);
  EXPECT_TRUE(done) << (done ? "" : done.error()[0].message);
  std::vector<Tensor> stored;
  const auto types = ArgumentTypes(lowered.module, "main");
  for (size_t i = 0; i < args.size(); ++i)
    stored.push_back(
        Tensor::Copy((*types)[i], {reinterpret_cast<const char*>(args[i].data()), args[i].type().bytes}));
  const auto before = Evaluate(program->module, "main", args),
             after = Evaluate(lowered.module, "main", stored);
  EXPECT_TRUE(before && after) << text;
  if (!before || !after) return change;
  for (size_t r = 0; r < before->results.size(); ++r)
    for (uint64_t k = 0; k < before->results[r].count(); ++k) {
      const double difference = std::abs(NumberAt(before->results[r], k) - NumberAt(after->results[r], k));
      change.differing += difference != 0;
      change.most = std::max(change.most, difference);
    }
  return change;
}

constexpr const char* kToMath[] = {"stablehlo-legalize-quant-to-math", "chlo-pre-serialization-pipeline"};
constexpr const char* kToQdq[] = {"stablehlo-legalize-quantized-op-to-qdq"};

std::string Quantized(std::string_view storage, double scale, int64_t zero_point) {
  return StrFormat("!quant.uniform<{}:f32, {}:{}>", storage, scale, zero_point);
}

// A function that applies an op to arguments of these types.
std::string Applied(std::string_view op, const std::vector<std::string>& types, std::string_view result,
                    std::string_view attrs = "") {
  std::string args, names;
  for (size_t i = 0; i < types.size(); ++i) {
    args += StrFormat("{}%a{}: {}", i ? ", " : "", i, types[i]);
    names += StrFormat("{}%a{}", i ? ", " : "", i);
  }
  return StrFormat(
      "func.func @main({}) -> {} {{\n  %r = \"stablehlo.{}\"({}) {} : ({}) -> {}\n  return %r : {}\n}}\n",
      args, result, op, names, attrs, fmt::join(types, ", "), result, result);
}

std::string Many(std::string_view element) { return StrFormat("tensor<4096x{}>", element); }

void ExpectExact(const std::string& program) {
  const Change change = ChangeBy(kToMath, program);
  EXPECT_EQ(change.differing, 0u) << program;
}

TEST(Quant, DequantizeIsExact) {
  for (const char* const storage : {"i4", "i8", "i16", "ui8", "ui16"})
    ExpectExact(Applied("uniform_dequantize", {Many(Quantized(storage, 0.3, 5))}, Many("f32")));
}

TEST(Quant, DequantizeIsExactPerAxis) {
  ExpectExact(Applied("uniform_dequantize",
                      {"tensor<4x64x!quant.uniform<i8:f32:0, {0.3:1, 0.5:2, 0.7:-3, 1.5}>>"},
                      "tensor<4x64xf32>"));
  ExpectExact(Applied("uniform_dequantize", {"tensor<128x2x!quant.uniform<i8:f32:1, {0.3:1, 0.5:2}>>"},
                      "tensor<128x2xf32>"));
}

// An unsigned value in signless storage is taken as a signed one.
TEST(Quant, UnsignedInSignlessStorageIsWrong) {
  const Change change =
      ChangeBy(kToMath, Applied("uniform_dequantize", {Many(Quantized("u8", 0.25, 5))}, Many("f32")));
  EXPECT_EQ(change.differing, 2048u);
  EXPECT_EQ(change.most, 64);  // 256 * 0.25
}

TEST(Quant, QuantizeIsExactForEvenZeroPoints) {
  for (const int zero_point : {0, -4, 6})
    ExpectExact(Applied("uniform_quantize", {Many("f32")}, Many(Quantized("i8", 0.25, zero_point))));
}

// 0.5 is halfway between 0 and 1: rounded before the zero point is added, it is 0, and after it 2 - 1.
TEST(Quant, QuantizeRoundsAfterTheZeroPoint) {
  const Change change =
      ChangeBy(kToMath, Applied("uniform_quantize", {Many("f32")}, Many(Quantized("i8", 0.25, 1))));
  EXPECT_GT(change.differing, 0u);
  EXPECT_EQ(change.most, 1);
}

TEST(Quant, RequantizeMayDifferByOne) {
  ExpectExact(Applied("uniform_quantize", {Many(Quantized("i8", 0.25, 3))}, Many(Quantized("i8", 0.5, -2))));
  const Change change = ChangeBy(
      kToMath, Applied("uniform_quantize", {Many(Quantized("i8", 0.3, 1))}, Many(Quantized("i8", 0.4, 2))));
  EXPECT_GT(change.differing, 0u);
  EXPECT_EQ(change.most, 1);
}

TEST(Quant, AddIsExactInOneQuantization) {
  const std::string q = Many(Quantized("i8", 0.3, 5));
  ExpectExact(Applied("add", {q, q}, q));
  const std::string axis = "tensor<128x2x!quant.uniform<i32:f32:1, {1.0:1, 0.5:2}>>";
  const std::string small = "tensor<128x2x!quant.uniform<i8:f32:1, {0.5:1, 0.25:2}>>";
  ExpectExact(Applied("add", {small, small}, small));
  const Change change =
      ChangeBy(kToMath, Applied("add", {q, Many(Quantized("i8", 0.7, -3))}, Many(Quantized("i8", 0.5, 1))));
  EXPECT_GT(change.differing, 0u);
  EXPECT_EQ(change.most, 1);
}

TEST(Quant, StoredIntegersSuffice) {
  const std::string q = Many(Quantized("i8", 0.3, 5));
  for (const char* const op : {"maximum", "minimum"}) ExpectExact(Applied(op, {q, q}, q));
  const std::string rows = StrFormat("tensor<64x64x{}>", Quantized("i4", 0.3, 5));
  ExpectExact(Applied("transpose", {rows}, rows, "{permutation = array<i64: 1, 0>}"));
  ExpectExact(Applied("concatenate", {rows, rows}, StrFormat("tensor<64x128x{}>", Quantized("i4", 0.3, 5)),
                      "{dimension = 1 : i64}"));
}

TEST(Quant, FloatsInBetweenAreExactButForTies) {
  const std::string q = Many(Quantized("i8", 0.3, 5)), p = Many(Quantized("i8", 0.7, -3));
  for (const char* const op : {"abs", "negate", "tanh", "exponential"}) ExpectExact(Applied(op, {q}, q));
  ExpectExact(Applied("maximum", {q, p}, q));
  ExpectExact(Applied("select", {Many("i1"), q, p}, q));
  const Change change = ChangeBy(kToMath, Applied("multiply", {q, q}, q));
  EXPECT_GT(change.differing, 0u);
  EXPECT_EQ(change.most, 1);
}

std::string Dot(const std::string& lhs, const std::string& rhs, const std::string& result) {
  return Applied("dot", {StrFormat("tensor<16x8x{}>", lhs), StrFormat("tensor<8x16x{}>", rhs)},
                 StrFormat("tensor<16x16x{}>", result));
}

TEST(Quant, ProductsAreExactIfScalesCancel) {
  ExpectExact(Dot(Quantized("i8", 2, 3), Quantized("i8", 0.5, -2), Quantized("i32", 1, 7)));
  ExpectExact(Dot(Quantized("i8", 2, 0), Quantized("i8", 0.5, 0), Quantized("i32", 1, 0)));
  ExpectExact(Dot(Quantized("i8", 2, 3), "!quant.uniform<i8:f32:1, {1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2}>",
                  "!quant.uniform<i32:f32:1, {2,4,2,4,2,4,2,4,2,4,2,4,2,4,2,4}>"));
  ExpectExact(Dot("f32", Quantized("i8", 0.5, 3), "f32"));
}

// Products are cut, not rounded, and zero points are scaled apart from them.
TEST(Quant, ScaledProductsAreCut) {
  const Change change =
      ChangeBy(kToMath, Dot(Quantized("i8", 2, 3), Quantized("i8", 0.5, -2), Quantized("i32", 3, 7)));
  EXPECT_GT(change.differing, 0u);
  EXPECT_LE(change.most, 2);
}

// Narrow results wrap around where they should saturate.
TEST(Quant, NarrowProductsAreWrong) {
  const Change change =
      ChangeBy(kToMath, Dot(Quantized("i8", 2, 3), Quantized("i8", 0.5, -2), Quantized("i8", 1, 7)));
  EXPECT_GT(change.differing, 0u);
  EXPECT_GT(change.most, 128);
}

std::string Convolution(std::string_view dims, std::string_view lhs, std::string_view rhs,
                        std::string_view result, std::string_view attrs) {
  return StrFormat(
      "func.func @main(%a: {0}, %b: {1}) -> {2} {{\n  %r = stablehlo.convolution(%a, %b) dim_numbers = {3}, "
      "{4} : ({0}, {1}) -> {2}\n  return %r : {2}\n}}\n",
      lhs, rhs, result, dims, attrs);
}

TEST(Quant, ConvolutionsAreExactIfScalesCancel) {
  const std::string q = Quantized("i8", 2, 4), weights = Quantized("i8", 0.5, 0),
                    sum = Quantized("i32", 1, 5);
  const char* const kPadded =
      "window = {pad = [[1, 2], [0, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}";
  ExpectExact(Convolution("[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]", StrFormat("tensor<2x5x6x2x{}>", q),
                          StrFormat("tensor<3x3x2x3x{}>", weights), StrFormat("tensor<2x6x5x3x{}>", sum),
                          kPadded));
  ExpectExact(Convolution("[b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1]", StrFormat("tensor<2x2x5x6x{}>", q),
                          StrFormat("tensor<3x2x3x3x{}>", weights), StrFormat("tensor<2x3x6x5x{}>", sum),
                          kPadded));
  ExpectExact(Convolution("[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]", StrFormat("tensor<1x5x5x2x{}>", q),
                          StrFormat("tensor<3x3x1x4x{}>", weights), StrFormat("tensor<1x3x3x4x{}>", sum),
                          "window = {} {batch_group_count = 1 : i64, feature_group_count = 2 : i64}"));
  // Another layout, weights with a zero point: through floats.
  ExpectExact(Convolution("[b, f, 0]x[i, o, 0]->[b, f, 0]", StrFormat("tensor<1x2x7x{}>", q),
                          StrFormat("tensor<2x3x3x{}>", weights), StrFormat("tensor<1x3x5x{}>", sum),
                          "window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}"));
  ExpectExact(Convolution("[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]", StrFormat("tensor<1x5x5x2x{}>", q),
                          StrFormat("tensor<3x3x2x3x{}>", Quantized("i8", 0.5, 2)),
                          StrFormat("tensor<1x3x3x3x{}>", sum),
                          "window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}"));
}

// What the specification says an op on quantized values means.
TEST(Quant, QdqIsExact) {
  const std::string q = Many(Quantized("i8", 0.3, 5)), p = Many(Quantized("u8", 0.7, -3));
  for (const char* const op : {"add", "multiply", "divide", "power", "atan2"}) {
    const Change change = ChangeBy(kToQdq, Applied(op, {q, p}, p));
    EXPECT_EQ(change.differing, 0u) << op;
  }
  EXPECT_EQ(
      ChangeBy(kToQdq, Dot(Quantized("i8", 2, 3), Quantized("i8", 0.5, -2), Quantized("i8", 2, 7))).differing,
      0u);
}

TEST(Quant, FailureLeavesTheProgram) {
  const auto program = ReadProgram(
      "func.func @main(%a: tensor<2x!quant.uniform<i8:f32, 0.5>>) {\n"
      "  %0 = stablehlo.abs %a : tensor<2x!quant.uniform<i8:f32, 0.5>>\n"
      "  %1 = stablehlo.reverse %0, dims = [0] : tensor<2x!quant.uniform<i8:f32, 0.5>>\n"
      "  return\n}\n",
      nullptr, {});
  ASSERT_TRUE(program);
  Program lowered = *program;
  const auto done = RunPasses(std::array{PassCall{kToMath[0], {}}}, &lowered);
  ASSERT_FALSE(done);
  ASSERT_EQ(done.error().size(), 1u);
  EXPECT_EQ(done.error()[0].place.line, 3u);
  EXPECT_EQ(done.error()[0].op, "stablehlo.reverse");
  EXPECT_EQ(*WriteProgram(lowered, {.format = Format::kText}),
            *WriteProgram(*program, {.format = Format::kText}));
}

TEST(Quant, RowsAreOfOps) {
  EXPECT_EQ(FindQuantRow("stablehlo.abs")->op, "stablehlo.abs");
  EXPECT_EQ(FindQuantRow("stablehlo.while"), nullptr);
  EXPECT_EQ(FindQuantRow("stablehlo.zzz"), nullptr);
  EXPECT_EQ(FindQuantRow(""), nullptr);
}

}  // namespace
}  // namespace shlo::rewrite
