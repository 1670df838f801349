#include "shlo/tensor.h"

#include <gtest/gtest.h>

#include "eval/test_program.h"

namespace shlo {
namespace {

constexpr ElementType kI32{TypeKind::kI32}, kF32{TypeKind::kF32}, kI4{TypeKind::kI4}, kI1{TypeKind::kI1};

TEST(Tensor, TypesKnowTheirSizes) {
  EXPECT_EQ(MakeTensorType(kI32, {{2, 3}})->bytes, 24u);
  EXPECT_EQ(MakeTensorType(kI4, {{5}})->bytes, 5u);
  EXPECT_EQ(MakeTensorType({TypeKind::kTF32}, {{2}})->bytes, 6u);
  EXPECT_EQ(MakeTensorType({TypeKind::kF64, true}, {{2}})->bytes, 32u);
  EXPECT_EQ(MakeTensorType(kI32, {{4, 0}})->bytes, 0u);
  EXPECT_EQ(MakeTensorType(kF32, {})->count, 1u);
}

TEST(Tensor, SizesThatCannotBeAreNoTypes) {
  EXPECT_EQ(MakeTensorType(kI32, {{kDynamic}}), nullptr);
  EXPECT_EQ(MakeTensorType(kI32, {{-1}}), nullptr);
  EXPECT_EQ(MakeTensorType(kI32, {{int64_t{1} << 45, 4}}), nullptr);
  EXPECT_EQ(MakeTensorType({TypeKind::kF80}, {{2}}), nullptr);
  EXPECT_EQ(MakeTensorType(kI32, std::vector<int64_t>(5000, 1)), nullptr);
}

TEST(Tensor, PrintsWhatDenseReads) {
  EXPECT_EQ(PrintTensor(TensorOf<int32_t>(kI32, {2, 2}, {1, -2, 3, 4})),
            "dense<[[1, -2], [3, 4]]> : tensor<2x2xi32>");
  EXPECT_EQ(PrintTensor(TensorOf<float>(kF32, {3}, {1.0f, -0.0f, 0.1f})),
            "dense<[1.000000e+00, -0.000000e+00, 1.000000e-01]> : tensor<3xf32>");
  EXPECT_EQ(PrintTensor(TensorOf<float>(kF32, {}, {6.28318548f})), "dense<6.28318548> : tensor<f32>");
  EXPECT_EQ(PrintTensor(TensorOf<uint32_t>(kF32, {2}, {0x7FC00000u, 0xFF800000u})),
            "dense<[0x7FC00000, 0xFF800000]> : tensor<2xf32>");
  EXPECT_EQ(PrintTensor(TensorOf<uint8_t>(kI1, {2}, {1, 0})), "dense<[true, false]> : tensor<2xi1>");
  EXPECT_EQ(PrintTensor(TensorOf<uint8_t>(kI4, {2}, {15, 7})), "dense<[-1, 7]> : tensor<2xi4>");
  EXPECT_EQ(PrintTensor(TensorOf<uint64_t>({TypeKind::kUI64}, {}, {~0ull})),
            "dense<18446744073709551615> : tensor<ui64>");
  EXPECT_EQ(PrintTensor(TensorOf<float>({TypeKind::kF32, true}, {1}, {1.5f, 2.0f})),
            "dense<[(1.500000e+00,2.000000e+00)]> : tensor<1xcomplex<f32>>");
  EXPECT_EQ(PrintTensor(TensorOf<uint8_t>(kI1, {2, 0}, {})), "dense<> : tensor<2x0xi1>");
  EXPECT_EQ(PrintTensor(TensorOf<uint8_t>({TypeKind::kF8E5M2}, {2}, {0x7E, 0x3C})),
            "dense<[0x7E, 1.000000e+00]> : tensor<2xf8E5M2>");
}

TEST(Tensor, LongTensorsAreCutWhenAsked) {
  EXPECT_EQ(PrintValues(TensorOf<int32_t>(kI32, {4}, {1, 2, 3, 4}), 2), "[1, 2, ...]");
  EXPECT_EQ(PrintValues(TensorOf<int32_t>(kI32, {2, 2}, {1, 2, 3, 4}), ~0ull, true),
            "[\n  [1, 2],\n  [3, 4]\n]");
}

TEST(Tensor, SplatsExpandToTheSameValues) {
  const ValueTypePtr type = MakeTensorType(kI32, {{5}});
  const Tensor splat = Tensor::Copy(type, {"\7\0\0\0", 4}, true);
  ASSERT_TRUE(splat);
  EXPECT_EQ(splat.stored_bytes(), 4u);
  EXPECT_TRUE(BitEqual(splat, TensorOf<int32_t>(kI32, {5}, {7, 7, 7, 7, 7})));
  EXPECT_TRUE(BitEqual(splat.Expanded(), splat));
  EXPECT_EQ(splat.ToBytes().size(), 20u);
  EXPECT_FALSE(Tensor::Copy(type, {"\7\0\0", 3}, true));
}

TEST(Tensor, DifferencesAreBitForBit) {
  const Tensor a = TensorOf<float>(kF32, {2, 2}, {1, 2, 0.0f, 4});
  const Tensor b = TensorOf<float>(kF32, {2, 2}, {1, 2, -0.0f, 4});
  ASSERT_EQ(FirstDifference(a, b), 2u);
  EXPECT_EQ(IndexString(a.type(), 2), "[1, 0]");
  EXPECT_FALSE(FirstDifference(a, a));
  // Equal bytes of a different type are a different value.
  EXPECT_FALSE(BitEqual(a, TensorOf<float>(kF32, {4}, {1, 2, 0, 4})));
}

TEST(Tensor, AttributesGiveViewsAndAreNormalized) {
  Module m;
  const int64_t shape[] = {3};
  const TypeId i4 = m.TensorType(shape, m.Type(TypeKind::kI4));
  // -1 may be stored with its sign extended into the unused bits.
  const auto extended = TensorFromAttr(m, m.Elements(i4, m.payloads.AddCopy({"\xFF\x01\xF8", 3}), false));
  ASSERT_TRUE(extended);
  EXPECT_EQ(extended->ToBytes(), std::string("\x0F\x01\x08", 3));
  const PayloadId payload = m.payloads.AddCopy({"\x0F\x01\x08", 3});
  const auto view = TensorFromAttr(m, m.Elements(i4, payload, false));
  ASSERT_TRUE(view);
  EXPECT_EQ(view->data(), m.payloads[payload].data);
  const auto truncated = TensorFromAttr(m, m.Elements(i4, m.payloads.AddCopy({"\x01\x02", 2}), false));
  ASSERT_FALSE(truncated);
  EXPECT_EQ(truncated.error()[0].code, Code::kInvalidProgram);
  EXPECT_FALSE(TensorFromAttr(m, m.Unit()));
}

TEST(Tensor, SignedSpellingIsAnotherType) {
  Module m;
  const int64_t shape[] = {1};
  const auto si32 = TensorTypeOf(m, m.TensorType(shape, m.IntegerType(32, 1)));
  ASSERT_TRUE(si32);
  EXPECT_EQ(TypeName(*si32), "tensor<1xsi32>");
  EXPECT_FALSE(*si32 == *MakeTensorType(kI32, shape));
  EXPECT_FALSE(ElementTypeOf(m, m.IntegerType(3)));
}

}  // namespace
}  // namespace shlo
