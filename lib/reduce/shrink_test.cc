#include "reduce/shrink.h"

#include <gtest/gtest.h>

#include "shlo/program_io.h"

namespace shlo::reduce {
namespace {

TEST(Extents, AreMapped) {
  struct Row {
    Extents change;
    int64_t extent, mapped;
  };
  const Row kRows[] = {
      {{.from = 0, .to = 2}, 7, 2},
      {{.from = 0, .to = 2}, 2, 2},
      {{.from = 0, .to = 5}, 3, 3},
      {{.from = 0, .to = 2}, 1, 1},
      {{.from = 0, .to = 2}, 0, 0},
      {{.from = 0, .to = 2}, kDynamic, kDynamic},
      {{.from = 6, .to = 2}, 6, 2},
      {{.from = 6, .to = 2}, 7, 7},
      {{.from = 6, .to = 2}, 12, 12},
      {{.from = 6, .to = 2, .multiples = true}, 12, 4},
      {{.from = 6, .to = 2, .multiples = true}, 13, 13},
      {{.from = 6, .to = 2, .multiples = true}, 3, 3},
      {{.from = 6, .to = 2}, kDynamic, kDynamic},
      {{.from = 6, .to = 2, .multiples = true}, 1, 1},
      {{.from = 6, .to = 2, .multiples = true}, 0, 0},
  };
  for (const Row& row : kRows)
    EXPECT_EQ(row.change.Map(row.extent), row.mapped) << row.change.from << " " << row.extent;
}

TEST(Extents, OfAModule) {
  const auto program = ReadProgram(
      "func.func private @f(tensor<3x1x7xf32>, tensor<?x3xi8>, tensor<0x9xi8>) -> tensor<7xf32>", nullptr);
  ASSERT_TRUE(program);
  EXPECT_EQ(ExtentsOf(program->module), std::vector<int64_t>());  // a declaration has no values
  const auto body = ReadProgram(
      "func.func @f(%a: tensor<3x1x7xf32>, %b: tensor<?x3xi8>, %c: tensor<0x9xi8>) { return }", nullptr);
  ASSERT_TRUE(body);
  EXPECT_EQ(ExtentsOf(body->module), (std::vector<int64_t>{9, 7, 3}));
  EXPECT_TRUE(ExtentChanges({}).empty());
}

}  // namespace
}  // namespace shlo::reduce
