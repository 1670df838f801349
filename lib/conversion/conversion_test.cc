#include "shlo/conversion.h"

#include <gtest/gtest.h>

#include "shlo/program_io.h"

namespace shlo {
namespace {

Program Read(std::string_view text) {
  auto program = ReadProgram(text, nullptr);
  EXPECT_TRUE(program) << Render(program.error()[0]);
  return std::move(*program);
}

std::string Function(const std::string& body) {
  return "func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {\n" + body + "}\n";
}
const std::string kTan = Function(
    "  %0 = stablehlo.tan %a : tensor<2xf32>\n"
    "  return %0 : tensor<2xf32>\n");
const std::string kInvalid = Function(
    "  %0 = \"stablehlo.slice\"(%a) {start_indices = array<i64: 0>, limit_indices = array<i64: 3>,\n"
    "    strides = array<i64: 1>} : (tensor<2xf32>) -> tensor<3xf32>\n"
    "  return %a : tensor<2xf32>\n");

const Version kBeforeTan = *ParseVersion("1.3.0"), kWithTan = *ParseVersion("1.4.0");

TEST(Conversion, ReportsWhatItDid) {
  ConversionReport report;
  const auto converted = Convert(Read(kTan), {.target = kWithTan, .allow_outside_window = true}, &report);
  ASSERT_TRUE(converted) << Render(converted.error()[0]);
  EXPECT_EQ(converted->module.version, kWithTan);
  EXPECT_EQ(report.from, kCurrentVersion);
  EXPECT_EQ(report.to, kWithTan);
  EXPECT_FALSE(report.steps.empty());
}

TEST(Conversion, RefusesAProgramThatDoesNotVerify) {
  ConversionReport report;
  const auto converted = Convert(Read(kInvalid), {}, &report);
  ASSERT_FALSE(converted);
  EXPECT_TRUE(report.invalid);
  EXPECT_EQ(converted.error()[0].code, Code::kConstraint);
  EXPECT_TRUE(Convert(Read(kInvalid), {.lenient = true}));
}

TEST(Conversion, TakesTheWordOfItsCaller) {
  const Diagnostics none;
  EXPECT_TRUE(Convert(Read(kInvalid), {.findings = &none}));
}

TEST(Conversion, ExpandsWhatTheTargetLacks) {
  const auto refused = Convert(Read(kTan), {.target = kBeforeTan, .allow_outside_window = true});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error()[0].code, Code::kBlocked);
  ConversionReport report;
  const auto converted =
      Convert(Read(kTan), {.target = kBeforeTan, .allow_outside_window = true, .expand = true}, &report);
  ASSERT_TRUE(converted) << Render(converted.error()[0]);
  ASSERT_EQ(report.expanded.size(), 1u);
  EXPECT_EQ(report.expanded[0].op, "stablehlo.tan");
  EXPECT_TRUE(Blockers(Read(kTan), {.target = kBeforeTan, .expand = true}).empty());
}

TEST(Conversion, ChecksTheWindow) {
  const auto refused = Convert(Read(kTan), {.target = kWithTan});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error()[0].code, Code::kOutsideWindow);
}

TEST(Conversion, ProvesTheResult) {
  const auto proved =
      Convert(Read(kTan), {.target = kWithTan, .allow_outside_window = true, .prove = Evidence::kLaws});
  ASSERT_TRUE(proved) << Render(proved.error()[0]);
  const auto weak = Convert(
      Read(kTan),
      {.target = kBeforeTan, .allow_outside_window = true, .expand = true, .prove = Evidence::kCongruence});
  ASSERT_FALSE(weak);
  EXPECT_EQ(weak.error()[0].code, Code::kNotEqual);
}

TEST(Conversion, FoldsConstants) {
  const auto converted = Convert(Read(Function("  %0 = stablehlo.constant dense<1.0> : tensor<2xf32>\n"
                                               "  %1 = stablehlo.add %0, %0 : tensor<2xf32>\n"
                                               "  return %1 : tensor<2xf32>\n")),
                                 {.fold = true});
  ASSERT_TRUE(converted) << Render(converted.error()[0]);
  EXPECT_NE(WriteProgram(*converted)->find("dense<2.0"), std::string::npos);
}

}  // namespace
}  // namespace shlo
