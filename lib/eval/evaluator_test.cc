#include "eval/evaluator.h"

#include <gtest/gtest.h>

#include <bit>

#include "eval/naive/program.h"
#include "eval/test_program.h"
#include "shlo/evaluate.h"
#include "shlo/random_tensor.h"

namespace shlo {
namespace {

constexpr ElementType kI32{TypeKind::kI32};

Tensor I32s(std::vector<int32_t> values) {
  const int64_t n = int64_t(values.size());
  return TensorOf<int32_t>(kI32, {n}, std::move(values));
}

TEST(Interpreter, EvaluatesAnOpAlone) {
  TestProgram p;
  const TypeId t = p.Tensor(TypeKind::kI32, {2});
  p.Function("main", {t, t}, {t, t}, [&](std::vector<ValueId> args) {
    const ValueId sum = p.Op("stablehlo.add", {args[0], args[1]}, {t});
    return std::vector{sum, p.Op("stablehlo.divide", {sum, args[0]}, {t})};
  });
  const Module& module = p.Done();
  const std::vector<OpId> ops = module.OpsIn(module.top);
  Evaluator evaluator(module, {});
  const Tensor lhs = I32s({6, 8}), rhs = I32s({3, -2});
  const Tensor* const operands[] = {&lhs, &rhs};
  for (const OpId op : ops) {
    const auto results = evaluator.RunAlone(op, operands);
    const std::string_view name = module.NameOf(module.ops[op.v]);
    if (name == "stablehlo.add") {
      ASSERT_TRUE(results);
      EXPECT_EQ(PrintValues((*results)[0]), "[9, 6]");
    } else if (name == "stablehlo.divide") {
      ASSERT_TRUE(results);
      EXPECT_EQ(PrintValues((*results)[0]), "[2, -4]");
    } else if (name == "func.func" || name == "builtin.module") {
      EXPECT_FALSE(results) << name;
    }
  }
}

TEST(Interpreter, EvaluatesOpsInOrder) {
  TestProgram p;
  const TypeId t = p.Tensor(TypeKind::kI32, {2});
  p.Function("main", {t, t}, {t, t}, [&](std::vector<ValueId> args) {
    const ValueId sum = p.Op("stablehlo.add", {args[0], args[1]}, {t});
    const ValueId twice = p.Op("stablehlo.add", {sum, sum}, {t});
    return std::vector{p.Op("stablehlo.subtract", {twice, args[0]}, {t}), sum};
  });
  const Tensor args[] = {I32s({1, 2}), I32s({10, 20})};
  const auto result = Evaluate(p.Done(), "", args);
  ASSERT_TRUE(result) << result.error()[0].message;
  ASSERT_EQ(result->results.size(), 2u);
  EXPECT_EQ(PrintValues(result->results[0]), "[21, 42]");
  EXPECT_EQ(PrintValues(result->results[1]), "[11, 22]");
  EXPECT_TRUE(result->failed_checks.empty());
  // Kernels must not write to arguments.
  EXPECT_EQ(PrintValues(args[0]), "[1, 2]");
}

TEST(Interpreter, CallsOtherFunctions) {
  TestProgram p;
  const TypeId t = p.Tensor(TypeKind::kI32, {1});
  p.Function("twice", {t}, {t}, [&](std::vector<ValueId> a) {
    return std::vector{p.Op("stablehlo.add", {a[0], a[0]}, {t})};
  });
  p.Function("main", {t}, {t}, [&](std::vector<ValueId> a) {
    const ValueId once = p.Op("func.call", {a[0]}, {t}, {{"callee", p.module().Symbol("twice")}});
    return std::vector{p.Op("func.call", {once}, {t}, {{"callee", p.module().Symbol("twice")}})};
  });
  const Tensor args[] = {I32s({3})};
  const auto result = Evaluate(p.Done(), "", args);
  ASSERT_TRUE(result) << result.error()[0].message;
  EXPECT_EQ(PrintValues(result->results[0]), "[12]");
}

TEST(Interpreter, EndlessRecursionIsAnError) {
  TestProgram p;
  p.Function("main", {}, {}, [&](std::vector<ValueId>) {
    p.Op("func.call", {}, {}, {{"callee", p.module().Symbol("main")}});
    return std::vector<ValueId>();
  });
  const auto result = Evaluate(p.Done(), "main", {});
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error()[0].code, Code::kLimit);
  EXPECT_EQ(result.error()[0].op, "func.call");
}

TEST(Interpreter, WorkIsLimited) {
  // Each function calls the one before it twice: 2^20 ops in 20 functions.
  TestProgram p;
  p.Function("f0", {}, {}, [](std::vector<ValueId>) { return std::vector<ValueId>(); });
  for (int i = 1; i < 20; ++i)
    p.Function("f" + std::to_string(i), {}, {}, [&](std::vector<ValueId>) {
      for (int k = 0; k < 2; ++k)
        p.Op("func.call", {}, {}, {{"callee", p.module().Symbol("f" + std::to_string(i - 1))}});
      return std::vector<ValueId>();
    });
  EvalOptions options;
  options.limits.max_steps = 1000;
  const auto result = Evaluate(p.Done(), "f19", {}, options);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error()[0].code, Code::kLimit);
}

// A limit of half the estimated time refuses an op, one of twice the time does not.
TEST(Interpreter, WorkGrowsWithTheSizesOfAnOp) {
  struct Row {
    std::string_view op;
    std::vector<int64_t> a, b;
    double nanoseconds;
  };
  // Two nanoseconds for each product; half of the matrix takes part.
  const Row rows[] = {{"stablehlo.triangular_solve", {4, 64, 64}, {4, 64, 64}, 4. * 64 * 64 * 64},
                      {"stablehlo.triangular_solve", {64, 64}, {64, 512}, 64. * 64 * 512},
                      {"stablehlo.triangular_solve", {512, 16, 16}, {512, 16, 16}, 512. * 16 * 16 * 16}};
  for (const Row& row : rows) {
    TestProgram p;
    const TypeId a = p.Tensor(TypeKind::kF32, row.a), b = p.Tensor(TypeKind::kF32, row.b);
    Module& m = p.module();
    p.Function("main", {a, b}, {b}, [&](std::vector<ValueId> args) {
      return std::vector{p.Op(row.op, {args[0], args[1]}, {b},
                              {{"left_side", m.Bool(true)},
                               {"lower", m.Bool(true)},
                               {"unit_diagonal", m.Bool(true)},
                               {"transpose_a", m.Enum(AttrKind::kTranspose, 1)}})};
    });
    p.Done();
    const Tensor args[] = {RandomTensor(TensorTypeOf(m, a), 1), RandomTensor(TensorTypeOf(m, b), 2)};
    EvalOptions options;
    options.limits.max_work = uint64_t(row.nanoseconds / 2);
    const auto refused = Evaluate(m, "main", args, options);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error()[0].code, Code::kLimit);
    options.limits.max_work = uint64_t(row.nanoseconds * 2);
    const auto done = Evaluate(m, "main", args, options);
    EXPECT_TRUE(done) << done.error()[0].message;
  }
}

// Work is counted inside an op, too: a loop may have no end.
TEST(Interpreter, WorkEndsALoopOfScalars) {
  const std::string program = R"(func.func @main() -> tensor<i64> {
      %c = stablehlo.constant dense<1> : tensor<i64>
      %0 = stablehlo.while(%i = %c) : tensor<i64>
      cond {
        %p = stablehlo.compare GT, %i, %c : (tensor<i64>, tensor<i64>) -> tensor<i1>
        %q = stablehlo.not %p : tensor<i1>
        stablehlo.return %q : tensor<i1>
      } do {
        %n = stablehlo.minimum %i, %c : tensor<i64>
        stablehlo.return %n : tensor<i64>
      }
      return %0 : tensor<i64>
    })";
  EvalOptions options;
  options.limits.max_work = 1'000'000;
  const auto result = naive::RunText(program, {}, options);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error()[0].code, Code::kLimit);
  EXPECT_NE(naive::Message(result.error()).find("takes more work"), std::string::npos);
}

// A comparator that compares elements of one operand is not run: sorting takes little more than the copy.
TEST(Interpreter, WorkOfComparators) {
  const auto sorts = [](std::string_view operand) {
    const std::string text = R"(func.func @main(%x: tensor<65536xi32>) -> tensor<65536xi32> {
        %0 = "stablehlo.sort"(%x) ({
        ^bb0(%a: tensor<i32>, %b: tensor<i32>):
          %c = stablehlo.negate %a : tensor<i32>
          %p = stablehlo.compare LT, )" +
                             std::string(operand) +
                             R"(, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
          stablehlo.return %p : tensor<i1>
        }) {dimension = 0 : i64} : (tensor<65536xi32>) -> tensor<65536xi32>
        return %0 : tensor<65536xi32>
      })";
    const size_t unused = operand == "%c" ? std::string::npos : text.find("%c =");
    const std::string program =
        unused == std::string::npos ? text : text.substr(0, unused) + text.substr(text.find('\n', unused));
    EvalOptions options;
    options.limits.max_work = 9'000'000;  // 7,798,784 by keys, 655,370 for steps and 131,072 for 256 KiB
    const std::vector<Tensor> args = {
        RandomTensor(MakeTensorType({TypeKind::kI32}, std::vector<int64_t>{65536}), 1)};
    const auto result = naive::RunText(program, args, options);
    return result ? "sorted" : naive::Message(result.error());
  };
  EXPECT_EQ(sorts("%a"), "sorted");
  EXPECT_EQ(sorts("%c").substr(0, 15), "stablehlo.sort:");
}

TEST(Interpreter, ConstantsAreViewsButResultsAreOwned) {
  Tensor result;
  {
    TestProgram p;
    const TypeId t = p.Tensor(TypeKind::kI32, {3});
    p.Function("main", {}, {t}, [&](std::vector<ValueId>) {
      return std::vector{p.Constant(t, {"\5\0\0\0", 4}, true)};
    });
    auto evaluated = Evaluate(p.Done(), "main", {});
    ASSERT_TRUE(evaluated) << evaluated.error()[0].message;
    result = evaluated->results[0];
  }
  EXPECT_EQ(PrintTensor(result.Expanded()), "dense<[5, 5, 5]> : tensor<3xi32>");
}

TEST(Interpreter, DynamicArgumentsTakeTheShapeTheyGet) {
  TestProgram p;
  const TypeId t = p.Tensor(TypeKind::kI32, {kDynamic});
  p.Function("main", {t}, {t}, [&](std::vector<ValueId> a) {
    return std::vector{p.Op("stablehlo.add", {a[0], a[0]}, {t})};
  });
  const Module& m = p.Done();
  for (size_t n : {size_t(0), size_t(1), size_t(4)}) {
    const Tensor args[] = {I32s(std::vector<int32_t>(n, 21))};
    const auto result = Evaluate(m, "main", args);
    ASSERT_TRUE(result) << result.error()[0].message;
    EXPECT_EQ(result->results[0].count(), n);
    EXPECT_TRUE(n == 0 || PrintElement(result->results[0], 0) == "42");
  }
}

TEST(Interpreter, ArgumentsMustMatchTheSignature) {
  TestProgram p;
  const TypeId t = p.Tensor(TypeKind::kI32, {2});
  p.Function("main", {t}, {t}, [](std::vector<ValueId> a) { return a; });
  const Module& m = p.Done();
  const Tensor wrong_shape[] = {I32s({1, 2, 3})};
  const auto shape = Evaluate(m, "main", wrong_shape);
  ASSERT_FALSE(shape);
  EXPECT_EQ(shape.error()[0].code, Code::kEvaluation);
  EXPECT_EQ(shape.error()[0].message,
            "argument 0 has type tensor<2xi32>, but the value has type tensor<3xi32>");
  EXPECT_FALSE(Evaluate(m, "main", {}));
  const auto nobody = Evaluate(m, "nobody", {});
  ASSERT_FALSE(nobody);
  EXPECT_EQ(nobody.error()[0].code, Code::kUsage);
}

TEST(Interpreter, ResultsMustHaveTheirDeclaredTypes) {
  TestProgram p;
  const TypeId t = p.Tensor(TypeKind::kI32, {2}), other = p.Tensor(TypeKind::kI32, {3});
  p.Function("main", {t}, {other}, [&](std::vector<ValueId> a) {
    return std::vector{p.Op("stablehlo.add", {a[0], a[0]}, {other})};
  });
  const Tensor args[] = {I32s({1, 2})};
  const auto result = Evaluate(p.Done(), "main", args);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error()[0].code, Code::kEvaluation);
  EXPECT_EQ(result.error()[0].op, "stablehlo.add");
}

TEST(Interpreter, ReturnedTypesAreCheckedAgainstTheFunction) {
  TestProgram p;
  const TypeId t = p.Tensor(TypeKind::kI32, {2}), other = p.Tensor(TypeKind::kI32, {3});
  p.Function("main", {t}, {other}, [](std::vector<ValueId> a) { return a; });
  const Tensor args[] = {I32s({1, 2})};
  const auto result = Evaluate(p.Done(), "main", args);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error()[0].place.function, "main");
}

TEST(Interpreter, OpsWithoutKernelAreNamedWithTheirPlace) {
  TestProgram p;
  const TypeId t = p.Tensor(TypeKind::kF32, {1});
  p.Function("main", {t}, {t},
             [&](std::vector<ValueId> a) { return std::vector{p.Op("other.thing", {a[0]}, {t})}; });
  const Tensor args[] = {TensorOf<float>({TypeKind::kF32}, {1}, {1.0f})};
  const auto result = Evaluate(p.Done(), "main", args);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error()[0].code, Code::kUnsupported);
  EXPECT_EQ(result.error()[0].op, "other.thing");
  EXPECT_EQ(result.error()[0].place.function, "main");
}

TEST(Interpreter, MemoryIsLimitedAndReused) {
  TestProgram p;
  const TypeId t = p.Tensor(TypeKind::kI32, {1000});
  // A chain of 100 ops needs two live buffers.
  p.Function("main", {t}, {t}, [&](std::vector<ValueId> a) {
    ValueId v = a[0];
    for (int i = 0; i < 100; ++i) v = p.Op("stablehlo.add", {v, a[0]}, {t});
    return std::vector{v};
  });
  const Module& m = p.Done();
  const Tensor args[] = {I32s(std::vector<int32_t>(1000, 1))};
  EvalOptions options;
  options.limits.max_memory = 3 * 4000;
  const auto enough = Evaluate(m, "main", args, options);
  ASSERT_TRUE(enough) << enough.error()[0].message;
  EXPECT_EQ(PrintElement(enough->results[0], 999), "101");
  options.limits.max_memory = 4000;
  const auto little = Evaluate(m, "main", args, options);
  ASSERT_FALSE(little);
  EXPECT_EQ(little.error()[0].code, Code::kLimit);
  EXPECT_EQ(little.error()[0].op, "stablehlo.add");
}

TEST(Interpreter, AnEvaluatorRunsAgainAndAgain) {
  TestProgram p;
  const TypeId t = p.Tensor(TypeKind::kI32, {2});
  p.Function("main", {t}, {t}, [&](std::vector<ValueId> a) {
    const ValueId one = p.Op("stablehlo.add", {a[0], a[0]}, {t});
    return std::vector{p.Op("stablehlo.subtract", {one, a[0]}, {t})};
  });
  const Module& m = p.Done();
  EvalOptions options;
  options.limits.max_memory = 100;
  Evaluator evaluator(m, options);
  Tensor kept;
  for (int32_t i = 0; i < 50; ++i) {
    const Tensor args[] = {I32s({i, -i})};
    const auto result = evaluator.Run(evaluator.FindFunction("main"), args);
    ASSERT_TRUE(result) << result.error()[0].message;
    EXPECT_TRUE(BitEqual(result->results[0], args[0]));
    if (i == 7) kept = result->results[0];
  }
  // Later runs must not overwrite results.
  EXPECT_EQ(PrintValues(kept), "[7, -7]");
}

TEST(Interpreter, ATokenIsNoTensor) {
  TestProgram p;
  const TypeId token = p.module().Type(TypeKind::kToken);
  p.Function("main", {token}, {token}, [](std::vector<ValueId> args) { return args; });
  const Module& m = p.Done();
  const Tensor wrong[] = {I32s({1})};
  const auto refused = Evaluate(m, "main", wrong);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error()[0].code, Code::kEvaluation);
  const Tensor args[] = {Tensor::Token()};
  const auto result = Evaluate(m, "main", args);
  ASSERT_TRUE(result) << result.error()[0].message;
  EXPECT_EQ(PrintAsReference(result->results[0]), "!stablehlo.token");
}

// --- Checks ---------------------------------------------------------------------------------------

// Returns the failed checks of one check op on two f32 tensors.
Diagnostics Check(std::string_view op, std::vector<float> actual, std::vector<float> expected,
                  std::vector<std::pair<std::string_view, double>> attributes = {}) {
  TestProgram p;
  const TypeId t = p.Tensor(TypeKind::kF32, {int64_t(actual.size())});
  p.Function("main", {}, {}, [&](std::vector<ValueId>) {
    std::vector<std::pair<std::string_view, AttrId>> attrs;
    Module& m = p.module();
    for (auto [name, value] : attributes)
      attrs.push_back({name, name == "tolerance"
                                 ? m.Float(m.Type(TypeKind::kF64), std::bit_cast<uint64_t>(value))
                                 : m.I64(int64_t(value))});
    if (op.ends_with("_const")) {
      const PayloadId payload = m.payloads.AddCopy(
          {reinterpret_cast<const char*>(expected.data()), expected.size() * sizeof(float)});
      attrs.push_back({"value", m.Elements(t, payload, false)});
      p.Op(op, {p.ConstantOf(t, actual)}, {}, attrs);
    } else {
      p.Op(op, {p.ConstantOf(t, actual), p.ConstantOf(t, expected)}, {}, attrs);
    }
    return std::vector<ValueId>();
  });
  const auto result = Evaluate(p.Done(), "main", {});
  EXPECT_TRUE(result) << result.error()[0].message;
  return result ? result->failed_checks : Diagnostics();
}

// +0 equals -0, and NaN equals the same NaN.
TEST(Checks, EqualMeansTheSameNumber) {
  const float nan = std::bit_cast<float>(0x7FC00000u);
  for (std::string_view op : {"check.expect_eq", "check.expect_eq_const"}) {
    EXPECT_TRUE(Check(op, {1, 2, 0.0f, nan}, {1, 2, -0.0f, nan}).empty()) << op;
    const Diagnostics failed = Check(op, {1, 2.0f, 3}, {1, -2.0f, 4});
    ASSERT_EQ(failed.size(), 1u) << op;
    EXPECT_EQ(failed[0].op, op);
    EXPECT_EQ(failed[0].place.function, "main");
    EXPECT_EQ(failed[0].message, "expected -2.000000e+00 at [1], got 2.000000e+00");
  }
}

TEST(Checks, AlmostEqualHasATolerance) {
  const float nan = std::bit_cast<float>(0x7FC00000u), other_nan = std::bit_cast<float>(0xFFC00001u);
  const float infinity = std::bit_cast<float>(0x7F800000u);
  for (std::string_view op : {"check.expect_almost_eq", "check.expect_almost_eq_const"}) {
    EXPECT_TRUE(Check(op, {1.0f, 0.0f, nan, infinity}, {1.00005f, -0.0f, other_nan, infinity}).empty()) << op;
    EXPECT_EQ(Check(op, {1.0f}, {1.001f}).size(), 1u) << op;
    EXPECT_TRUE(Check(op, {1.0f}, {1.001f}, {{"tolerance", 0.01}}).empty()) << op;
    EXPECT_EQ(Check(op, {1.0f}, {1.00005f}, {{"tolerance", 1e-6}}).size(), 1u) << op;
    EXPECT_EQ(Check(op, {nan}, {1.0f}).size(), 1u) << op;
    EXPECT_EQ(Check(op, {infinity}, {-infinity}, {{"tolerance", 1e300}}).size(), 1u) << op;
  }
}

TEST(Checks, CloseCountsUnitsInTheLastPlace) {
  const float one = 1.0f, next = std::bit_cast<float>(0x3F800001u), third = std::bit_cast<float>(0x3F800002u);
  EXPECT_TRUE(Check("check.expect_close", {one, one}, {one, next}).empty());  // at most one by default
  EXPECT_EQ(Check("check.expect_close", {one}, {third}).size(), 1u);
  EXPECT_TRUE(Check("check.expect_close", {one}, {third}, {{"max_ulp_difference", 2}}).empty());
  EXPECT_EQ(Check("check.expect_close", {one}, {next}, {{"max_ulp_difference", 3}, {"min_ulp_difference", 2}})
                .size(),
            1u);
  // Distances across zero add up: one subnormal step on each side.
  const float tiny = std::bit_cast<float>(1u);
  EXPECT_TRUE(Check("check.expect_close", {tiny}, {-tiny}, {{"max_ulp_difference", 2}}).empty());
  EXPECT_EQ(Check("check.expect_close", {tiny}, {-tiny}).size(), 1u);
}

TEST(Checks, AllFailuresAreReported) {
  TestProgram p;
  const TypeId t = p.Tensor(TypeKind::kI32, {1});
  p.Function("main", {}, {}, [&](std::vector<ValueId>) {
    const ValueId a = p.ConstantOf<int32_t>(t, {1}), b = p.ConstantOf<int32_t>(t, {2});
    p.Op("check.expect_eq", {a, b});
    p.Op("check.expect_eq", {a, a});
    p.Op("check.expect_eq", {b, a});
    return std::vector<ValueId>();
  });
  const auto result = Evaluate(p.Done(), "main", {});
  ASSERT_TRUE(result);
  EXPECT_EQ(result->failed_checks.size(), 2u);
}

}  // namespace
}  // namespace shlo
