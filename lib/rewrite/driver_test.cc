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

}  // namespace
}  // namespace shlo::rewrite
