#include "ir/nearest_names.h"

#include <gtest/gtest.h>

namespace shlo {
namespace {

TEST(NearestNames, OpsWithAndWithoutDialect) {
  EXPECT_EQ(NearestOp("gathr"), "stablehlo.gather");
  EXPECT_EQ(NearestOp("stablehlo.dot_generla"), "stablehlo.dot_general");
  EXPECT_EQ(NearestOp("arith.adi"), "arith.addi");
  EXPECT_EQ(NearestOp("completely_different"), "");
}

TEST(NearestNames, KindsOfADialect) {
  EXPECT_EQ(NearestKind(TypeKinds(), "", "f31"), "f32");
  EXPECT_EQ(NearestKind(TypeKinds(), "", "tensr"), "tensor");
  EXPECT_EQ(NearestKind(TypeKinds(), "stablehlo", "tokn"), "token");
  EXPECT_EQ(NearestKind(TypeKinds(), "", "tokn"), "");
  EXPECT_EQ(NearestKind(AttrKinds(), "stablehlo", "comparison_directon"), "comparison_direction");
  EXPECT_EQ(NearestKind(AttrKinds(), "chlo", "gathr"), "");
}

TEST(NearestNames, WordsForVersions) {
  EXPECT_EQ(NearestVersionWord("curent"), "current");
  EXPECT_EQ(NearestVersionWord("minimun"), "minimum");
  EXPECT_EQ(NearestVersionWord("WEEK4"), "WEEK_4");
  EXPECT_EQ(NearestVersionWord("WEEK_13"), "WEEK_12");
  EXPECT_EQ(NearestVersionWord("MAXX"), "MAX");
  EXPECT_EQ(NearestVersionWord("1.9"), "");
  EXPECT_EQ(NearestVersionWord("latest"), "current");
  EXPECT_EQ(NearestVersionWord("Oldest"), "minimum");
  EXPECT_EQ(NearestVersionWord("week_12"), "WEEK_12");
}

}  // namespace
}  // namespace shlo
