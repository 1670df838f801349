#include <gtest/gtest.h>

#include <string>

#include "shlo/compare.h"
#include "shlo/text_reader.h"
#include "shlo/text_writer.h"

namespace shlo {
namespace {

// Prints a function that has these lines many times, with new values for %0, %1... Reading the text must
// give the same program.
std::string Repeated(std::string_view lines, const TextWriteOptions& options = {},
                     std::string_view aliases = "") {
  std::string text =
      std::string(aliases) + "func.func @main(%a: tensor<4xf32>, %b: tensor<4xf32>, %p: tensor<i1>) {\n";
  for (int i = 0; i < 100; ++i)
    for (size_t at = 0; at < lines.size(); ++at) {
      text += lines[at];
      if (lines[at] == '%' && at + 1 < lines.size() && lines[at + 1] <= '9')
        text += "of_" + std::to_string(i) + "_";
    }
  text += "return\n}\nfunc.func private @f(tensor<4xf32>) -> tensor<4xf32>\n";
  const auto module = ReadText(text, nullptr);
  EXPECT_TRUE(module) << (module ? "" : Render(module.error()[0]));
  if (!module) return {};
  EXPECT_GE(module->ops.size(), 256U);
  std::string printed = *WriteText(*module, options);
  const auto again = ReadText(printed, nullptr);
  EXPECT_TRUE(again) << (again ? "" : Render(again.error()[0]));
  if (again) {
    EXPECT_EQ(FirstDifference(*module, *again), "");
  }
  return printed;
}

size_t Count(std::string_view text, std::string_view what) {
  size_t count = 0;
  for (size_t at = text.find(what); at != text.npos; at = text.find(what, at + 1)) ++count;
  return count;
}

TEST(SignatureTexts, OperandsHaveTheirNames) {
  const std::string text = Repeated(
      "%0 = stablehlo.subtract %a, %b : tensor<4xf32>\n"
      "%1 = stablehlo.subtract %b, %a : tensor<4xf32>\n"
      "%2 = stablehlo.subtract %0, %0 : tensor<4xf32>\n"
      "%3 = stablehlo.constant dense<1.0> : tensor<4xf32>\n"
      "%4:2 = stablehlo.optimization_barrier %2, %3 : tensor<4xf32>, tensor<4xf32>\n"
      "%5 = stablehlo.subtract %4#1, %4#0 : tensor<4xf32>\n");
  EXPECT_EQ(Count(text, "subtract %arg0, %arg1 :"), 100U);
  EXPECT_EQ(Count(text, "subtract %arg1, %arg0 :"), 100U);
}

TEST(SignatureTexts, AttributesDiffer) {
  const std::string text = Repeated(
      "%0 = stablehlo.add %a, %b {x.y = 1 : i32} : tensor<4xf32>\n"
      "%1 = stablehlo.add %a, %b {x.y = 2 : i32} : tensor<4xf32>\n"
      "%2 = stablehlo.add %a, %b {x.z = 1 : i32} : tensor<4xf32>\n"
      "%3 = stablehlo.add %a, %b : tensor<4xf32>\n"
      "%4 = stablehlo.broadcast_in_dim %a, dims = [0] : (tensor<4xf32>) -> tensor<4x4xf32>\n"
      "%5 = stablehlo.broadcast_in_dim %a, dims = [1] : (tensor<4xf32>) -> tensor<4x4xf32>\n"
      "%6 = stablehlo.compare LT, %a, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>\n"
      "%7 = stablehlo.compare GT, %a, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>\n"
      "%8 = \"stablehlo.constant\"() {value = dense<2.0> : tensor<4xf32>} : () -> tensor<4xf32>\n");
  for (const char* some : {"x.y = 1", "x.y = 2", "x.z = 1", "dims = [0]", "dims = [1]", "LT,", "GT,"})
    EXPECT_EQ(Count(text, some), 100U) << some;
}

TEST(SignatureTexts, TypesDiffer) {
  const std::string text = Repeated(
      "%0 = stablehlo.convert %a : (tensor<4xf32>) -> tensor<4xf64>\n"
      "%1 = stablehlo.convert %a : (tensor<4xf32>) -> tensor<4xf16>\n"
      "%2 = stablehlo.convert %1 : (tensor<4xf16>) -> tensor<4xf64>\n"
      "%3 = stablehlo.add %0, %2 : tensor<4xf64>\n"
      "%4 = stablehlo.add %1, %1 : tensor<4xf16>\n"
      "\"x.none\"() : () -> ()\n"
      "%5:2 = \"x.two\"() : () -> (tensor<f32>, tensor<f64>)\n");
  EXPECT_EQ(Count(text, ": tensor<4xf16>\n"), 100U);
  EXPECT_EQ(Count(text, "(tensor<4xf32>) -> tensor<4xf16>"), 100U);
}

// Directly in a function, a call has no dialect.
TEST(SignatureTexts, PlacesDiffer) {
  const std::string text = Repeated(
      "%0 = func.call @f(%a) : (tensor<4xf32>) -> tensor<4xf32>\n"
      "%1 = \"stablehlo.if\"(%p) ({\n"
      "%2 = func.call @f(%0) : (tensor<4xf32>) -> tensor<4xf32>\n"
      "stablehlo.return %2 : tensor<4xf32>\n"
      "}, {\nstablehlo.return %b : tensor<4xf32>\n}) : (tensor<i1>) -> tensor<4xf32>\n");
  EXPECT_EQ(Count(text, "= call @f"), 100U);
  EXPECT_EQ(Count(text, "= func.call @f"), 100U);
}

// The form of a tuple prints its operands before it finds that the type does not fit.
TEST(SignatureTexts, FormsThatAreGivenUp) {
  const std::string text = Repeated(
      "%0 = \"stablehlo.tuple\"(%a, %p) : (tensor<4xf32>, tensor<i1>) -> tuple<tensor<4xf32>, tensor<i2>>\n"
      "%1 = \"stablehlo.tuple\"(%b, %p) : (tensor<4xf32>, tensor<i1>) -> tuple<tensor<4xf32>, tensor<i2>>\n"
      "%2 = stablehlo.tuple %a, %p : tuple<tensor<4xf32>, tensor<i1>>\n");
  EXPECT_EQ(Count(text, "\"stablehlo.tuple\"(%arg0, %arg2)"), 100U);
  EXPECT_EQ(Count(text, "\"stablehlo.tuple\"(%arg1, %arg2)"), 100U);
  EXPECT_EQ(Count(text, "stablehlo.tuple %arg0, %arg2 :"), 100U);
}

TEST(SignatureTexts, LongTextsAndManyOperands) {
  std::string operands = "%a", types = "tensor<4xf32>";
  for (int i = 0; i < 20; ++i) {
    operands += ", %b";
    types += ", tensor<4xf32>";
  }
  const std::string text =
      Repeated("%0 = \"x.many\"(" + operands + ") : (" + types + ") -> tensor<4xf32>\n" +
               "%1 = stablehlo.custom_call @t(%a, %b) {backend_config = \"" + std::string(500, 'x') +
               "\"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>\n" + "%2 = stablehlo.custom_call @t(" +
               operands + ") : (" + types + ") -> tensor<4xf32>\n");
  EXPECT_EQ(Count(text, std::string(500, 'x')), 100U);
}

// The digits of a large constant are not in the text.
TEST(SignatureTexts, LargeConstants) {
  std::string digits = "0x";
  for (int i = 0; i < 4096; ++i) digits += "0000803F0000003F";
  const std::string alias = "#c = dense<\"" + digits + "\"> : tensor<8192xf32>\n";
  const std::string text = Repeated(
      "%0 = \"stablehlo.constant\"() {value = #c} : () -> tensor<8192xf32>\n"
      "%1 = \"stablehlo.if\"(%p) ({\n"
      "%2 = \"stablehlo.constant\"() {value = #c} : () -> tensor<8192xf32>\n"
      "stablehlo.return %2 : tensor<8192xf32>\n"
      "}, {\nstablehlo.return %0 : tensor<8192xf32>\n}) : (tensor<i1>) -> tensor<8192xf32>\n",
      {}, alias);
  EXPECT_EQ(Count(text, digits), 200U);
}

TEST(SignatureTexts, EveryFormOfText) {
  const std::string_view lines =
      "%0 = stablehlo.add %a, %b : tensor<4xf32>\n"
      "%1 = stablehlo.multiply %0, %a : tensor<4xf32>\n"
      "%2 = stablehlo.custom_call @t(%0, %1) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>\n";
  TextWriteOptions options;
  options.generic = true;
  EXPECT_EQ(Count(Repeated(lines, options), "\"stablehlo.add\"("), 100U);
  options = {};
  options.spelling = Spelling::kVhlo;
  EXPECT_EQ(Count(Repeated(lines, options), "\"vhlo.add_v1\"("), 100U);
}

}  // namespace
}  // namespace shlo
