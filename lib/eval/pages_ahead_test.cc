#include "eval/pages_ahead.h"

#include <gtest/gtest.h>

namespace shlo {
namespace {

Tensor Zeros(int64_t n) {
  const int64_t shape[1] = {n};
  const std::string bytes(size_t(n), '\0');
  return Tensor::Copy(MakeTensorType({TypeKind::kUI8}, shape), bytes);
}
std::string_view BytesOf(const Tensor& tensor) {
  return {reinterpret_cast<const char*>(tensor.data()), tensor.stored_bytes()};
}

// Each step does a part; the op does the rest, and nobody anything more.
TEST(PagesAhead, WhatWasDoneIsNotDoneAgain) {
  PagesAhead ahead;
  EXPECT_TRUE(ahead.empty());
  EXPECT_FALSE(ahead.Step());
  const Tensor tensor = Zeros(1 << 20), other = Zeros(100);
  ahead.Set(tensor);
  EXPECT_EQ(ahead.Rest(BytesOf(other)), BytesOf(other));
  EXPECT_FALSE(ahead.empty());
  EXPECT_TRUE(ahead.Step());
  const std::string_view rest = ahead.Rest(BytesOf(tensor));
  EXPECT_GT(rest.size(), 0u);
  EXPECT_LT(rest.size(), tensor.stored_bytes());
  EXPECT_EQ(rest.data() + rest.size(), BytesOf(tensor).data() + tensor.stored_bytes());
  EXPECT_TRUE(ahead.empty());
  EXPECT_FALSE(ahead.Step());
  EXPECT_EQ(ahead.Rest(BytesOf(tensor)).size(), tensor.stored_bytes());
}

TEST(PagesAhead, StepsEnd) {
  PagesAhead ahead;
  const Tensor tensor = Zeros((1 << 20) + 1);
  ahead.Set(tensor);
  size_t steps = 0;
  while (ahead.Step()) ++steps;
  EXPECT_GT(steps, 1u);
  EXPECT_TRUE(ahead.empty());
  EXPECT_EQ(ahead.Rest(BytesOf(tensor)).size(), 0u);
  ahead.Set(Zeros(1));
  EXPECT_TRUE(ahead.Step());
  EXPECT_TRUE(ahead.empty());
  ahead.Set(tensor);
  ahead.Set({});
  EXPECT_FALSE(ahead.Step());
}

}  // namespace
}  // namespace shlo
