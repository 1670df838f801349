#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <set>

#include "eval/input_generator.h"
#include "eval/test_program.h"
#include "shlo/prove.h"

namespace shlo {
namespace {

Result<Proof> Evaluated(const Module& a, const Module& b, ProveOptions options = {}) {
  options.evaluate_only = true;
  return Prove(a, b, options);
}

// @main of one op on arguments of one type.
std::unique_ptr<TestProgram> OneOp(std::string_view op, TypeKind kind, std::vector<int64_t> shape,
                                   size_t arity, Version version = kCurrentVersion) {
  auto p = std::make_unique<TestProgram>(version);
  const TypeId t = p->Tensor(kind, shape);
  p->Function("main", std::vector<TypeId>(arity, t), {t},
              [&](std::vector<ValueId> args) { return std::vector{p->Op(op, args, {t})}; });
  p->Done();
  return p;
}

Proof ProveOps(std::string_view a, std::string_view b, TypeKind kind, std::vector<int64_t> shape,
               ProveOptions options = {}) {
  const auto pa = OneOp(a, kind, shape, 2, a == "stablehlo.sub" ? Version{39} : kCurrentVersion);
  const auto pb = OneOp(b, kind, shape, 2, b == "stablehlo.sub" ? Version{39} : kCurrentVersion);
  const auto proof = Evaluated(pa->module(), pb->module(), options);
  EXPECT_TRUE(proof);
  return proof ? *proof : Proof();
}

TEST(Prove, TheOldOpAndTheNewOneAgree) {
  for (TypeKind kind : {TypeKind::kI1, TypeKind::kI4, TypeKind::kI32, TypeKind::kUI64, TypeKind::kF8E4M3FN,
                        TypeKind::kBF16, TypeKind::kF32, TypeKind::kF64}) {
    const Proof proof = ProveOps("stablehlo.sub", "stablehlo.subtract", kind, {7});
    EXPECT_EQ(proof.verdict, Verdict::kEqual) << RowOf(kind).mnemonic << proof.functions[0].detail;
    EXPECT_GT(proof.functions[0].inputs, 1u);
  }
}

TEST(Prove, AWrongProgramIsCaught) {
  const Proof proof = ProveOps("stablehlo.add", "stablehlo.subtract", TypeKind::kI32, {2});
  EXPECT_EQ(proof.verdict, Verdict::kDifferent);
  const std::string& detail = proof.functions[0].detail;
  EXPECT_NE(detail.find("result 0 differs at ["), std::string::npos) << detail;
  EXPECT_NE(detail.find("%arg0 = dense<"), std::string::npos) << detail;
  EXPECT_NE(detail.find("bits 0x"), std::string::npos) << detail;
}

TEST(Prove, ADifferenceInOneCornerIsCaught) {
  // Both are the logical or of booleans.
  EXPECT_EQ(ProveOps("stablehlo.add", "stablehlo.maximum", TypeKind::kI1, {}).verdict, Verdict::kEqual);
  // or and xor differ only if both operands have a common bit.
  EXPECT_EQ(ProveOps("stablehlo.or", "stablehlo.xor", TypeKind::kI64, {}).verdict, Verdict::kDifferent);
}

TEST(Prove, TheSignOfZeroIsADifference) {
  // x and x + 0 differ in one value only: -0.
  const auto program = [](bool add_zero) {
    auto p = std::make_unique<TestProgram>();
    const TypeId t = p->Tensor(TypeKind::kF32, {1});
    p->Function("main", {t}, {t}, [&](std::vector<ValueId> a) {
      const ValueId zero = p->ConstantOf<float>(t, {add_zero ? 0.0f : -0.0f});
      return std::vector{p->Op("stablehlo.add", {a[0], zero}, {t})};
    });
    p->Done();
    return p;
  };
  const auto a = program(true), b = program(false);
  const auto proof = Evaluated(a->module(), b->module());
  ASSERT_TRUE(proof);
  EXPECT_EQ(proof->verdict, Verdict::kDifferent);
  const std::string& detail = proof->functions[0].detail;
  EXPECT_NE(
      detail.find("0.000000e+00 (bits 0x00000000) in the first program, -0.000000e+00 (bits 0x80000000)"),
      std::string::npos)
      << detail;
  EXPECT_EQ(Evaluated(a->module(), a->module())->verdict, Verdict::kEqual);
}

TEST(Prove, SmallInputsAreExhausted) {
  const Proof small = ProveOps("stablehlo.sub", "stablehlo.subtract", TypeKind::kI4, {2});
  EXPECT_TRUE(small.functions[0].exhaustive);
  EXPECT_EQ(small.functions[0].inputs, 65536u);
  const Proof large = ProveOps("stablehlo.sub", "stablehlo.subtract", TypeKind::kI32, {2});
  EXPECT_FALSE(large.functions[0].exhaustive);
  EXPECT_EQ(large.functions[0].inputs, 256u);
}

TEST(Prove, WhatCannotBeEvaluatedIsNotCovered) {
  const auto program = [] {
    auto p = std::make_unique<TestProgram>();
    const TypeId t = p->Tensor(TypeKind::kF32, {1});
    p->Function("fine", {t}, {t}, [](std::vector<ValueId> a) { return a; });
    p->Function("other", {t}, {t},
                [&](std::vector<ValueId> a) { return std::vector{p->Op("other.thing", {a[0]}, {t})}; });
    p->Done();
    return p;
  };
  const auto a = program(), b = program();
  const auto proof = Evaluated(a->module(), b->module());
  ASSERT_TRUE(proof);
  EXPECT_EQ(proof->verdict, Verdict::kNotCovered);
  ASSERT_EQ(proof->functions.size(), 2u);
  EXPECT_EQ(proof->functions[0].verdict, Verdict::kEqual);
  EXPECT_EQ(proof->functions[1].verdict, Verdict::kNotCovered);
  EXPECT_NE(proof->functions[1].detail.find("'other.thing' in @other"), std::string::npos)
      << proof->functions[1].detail;
}

TEST(Prove, ProgramsWithoutFunctionsShowNothing) {
  TestProgram p;
  const Module& m = p.Done();
  EXPECT_EQ(Evaluated(m, m)->verdict, Verdict::kNotCovered);
}

TEST(Prove, FunctionsMustHaveTheSameNamesAndTypes) {
  const auto program = [](std::string_view name, TypeKind kind) {
    auto p = std::make_unique<TestProgram>();
    const TypeId t = p->Tensor(kind, {1});
    p->Function(name, {t}, {t}, [](std::vector<ValueId> a) { return a; });
    p->Done();
    return p;
  };
  const auto f = program("f", TypeKind::kI32), g = program("g", TypeKind::kI32),
             h = program("f", TypeKind::kUI32);
  const auto names = Evaluated(f->module(), g->module());
  EXPECT_EQ(names->verdict, Verdict::kDifferent);
  EXPECT_EQ(names->functions.size(), 2u);
  const auto types = Evaluated(f->module(), h->module());
  EXPECT_EQ(types->verdict, Verdict::kDifferent);
  EXPECT_EQ(types->functions[0].detail, "argument 0 has a different type in the second program");
}

// A private function with one op and no results.
std::unique_ptr<TestProgram> NoResults(std::string_view op, Version version, int ops = 1) {
  auto p = std::make_unique<TestProgram>(version);
  const TypeId t = p->Tensor(TypeKind::kI1, {2});
  p->Function(
      "test_sub", {t}, {},
      [&](std::vector<ValueId> a) {
        for (int i = 0; i < ops; ++i) p->Op(op, {a[0], a[0]}, {t});
        return std::vector<ValueId>();
      },
      "private");
  p->Done();
  return p;
}

TEST(Prove, WithoutResultsIntermediateValuesAreCompared) {
  const auto old = NoResults("stablehlo.sub", Version{37}),
             now = NoResults("stablehlo.subtract", kCurrentVersion);
  const auto same = Evaluated(old->module(), now->module());
  ASSERT_EQ(same->functions.size(), 1u);
  EXPECT_EQ(same->verdict, Verdict::kEqual) << same->functions[0].detail;
  EXPECT_TRUE(same->functions[0].exhaustive);
  EXPECT_EQ(same->functions[0].inputs, 4u);
  EXPECT_EQ(same->functions[0].detail, "no results; 1 intermediate value agrees on all 4 possible inputs");
  const auto wrong = NoResults("stablehlo.add", kCurrentVersion);
  EXPECT_EQ(Evaluated(old->module(), wrong->module())->verdict, Verdict::kDifferent);
  // Functions with different numbers of ops are not covered.
  const auto more = NoResults("stablehlo.subtract", kCurrentVersion, 2);
  EXPECT_EQ(Evaluated(old->module(), more->module())->verdict, Verdict::kNotCovered);
}

TEST(Prove, PrivateFunctionsAreCoveredThroughTheirCallers) {
  const auto program = [](std::string_view op) {
    auto p = std::make_unique<TestProgram>();
    const TypeId t = p->Tensor(TypeKind::kI32, {1});
    p->Function(
        "helper", {t}, {t},
        [&](std::vector<ValueId> a) {
          return std::vector{p->Op(op, {a[0], a[0]}, {t})};
        },
        "private");
    p->Function("main", {t}, {t}, [&](std::vector<ValueId> a) {
      return std::vector{p->Op("func.call", {a[0]}, {t}, {{"callee", p->module().Symbol("helper")}})};
    });
    p->Done();
    return p;
  };
  const auto a = program("stablehlo.add"), b = program("stablehlo.subtract");
  EXPECT_EQ(Evaluated(a->module(), a->module())->verdict, Verdict::kEqual);
  const auto proof = Evaluated(a->module(), b->module());
  ASSERT_EQ(proof->functions.size(), 1u);
  EXPECT_EQ(proof->functions[0].function, "main");
  EXPECT_EQ(proof->verdict, Verdict::kDifferent);
}

TEST(Prove, FailedChecksAreCompared) {
  const auto program = [](int32_t expected) {
    auto p = std::make_unique<TestProgram>();
    const TypeId t = p->Tensor(TypeKind::kI32, {1});
    p->Function("main", {t}, {t}, [&](std::vector<ValueId> a) {
      p->Op("check.expect_eq", {p->ConstantOf<int32_t>(t, {1}), p->ConstantOf<int32_t>(t, {expected})});
      return a;
    });
    p->Done();
    return p;
  };
  const auto holds = program(1), fails = program(2);
  EXPECT_EQ(Evaluated(holds->module(), fails->module())->verdict, Verdict::kDifferent);
  const auto same = Evaluated(fails->module(), fails->module());
  EXPECT_EQ(same->verdict, Verdict::kEqual);
  EXPECT_NE(same->functions[0].detail.find("same 1 failed check in both programs"), std::string::npos);
}

TEST(Prove, LargeArgumentsAreNotCovered) {
  ProveOptions options;
  options.max_elements = 10;
  EXPECT_EQ(ProveOps("stablehlo.add", "stablehlo.add", TypeKind::kI32, {11}, options).verdict,
            Verdict::kNotCovered);
  EXPECT_EQ(ProveOps("stablehlo.add", "stablehlo.add", TypeKind::kI32, {10}, options).verdict,
            Verdict::kEqual);
}

// --- Inputs ---------------------------------------------------------------------------------------

TEST(Inputs, TheSameSeedGivesTheSameInputs) {
  const ValueTypePtr type = MakeTensorType({TypeKind::kF32}, {{50}});
  const InputGenerator a({type, type}, 5), b({type, type}, 5), c({type, type}, 6);
  const auto second = [](const InputGenerator& inputs, uint64_t round) {
    return inputs.Set(Temper::kBits, round)[1];
  };
  EXPECT_TRUE(BitEqual(second(a, 3), second(b, 3)));
  EXPECT_FALSE(BitEqual(second(a, 3), second(c, 3)));
  EXPECT_FALSE(BitEqual(second(a, 3), second(a, 4)));
  // The generator's definition is fixed: the first output of splitmix64 for seed 0.
  EXPECT_EQ(SplitMix64(0).Next(), 0xE220A8397B1DCDAFull);
}

TEST(Inputs, BoundaryValuesMeetInAllPairs) {
  const ValueTypePtr type = MakeTensorType({TypeKind::kF16}, {{37}});
  const std::vector<uint64_t> values = BoundaryValues(TypeKind::kF16);
  const InputGenerator inputs({type, type}, 1);
  std::set<std::pair<uint64_t, uint64_t>> pairs;
  for (uint64_t s = 0; s < inputs.boundary_sets(); ++s) {
    const auto set = inputs.BoundarySet(s);
    for (uint64_t i = 0; i < 37; ++i) pairs.insert({ElementBits(set[0], i), ElementBits(set[1], i)});
  }
  EXPECT_EQ(pairs.size(), values.size() * values.size());
  for (uint64_t bits : {0x0000, 0x8000, 0x3C00, 0x0001, 0x0400, 0x7BFF, 0x7C00, 0xFC00, 0x7E00, 0x7C01})
    EXPECT_EQ(std::count(values.begin(), values.end(), bits), 1) << std::hex << bits;
}

TEST(Inputs, WithMoreArgumentsNeighboursMeetInTurn) {
  const ValueTypePtr type = MakeTensorType({TypeKind::kI2}, {{4}});
  const InputGenerator inputs({type, type, type}, 1);
  std::set<std::pair<uint64_t, uint64_t>> pairs[3];
  for (uint64_t s = 0; s < inputs.boundary_sets(); ++s) {
    const auto set = inputs.BoundarySet(s);
    for (uint64_t i = 0; i < 4; ++i)
      for (size_t a = 0; a < 3; ++a)
        pairs[a].insert({ElementBits(set[a], i), ElementBits(set[(a + 1) % 3], i)});
  }
  for (const auto& p : pairs) EXPECT_EQ(p.size(), 16u);
}

TEST(Inputs, ExhaustiveSetsAreAllDifferent) {
  const InputGenerator inputs(
      {MakeTensorType({TypeKind::kI2}, {{2}}), MakeTensorType({TypeKind::kI1}, {{3}})}, 1);
  ASSERT_EQ(inputs.total_bits(), 7u);
  std::set<std::string> seen;
  for (uint64_t i = 0; i < 128; ++i) {
    const auto set = inputs.ExhaustiveSet(i);
    seen.insert(set[0].ToBytes() + set[1].ToBytes());
  }
  EXPECT_EQ(seen.size(), 128u);
}

}  // namespace
}  // namespace shlo
