#include "shlo/hints.h"

#include <gtest/gtest.h>

#include "shlo/compare.h"
#include "shlo/consumers.h"
#include "shlo/convert.h"
#include "shlo/text_reader.h"

namespace shlo {
namespace {

// A program with hints in all places that may have them.
Module ProgramWithHints(int partitions, const std::string& more = {}) {
  const auto module =
      ReadText("module attributes {mhlo.num_partitions = " + std::to_string(partitions) + R"( : i32} {
  "sdy.mesh"() {sym_name = "mesh", mesh = #sdy.mesh<["x"=1]>} : () -> ()
  func.func @main(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>, mhlo.x = 1 : i32}) -> (tensor<4xf32> {mhlo.z = 3 : i32, sdy.sharding = #sdy.sharding<@mesh, [{}]>}) {
    %0 = stablehlo.custom_call @f(%a) {sdy.sharding_rule = #sdy.op_sharding_rule<([i])->([i]) {i=4}, custom>, mhlo.y = 2 : i32} : (tensor<4xf32>) -> tensor<4xf32>
    %1 = stablehlo.custom_call @f(%0) {sdy.sharding_rule = #sdy.op_sharding_rule<([i])->([i]) {i=4}, custom>} : (tensor<4xf32>) -> tensor<4xf32>
    )" + more + R"(
    return %1 : tensor<4xf32>
  }
})",
               nullptr);
  EXPECT_TRUE(module) << Render(module.error()[0]);
  return module.value_or(Module());
}

std::string Dropped(const WithoutHints& without) {
  std::string text;
  for (const DroppedHints& hints : without.dropped)
    text += hints.name + " " + std::to_string(hints.count) + "; ";
  return text;
}

TEST(HintsTest, AreDropped) {
  const auto one = DropHints(ProgramWithHints(1));
  ASSERT_TRUE(one);
  EXPECT_EQ(Dropped(*one), "sdy.sharding_rule 2; sdy.sharding 2; sdy.mesh 1; ");
  // Nothing else is.
  const auto expected = ReadText(R"(module attributes {mhlo.num_partitions = 1 : i32} {
  func.func @main(%a: tensor<4xf32> {mhlo.x = 1 : i32}) -> (tensor<4xf32> {mhlo.z = 3 : i32}) {
    %0 = stablehlo.custom_call @f(%a) {mhlo.y = 2 : i32} : (tensor<4xf32>) -> tensor<4xf32>
    %1 = stablehlo.custom_call @f(%0) : (tensor<4xf32>) -> tensor<4xf32>
    return %1 : tensor<4xf32>
  }
})",
                                 nullptr);
  ASSERT_TRUE(expected);
  EXPECT_TRUE(FirstDifference(one->module, *expected).empty()) << FirstDifference(one->module, *expected);
  EXPECT_EQ(Dropped(*DropHints(one->module)), "");
}

// Shardings of several devices say how arguments are passed; what they name stays, too.
TEST(HintsTest, OfSeveralDevicesAreFewer) {
  EXPECT_EQ(Dropped(*DropHints(ProgramWithHints(2))), "sdy.sharding_rule 2; ");
  const char* constraint =
      R"(%2 = "sdy.sharding_constraint"(%1) {sharding = #sdy.sharding<@mesh, [{}]>} : (tensor<4xf32>) -> tensor<4xf32>)";
  EXPECT_EQ(Dropped(*DropHints(ProgramWithHints(1, constraint))), "sdy.sharding_rule 2; sdy.sharding 2; ");
  const char* groups =
      R"(%2 = "stablehlo.all_gather"(%1) <{all_gather_dim = 0 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh, axes = [#stablehlo.axis_ref<name = "x">]>}> : (tensor<4xf32>) -> tensor<4xf32>)";
  EXPECT_EQ(Dropped(*DropHints(ProgramWithHints(1, groups))), "sdy.sharding_rule 2; sdy.sharding 2; ");
  EXPECT_FALSE(DropHints(Module()));
}

TEST(HintsTest, BlockersNameTheFlag) {
  const Module m = ProgramWithHints(1);
  const Consumer old{"tool", "1", "1.11.0", {}, {}};
  const Diagnostics found = ConsumerBlockers(m, old);
  ASSERT_EQ(found.size(), 3u);
  for (const Diagnostic& d : found)
    EXPECT_EQ(d.hint, "pass --drop-hints to leave out what changes no result") << d.message;
  EXPECT_EQ(found[2].message, "tool 1 does not have attribute kind '#sdy.sharding'");
  EXPECT_EQ(found[1].message, "tool 1 does not have attribute kind '#sdy.op_sharding_rule'");
  EXPECT_EQ(found[1].count, 2u);
  // The flag does not help with what is more than a hint.
  for (const Diagnostic& d : ConsumerBlockers(ProgramWithHints(2), old))
    EXPECT_EQ(d.hint.empty(), d.message.find("op_sharding_rule") == std::string::npos) << d.message;
  // Versions without attributes of other dialects.
  size_t named = 0;
  for (const Diagnostic& d : Blockers(m, Version{63}, {.portable = true}))
    named += d.hint.find("--drop-hints") != std::string::npos;
  EXPECT_GE(named, 2u);
  const auto without = DropHints(m);
  ASSERT_TRUE(without);
  EXPECT_TRUE(ConsumerBlockers(without->module, old).empty());
}

}  // namespace
}  // namespace shlo
