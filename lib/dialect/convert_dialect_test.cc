#include <fmt/format.h>

#include "dialect/test_dialect.h"
#include "shlo/compare.h"
#include "shlo/shlo_reader.h"
#include "shlo/shlo_writer.h"
#include "shlo/text_writer.h"

namespace shlo {
namespace {

std::string Joined(const Diagnostics& diagnostics) {
  std::string out;
  for (const Diagnostic& d : diagnostics) {
    if (!out.empty()) out += "; ";
    out += d.message + (d.hint.empty() ? "" : " | " + d.hint);
  }
  return out;
}

// Returns the converted program, or why there is none.
std::string Converted(const std::string& text, uint16_t target) {
  const Module module = ReadProgram(text);
  const Dialect dialect = TestDialect();
  const auto converted = ConvertDialect(module, dialect, target);
  const Diagnostics blockers = DialectBlockers(module, dialect, target);
  if (!converted) {
    EXPECT_EQ(Joined(blockers), Joined(converted.error()));
    return Joined(converted.error());
  }
  EXPECT_EQ(Joined(blockers), "");
  EXPECT_EQ(converted->to, target);
  EXPECT_EQ(Joined(VerifyDialect(converted->module, dialect)), "");
  const auto out = WriteText(converted->module, {.generic = true});
  return out ? *out : Joined(out.error());
}

// Expects that a program at a version becomes another one at `to`, and back.
void ExpectBothWays(int from, const std::string& ops, int to, const std::string& others) {
  const auto normal = [](const std::string& text) {
    return *WriteText(ReadProgram(text), {.generic = true});
  };
  EXPECT_EQ(Converted(ProgramAt(from, ops), uint16_t(to)), normal(ProgramAt(to, others)));
  EXPECT_EQ(Converted(ProgramAt(to, others), uint16_t(from)), normal(ProgramAt(from, ops)));
}

TEST(ConvertDialect, RenamesAndMakesLists) {
  const std::string kTypes = " : (tensor<2xf32>) -> tensor<2xf32>";
  const std::string kOld = "%0 = \"acme.add\"(%f) {id = 1 : i32}" + kTypes;
  ExpectBothWays(1, kOld, 1, kOld);
  ExpectBothWays(1, kOld, 2, "%0 = \"acme.plus\"(%f) {id = 1 : i32}" + kTypes);
  const std::string kNew =
      "%0 = \"acme.sum\"(%f) {id = 1 : i32, operandSegmentSizes = array<i32: 1, 0>}" + kTypes;
  ExpectBothWays(1, kOld, 3, kNew);
  ExpectBothWays(1, kOld, 4, kNew);
  ExpectBothWays(3, kNew, 4, kNew);
  // Nested ops, and attributes that belong to others.
  ExpectBothWays(1, "\"t.a\"() ({ %0 = \"acme.add\"(%f) {id = 1 : i32, z.x = 1}" + kTypes + " }) : () -> ()",
                 2,
                 "\"t.a\"() ({ %0 = \"acme.plus\"(%f) {id = 1 : i32, z.x = 1}" + kTypes + " }) : () -> ()");
}

TEST(ConvertDialect, DropsDefaults) {
  const std::string kTypes = " : (tensor<2xf32>) -> tensor<2xf32>";
  EXPECT_EQ(Converted(ProgramAt(2, "%0 = \"acme.plus\"(%f) {id = 1 : i32, mode = \"fast\"}" + kTypes), 1),
            *WriteText(ReadProgram(ProgramAt(1, "%0 = \"acme.add\"(%f) {id = 1 : i32}" + kTypes)),
                       {.generic = true}));
  EXPECT_EQ(Converted(ProgramAt(2, "%0 = \"acme.plus\"(%f) {id = 1 : i32, mode = \"exact\"}" + kTypes), 1),
            "attribute 'mode' does not exist in acme 1 | first version that can represent it: acme 1.1 (2)");
  EXPECT_EQ(
      Converted(ProgramAt(2, "%0 = \"acme.plus\"(%f) {id = 1 : i32, old = 1 : i32}" + kTypes), 3),
      "attribute 'old' does not exist in acme 2.0 (3) | last version that can represent it: acme 1.1 (2)");
}

TEST(ConvertDialect, ReportsBlockers) {
  EXPECT_EQ(Converted(ProgramAt(3, "\"acme.late\"() : () -> ()"), 2),
            "op does not exist in acme 1.1 (2) | first version that can represent it: acme 2.0 (3)");
  EXPECT_EQ(Converted(ProgramAt(2, "\"acme.early\"() : () -> ()"), 4),
            "op does not exist in acme 2.1 (4) | last version that can represent it: acme 1.1 (2)");
  EXPECT_EQ(
      Converted(ProgramAt(2,
                          "%0 = \"acme.plus\"(%f, %f) {id = 1 : i32} : (tensor<2xf32>, tensor<2xf32>) -> "
                          "tensor<2xf32>"),
                1),
      "operand 'x' is one value in acme 1, but has 2 | first version that can represent it: acme 1.1 (2)");
  EXPECT_EQ(
      Converted(ProgramAt(3,
                          "%0 = \"acme.sum\"(%f, %s) {id = 1 : i32, operandSegmentSizes = array<i32: 1, 1>} "
                          ": (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>"),
                2),
      "operand 'scale' does not exist in acme 1.1 (2) | first version that can represent it: acme 2.0 (3)");
  EXPECT_EQ(
      Converted(ProgramAt(4,
                          "%0 = \"acme.sum\"(%f) ({ \"acme.late\"() : () -> () }) {id = 1 : i32, "
                          "operandSegmentSizes = array<i32: 1, 0>} : (tensor<2xf32>) -> tensor<2xf32>"),
                3),
      "region 'hooks' does not exist in acme 2.0 (3) | first version that can represent it: acme 2.1 (4)");
  // Types and attributes, wherever they are.
  EXPECT_EQ(
      Converted(ProgramAt(3,
                          "\"t.a\"() {t = !acme.packed<f32, 1, tile>} : () -> ()\n%0 = \"t.b\"() : () -> "
                          "tensor<2x!acme.handle>"),
                2),
      "case 'tile' of '!acme.packed' does not exist in acme 1.1 (2), only in acme 2.0 (3) and newer");
  EXPECT_EQ(Converted(ProgramAt(3, "%0 = \"t.b\"() : () -> tensor<2x!acme.handle>"), 4),
            "type '!acme.handle' does not exist in acme 2.1 (4), only in acme 1 to 3");
  EXPECT_EQ(
      Converted("module attributes {acme.version = 3} {\nfunc.func private @f(tuple<!acme.handle>)\n}", 4),
      "type '!acme.handle' does not exist in acme 2.1 (4), only in acme 1 to 3");
  // Relations of the target.
  EXPECT_EQ(
      Converted(ProgramAt(3,
                          "%0 = \"t.x\"() : () -> tensor<2xf32>\n\"acme.pair\"(%0, %s) : (tensor<2xf32>, "
                          "tensor<f32>) -> ()"),
                4),
      "'p' and 'q' must have the same shape, but got 'tensor<2xf32>' and 'tensor<f32>' in acme 2.1 (4)");
  // A program that is wrong has no conversion.
  EXPECT_EQ(Converted(ProgramAt(1, "\"acme.late\"() : () -> ()"), 3).substr(0, 26),
            "does not exist in acme 1, ");
  EXPECT_EQ(Converted(ProgramAt(1, "\"acme.early\"() : () -> ()"), 5), "unknown version 5 of 'acme'");
  std::string ops;
  for (int i = 0; i < 5; ++i) ops += "\"acme.late\"() : () -> ()\n";
  const Diagnostics found =
      DialectBlockers(ReadProgram(ProgramAt(3, ops)), TestDialect(), 1, {.max_diagnostics = 2});
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[2].message, "more blockers not shown");
}

TEST(ConvertDialect, ListsItsSteps) {
  const auto converted =
      ConvertDialect(ReadProgram(ProgramAt(2,
                                           "%0 = \"acme.plus\"(%f) {id = 1 : i32, mode = \"fast\"} : "
                                           "(tensor<2xf32>) -> tensor<2xf32>")),
                     TestDialect(), 1);
  ASSERT_TRUE(converted);
  std::string steps;
  for (const DialectStep& step : converted->steps)
    steps += fmt::format("{} {} {}\n", step.boundary, step.change, step.ops);
  EXPECT_EQ(steps,
            "2 acme.add: attribute 'mode' 1\n"
            "2 acme.add: list 'x' 1\n"
            "2 acme.plus -> acme.add 1\n");
  EXPECT_EQ(converted->from, 2);
}

TEST(ConvertDialect, LeavesOtherPrograms) {
  const Module module = ReadProgram("func.func @f() {\n\"t.a\"() : () -> ()\nreturn\n}");
  EXPECT_FALSE(UsesDialect(module, TestDialect()));
  const auto converted = ConvertDialect(module, TestDialect(), 1);
  ASSERT_TRUE(converted);
  EXPECT_EQ(FirstDifference(module, converted->module, {}), "");
  EXPECT_TRUE(UsesDialect(ReadProgram("func.func private @f(tensor<2x!acme.handle>)"), TestDialect()));
  EXPECT_TRUE(UsesDialect(ReadProgram("\"t.a\"() {x = #acme.info<\"a\", 1>} : () -> ()"), TestDialect()));
}

// A converted program is written and read in binary form.
TEST(ConvertDialect, SurvivesShlo) {
  const auto converted = ConvertDialect(
      ReadProgram(ProgramAt(1, "%0 = \"acme.add\"(%f) {id = 1 : i32} : (tensor<2xf32>) -> tensor<2xf32>")),
      TestDialect(), 4);
  ASSERT_TRUE(converted);
  const auto bytes = WriteShlo(converted->module, {});
  ASSERT_TRUE(bytes);
  const auto owner = std::make_shared<const std::string>(*bytes);
  const auto again = ReadShlo(*owner, owner);
  ASSERT_TRUE(again);
  EXPECT_EQ(FirstDifference(converted->module, *again, {}), "");
  EXPECT_EQ(Joined(VerifyDialect(*again, TestDialect())), "");
  EXPECT_EQ(*DialectVersionOf(*again, TestDialect()), 4);
}

}  // namespace
}  // namespace shlo
