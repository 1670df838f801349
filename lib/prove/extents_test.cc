#include "prove/extents.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace shlo {
namespace {

using Sizes = std::vector<int64_t>;

std::vector<DynamicDim> Dims(size_t n, int64_t bound = kDynamic) {
  std::vector<DynamicDim> dims;
  for (size_t i = 0; i < n; ++i) dims.push_back({i / 2, i % 2, bound});
  return dims;
}

TEST(Extents, SimpleOnesComeFirst) {
  // Two arguments of two dimensions: all equal; by dimension; all differ; by argument.
  const auto tried = ExtentsToTry(Dims(4), {});
  ASSERT_GE(tried.size(), 8u);
  EXPECT_EQ(tried[0], (Sizes{3, 3, 3, 3}));
  EXPECT_EQ(tried[1], (Sizes{3, 2, 3, 2}));
  EXPECT_EQ(tried[2], (Sizes{3, 2, 5, 1}));
  EXPECT_EQ(tried[3], (Sizes{3, 3, 2, 2}));
  EXPECT_EQ(tried[4], (Sizes{2, 2, 2, 2}));
  EXPECT_EQ(tried[7], (Sizes{8, 8, 8, 8}));
  EXPECT_TRUE(std::ranges::count(tried, Sizes{0, 0, 0, 0}));
  EXPECT_EQ(std::set<Sizes>(tried.begin(), tried.end()).size(), tried.size());
}

TEST(Extents, BoundsHold) {
  for (const Sizes& sizes : ExtentsToTry(Dims(3, 2), {}))
    for (int64_t size : sizes) EXPECT_LE(size, 2);
  const auto one = ExtentsToTry(Dims(1, 40), {});
  EXPECT_TRUE(std::ranges::count(one, Sizes{40}));
  EXPECT_TRUE(std::ranges::count(one, Sizes{0}));
}

// One of the first eight dimensions differs from all others.
TEST(Extents, OneMayDiffer) {
  const auto tried = ExtentsToTry(Dims(9), {});
  for (size_t odd = 0; odd < 9; ++odd)
    for (const int64_t other : {0, 1, 2, 6, 9}) {
      Sizes sizes(9, 3);
      sizes[odd] = other;
      EXPECT_EQ(std::ranges::count(tried, sizes), odd < 8 ? 1 : 0) << odd << " " << other;
    }
}

TEST(Extents, FollowConstants) {
  const auto has = [](const Number& number, int64_t size) {
    // Random sizes are among these, too, so that only others tell.
    return std::ranges::count(ExtentsToTry(Dims(2), std::vector<Number>{number}), Sizes{size, size}) > 0;
  };
  const auto integer = [](int64_t n) { return Number{.is_float = false, .integer = n}; };
  for (int64_t size : {40, 41, 39, 80}) EXPECT_TRUE(has(integer(40), size)) << size;
  for (int64_t size : {38, 42, 20, 120}) EXPECT_FALSE(has(integer(40), size)) << size;
  EXPECT_TRUE(has(integer(64), 65));
  EXPECT_FALSE(has(integer(65), 65));
  EXPECT_FALSE(has({.is_float = true, .real = 40}, 40));
  EXPECT_FALSE(has(integer(-40), -40));
}

}  // namespace
}  // namespace shlo
