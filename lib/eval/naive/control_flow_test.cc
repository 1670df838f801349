// Control flow: case, if and while.
#include "eval/naive/program.h"

namespace shlo::naive {
namespace {

Values Moderate(const Type& type, const Ints& shape, uint64_t seed = 1) {
  return Numbers(type, shape, seed, 128);
}

TEST(NaiveControlFlow, CaseTakesTheLastBranchForOtherIndices) {
  const Type type = *TypeOf("i32");
  std::string regions;
  for (int branch : {10, 20, 30})
    regions += (regions.empty() ? "" : ", ") + std::string("{\n  %c") + std::to_string(branch) +
               " = \"stablehlo.constant\"() {value = dense<" + std::to_string(branch) +
               "> : tensor<i32>} : () -> tensor<i32>\n  \"stablehlo.return\"(%c" + std::to_string(branch) +
               ") : (tensor<i32>) -> ()\n}";
  for (const auto& [index, value] : {std::pair(0, 10), std::pair(1, 20), std::pair(2, 30), std::pair(3, 30),
                                     std::pair(-1, 30), std::pair(INT32_MIN, 30)})
    Expect({.name = "stablehlo.case",
            .operands = {Values(type, {}, Scalar{Wrap(type, index)})},
            .results = {"tensor<i32>"},
            .regions = regions},
           {Values(type, {}, Scalar{uint64_t(value)})});
}

TEST(NaiveControlFlow, IfTakesOneBranch) {
  for (const Type& type : AllTypes()) {
    const Values a = Moderate(type, {2, 2}), b = Moderate(type, {2, 2}, 12);
    for (uint64_t pred : {0, 1}) {
      const std::string t = TypeText(a);
      const auto result =
          RunText("func.func @main(%p: tensor<i1>, %a: " + t + ", %b: " + t + ") -> " + t +
                      " {\n  %r = \"stablehlo.if\"(%p) ({\n    \"stablehlo.return\"(%a) : (" + t +
                      ") -> ()\n  }, {\n    \"stablehlo.return\"(%b) : (" + t +
                      ") -> ()\n  }) : (tensor<i1>) -> " + t + "\n  return %r : " + t + "\n}",
                  {ToTensor(Values(*TypeOf("i1"), {}, Scalar{pred})), ToTensor(a), ToTensor(b)});
      ASSERT_TRUE(result) << Message(result.error());
      EXPECT_EQ(FirstDifference(FromTensor(result->results[0]), pred ? a : b), "");
    }
  }
}

// Collatz: as many steps as the sequence has, of two values in turn.
TEST(NaiveControlFlow, WhileRunsUntilTheConditionFails) {
  const Type type = *TypeOf("i64");
  for (int64_t start : {1, 2, 7, 27}) {
    int64_t n = start, steps = 0;
    for (; n != 1; ++steps) n = n % 2 ? 3 * n + 1 : n / 2;
    Expect({.name = "stablehlo.while",
            .operands = {Values(type, {}, Scalar{uint64_t(start)}), Values(type, {}, Scalar{0})},
            .results = {"tensor<i64>", "tensor<i64>"},
            .regions = R"({
^bb0(%n: tensor<i64>, %s: tensor<i64>):
  %one = "stablehlo.constant"() {value = dense<1> : tensor<i64>} : () -> tensor<i64>
  %p = "stablehlo.compare"(%n, %one) {comparison_direction = #stablehlo<comparison_direction NE>} : (tensor<i64>, tensor<i64>) -> tensor<i1>
  "stablehlo.return"(%p) : (tensor<i1>) -> ()
}, {
^bb0(%n: tensor<i64>, %s: tensor<i64>):
  %one = "stablehlo.constant"() {value = dense<1> : tensor<i64>} : () -> tensor<i64>
  %two = "stablehlo.constant"() {value = dense<2> : tensor<i64>} : () -> tensor<i64>
  %three = "stablehlo.constant"() {value = dense<3> : tensor<i64>} : () -> tensor<i64>
  %bit = "stablehlo.and"(%n, %one) : (tensor<i64>, tensor<i64>) -> tensor<i64>
  %odd = "stablehlo.convert"(%bit) : (tensor<i64>) -> tensor<i1>
  %half = "stablehlo.divide"(%n, %two) : (tensor<i64>, tensor<i64>) -> tensor<i64>
  %triple = "stablehlo.multiply"(%n, %three) : (tensor<i64>, tensor<i64>) -> tensor<i64>
  %more = "stablehlo.add"(%triple, %one) : (tensor<i64>, tensor<i64>) -> tensor<i64>
  %next = "stablehlo.select"(%odd, %more, %half) : (tensor<i1>, tensor<i64>, tensor<i64>) -> tensor<i64>
  %count = "stablehlo.add"(%s, %one) : (tensor<i64>, tensor<i64>) -> tensor<i64>
  "stablehlo.return"(%next, %count) : (tensor<i64>, tensor<i64>) -> ()
})"},
           {Values(type, {}, Scalar{1}), Values(type, {}, Scalar{uint64_t(steps)})});
  }
}

}  // namespace
}  // namespace shlo::naive
