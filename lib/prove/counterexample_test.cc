#include "shlo/counterexample.h"

#include <gtest/gtest.h>

#include "eval/test_program.h"
#include "shlo/evaluate.h"
#include "shlo/program_io.h"
#include "shlo/prove.h"
#include "shlo/verify.h"

namespace shlo {
namespace {

// @main calls a private function of one op on its argument.
std::unique_ptr<TestProgram> Calls(std::string_view op, TypeKind kind, Version version = kCurrentVersion) {
  auto p = std::make_unique<TestProgram>(version);
  const TypeId t = p->Tensor(kind, {100});
  p->Function(
      "f", {t, t}, {t}, [&](std::vector<ValueId> args) { return std::vector{p->Op(op, args, {t})}; },
      "private");
  p->Function("main", {t, t}, {t}, [&](std::vector<ValueId> args) {
    return std::vector{p->Op("func.call", args, {t}, {{"callee", p->module().Symbol("f")}})};
  });
  p->Done();
  return p;
}

// Proves that programs differ, and returns the program that shows it.
Result<Module> Shown(const Module& a, const Module& b) {
  const auto proof = Prove(a, b);
  EXPECT_TRUE(proof);
  if (!proof || proof->functions.size() != 1) return Error(Code::kNotEqual, "no proof");
  const FunctionProof& f = proof->functions[0];
  EXPECT_EQ(f.verdict, Verdict::kDifferent) << f.detail;
  EXPECT_EQ(f.counterexample.size(), 2u) << f.detail;
  return CounterexampleProgram(a, b, f.function, f.counterexample);
}

TEST(Counterexample, FailsWhenEvaluated) {
  for (const Version version : {Version{40}, Version{64}, kCurrentVersion}) {
    const auto a = Calls("stablehlo.add", TypeKind::kF32, version);
    const auto b = Calls("stablehlo.multiply", TypeKind::kF32);
    auto module = Shown(a->module(), b->module());
    ASSERT_TRUE(module) << module.error()[0].message;
    EXPECT_TRUE(Verify(*module).empty());
    const auto result = Evaluate(*module, "main", {});
    ASSERT_TRUE(result);
    EXPECT_EQ(result->failed_checks.size(), 1u);
    Program program;
    program.module = std::move(*module);
    const auto text = WriteProgram(program);
    ASSERT_TRUE(text);
    for (std::string_view name : {"@first(", "@second(", "@first.f(", "@second.f(", "func.func @main()"})
      EXPECT_NE(text->find(name), std::string::npos) << *text;
    const auto back = ReadProgram(*text, std::make_shared<std::string>(*text));
    ASSERT_TRUE(back);
    EXPECT_EQ(Evaluate(back->module, "main", {})->failed_checks.size(), 1u);
  }
}

TEST(Counterexample, ItsInputIsSimple) {
  const auto a = Calls("stablehlo.add", TypeKind::kI32), b = Calls("stablehlo.subtract", TypeKind::kI32);
  const auto proof = Prove(a->module(), b->module());
  ASSERT_TRUE(proof);
  uint64_t nonzero = 0;
  for (const Tensor& arg : proof->functions[0].counterexample)
    for (uint64_t i = 0; i < arg.count(); ++i) nonzero += ElementBits(arg, i) != 0;
  EXPECT_EQ(nonzero, 1u) << proof->functions[0].detail;
}

// Functions that differ in one op of several, with shapes that do not matter.
TEST(Counterexample, ThePartThatDiffersIsCutOut) {
  const auto make = [](std::string_view op) {
    auto p = std::make_unique<TestProgram>();
    const TypeId t = p->Tensor(TypeKind::kF32, {92, 40});
    p->Function("main", {t, t}, {t}, [&](std::vector<ValueId> args) {
      const ValueId sum = p->Op("stablehlo.add", args, {t});
      const ValueId middle = p->Op(op, {sum, args[0]}, {t});
      return std::vector{p->Op("stablehlo.tanh", {middle}, {t})};
    });
    p->Done();
    return p;
  };
  const auto a = make("stablehlo.maximum"), b = make("stablehlo.subtract");
  const auto proof = Prove(a->module(), b->module());
  ASSERT_TRUE(proof);
  ASSERT_TRUE(proof->functions[0].part);
  const DifferentPart& part = *proof->functions[0].part;
  EXPECT_EQ(part.ops_a, 1u);
  EXPECT_EQ(part.ops_b, 1u);
  ASSERT_EQ(part.counterexample.size(), 2u);
  EXPECT_EQ(TypeName(part.counterexample[0].type()), "tensor<1x1xf32>");
  const auto module = CounterexampleProgram(part.a, part.b, part.function, part.counterexample);
  ASSERT_TRUE(module) << module.error()[0].message;
  EXPECT_TRUE(Verify(*module).empty());
  EXPECT_EQ(Evaluate(*module, "main", {})->failed_checks.size(), 1u);
}

TEST(Counterexample, EqualProgramsHaveNone) {
  const auto a = Calls("stablehlo.add", TypeKind::kI32);
  const std::vector<Tensor> inputs(
      2, Tensor::Copy(MakeTensorType({.kind = TypeKind::kI32}, std::vector<int64_t>{100}),
                      std::string(4, '\1'), true));
  const auto module = CounterexampleProgram(a->module(), a->module(), "main", inputs);
  ASSERT_FALSE(module);
  EXPECT_EQ(module.error()[0].code, Code::kNotEqual);
  EXPECT_FALSE(CounterexampleProgram(a->module(), a->module(), "other", inputs));
  EXPECT_FALSE(CounterexampleProgram(a->module(), a->module(), "main", {}));
}

}  // namespace
}  // namespace shlo
