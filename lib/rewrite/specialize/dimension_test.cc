#include "rewrite/specialize/dimension.h"

#include <gtest/gtest.h>

namespace shlo::rewrite {
namespace {

TEST(Dimension, HasTheValueOfPython) {
  const DimensionValues values = {{"b", 7}, {"s", -3}, {"n_1", 2}};
  const std::pair<const char*, int64_t> cases[] = {
      {"b", 7},
      {"12", 12},
      {"b + 1", 8},
      {"b - 2*n_1", 3},
      {"-b + 10", 3},
      {"2*b + -1*s", 17},
      {"b^2", 49},
      {"(b + 1)*(b - 1)", 48},
      {"mod(b, 4)", 3},
      {"mod(s, 2)", 1},
      {"mod(b, s)", -2},
      {"floordiv(b, 2)", 3},
      {"floordiv(s, 2)", -2},
      {"floordiv(b, s)", -3},
      {"ceildiv(b, 2)", 4},
      {"max(s, 0) + min(b, 5)", 5},
      {"non_negative(s)", 0},
  };
  for (const auto& [text, value] : cases) {
    const auto found = Evaluated(text, values);
    ASSERT_TRUE(found) << text;
    EXPECT_EQ(*found, value) << text;
  }
}

TEST(Dimension, RefusesOtherTexts) {
  const DimensionValues values = {{"b", INT64_MAX}};
  for (const char* text :
       {"", "b +", "b b", "f(b)", "mod(b)", "mod(b, 0)", "(b", "b + 1", "b*b", "b^99", "1.5", "?"}) {
    const auto found = Evaluated(text, values);
    ASSERT_FALSE(found) << text;
    EXPECT_EQ(found.error()[0].code, Code::kSyntax) << text;
  }
  const auto missing = Evaluated("2*c", values);
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error()[0].code, Code::kUsage);
  EXPECT_EQ(missing.error()[0].message, "dimension variable 'c' has no value");
}

TEST(Dimension, IsSolvedForOneVariable) {
  const DimensionValues values = {{"s", 3}};
  EXPECT_EQ(Solved("b", 5, values), std::pair(std::string("b"), int64_t(5)));
  EXPECT_EQ(Solved("2*b + s", 11, values), std::pair(std::string("b"), int64_t(4)));
  EXPECT_EQ(Solved("10 - b", 4, values), std::pair(std::string("b"), int64_t(6)));
  EXPECT_EQ(Solved("2*b", 5, values), std::nullopt);
  EXPECT_EQ(Solved("b^2", 4, values), std::nullopt);
  EXPECT_EQ(Solved("b*c", 4, values), std::nullopt);
  EXPECT_EQ(Solved("s", 3, values), std::nullopt);
}

}  // namespace
}  // namespace shlo::rewrite
