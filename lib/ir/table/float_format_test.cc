#include "ir/table/float_format.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

namespace shlo {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

TEST(FloatFormat, EveryCodeOfSmallFormatsSurvives) {
  for (const KindRow& row : TypeKinds()) {
    const TypeKind kind = TypeKind(row.id);
    if (!FloatFormatOf(kind) || BitWidth(kind) > 16) continue;
    const uint64_t codes = 1ull << BitWidth(kind);
    for (uint64_t code = 0; code < codes; ++code) {
      if (IsNan(kind, code)) {
        EXPECT_TRUE(std::isnan(DecodeFloat(kind, code)));
        EXPECT_TRUE(IsNan(kind, EncodeFloat(kind, DecodeFloat(kind, code))));
      } else {
        EXPECT_EQ(EncodeFloat(kind, DecodeFloat(kind, code)), code) << RowOf(kind).mnemonic << " " << code;
      }
    }
  }
}

// Largest finite values, from the formats' definitions.
TEST(FloatFormat, LargestValues) {
  EXPECT_EQ(DecodeFloat(TypeKind::kF4E2M1FN, 0x7), 6.0);
  EXPECT_EQ(DecodeFloat(TypeKind::kF6E2M3FN, 0x1F), 7.5);
  EXPECT_EQ(DecodeFloat(TypeKind::kF6E3M2FN, 0x1F), 28.0);
  EXPECT_EQ(DecodeFloat(TypeKind::kF8E3M4, 0x6F), 15.5);
  EXPECT_EQ(DecodeFloat(TypeKind::kF8E4M3, 0x77), 240.0);
  EXPECT_EQ(DecodeFloat(TypeKind::kF8E4M3FN, 0x7E), 448.0);
  EXPECT_EQ(DecodeFloat(TypeKind::kF8E4M3FNUZ, 0x7F), 240.0);
  EXPECT_EQ(DecodeFloat(TypeKind::kF8E4M3B11FNUZ, 0x7F), 30.0);
  EXPECT_EQ(DecodeFloat(TypeKind::kF8E5M2, 0x7B), 57344.0);
  EXPECT_EQ(DecodeFloat(TypeKind::kF8E5M2FNUZ, 0x7F), 57344.0);
  EXPECT_EQ(DecodeFloat(TypeKind::kF8E8M0FNU, 0x7F), 1.0);
  EXPECT_EQ(DecodeFloat(TypeKind::kF16, 0x7BFF), 65504.0);
  EXPECT_EQ(DecodeFloat(TypeKind::kBF16, 0x3F80), 1.0);
}

TEST(FloatFormat, OverflowAndInfinity) {
  EXPECT_TRUE(IsInf(TypeKind::kF16, EncodeFloat(TypeKind::kF16, 65520)));  // ties to even, out of range
  EXPECT_EQ(EncodeFloat(TypeKind::kF16, 65519), 0x7BFFu);
  EXPECT_TRUE(IsNan(TypeKind::kF8E4M3FN, EncodeFloat(TypeKind::kF8E4M3FN, kInf)));
  EXPECT_EQ(EncodeFloat(TypeKind::kF8E4M3FN, 464), 0x7Eu);  // half way to what would be 480: even is 448
  EXPECT_EQ(EncodeFloat(TypeKind::kF4E2M1FN, -1e9), 0xFu);
  EXPECT_EQ(EncodeFloat(TypeKind::kF8E5M2FNUZ, -kInf), 0x80u);
}

TEST(FloatFormat, ZeroAndDenormals) {
  EXPECT_EQ(EncodeFloat(TypeKind::kF16, -0.0), 0x8000u);
  EXPECT_EQ(EncodeFloat(TypeKind::kF8E4M3FNUZ, -0.0), 0u);  // no negative zero
  EXPECT_EQ(EncodeFloat(TypeKind::kF8E4M3FNUZ, -1e-30), 0u);
  EXPECT_EQ(EncodeFloat(TypeKind::kF16, 0x1p-25), 0u);  // half the smallest denormal: ties to even
  EXPECT_EQ(EncodeFloat(TypeKind::kF16, 0x1.8p-25), 1u);
  EXPECT_EQ(EncodeFloat(TypeKind::kF16, 0x1p-14), 0x0400u);  // the smallest normal value
}

TEST(FloatFormat, RoundsToNearestEven) {
  EXPECT_EQ(EncodeFloat(TypeKind::kBF16, 1.0 + 0x1p-8), 0x3F80u);
  EXPECT_EQ(EncodeFloat(TypeKind::kBF16, 1.0 + 0x3p-8), 0x3F82u);
  EXPECT_EQ(EncodeFloat(TypeKind::kF32, 0.1), std::bit_cast<uint32_t>(0.1f));
  EXPECT_EQ(EncodeFloat(TypeKind::kF64, 0.1), std::bit_cast<uint64_t>(0.1));
}

}  // namespace
}  // namespace shlo
