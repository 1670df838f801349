// Ops without arithmetic: calls, tuples, tokens, constants, casts, annotations, custom calls, probes; and
// that every evaluable op occurs in some test.
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "eval/kernels/kernels.h"
#include "eval/naive/program.h"
#include "eval/naive/scalars.h"

namespace shlo::naive {
namespace {

std::vector<Values> RunProgram(const std::string& text, const std::vector<Values>& operands,
                               const EvalOptions& options = {}) {
  std::vector<Tensor> args;
  for (const Values& operand : operands) args.push_back(ToTensor(operand));
  const auto result = RunText(text, args, options);
  std::vector<Values> out;
  EXPECT_TRUE(result) << text << Message(result.error());
  if (result)
    for (const Tensor& tensor : result->results) out.push_back(FromTensor(tensor));
  return out;
}
void ExpectProgram(const std::string& text, const std::vector<Values>& operands,
                   const std::vector<Values>& expected) {
  const std::vector<Values> actual = RunProgram(text, operands);
  ASSERT_EQ(actual.size(), expected.size()) << text;
  for (size_t i = 0; i < actual.size(); ++i)
    EXPECT_EQ(FirstDifference(actual[i], expected[i]), "") << i << " of " << text;
}
Values I32s(const Ints& shape, std::vector<int64_t> numbers) {
  Values values(*TypeOf("i32"), shape);
  for (size_t i = 0; i < numbers.size(); ++i) values.at[i].re = Wrap(values.type, numbers[i]);
  return values;
}
Values Floats(std::string_view type, const Ints& shape, std::vector<double> numbers) {
  Values values(*TypeOf(type), shape);
  for (size_t i = 0; i < numbers.size(); ++i) values.at[i].re = Encode(*values.type.format, Wide(numbers[i]));
  return values;
}

TEST(NaiveStructure, EveryEvaluableOpIsInATest) {
  const std::filesystem::path root = SHLO_SOURCE_DIR;
  std::string text;
  const auto read = [&](const std::filesystem::path& folder, std::string_view part) {
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      const std::string name = entry.path().filename().string();
      if (name.find(part) == std::string::npos) continue;
      std::ifstream in(entry.path());
      text += std::string(std::istreambuf_iterator<char>(in), {});
    }
  };
  read(root / "lib/eval/naive", ".");
  read(root / "lib/eval", "_test.cc");
  read(root / "tests/roundtrip", "evaluate");
  // Ops that end the regions and functions of all programs here.
  const std::set<std::string_view> in_all = {"func.return", "sdy.return"};
  for (std::string_view op : EvaluableOps()) {
    const RowId row = FindOp(op);
    // elementwise_test.cc takes these from the rows.
    const bool elementwise = row && PickerOf(NewestRevision(row));
    EXPECT_TRUE(elementwise || in_all.contains(op) || text.find(std::string(op)) != std::string::npos)
        << "no test of the evaluator mentions " << op;
  }
}

TEST(NaiveStructure, Calls) {
  ExpectProgram(R"(
func.func private @difference(%a: tensor<2xi32>, %b: tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>) {
  %d = "stablehlo.subtract"(%a, %b) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  return %d, %b : tensor<2xi32>, tensor<2xi32>
}
func.func @main(%x: tensor<2xi32>, %y: tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>) {
  %0:2 = "func.call"(%x, %y) {callee = @difference} : (tensor<2xi32>, tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>)
  %1:2 = "stablehlo.composite"(%0#1, %0#0) {name = "my.op", decomposition = @difference} : (tensor<2xi32>, tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>)
  return %0#0, %1#0 : tensor<2xi32>, tensor<2xi32>
})",
                {I32s({2}, {10, 20}), I32s({2}, {1, 5})}, {I32s({2}, {9, 15}), I32s({2}, {-8, -10})});
}

// Functions of TensorFlow Lite's dialect, which may end in one of two ways.
TEST(NaiveStructure, FunctionsOfMlProgram) {
  const Values x = I32s({2}, {4, -7});
  ExpectProgram(R"(
ml_program.func @main(%x: tensor<2xi32>) -> tensor<2xi32> {
  %0 = "stablehlo.negate"(%x) : (tensor<2xi32>) -> tensor<2xi32>
  ml_program.return %0 : tensor<2xi32>
})",
                {x}, {I32s({2}, {-4, 7})});
  ExpectProgram(R"(
ml_program.subgraph @main(%x: tensor<2xi32>) -> tensor<2xi32> {
  %0 = "stablehlo.add"(%x, %x) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  ml_program.output %0 : tensor<2xi32>
})",
                {x}, {I32s({2}, {8, -14})});
}

TEST(NaiveStructure, TuplesAndTokens) {
  const Values a = I32s({2}, {1, 2}), b = Floats("f32", {}, {3});
  ExpectProgram(R"(
func.func @main(%a: tensor<2xi32>, %b: tensor<f32>) -> (tensor<f32>, tensor<2xi32>) {
  %t = "stablehlo.create_token"() : () -> !stablehlo.token
  %u = "stablehlo.after_all"(%t, %t) : (!stablehlo.token, !stablehlo.token) -> !stablehlo.token
  %p = "stablehlo.tuple"(%a, %b) : (tensor<2xi32>, tensor<f32>) -> tuple<tensor<2xi32>, tensor<f32>>
  %q = "stablehlo.tuple"(%p, %u) : (tuple<tensor<2xi32>, tensor<f32>>, !stablehlo.token) -> tuple<tuple<tensor<2xi32>, tensor<f32>>, !stablehlo.token>
  %r = "stablehlo.get_tuple_element"(%q) {index = 0 : i32} : (tuple<tuple<tensor<2xi32>, tensor<f32>>, !stablehlo.token>) -> tuple<tensor<2xi32>, tensor<f32>>
  %x = "stablehlo.get_tuple_element"(%r) {index = 1 : i32} : (tuple<tensor<2xi32>, tensor<f32>>) -> tensor<f32>
  %y = "stablehlo.get_tuple_element"(%r) {index = 0 : i32} : (tuple<tensor<2xi32>, tensor<f32>>) -> tensor<2xi32>
  return %x, %y : tensor<f32>, tensor<2xi32>
})",
                {a, b}, {b, a});
}

TEST(NaiveStructure, AsyncRunsItsRegion) {
  ExpectProgram(R"(
func.func @main(%a: tensor<2xi32>) -> tensor<2xi32> {
  %f = "stablehlo.async_start"(%a) ({
  ^bb0(%x: tensor<2xi32>):
    %s = "stablehlo.add"(%x, %x) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
    "stablehlo.return"(%s) : (tensor<2xi32>) -> ()
  }) : (tensor<2xi32>) -> !stablehlo.future<tensor<2xi32>>
  %r = "stablehlo.async_done"(%f) : (!stablehlo.future<tensor<2xi32>>) -> tensor<2xi32>
  return %r : tensor<2xi32>
})",
                {I32s({2}, {3, -4})}, {I32s({2}, {6, -8})});
}

// Constants of every type, as a list and as a splat, in hexadecimal.
TEST(NaiveStructure, Constants) {
  for (const Type& type : AllTypes()) {
    Values values(type, {2, 3});
    std::string bytes;
    char digits[3];
    for (size_t i = 0; i < values.at.size(); ++i) {
      values.at[i] = {(i * 0x9E3779B97F4A7C15ull >> 9) & Ones(type.width),
                      type.complex ? (i * 0xC2B2AE3D27D4EB4Full >> 9) & Ones(type.width) : 0};
      for (uint64_t part : {values.at[i].re, values.at[i].im}) {
        for (size_t k = 0; k < type.part_bytes(); ++k) {
          std::snprintf(digits, sizeof digits, "%02X", unsigned(part >> 8 * k & 0xFF));
          bytes += digits;
        }
        if (!type.complex) break;
      }
    }
    const Values splat(type, {2, 3}, values.at[1]);
    const size_t one = 2 * type.bytes();
    for (std::string_view op : {"stablehlo.constant", "chlo.constant", "arith.constant"}) {
      if (type.width % 8 != 0 && op != "stablehlo.constant") continue;  // written as bits, not bytes
      if (type.width % 8 != 0) continue;
      if (type.name == "index" && op != "arith.constant") continue;
      const std::string t = TypeText(values);
      ExpectProgram("func.func @main() -> (" + t + ", " + t + ") {\n  %0 = \"" + std::string(op) +
                        "\"() {value = dense<\"0x" + bytes + "\"> : " + t + "} : () -> " + t + "\n  %1 = \"" +
                        std::string(op) + "\"() {value = dense<\"0x" + bytes.substr(one, one) + "\"> : " + t +
                        "} : () -> " + t + "\n  return %0, %1 : " + t + ", " + t + "\n}",
                    {}, {values, splat});
    }
  }
  ExpectProgram(R"(
func.func @main() -> tensor<2xi32> {
  %a = "arith.constant"() {value = 7 : index} : () -> index
  %c = "stablehlo.constant"() {value = dense<[1, 2]> : tensor<2xi32>} : () -> tensor<2xi32>
  return %c : tensor<2xi32>
})",
                {}, {I32s({2}, {1, 2})});
}

TEST(NaiveStructure, ConstantLike) {
  ExpectProgram(
      R"(
func.func @main(%x: tensor<?xi64>, %i: tensor<2x2xi8>, %z: tensor<2xf32>) -> (tensor<?xf32>, tensor<2x2xi8>, tensor<2xcomplex<f64>>) {
  %0 = "chlo.constant_like"(%x) {value = 2.500000e+00 : f32} : (tensor<?xi64>) -> tensor<?xf32>
  %1 = "chlo.constant_like"(%i) {value = -3 : i8} : (tensor<2x2xi8>) -> tensor<2x2xi8>
  %2 = "chlo.constant_like"(%z) {value = dense<(1.0, -2.0)> : tensor<complex<f64>>} : (tensor<2xf32>) -> tensor<2xcomplex<f64>>
  return %0, %1, %2 : tensor<?xf32>, tensor<2x2xi8>, tensor<2xcomplex<f64>>
})",
      {Values(*TypeOf("i64"), {3}), Values(*TypeOf("i8"), {2, 2}), Floats("f32", {2}, {0, 1})},
      {Floats("f32", {3}, {2.5, 2.5, 2.5}), Values(*TypeOf("i8"), {2, 2}, Scalar{0xFD}),
       Values(*TypeOf("complex<f64>"), {2},
              Scalar{Encode(*TypeOf("f64")->format, 1), Encode(*TypeOf("f64")->format, -2)})});
}

TEST(NaiveStructure, CastsAndAnnotationsKeepValues) {
  const Values x = Floats("f32", {2}, {1.5, -2});
  for (std::string_view op :
       {"\"tensor.cast\"(%x)", "\"builtin.unrealized_conversion_cast\"(%x)",
        "\"stablehlo.optimization_barrier\"(%x)", "\"mhlo.copy\"(%x)",
        "\"stablehlo.custom_call\"(%x) {call_target_name = \"Sharding\"}",
        "\"stablehlo.custom_call\"(%x) {call_target_name = \"LayoutConstraint\"}",
        "\"stablehlo.custom_call\"(%x) {call_target_name = \"annotate_device_placement\"}",
        "\"sdy.propagation_barrier\"(%x)", "\"sdy.reshard\"(%x)", "\"sdy.sharding_constraint\"(%x)"})
    ExpectProgram("func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n  %0 = " + std::string(op) +
                      " : (tensor<2xf32>) -> tensor<2xf32>\n  return %0 : tensor<2xf32>\n}",
                  {x}, {x});
  ExpectProgram(
      "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n  \"sdy.sharding_group\"(%x) {group_id = 1 : "
      "i64} : "
      "(tensor<2xf32>) -> ()\n  return %x : tensor<2xf32>\n}",
      {x}, {x});
}

TEST(NaiveStructure, NamesakesOfChlo) {
  for (std::string_view name : {"mhlo.acos", "mhlo.acosh", "mhlo.asin", "mhlo.asinh", "mhlo.atan",
                                "mhlo.atanh", "mhlo.cosh", "mhlo.erf", "mhlo.sinh", "mhlo.tan"}) {
    const Meaning& m = *MeaningOf("chlo" + std::string(name.substr(4)));
    for (std::string_view kind : {"f32", "f64", "bf16"}) {
      const Type type = *TypeOf(kind);
      const Values x = Floats(kind, {3}, {0.25, 0.75, 1.5});
      const std::string t = TypeText(x);
      for (const std::string& op :
           {"\"" + std::string(name) + "\"(%x)",
            "\"stablehlo.custom_call\"(%x) {call_target_name = \"" + std::string(name) + "\"}"}) {
        const std::vector<Values> r =
            RunProgram("func.func @main(%x: " + t + ") -> " + t + " {\n  %0 = " + std::string(op) + " : (" +
                           t + ") -> " + t + "\n  return %0 : " + t + "\n}",
                       {x});
        ASSERT_EQ(r.size(), 1u);
        for (size_t i = 0; i < 3; ++i) {
          const uint64_t expected = Apply(m, type, &x.at[i])->re, actual = r[0].at[i].re;
          EXPECT_LE(std::max(expected, actual) - std::min(expected, actual), type.width == 64 ? 1u : 0u)
              << op << i;
        }
      }
    }
  }
  ExpectProgram(R"(
func.func @main(%x: tensor<2x3xi32>) -> (tensor<2x2xi32>, tensor<2x2xi32>) {
  %0:2 = "mhlo.topk"(%x) {k = 2 : i64, largest = true} : (tensor<2x3xi32>) -> (tensor<2x2xi32>, tensor<2x2xi32>)
  return %0#0, %0#1 : tensor<2x2xi32>, tensor<2x2xi32>
})",
                {I32s({2, 3}, {4, 9, -1, 7, 7, 8})},
                {I32s({2, 2}, {9, 4, 8, 7}), I32s({2, 2}, {1, 0, 2, 0})});
}

TEST(NaiveStructure, CustomCallsOfTheCaller) {
  EvalOptions options;
  options.custom_calls["twice"] = [](const Module&, const Op&,
                                     std::span<const Tensor> in) -> Result<std::vector<Tensor>> {
    return std::vector<Tensor>{in[0], in[0]};
  };
  const std::string text = R"(
func.func @main(%x: tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>) {
  %0:2 = "stablehlo.custom_call"(%x) {call_target_name = "twice"} : (tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>)
  return %0#0, %0#1 : tensor<2xi32>, tensor<2xi32>
})";
  const Values x = I32s({2}, {5, 6});
  const std::vector<Values> results = RunProgram(text, {x}, options);
  ASSERT_EQ(results.size(), 2u);
  EXPECT_EQ(FirstDifference(results[1], x), "");
  const auto unknown = RunText(text, {ToTensor(x)});
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error()[0].code, Code::kUnsupported);
}

// Printed and probed values go to the caller; a check reads what was probed.
TEST(NaiveStructure, PrintsAndProbes) {
  const std::string text = R"(
func.func @main(%x: tensor<2xi32>) {
  "interpreter.print"(%x) : (tensor<2xi32>) -> ()
  %y = "interpreter.probe"(%x) {probe_id = "p"} : (tensor<2xi32>) -> tensor<2xi32>
  "check.expect_serialized_eq"(%y) {probe_id = "p", iteration = 0 : i32} : (tensor<2xi32>) -> ()
  return
})";
  std::string printed;
  std::map<std::string, Tensor> probed;
  EvalOptions options;
  options.print = [&](std::string_view line) { printed += line; };
  options.probe = [&](std::string_view id, const Tensor& value) -> Result<void> {
    probed[std::string(id)] = value.Owned();
    return {};
  };
  options.probed = [&](std::string_view id, int64_t, const ValueTypePtr&) -> Result<Tensor> {
    return probed.at(std::string(id));
  };
  const Tensor x = ToTensor(I32s({2}, {5, -6}));
  const auto result = RunText(text, {x}, options);
  ASSERT_TRUE(result) << Message(result.error());
  EXPECT_TRUE(result->failed_checks.empty());
  EXPECT_NE(printed.find("5, -6"), std::string::npos) << printed;
  ASSERT_TRUE(probed.contains("p"));
  EXPECT_TRUE(BitEqual(probed["p"], x));
  options.probed = [&](std::string_view, int64_t, const ValueTypePtr&) -> Result<Tensor> {
    return ToTensor(I32s({2}, {5, 6}));
  };
  const auto differs = RunText(text, {x}, options);
  ASSERT_TRUE(differs) << Message(differs.error());
  EXPECT_EQ(differs->failed_checks.size(), 1u);
  EXPECT_FALSE(RunText(text, {x}));  // nobody takes the probes
}

}  // namespace
}  // namespace shlo::naive
