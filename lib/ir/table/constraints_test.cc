// The table of constraints, as it is asked. That labels have no gaps and no op is left out does not compile
// otherwise; see constraints.cc.
#include "ir/table/constraints.h"

#include <gtest/gtest.h>

#include <string>

namespace shlo {
namespace {

TEST(ConstraintsTest, AreFoundByLabel) {
  const Constraint* c5 = FindConstraint(FindOp("stablehlo.gather"), "C5");
  ASSERT_NE(c5, nullptr);
  EXPECT_EQ(c5->text, "offset_dims in [0, rank(result))");
  EXPECT_EQ(c5->label(), "C5");
  EXPECT_TRUE(c5->Is(EnforcedBy::kChecked));
  EXPECT_FALSE(c5->Is(EnforcedBy::kInferred));
  EXPECT_EQ(FindConstraint(FindOp("stablehlo.gather"), "C24"), nullptr);
  EXPECT_EQ(FindConstraint(FindOp("stablehlo.gather"), ""), nullptr);
  EXPECT_EQ(FindConstraint(RowId(), "C1"), nullptr);
}

TEST(ConstraintsTest, AreInOrder) {
  const auto all = ConstraintsOf(FindOp("stablehlo.convolution"));
  ASSERT_EQ(all.size(), 35u);
  EXPECT_EQ(all.front().label(), "C1");
  EXPECT_EQ(all.back().label(), "R1");
}

TEST(ConstraintsTest, OpsMayShareThem) {
  const auto left = ConstraintsOf(FindOp("stablehlo.and")), right = ConstraintsOf(FindOp("stablehlo.xor"));
  EXPECT_EQ(left.data(), right.data());
  EXPECT_EQ(left.size(), 1u);
}

TEST(ConstraintsTest, NothingIsDemandedForAReason) {
  EXPECT_TRUE(ConstraintsOf(FindOp("stablehlo.after_all")).empty());
  EXPECT_EQ(WhyUnconstrained(FindOp("stablehlo.after_all")), "the result is a token");
  EXPECT_EQ(WhyUnconstrained(FindOp("stablehlo.gather")), "");
  EXPECT_TRUE(ConstraintsOf(FindOp("tensor.dim")).empty());
}

TEST(ConstraintsTest, NamesForPeople) {
  EXPECT_EQ(ShortName(FindOp("stablehlo.gather")), "gather");
  EXPECT_EQ(ShortName(FindOp("chlo.top_k")), "chlo.top_k");
  const auto names = [](EnforcedBy held) {
    std::string out;
    for (std::string_view name : EnforcementNames(held)) out += std::string(name) + ".";
    return out;
  };
  EXPECT_EQ(names(EnforcedBy::kInferred), "inference.");
  EXPECT_EQ(names(EnforcedBy::kUnchecked), "not checked.");
  EXPECT_EQ(names(EnforcedBy::kChecked | EnforcedBy::kUnchecked), "checked.in part.");
  EXPECT_EQ(names(EnforcedBy::kChecked | EnforcedBy::kBeyond), "checked.beyond the reference.");
}

}  // namespace
}  // namespace shlo
