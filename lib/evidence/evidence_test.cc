#include "shlo/evidence.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>

#include "check/rules.h"
#include "shlo/program_io.h"

namespace shlo {
namespace {

Program Read(const std::string& body) {
  auto program =
      ReadProgram("func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {\n" + body + "}\n", nullptr);
  EXPECT_TRUE(program) << Render(program.error()[0]);
  return std::move(*program);
}

TEST(CompareMeaning, FindsWhatIsNotEqual) {
  const Program sub = Read(
      "  %0 = stablehlo.subtract %a, %a : tensor<4xf32>\n"
      "  return %0 : tensor<4xf32>\n");
  // Another name of a value, and an op that nobody uses.
  const Program same = Read(
      "  %x = stablehlo.add %a, %a : tensor<4xf32>\n"
      "  %y = stablehlo.subtract %a, %a : tensor<4xf32>\n"
      "  return %y : tensor<4xf32>\n");
  const auto equal = CompareMeaning(sub, same, {});
  ASSERT_TRUE(equal) << Render(equal.error()[0]);
  EXPECT_TRUE(equal->empty());
  const auto changed = CompareMeaning(sub, Read("  return %a : tensor<4xf32>\n"), {});
  ASSERT_TRUE(changed) << Render(changed.error()[0]);
  ASSERT_EQ(changed->size(), 1u);
  EXPECT_EQ((*changed)[0].function, "main");
  EXPECT_EQ((*changed)[0].rule, CheckRule::kMeaningChanged);
  EXPECT_NE((*changed)[0].detail, "");
}

TEST(GoldenDifference, Tolerance) {
  const auto f32 = MakeTensorType({TypeKind::kF32}, std::array<int64_t, 1>{2});
  const auto tensor = [&](float x, float y) {
    const float values[] = {x, y};
    return Tensor::Copy(f32, {reinterpret_cast<const char*>(values), sizeof values});
  };
  const float nan = NAN, inf = INFINITY;
  EXPECT_EQ(GoldenDifference(tensor(1, 2), tensor(1, 2), 0), "");
  EXPECT_EQ(GoldenDifference(tensor(1, 2), tensor(1, 3), 0),
            "differs in 1 of 2 elements: 2.000000e+00 at [1], but 3.000000e+00 was kept");
  EXPECT_EQ(GoldenDifference(tensor(0, 2), tensor(0, 3), 0.25), "");  // 1 <= 0.25 * (1 + 3)
  EXPECT_NE(GoldenDifference(tensor(0, 2), tensor(0, 3), 0.24), "");
  EXPECT_NE(GoldenDifference(tensor(0, 1), tensor(-0.0f, 1), 0), "");
  EXPECT_EQ(GoldenDifference(tensor(0, 1), tensor(-0.0f, 1), 1e-9), "");
  EXPECT_EQ(GoldenDifference(tensor(nan, inf), tensor(-nan, inf), 0.1), "");
  EXPECT_NE(GoldenDifference(tensor(nan, inf), tensor(1, inf), 0.1), "");
  EXPECT_NE(GoldenDifference(tensor(1, inf), tensor(1, -inf), 0.1), "");
  EXPECT_NE(GoldenDifference(tensor(1, inf), tensor(1, 3e38f), 0.1), "");
  const auto f64 = MakeTensorType({TypeKind::kF64}, std::array<int64_t, 1>{1});
  EXPECT_EQ(GoldenDifference(Tensor::Copy(f64, std::string(8, '\0')), tensor(0, 0), 0),
            "has type tensor<1xf64>, but tensor<2xf32> was kept");
}

}  // namespace
}  // namespace shlo
