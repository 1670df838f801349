#include "ir/nearest.h"

#include <gtest/gtest.h>

namespace shlo {
namespace {

std::string_view NearestOf(std::string_view word, std::initializer_list<std::string_view> candidates) {
  Nearest nearest(word);
  for (std::string_view candidate : candidates) nearest.Try(candidate);
  return nearest.best();
}

TEST(Nearest, FindsASlip) {
  EXPECT_EQ(NearestOf("inspec", {"verify", "inspect", "strings"}), "inspect");
  EXPECT_EQ(NearestOf("evla", {"eval", "ops"}), "eval");
  EXPECT_EQ(NearestOf("--taregt", {"--trace", "--target"}), "--target");
}

TEST(Nearest, SwappedLettersAreNearerThanOthers) {
  EXPECT_EQ(NearestOf("tahn", {"tan", "tanh"}), "tanh");
  EXPECT_EQ(NearestOf("dagi", {"dag", "diag", "dagi2"}), "dag");
}

TEST(Nearest, AnotherCaseIsOneSlip) {
  EXPECT_EQ(NearestOf("DOT_GENERAL", {"dot", "dot_general"}), "dot_general");
  EXPECT_EQ(NearestOf("lt", {"LE", "LT"}), "LT");
}

TEST(Nearest, SuggestsNothingForAnotherWord) {
  EXPECT_EQ(NearestOf("model", {"verify", "inspect"}), "");
  EXPECT_EQ(NearestOf("ab", {"xy"}), "");
  EXPECT_EQ(NearestOf("", {"ops"}), "");
}

TEST(Nearest, OpsWithAndWithoutDialect) {
  EXPECT_EQ(NearestOp("gathr"), "stablehlo.gather");
  EXPECT_EQ(NearestOp("stablehlo.dot_generla"), "stablehlo.dot_general");
  EXPECT_EQ(NearestOp("arith.adi"), "arith.addi");
  EXPECT_EQ(NearestOp("completely_different"), "");
}

TEST(Nearest, KindsOfADialect) {
  EXPECT_EQ(NearestKind(TypeKinds(), "", "f31"), "f32");
  EXPECT_EQ(NearestKind(TypeKinds(), "", "tensr"), "tensor");
  EXPECT_EQ(NearestKind(TypeKinds(), "stablehlo", "tokn"), "token");
  EXPECT_EQ(NearestKind(TypeKinds(), "", "tokn"), "");
  EXPECT_EQ(NearestKind(AttrKinds(), "stablehlo", "comparison_directon"), "comparison_direction");
  EXPECT_EQ(NearestKind(AttrKinds(), "chlo", "gathr"), "");
}

TEST(Nearest, WordsForVersions) {
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
