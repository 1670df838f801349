#include "shlo/specialize.h"

#include <gtest/gtest.h>

#include "shlo/program_io.h"
#include "shlo/text_writer.h"

namespace shlo {
namespace {

Result<Program> SpecializedText(std::string_view text, SpecializeOptions options) {
  const auto program = ReadProgram(text, nullptr, {});
  EXPECT_TRUE(program);
  options.max_evaluations = 5;
  return Specialize(*program, options);
}

std::string TextOf(const Result<Program>& program) {
  if (!program) return program.error()[0].message;
  return WriteText(program->module).value_or("");
}

size_t CountOf(std::string_view text, std::string_view word) {
  size_t count = 0;
  for (size_t at = 0; (at = text.find(word, at)) != text.npos; ++at) ++count;
  return count;
}

constexpr const char* kTwoShapes =
    "func.func @main(%x: tensor<?x4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {\n"
    "  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>\n"
    "  %0 = call @sum(%n, %x) : (tensor<i32>, tensor<?x4xf32>) -> tensor<4xf32>\n"
    "  %twice = stablehlo.concatenate %x, %x, dim = 0 : (tensor<?x4xf32>, tensor<?x4xf32>) -> "
    "tensor<?x4xf32>\n"
    "  %m = stablehlo.add %n, %n : tensor<i32>\n"
    "  %1 = call @sum(%m, %twice) : (tensor<i32>, tensor<?x4xf32>) -> tensor<4xf32>\n"
    "  return %0, %1 : tensor<4xf32>, tensor<4xf32>\n"
    "}\n"
    "func.func private @sum(%n: tensor<i32>, %x: tensor<?x4xf32>) -> tensor<4xf32> {\n"
    "  %zero = stablehlo.constant dense<0.0> : tensor<f32>\n"
    "  %sum = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0] : "
    "(tensor<?x4xf32>, "
    "tensor<f32>) -> tensor<4xf32>\n"
    "  %f = stablehlo.convert %n : (tensor<i32>) -> tensor<f32>\n"
    "  %all = stablehlo.broadcast_in_dim %f, dims = [] : (tensor<f32>) -> tensor<4xf32>\n"
    "  %0 = stablehlo.divide %sum, %all : tensor<4xf32>\n"
    "  return %0 : tensor<4xf32>\n"
    "}\n";

TEST(Specialize, CopiesFunctionsThatAreCalledWithDifferentShapes) {
  const std::string text = TextOf(SpecializedText(kTwoShapes, {.args = {{"x", "3x4xf32"}}}));
  EXPECT_EQ(CountOf(text, "func.func"), 3u) << text;
  EXPECT_EQ(CountOf(text, "?"), 0u) << text;
  EXPECT_EQ(CountOf(text, "dense<3>"), 1u) << text;
  EXPECT_EQ(CountOf(text, "dense<6>"), 1u) << text;
}

TEST(Specialize, NamesArgumentsByPositionToo) {
  EXPECT_EQ(TextOf(SpecializedText(kTwoShapes, {.args = {{"0", "3x4"}}})),
            TextOf(SpecializedText(kTwoShapes, {.args = {{"x", "tensor<3x4xf32>"}}})));
}

TEST(Specialize, RefusesRequestsThatDoNotFit) {
  const std::pair<SpecializeOptions, const char*> cases[] = {
      {{}, "argument 0 ('x') of type tensor<?x4xf32> has no static shape"},
      {{.args = {{"y", "3x4"}}}, "the program has no argument 'y'"},
      {{.args = {{"x", "3x5"}}},
       "argument 0 ('x') of type tensor<?x4xf32> cannot have the type tensor<3x5xf32>"},
      {{.args = {{"x", "3x4xi32"}}},
       "argument 0 ('x') of type tensor<?x4xf32> cannot have the type tensor<3x4xi32>"},
      {{.args = {{"x", "?x4xf32"}}},
       "argument 0 ('x') of type tensor<?x4xf32> cannot have the type tensor<?x4xf32>"},
      {{.args = {{"x", "three"}}}, "'three' is not the type of an argument"},
      {{.args = {{"x", "3x4"}}, .dims = {{"b", 3}}}, "the program has no dimension variable 'b'"},
  };
  for (const auto& [options, message] : cases) {
    const auto program = SpecializedText(kTwoShapes, options);
    ASSERT_FALSE(program) << message;
    EXPECT_EQ(program.error()[0].code, Code::kUsage);
    EXPECT_EQ(program.error()[0].message, message);
  }
}

// As jax.export writes them.
constexpr const char* kVariables =
    "func.func @main(%x: tensor<?x?xf32>) -> tensor<?xf32> {\n"
    "  %b = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x?xf32>) -> tensor<i32>\n"
    "  %s = stablehlo.get_dimension_size %x, dim = 1 : (tensor<?x?xf32>) -> tensor<i32>\n"
    "  %two = stablehlo.constant dense<2> : tensor<i32>\n"
    "  %ok = stablehlo.compare GE, %b, %two, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
    "  stablehlo.custom_call @shape_assertion(%ok, %b) {api_version = 2 : i32, error_message = \"b >= 2, but "
    "b is "
    "{0}\", has_side_effect = true} : (tensor<i1>, tensor<i32>) -> ()\n"
    "  %0 = call @flat(%b, %s, %x) : (tensor<i32>, tensor<i32>, tensor<?x?xf32>) -> tensor<?xf32>\n"
    "  return %0 : tensor<?xf32>\n"
    "}\n"
    "func.func private @flat(%b: tensor<i32> {jax.global_constant = \"b\"}, %s: tensor<i32> "
    "{jax.global_constant = "
    "\"s\"}, %x: tensor<?x?xf32>) -> tensor<?xf32> {\n"
    "  %n = stablehlo.multiply %b, %s : tensor<i32>\n"
    "  %shape = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>\n"
    "  %0 = stablehlo.dynamic_reshape %x, %shape : (tensor<?x?xf32>, tensor<1xi32>) -> tensor<?xf32>\n"
    "  return %0 : tensor<?xf32>\n"
    "}\n";

TEST(Specialize, FindsDimensionVariablesOfCallees) {
  const std::string text = TextOf(SpecializedText(kVariables, {.dims = {{"b", 2}, {"s", 5}}}));
  EXPECT_EQ(CountOf(text, "stablehlo.reshape %arg0 : (tensor<2x5xf32>) -> tensor<10xf32>"), 1u) << text;
  EXPECT_EQ(CountOf(text, "shape_assertion"), 0u) << text;
  EXPECT_EQ(CountOf(text, "global_constant"), 0u) << text;
}

TEST(Specialize, ReportsViolatedAssertions) {
  EXPECT_EQ(TextOf(SpecializedText(kVariables, {.dims = {{"b", 1}, {"s", 5}}})), "b >= 2, but b is 1");
  EXPECT_EQ(TextOf(SpecializedText(kVariables, {.dims = {{"b", 3}}})), "dimension variable 's' has no value");
}

TEST(Specialize, NamesWhatStaysDynamic) {
  const auto program = SpecializedText(
      "func.func @main(%n: tensor<1xi32>, %x: tensor<?xf32>) -> tensor<?xf32> {\n"
      "  %0 = stablehlo.dynamic_iota %n, dim = 0 : (tensor<1xi32>) -> tensor<?xf32>\n"
      "  %1 = stablehlo.abs %0 : tensor<?xf32>\n"
      "  return %1 : tensor<?xf32>\n"
      "}\n",
      {.args = {{"x", "3"}}});
  ASSERT_FALSE(program);
  ASSERT_EQ(program.error().size(), 1u);
  EXPECT_EQ(program.error()[0].code, Code::kUnsupported);
  EXPECT_EQ(program.error()[0].op, "stablehlo.dynamic_iota");
  EXPECT_EQ(program.error()[0].place.line, 2u);
}

}  // namespace
}  // namespace shlo
