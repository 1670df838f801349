#include "prove/simpler_inputs.h"

#include <gtest/gtest.h>

#include <vector>

#include "eval/test_program.h"

namespace shlo {
namespace {

constexpr ElementType kF32 = {.kind = TypeKind::kF32}, kI32 = {.kind = TypeKind::kI32};

std::vector<Tensor> Numbers(int64_t n) {
  std::vector<float> floats;
  std::vector<int32_t> integers;
  for (int64_t i = 0; i < n; ++i) {
    floats.push_back(float(i) + 1.5f);
    integers.push_back(int32_t(i) - 77);
  }
  return {TensorOf(kF32, {n}, floats), TensorOf(kI32, {n}, integers)};
}

Trial If(bool differ) { return differ ? Trial::kDiffer : Trial::kSame; }

TEST(SimplerInputs, TheSearchCanBeStopped) {
  uint32_t calls = 0;
  const auto out = SimplerInputs(
      Numbers(1000), [&](const std::vector<Tensor>&) { return ++calls == 5 ? Trial::kStop : Trial::kSame; });
  EXPECT_EQ(calls, 5u);
  EXPECT_EQ(PrintElement(out[0], 600), "6.015000e+02");
}

TEST(SimplerInputs, WhatDoesNotMatterIsZero) {
  uint32_t calls = 0;
  const auto differ = [&](const std::vector<Tensor>& args) {
    ++calls;
    return If(PrintElement(args[0], 600) == "6.015000e+02");
  };
  const auto out = SimplerInputs(Numbers(1000), differ);
  EXPECT_LE(calls, 200u);
  EXPECT_EQ(PrintSparse(out[0], 8), "dense<0.000000e+00> : tensor<1000xf32>, but 6.015000e+02 at [600]");
  EXPECT_EQ(PrintTensor(out[1]), "dense<0> : tensor<1000xi32>");
}

TEST(SimplerInputs, OneIsSimplerThanOtherNumbers) {
  const auto out = SimplerInputs(Numbers(64), [](const std::vector<Tensor>& args) {
    return If(ElementBits(args[1], 3) != 0 && ElementBits(args[1], 60) != 0 && ElementBits(args[0], 0) != 0);
  });
  EXPECT_EQ(PrintSparse(out[1], 2), "dense<0> : tensor<64xi32>, but 1 at [3] and 1 at [60]");
  EXPECT_EQ(PrintSparse(out[0], 1), "dense<0.000000e+00> : tensor<64xf32>, but 1.000000e+00 at [0]");
  EXPECT_EQ(PrintSparse(out[1], 1), std::nullopt);
}

TEST(SimplerInputs, NegativeNumbersBecomeMinusOne) {
  const auto out =
      SimplerInputs({TensorOf<uint8_t>({.kind = TypeKind::kI4}, {2}, {0xB, 0x9})},
                    [](const std::vector<Tensor>& args) { return If(ElementBits(args[0], 1) >= 8); });
  EXPECT_EQ(PrintTensor(out[0]), "dense<[0, -1]> : tensor<2xi4>");
}

TEST(SimplerInputs, TheSearchIsBounded) {
  uint32_t calls = 0;
  const auto in = Numbers(4096);
  const auto out = SimplerInputs(
      in,
      [&](const std::vector<Tensor>&) {
        ++calls;
        return Trial::kSame;
      },
      17);
  EXPECT_EQ(calls, 17u);
  EXPECT_TRUE(BitEqual(in[0], out[0]));
}

// Each of three numbers is tried for all elements, then for halves of them, and so on down to single ones.
TEST(SimplerInputs, TriesAreCounted) {
  constexpr uint32_t kTries[] = {0, 3 * (1 + 1), 3 * (1 + 2), 3 * (1 + 2 + 3), 3 * (1 + 2 + 4)};
  for (uint32_t elements = 1; elements < std::size(kTries); ++elements)
    for (uint32_t limit = 0; limit < 30; ++limit) {
      uint32_t calls = 0;
      const auto same = [&](const std::vector<Tensor>&) { return If(++calls == 0); };
      SimplerInputs({TensorOf(kI32, {elements}, std::vector<int32_t>(elements, 7))}, same, limit);
      EXPECT_EQ(calls, std::min(limit, kTries[elements])) << elements;
    }
}

TEST(SimplerInputs, ValuesWithoutElementsStay) {
  const auto out = SimplerInputs({Tensor::Token(), TensorOf<float>(kF32, {0}, {})},
                                 [](const std::vector<Tensor>&) { return Trial::kDiffer; });
  EXPECT_EQ(out.size(), 2u);
}

}  // namespace
}  // namespace shlo
