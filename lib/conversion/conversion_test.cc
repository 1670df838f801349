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
  ConversionRequest request{.target = kWithTan, .allow_outside_window = true};
  bool equal = true;
  request.prove = [&](const Program& original, const Module& converted, const Limits&) -> Result<void> {
    EXPECT_EQ(original.module.version, kCurrentVersion);
    EXPECT_EQ(converted.version, kWithTan);
    return equal ? Result<void>() : Error(Code::kNotEqual, "not proved");
  };
  EXPECT_TRUE(Convert(Read(kTan), request));
  equal = false;
  const auto refused = Convert(Read(kTan), request);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error()[0].code, Code::kNotEqual);
}

// The target lacks an op that folding removes.
TEST(Conversion, FoldsBeforeItExpands) {
  ConversionRequest request{.target = kBeforeTan, .allow_outside_window = true};
  request.fold = [](Program* program, const Limits&) -> Result<void> {
    *program = Read(Function("  return %a : tensor<2xf32>\n"));
    return {};
  };
  EXPECT_TRUE(Convert(Read(kTan), request));
  request.fold = [](Program*, const Limits&) -> Result<void> { return Error(Code::kLimit, "too much"); };
  EXPECT_FALSE(Convert(Read(kTan), request));
}

}  // namespace
}  // namespace shlo
