#include "shlo/known_values.h"

#include <gtest/gtest.h>

#include "eval/test_program.h"

namespace shlo {
namespace {

int32_t Scalar(const Tensor& tensor) {
  int32_t value = 0;
  std::memcpy(&value, tensor.data(), sizeof value);
  return value;
}

TEST(KnownValues, FollowFromConstantsAlone) {
  TestProgram p;
  const TypeId type = p.Tensor(TypeKind::kI32);
  ValueId three, seven, unknown;
  p.Function("main", {type}, {type}, [&](std::vector<ValueId> args) {
    three = p.ConstantOf<int32_t>(type, {3});
    seven = p.Op("stablehlo.add", {three, p.ConstantOf<int32_t>(type, {4})}, {type});
    unknown = p.Op("stablehlo.multiply", {seven, args[0]}, {type});
    return std::vector<ValueId>{unknown};
  });
  const std::vector<Tensor> known = *KnownValues(p.Done());
  ASSERT_TRUE(known[three.v] && known[seven.v]);
  EXPECT_EQ(Scalar(known[seven.v]), 7);
  EXPECT_FALSE(known[unknown.v]);
}

TEST(KnownValues, LargeOnesStayUnknownAndSmallOnesThatUseThemToo) {
  TestProgram p;
  const TypeId large = p.Tensor(TypeKind::kI32, {101});
  ValueId value;
  p.Function("main", {}, {large}, [&](std::vector<ValueId>) {
    value = p.Op("stablehlo.iota", {}, {large}, {{"iota_dimension", p.module().I64(0)}});
    return std::vector<ValueId>{value};
  });
  EXPECT_FALSE((*KnownValues(p.Done(), {.max_elements = 100}))[value.v]);
  EXPECT_TRUE((*KnownValues(p.module(), {.max_elements = 101}))[value.v]);
}

TEST(KnownValues, WhatDependsOnTheOutsideIsUnknown) {
  TestProgram p;
  const TypeId type = p.Tensor(TypeKind::kI32);
  ValueId barrier, id;
  p.Function("main", {}, {type}, [&](std::vector<ValueId>) {
    barrier = p.Op("stablehlo.optimization_barrier", {p.ConstantOf<int32_t>(type, {3})}, {type});
    id = p.Op("stablehlo.replica_id", {}, {p.Tensor(TypeKind::kUI32)});
    return std::vector<ValueId>{barrier};
  });
  const std::vector<Tensor> known = *KnownValues(p.Done());
  EXPECT_FALSE(known[barrier.v]);
  EXPECT_FALSE(known[id.v]);
}

// The results of an infinite loop are unknown, and so are the values of its body.
TEST(KnownValues, EndlessLoop) {
  TestProgram p;
  const TypeId type = p.Tensor(TypeKind::kI32), boolean = p.Tensor(TypeKind::kI1);
  ValueId loop, inside, after;
  p.Function("main", {}, {type}, [&](std::vector<ValueId>) {
    const ValueId zero = p.ConstantOf<int32_t>(type, {0}), yes = p.Constant(boolean, "\1");
    const auto region = [&](const std::function<ValueId(ValueId)>& fill) {
      const RegionId r = p.builder().NewRegion();
      const BlockId block = p.builder().NewBlock();
      const ValueId arg = p.builder().AddBlockArg(block, type);
      p.builder().BeginBlock(r, block);
      p.Op("stablehlo.return", {fill(arg)});
      p.builder().EndBlock();
      p.builder().EndRegion(r);
      return r;
    };
    const RegionId cond = region([&](ValueId) { return yes; });
    const RegionId body = region([&](ValueId arg) {
      inside = p.Op("stablehlo.add", {arg, arg}, {type});
      return inside;
    });
    loop = p.Op("stablehlo.while", {zero}, {type}, {}, {cond, body});
    after = p.Op("stablehlo.add", {zero, zero}, {type});
    return std::vector<ValueId>{loop};
  });
  const std::vector<Tensor> known = *KnownValues(p.Done(), {.limits = {.max_steps = 1000}});
  EXPECT_FALSE(known[loop.v]);
  EXPECT_FALSE(known[inside.v]);
  EXPECT_TRUE(known[after.v]);
}

}  // namespace
}  // namespace shlo
