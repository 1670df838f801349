// Programs, functions, calls and grids of processes that cannot run, with the words for each; threads;
// printed values.
#include <algorithm>

#include "eval/naive/program.h"
#include "shlo/known_values.h"
#include "shlo/random_tensor.h"

namespace shlo {
namespace {

using naive::Message;
using naive::Read;
using naive::RunText;
using naive::ToTensor;
using naive::TypeOf;
using naive::Values;

Tensor F32s(std::vector<float> values) {
  const int64_t n = int64_t(values.size());
  return Tensor::Copy(MakeTensorType({TypeKind::kF32}, std::vector<int64_t>{n}),
                      {reinterpret_cast<const char*>(values.data()), values.size() * 4});
}

TEST(ProgramErrors, Words) {
  const struct {
    std::string_view text;
    std::string_view message;
    Code code;
  } rows[] = {
      {"func.func private @main(tensor<2xf32>) -> tensor<2xf32>", "function has no body", Code::kUnsupported},
      {R"(func.func private @f(tensor<2xf32>) -> tensor<2xf32>
          func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
            %0 = func.call @f(%x) : (tensor<2xf32>) -> tensor<2xf32>
            return %0 : tensor<2xf32>
          })",
       "function has no body", Code::kUnsupported},
      {R"(func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
            %0 = func.call @nobody(%x) : (tensor<2xf32>) -> tensor<2xf32>
            return %0 : tensor<2xf32>
          })",
       "there is no function @nobody", Code::kInvalidProgram},
      {R"(func.func @f(%x: tensor<2xf32>) { return }
          func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
            %0 = func.call @f(%x) : (tensor<2xf32>) -> tensor<2xf32>
            return %0 : tensor<2xf32>
          })",
       "@f returns 0 values, but the call has 1 result", Code::kInvalidProgram},
      {R"(func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> { return })",
       "function returns 0 values, but its type has 1 result", Code::kInvalidProgram},
      {R"(func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
            %f = "stablehlo.async_start"(%x) ({
              "stablehlo.return"() : () -> ()
            }) : (tensor<2xf32>) -> !stablehlo.future<tensor<2xf32>>
            return %x : tensor<2xf32>
          })",
       "region expects 0 arguments, got 1", Code::kInvalidProgram},
      {R"(func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
            %t = "stablehlo.create_token"() : () -> !stablehlo.token
            %0 = "stablehlo.negate"(%t) : (!stablehlo.token) -> tensor<2xf32>
            return %0 : tensor<2xf32>
          })",
       "operand 0 is not a tensor", Code::kInvalidProgram},
      {R"(func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
            %0 = "stablehlo.reverse"(%x) {dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2xi3>
            return %x : tensor<2xf32>
          })",
       "result 0 has type tensor<2xi3>, whose elements cannot be evaluated", Code::kUnsupported},
      {R"(func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
            %0 = "tensor.cast"(%x) : (tensor<2xf32>) -> none
            return %x : tensor<2xf32>
          })",
       "result 0 has type none, which cannot be evaluated", Code::kUnsupported},
      {R"(func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
            %0 = "tensor.cast"(%x) : (tensor<2xf32>) -> tensor<?x?xf32>
            return %x : tensor<2xf32>
          })",
       "result 0 has type tensor<?x?xf32>, but the value has type tensor<2xf32>", Code::kEvaluation},
      {R"(func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
            %0 = "tensor.cast"(%x) : (tensor<2xf32>) -> tensor<*xf64>
            return %x : tensor<2xf32>
          })",
       "result 0 has type tensor<*xf64>, but the value has type tensor<2xf32>", Code::kEvaluation},
      {R"(func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
            "stablehlo.while"(%x) ({
            ^bb0(%a: tensor<2xf32>):
              "stablehlo.return"(%a) : (tensor<2xf32>) -> ()
            }, {
            ^bb0(%a: tensor<2xf32>):
              "stablehlo.return"(%a) : (tensor<2xf32>) -> ()
            }) : (tensor<2xf32>) -> tensor<2xf32>
            return %x : tensor<2xf32>
          })",
       "condition is not a boolean scalar", Code::kInvalidProgram},
      {R"(func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
            %0 = "stablehlo.composite"(%x) {name = "a.b"} : (tensor<2xf32>) -> tensor<2xf32>
            return %0 : tensor<2xf32>
          })",
       "missing decomposition", Code::kInvalidProgram},
      {R"(func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
            %0 = "func.call"(%x) : (tensor<2xf32>) -> tensor<2xf32>
            return %0 : tensor<2xf32>
          })",
       "missing callee", Code::kInvalidProgram},
      {R"(func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
            %t = "stablehlo.tuple"(%x) : (tensor<2xf32>) -> tuple<tensor<2xf32>>
            %0 = "stablehlo.get_tuple_element"(%t) {index = 1 : i32} : (tuple<tensor<2xf32>>) -> tensor<2xf32>
            return %0 : tensor<2xf32>
          })",
       "tuple index 1 is out of range", Code::kInvalidProgram},
      {R"(func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
            %0 = "stablehlo.constant"() {value = dense<1.0> : tensor<3xf32>} : () -> tensor<2xf32>
            return %0 : tensor<2xf32>
          })",
       "value has type tensor<3xf32>, but the result has type tensor<2xf32>", Code::kInvalidProgram},
      {R"(func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
            %0 = "stablehlo.constant"() {value = dense_resource<nothing> : tensor<2xf32>} : () -> tensor<2xf32>
            return %0 : tensor<2xf32>
          })",
       "there is no resource 'nothing'", Code::kInvalidProgram},
      {R"(func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
            %0 = "stablehlo.constant"() : () -> tensor<2xf32>
            return %0 : tensor<2xf32>
          })",
       "missing attribute 'value'", Code::kInvalidProgram},
  };
  for (const auto& row : rows) {
    const auto result = RunText(std::string(row.text), {F32s({1, 2})});
    if (result) {
      ADD_FAILURE() << "evaluates: " << row.text;
      continue;
    }
    EXPECT_EQ(result.error()[0].message, row.message) << row.text;
    EXPECT_EQ(result.error()[0].code, row.code) << row.text;
  }
}

TEST(ProgramErrors, FunctionsWithoutTypesAndDeepRegions) {
  const auto untyped = RunText(R"("func.func"() ({
  "func.return"() : () -> ()
}) {sym_name = "main"} : () -> ())",
                               {});
  ASSERT_FALSE(untyped);
  EXPECT_EQ(Message(untyped.error()), "func.func: function has no function type");
  EvalOptions options;
  options.limits.max_depth = 0;
  const auto deep = RunText(R"(func.func @main() {
  %p = "stablehlo.constant"() {value = dense<true> : tensor<i1>} : () -> tensor<i1>
  %0 = "stablehlo.if"(%p) ({
    "stablehlo.return"(%p) : (tensor<i1>) -> ()
  }, {
    "stablehlo.return"(%p) : (tensor<i1>) -> ()
  }) : (tensor<i1>) -> tensor<i1>
  return
})",
                            {}, options);
  ASSERT_FALSE(deep);
  EXPECT_EQ(Message(deep.error()), "stablehlo.if: calls and regions nest more than 0 levels deep");
  EXPECT_NE(deep.error()[0].hint.find("--max-depth"), std::string::npos);

  // No limit lets calls overflow the stack.
  options.limits.max_depth = 1'000'000;
  const auto endless = RunText(R"(func.func @main() {
  func.call @main() : () -> ()
  return
})",
                               {}, options);
  ASSERT_FALSE(endless);
  EXPECT_EQ(Message(endless.error()), "func.call: calls nest more than 500 levels deep");
  EXPECT_EQ(endless.error()[0].hint, "check the program for infinite recursion");
}

TEST(ProgramErrors, ArgumentsAndEntries) {
  const auto module = Read(R"(
func.func @one(%a: tensor<?xf32>, %b: tensor<2xi3>) { return }
func.func @two(%a: tensor<2xf32> {jax.global_constant = "x"}, %b: tensor<i32> {jax.global_constant = "_platform_index"}) { return }
func.func @three(%a: tensor<2xi3>) { return }
)");
  ASSERT_TRUE(module) << Message(module.error());
  const auto dynamic = ArgumentTypes(*module, "one");
  ASSERT_FALSE(dynamic);
  EXPECT_EQ(dynamic.error()[0].message, "argument 0 of @one has dynamic type tensor<?xf32>");
  EXPECT_EQ(dynamic.error()[0].hint, "pass a value with --arg 0=...");
  const auto odd = ArgumentTypes(*module, "three");
  ASSERT_FALSE(odd);
  EXPECT_EQ(odd.error()[0].message, "argument 0 of @three has type tensor<2xi3>, which cannot be evaluated");
  const auto both = ArgumentTypes(*module, "two");
  ASSERT_TRUE(both);
  EXPECT_EQ(TypeName(*(*both)[0]), "tensor<2xf32>");
  const auto none = ArgumentTypes(*module, "");
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error()[0].message, "no entry function: no @main, and 3 functions");
  EXPECT_EQ(none.error()[0].hint, "pass --entry (@one or @two or @three)");
  EXPECT_EQ(DeclaredArguments(*module, "one").size(), 2u);
  EXPECT_TRUE(DeclaredArguments(*module, "nobody").empty());
  EXPECT_EQ(PlatformArgument(*module, "two"), std::optional<size_t>(1));
  EXPECT_EQ(PlatformArgument(*module, "one"), std::nullopt);
  EXPECT_EQ(PlatformArgument(*module, "nobody"), std::nullopt);
  const Tensor missing[] = {Tensor()};
  const auto empty = Evaluate(*module, "three", missing);
  ASSERT_FALSE(empty);
  EXPECT_EQ(empty.error()[0].message, "argument 0 is not a tensor");
  // The only function needs no name.
  const auto alone = Read("func.func @f(%a: tensor<2xf32>) -> tensor<2xf32> { return %a : tensor<2xf32> }");
  ASSERT_TRUE(alone);
  const Tensor args[] = {F32s({1, 2})};
  EXPECT_TRUE(Evaluate(*alone, "", args));
}

TEST(ProgramErrors, GridsOfProcesses) {
  const auto module = Read(R"(
func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> { return %a : tensor<2xf32> }
func.func @reduces(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.all_reduce"(%a) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    "stablehlo.return"(%y) : (tensor<f32>) -> ()
  }) {replica_groups = dense<[[0]]> : tensor<1x1xi64>} : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
})");
  ASSERT_TRUE(module);
  const std::vector<Tensor> args = {F32s({1, 2}), F32s({3, 4})};
  const auto message = [&](std::vector<std::string> functions, size_t partitions, size_t count,
                           const EvalOptions& options = {}) {
    const auto result =
        EvaluateParallel(*module, functions, partitions, std::span(args).first(count), {}, options);
    return result ? "" : result.error()[0].message;
  };
  EXPECT_EQ(message({"main", "main"}, 1, 2), "");
  EXPECT_EQ(message({}, 1, 0), "programs do not form a grid of replicas and partitions");
  EXPECT_EQ(message({"main"}, 0, 1), "programs do not form a grid of replicas and partitions");
  EXPECT_EQ(message({"main", "main", "main"}, 2, 2),
            "programs do not form a grid of replicas and partitions");
  EXPECT_EQ(message({"nobody"}, 1, 1), "there is no function @nobody");
  EXPECT_EQ(message({"main", "main"}, 1, 1), "expected 2 arguments of 2 processes, got 1");
  EXPECT_EQ(message({"main"}, 1, 2), "expected 1 argument of 1 process, got 2");
  EXPECT_EQ(message({"reduces", "reduces"}, 1, 2), "process (1, 0) is not in any group");
  EvalOptions options;
  options.max_processes = 1;
  EXPECT_EQ(message({"main", "main"}, 1, 2, options), "number of processes exceeds the limit of 1");
}

// The root of a broadcast or a reduction may be an operand.
TEST(ProgramErrors, DynamicRoots) {
  for (const std::string op : {"broadcast", "reduce"}) {
    const std::string text =
        R"(
func.func @main(%a: tensor<2xf32>, %root: tensor<1xi32>) -> tensor<2xf32> {
  %0 = "stablehlo.collective_)" +
        op + R"("(%a, %root) )" +
        (op == "reduce" ? R"(({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = "stablehlo.add"(%x, %y) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%s) : (tensor<f32>) -> ()
  }) )"
                        : "") +
        R"({replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, has_dynamic_root} : (tensor<2xf32>, tensor<1xi32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
})";
    const auto module = Read(text);
    ASSERT_TRUE(module) << text << Message(module.error());
    for (uint64_t root : {0, 1, 2}) {
      const Tensor at = ToTensor(Values(*TypeOf("i32"), {1}, naive::Scalar{root}));
      const Tensor args[] = {F32s({1, 2}), at, F32s({10, 20}), at};
      const std::string functions[] = {"main", "main"};
      const auto run = EvaluateParallel(*module, functions, 1, args);
      if (root == 2) {
        ASSERT_FALSE(run);
        EXPECT_EQ(run.error()[0].message, "root index is out of bounds");
        continue;
      }
      ASSERT_TRUE(run) << Message(run.error());
      for (size_t p : {0, 1}) {
        std::vector<float> expected = op == "broadcast"
                                          ? (root ? std::vector<float>{10, 20} : std::vector<float>{1, 2})
                                      : p == root ? std::vector<float>{11, 22}
                                                  : std::vector<float>{0, 0};
        EXPECT_TRUE(BitEqual(run->results[p], F32s(expected))) << op << root << p;
      }
    }
  }
}

// On a grid of processes, each is a device of the mesh: it computes its part and collects those of the
// others.
TEST(ProgramErrors, ManualComputationOnAGrid) {
  for (const std::string manual : {"\"x\", \"y\"", "\"y\""}) {
    const bool both = manual.size() > 3;
    const std::string part = both ? "tensor<1x2xi32>" : "tensor<2x2xi32>";
    const std::string whole = "tensor<2x4xi32>";
    const auto module = Read(
        R"("sdy.mesh"() {mesh = #sdy.mesh<["x"=2, "y"=2]>, sym_name = "mesh"} : () -> ()
func.func @main(%v: tensor<2x4xi32>) -> tensor<2x4xi32> {
  %r = "sdy.manual_computation"(%v) ({
  ^bb0(%part: )" +
        part + R"():
    %id = "stablehlo.partition_id"() : () -> tensor<ui32>
    %i = "stablehlo.convert"(%id) : (tensor<ui32>) -> tensor<i32>
    %wide = "stablehlo.broadcast_in_dim"(%i) {broadcast_dimensions = array<i64>} : (tensor<i32>) -> )" +
        part + R"(
    %more = "stablehlo.add"(%part, %wide) : ()" +
        part + ", " + part + ") -> " + part + R"(
    "sdy.return"(%more) : ()" +
        part + R"() -> ()
  }) {in_shardings = #sdy.sharding_per_value<[<@mesh, [{"x"}, {"y"}]>]>, manual_axes = #sdy<manual_axes{)" +
        manual +
        R"(}>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{"x"}, {"y"}]>]>} : (tensor<2x4xi32>) -> tensor<2x4xi32>
  return %r : tensor<2x4xi32>
})");
    ASSERT_TRUE(module) << Message(module.error());
    Values v(*TypeOf("i32"), {2, 4});
    for (size_t i = 0; i < 8; ++i) v.at[i].re = 10 * i;
    const std::vector<Tensor> args(4, ToTensor(v));
    const std::vector<std::string> functions(4, "main");
    const auto run = EvaluateParallel(*module, functions, 4, args);
    ASSERT_TRUE(run) << Message(run.error());
    for (size_t process = 0; process < 4; ++process) {
      Values expected = v;
      for (const naive::Ints& at : naive::Indices({2, 4})) {
        // Device 2x + y has row x and columns 2y and 2y + 1. Without x as a manual axis, the devices of the
        // process's own row compute both rows.
        const uint64_t row = both ? uint64_t(at[0]) : process / 2;
        expected[at].re += 2 * row + uint64_t(at[1]) / 2;
      }
      EXPECT_EQ(naive::FirstDifference(naive::FromTensor(run->results[process]), expected), "")
          << manual << process;
    }
    const auto fewer = EvaluateParallel(*module, std::span(functions).first(2), 2, std::span(args).first(2));
    ASSERT_FALSE(fewer);
    EXPECT_EQ(fewer.error()[0].message, "expected 4 partitions, got 2");
  }
}

TEST(ProgramErrors, ThreadsChangeNothing) {
  const auto module = Read(
      R"(func.func @main(%x: tensor<600000xf32>, %y: tensor<600000xf32>, %s: tensor<600000xf32>) -> (tensor<600000xf32>, tensor<600000xf32>) {
  %0 = "stablehlo.divide"(%x, %y) : (tensor<600000xf32>, tensor<600000xf32>) -> tensor<600000xf32>
  %1 = "stablehlo.subtract"(%0, %s) : (tensor<600000xf32>, tensor<600000xf32>) -> tensor<600000xf32>
  return %0, %1 : tensor<600000xf32>, tensor<600000xf32>
})");
  ASSERT_TRUE(module);
  std::vector<float> x(600000), y(600000);
  for (size_t i = 0; i < x.size(); ++i) x[i] = float(i) * 0.37f, y[i] = float(i % 1013) - 7.5f;
  const float three = 3;
  const Tensor dense = F32s(x);
  const Tensor args[] = {dense, F32s(y),
                         Tensor::Copy(dense.type_ptr(), {reinterpret_cast<const char*>(&three), 4}, true)};
  EvalOptions one, several;
  several.limits.threads = 3;
  const auto a = Evaluate(*module, "main", args, one), b = Evaluate(*module, "main", args, several);
  ASSERT_TRUE(a && b);
  for (size_t i : {0, 1}) EXPECT_TRUE(BitEqual(a->results[i], b->results[i]));
  for (size_t i : {size_t(0), size_t(299'999), size_t(599'999)}) {
    float quotient = 0, difference = 0;
    std::memcpy(&quotient, b->results[0].at(i), 4), std::memcpy(&difference, b->results[1].at(i), 4);
    EXPECT_EQ(quotient, x[i] / y[i]);
    EXPECT_EQ(difference, quotient - 3);
  }
}

TEST(ProgramErrors, ProfilesCountOpsOfOtherDialects) {
  EvalProfile profile;
  EvalOptions options;
  options.profile = &profile;
  const auto result = RunText(R"(func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "mhlo.copy"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  %1 = "stablehlo.negate"(%0) : (tensor<2xf32>) -> tensor<2xf32>
  %2 = "stablehlo.negate"(%1) : (tensor<2xf32>) -> tensor<2xf32>
  return %2 : tensor<2xf32>
})",
                              {F32s({1, 2})}, options);
  ASSERT_TRUE(result);
  EXPECT_EQ(profile.ops["(other dialects)"].runs, 1u);
  EXPECT_EQ(profile.ops["stablehlo.negate"].runs, 2u);
  EXPECT_EQ(profile.ops["stablehlo.negate"].bytes, 16u);
}

TEST(ProgramErrors, CallsOfChecksHaveATrueResult) {
  const std::string call = R"(func.func @main(%x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<i1> {
  %0 = "stablehlo.custom_call"(%x, %y) {call_target_name = "TARGET"} : (tensor<2xf32>, tensor<2xf32>) -> tensor<i1>
  return %0 : tensor<i1>
})";
  const struct {
    std::string_view target;
    bool same, near, far;  // whether the check holds for equal numbers, for neighbors, for others
  } rows[] = {{"check.expect_eq", true, false, false},
              {"check.expect_close", true, true, false},
              {"check.expect_almost_eq", true, true, false},
              {"check.eq", true, true, false}};
  for (const auto& row : rows) {
    std::string text = call;
    text.replace(text.find("TARGET"), 6, row.target);
    const auto holds = [&](float y) {
      const auto result = RunText(text, {F32s({1, 2}), F32s({1, y})});
      EXPECT_TRUE(result) << Message(result.error());
      if (!result) return false;
      EXPECT_EQ(*result->results[0].data(), 1);
      return result->failed_checks.empty();
    };
    EXPECT_EQ(holds(2), row.same) << row.target;
    EXPECT_EQ(holds(std::nextafter(2.0f, 3.0f)), row.near) << row.target;
    EXPECT_EQ(holds(3), row.far) << row.target;
  }
  std::string unknown = call;
  unknown.replace(unknown.find("TARGET"), 6, "check.nothing");
  EXPECT_FALSE(RunText(unknown, {F32s({1, 2}), F32s({1, 2})}));
}

// --- Quantized types and printed values ----------------------------------------------------------------

TEST(ProgramErrors, RandomValuesOfAllIntegersOfStorage) {
  const Result<Module> module =
      naive::Read("func.func @main(%x: tensor<64x!quant.uniform<i64:f32, 5.000000e-01>>) {\n  return\n}\n");
  ASSERT_TRUE(module) << Message(module.error());
  const auto types = ArgumentTypes(*module, "main");
  ASSERT_TRUE(types) << Message(types.error());
  const Tensor tensor = RandomTensor(types->at(0), 1);
  int negative = 0, large = 0;
  for (uint64_t i = 0; i < tensor.count(); ++i) {
    const auto value = int64_t(ElementBits(tensor, i, 0));
    negative += value < 0;
    large += value > INT64_MAX / 2;
  }
  EXPECT_GT(negative, 8);
  EXPECT_GT(large, 4);
}

// Scales of blocks along two dimensions: number = (stored - zero point) * scale of its block.
TEST(ProgramErrors, SubChannelQuantization) {
  const std::string type =
      "tensor<2x4x!quant.uniform<i8:f32:{0:1, 1:2}, {{5.000000e-01:1, 2.000000e+00}, {2.500000e-01, "
      "1.000000e+00:-3}}>>";
  const auto module = Read("func.func @main(%x: " + type +
                           ") -> tensor<2x4xf32> {\n  %0 = \"stablehlo.uniform_dequantize\"(%x) : (" + type +
                           ") -> tensor<2x4xf32>\n  return %0 : tensor<2x4xf32>\n}");
  ASSERT_TRUE(module) << Message(module.error());
  const auto types = ArgumentTypes(*module, "main");
  ASSERT_TRUE(types) << Message(types.error());
  EXPECT_EQ(TypeName(*(*types)[0]), type);
  Values stored(*TypeOf("i8"), {2, 4});
  for (size_t i = 0; i < 8; ++i) stored.at[i].re = i;
  const Tensor args[] = {ToTensor(stored).As((*types)[0])};
  const auto result = Evaluate(*module, "main", args);
  ASSERT_TRUE(result) << Message(result.error());
  EXPECT_EQ(PrintValues(result->results[0]),
            "[[-5.000000e-01, 0.000000e+00, 4.000000e+00, 6.000000e+00], [1.000000e+00, 1.250000e+00, "
            "9.000000e+00, "
            "1.000000e+01]]");
}

// Scales along one dimension move with it.
TEST(ProgramErrors, PerAxisTypesOfMovedTensors) {
  const std::string from = "tensor<2x3x!quant.uniform<i8:f32:1, {1.000000e+00,2.000000e+00,3.000000e+00:4}>>";
  const std::string to = "tensor<3x2x!quant.uniform<i8:f32:0, {1.000000e+00,2.000000e+00,3.000000e+00:4}>>";
  const std::string split =
      "tensor<1x2x3x!quant.uniform<i8:f32:2, {1.000000e+00,2.000000e+00,3.000000e+00:4}>>";
  const auto module =
      Read("func.func @main(%x: " + from + ") -> (" + to + ", " + split + ", " + split + ") {\n" +
           "  %0 = \"stablehlo.transpose\"(%x) {permutation = array<i64: 1, 0>} : (" + from + ") -> " + to +
           "\n  %1 = \"stablehlo.reshape\"(%x) : (" + from + ") -> " + split +
           "\n  %2 = \"stablehlo.broadcast_in_dim\"(%x) {broadcast_dimensions = array<i64: 1, 2>} : (" +
           from + ") -> " + split + "\n  return %0, %1, %2 : " + to + ", " + split + ", " + split + "\n}");
  ASSERT_TRUE(module) << Message(module.error());
  const auto types = ArgumentTypes(*module, "main");
  ASSERT_TRUE(types);
  EXPECT_EQ(TypeName(*(*types)[0]), from);
  Values stored(*TypeOf("i8"), {2, 3});
  for (size_t i = 0; i < 6; ++i) stored.at[i].re = i;
  const Tensor args[] = {ToTensor(stored).As((*types)[0])};
  const auto result = Evaluate(*module, "main", args);
  ASSERT_TRUE(result) << Message(result.error());
  EXPECT_EQ(TypeName(result->results[0].type()), to);
  EXPECT_EQ(PrintValues(result->results[0]), "[[0, 3], [1, 4], [2, 5]]");
  EXPECT_EQ(PrintValues(result->results[1]), "[[[0, 1, 2], [3, 4, 5]]]");
  EXPECT_EQ(PrintValues(result->results[2]), "[[[0, 1, 2], [3, 4, 5]]]");
}

TEST(ProgramErrors, PrintedAsTheReferenceDoes) {
  const float parts[] = {1, -2, 0.5f, 0};
  const Tensor complex = Tensor::Copy(MakeTensorType({TypeKind::kF32, true}, std::vector<int64_t>{2}),
                                      {reinterpret_cast<const char*>(parts), sizeof parts});
  EXPECT_EQ(PrintAsReference(complex),
            "tensor<2xcomplex<f32>> {\n  [[1.000000e+00, -2.000000e+00], [5.000000e-01, 0.000000e+00]]\n}");
  const Tensor matrix =
      ToTensor(Values(*TypeOf("i8"), {2, 2}, std::vector<naive::Scalar>{{1}, {2}, {3}, {4}}));
  EXPECT_EQ(PrintAsReference(matrix), "tensor<2x2xi8> {\n  [\n    [1, 2],\n    [3, 4]\n  ]\n}");
  EXPECT_EQ(
      PrintAsReference(Tensor::Tuple({matrix, Tensor::Token()})),
      "tuple<tensor<2x2xi8>, !stablehlo.token> (\ntensor<2x2xi8> {\n  [\n    [1, 2],\n    [3, 4]\n  ]\n},\n"
      "!stablehlo.token\n)");
  const Tensor many = ToTensor(Values(*TypeOf("i8"), {2'000'000, 0}));
  EXPECT_EQ(PrintAsReference(many), "tensor<2000000x0xi8> {...}");
  EXPECT_EQ(PrintDense(matrix), "dense<[[1, 2], [3, 4]]> : tensor<2x2xi8>");
  EXPECT_EQ(PrintDense(ToTensor(Values(*TypeOf("i8"), {2, 2}, naive::Scalar{7}))),
            "dense<7> : tensor<2x2xi8>");
  EXPECT_EQ(PrintTensor(Tensor::Token()), "!stablehlo.token");
}

}  // namespace
}  // namespace shlo
