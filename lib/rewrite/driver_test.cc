#include "rewrite/driver.h"

#include <gtest/gtest.h>

#include "ir/table/ops.h"
#include "shlo/program_io.h"
#include "shlo/text_writer.h"

namespace shlo::rewrite {
namespace {

constexpr const char* kProgram =
    "func.func @f(%x: tensor<f32>) -> tensor<f32> {\n"
    "  %0 = stablehlo.negate %x : tensor<f32>\n"
    "  %1 = stablehlo.negate %0 : tensor<f32>\n"
    "  %2 = stablehlo.negate %1 : tensor<f32>\n"
    "  return %2 : tensor<f32>\n"
    "}\n";

Program Read() {
  auto program = ReadProgram(kProgram, nullptr, {});
  EXPECT_TRUE(program);
  return std::move(*program);
}

bool NegateTwice(Rewriter& r, OpId op) {
  const OpId inner = r.Definer(r.module().OperandsOf(r[op])[0], ops::kNegate);
  if (!inner) return false;
  r.Replace(op, r.module().OperandsOf(r[inner])[0]);
  return true;
}

TEST(Driver, AppliesRulesAndErasesDeadOps) {
  Program program = Read();
  const Rule rules[] = {{"negate-twice", ops::kNegate, NegateTwice}};
  const auto report = Apply(rules, &program);
  ASSERT_TRUE(report);
  EXPECT_EQ(report->applied.at("negate-twice"), 1u);
  const auto text = WriteText(program.module);
  ASSERT_TRUE(text);
  size_t negates = 0;
  for (size_t at = 0; (at = text->find("negate", at)) != text->npos; ++at) ++negates;
  EXPECT_EQ(negates, 1u);
}

bool Forever(Rewriter& r, OpId op) {
  r.Replace(op, r.Emit(ops::kNegate, r.module().OperandsOf(r[op]),
                       r.module().TypeOf(r.module().ResultOf(r[op], 0))));
  return true;
}

TEST(Driver, EndsWhenRulesDoNot) {
  Program program = Read();
  const size_t ops = program.module.ops.size();
  const Rule rules[] = {{"forever", ops::kNegate, Forever}};
  const auto report = Apply(rules, &program);
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error()[0].code, Code::kLimit);
  EXPECT_EQ(program.module.ops.size(), ops);
}

Program ReadText(const char* text) {
  auto program = ReadProgram(text, nullptr, {});
  EXPECT_TRUE(program);
  return std::move(*program);
}

std::string TextAfter(const char* before, std::span<const Rule> rules, const DriverOptions& options = {}) {
  Program program = ReadText(before);
  EXPECT_TRUE(Apply(rules, &program, options));
  return WriteText(program.module).value_or("");
}

TEST(Driver, GathersConstants) {
  const std::string text = TextAfter(
      "func.func @f(%x: tensor<f32>) -> (tensor<f32>, tensor<f32>) {\n"
      "  %0 = stablehlo.negate %x : tensor<f32>\n"
      "  %1 = stablehlo.constant dense<1.0> : tensor<f32>\n"
      "  %2 = stablehlo.add %0, %1 : tensor<f32>\n"
      "  %3 = stablehlo.constant dense<2.0> : tensor<f32>\n"
      "  %4 = stablehlo.constant dense<1.0> : tensor<f32>\n"
      "  %5 = stablehlo.add %3, %4 : tensor<f32>\n"
      "  return %2, %5 : tensor<f32>, tensor<f32>\n"
      "}\n",
      {}, {.gather_constants = true});
  // The second constant does not follow the first one, so it goes before it.
  const size_t two = text.find("dense<2."), one = text.find("dense<1."), negate = text.find("negate");
  ASSERT_NE(two, text.npos);
  EXPECT_LT(two, one);
  EXPECT_LT(one, negate);
  EXPECT_EQ(text.find("dense<1.", one + 1), text.npos);
}

bool ToSplat(Rewriter& r, OpId op) {
  const ValueId operand = r.module().OperandsOf(r[op])[0];
  const auto numbers = r.IntegersOf(operand);
  if (!numbers || numbers->size() != 2) return false;
  r.Replace(op, r.EmitSplat(r.module().TypeOf(operand), (*numbers)[0] + (*numbers)[1]));
  return true;
}

TEST(Driver, ReadsAndWritesConstants) {
  const char* const program =
      "func.func @f() -> tensor<2xi8> {\n"
      "  %0 = stablehlo.constant dense<[-5, 3]> : tensor<2xi8>\n"
      "  %1 = stablehlo.negate %0 : tensor<2xi8>\n"
      "  return %1 : tensor<2xi8>\n"
      "}\n";
  const Rule rules[] = {{"to-splat", ops::kNegate, ToSplat, Elements::kIntegers}};
  EXPECT_NE(TextAfter(program, rules).find("dense<-2> : tensor<2xi8>"), std::string::npos);
  const Rule floats[] = {{"to-splat", ops::kNegate, ToSplat, Elements::kFloats}};
  EXPECT_EQ(TextAfter(program, floats).find("dense<-2>"), std::string::npos);
}

bool Forward(Rewriter& r, OpId op) {
  const ValueId operand = r.module().OperandsOf(r[op])[0];
  r.MergeAttrs(op, operand);
  r.Replace(op, operand);
  return true;
}

TEST(Driver, MergesAttributes) {
  const Rule rules[] = {{"forward", ops::kNegate, Forward}};
  const std::string text = TextAfter(
      "func.func @f(%x: tensor<f32>) -> tensor<f32> {\n"
      "  %0 = stablehlo.add %x, %x {a = 1 : i32, mhlo.frontend_attributes = {p = \"0\", "
      "xla_metadata_payload = \"0\"}} : tensor<f32>\n"
      "  %1 = stablehlo.negate %0 {a = 2 : i32, mhlo.frontend_attributes = {p = \"1\", q = \"1\", "
      "xla_metadata_payload = \"1\"}} : tensor<f32>\n"
      "  return %1 : tensor<f32>\n"
      "}\n",
      rules);
  EXPECT_NE(text.find("{a = 2 : i32, mhlo.frontend_attributes = {p = \"1\", q = \"1\", "
                      "xla_metadata_payload = \"0\"}}"),
            std::string::npos)
      << text;
}

TEST(Driver, ErasesCallsWithoutEffect) {
  const std::string text = TextAfter(
      "func.func @f(%x: tensor<f32>) -> tensor<f32> {\n"
      "  %0 = stablehlo.custom_call @pure(%x) : (tensor<f32>) -> tensor<f32>\n"
      "  %1 = stablehlo.custom_call @effect(%x) {has_side_effect = true} : (tensor<f32>) -> tensor<f32>\n"
      "  return %x : tensor<f32>\n"
      "}\n",
      {});
  EXPECT_EQ(text.find("@pure"), std::string::npos);
  EXPECT_NE(text.find("@effect"), std::string::npos);
}

}  // namespace
}  // namespace shlo::rewrite
