#include "base/nearest.h"

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

}  // namespace
}  // namespace shlo
