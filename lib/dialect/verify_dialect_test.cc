#include "dialect/test_dialect.h"

namespace shlo {
namespace {

std::string Problems(const std::string& text) {
  Source source;
  const Module module = ReadProgram(text, &source);
  std::string out;
  for (const Diagnostic& d : VerifyDialect(module, TestDialect(), {.source = &source})) {
    if (!out.empty()) out += "; ";
    out += d.message;
    if (!d.hint.empty() && d.hint.starts_with("did")) out += " " + d.hint;
    EXPECT_TRUE(d.severity == Severity::kNote || d.place.line > 0) << d.message;
  }
  return out;
}

constexpr char kBody[] = " ({ \"acme.early\"() : () -> () })";

std::string All(int version, const std::string& operands, const std::string& types, std::string attrs,
                const std::string& regions = "({^bb0: \"t.end\"() : () -> ()})",
                const std::string& sizes = "1, 0, 0") {
  if (!attrs.empty()) attrs = ", " + attrs;
  return ProgramAt(version, "%r = \"acme.all\"(" + operands + ") " + regions +
                                " {operandSegmentSizes = array<i32: " + sizes + ">" + attrs + "} : (" +
                                types + ") -> tensor<f32>");
}

TEST(VerifyDialect, AcceptsWhatTheRowsDescribe) {
  EXPECT_EQ(Problems(All(2, "%f", "tensor<2xf32>", "count = 1")), "");
  EXPECT_EQ(Problems(All(2, "%f, %i, %f, %f", "tensor<2xf32>, tensor<i32>, tensor<2xf32>, tensor<2xf32>",
                         "count = 1, flag = true, info = #acme.info<\"x\", 1 : i8>, words = [\"a\"], sizes = "
                         "array<i32: 1>, other.note = 1",
                         "({^bb0: \"t.end\"() : () -> ()}, {^bb0: \"t.end\"() : () -> ()})", "1, 1, 2")),
            "");
  EXPECT_EQ(Problems(All(2, "%f, %n", "tensor<2xf32>, i32", "count = 1", "({^bb0: \"t.end\"() : () -> ()})",
                         "1, 1, 0")),
            "");
  EXPECT_EQ(Problems(ProgramAt(1, "%0 = \"acme.add\"(%f) {id = 1 : i32} : (tensor<2xf32>) -> tensor<2xf32>")),
            "");
  EXPECT_EQ(Problems(ProgramAt(2,
                               "%0 = \"acme.plus\"(%f, %f) {id = 1 : i32, mode = \"x\"} : (tensor<2xf32>, "
                               "tensor<2xf32>) -> tensor<2xf32>")),
            "");
  // Without a statement, a program is at the newest version.
  EXPECT_EQ(Problems("func.func @f(%f: tensor<2xf32>) {\n%0 = \"acme.sum\"(%f) {id = 1 : i32, "
                     "operandSegmentSizes = array<i32: 1, 0>} : (tensor<2xf32>) -> tensor<2xf32>\nreturn }"),
            "");
  EXPECT_EQ(
      Problems(
          "func.func @f(%p: !acme.packed<f32, 4, row>, %q: tensor<2x!acme.packed<!acme.packed<i1, 1, row>, "
          "-2, row>>) attributes {acme.version = 1} { return }"),
      "case 'row' of '!acme.packed' does not exist in acme 2.1 (4), only in acme 1.1 (2) to 3");
}

TEST(VerifyDialect, ReportsOps) {
  EXPECT_EQ(Problems(ProgramAt(1, "\"acme.eraly\"() : () -> ()")),
            "unknown op of acme 1 did you mean 'early'?");
  EXPECT_EQ(Problems(ProgramAt(4, "\"acme.early\"() : () -> ()")),
            "does not exist in acme 2.1 (4), only in acme 1 to 2");
  EXPECT_EQ(Problems(ProgramAt(2, "\"acme.late\"() : () -> ()")),
            "does not exist in acme 1.1 (2), only in acme 2.0 (3) and newer");
  EXPECT_EQ(
      Problems(ProgramAt(3, "%0 = \"acme.plus\"(%f) {id = 1 : i32} : (tensor<2xf32>) -> tensor<2xf32>")),
      "does not exist in acme 2.0 (3), only in acme 1.1 (2)");
  EXPECT_EQ(Problems(ProgramAt(9, "\"acme.late\"() : () -> ()")),
            "'acme.version' is not a version of 'acme' that 'acme.toml' has");
}

TEST(VerifyDialect, ReportsOperandsAndResults) {
  EXPECT_EQ(Problems(ProgramAt(1, "\"acme.early\"(%f) : (tensor<2xf32>) -> ()")),
            "expected 0 operands, but found 1");
  EXPECT_EQ(Problems(ProgramAt(1, "%0 = \"acme.add\"() {id = 1 : i32} : () -> tensor<2xf32>")),
            "expected 1 operand, but found 0");
  EXPECT_EQ(Problems(ProgramAt(1,
                               "%0:2 = \"acme.add\"(%f) {id = 1 : i32} : (tensor<2xf32>) -> (tensor<2xf32>, "
                               "tensor<2xf32>)")),
            "expected 1 result, but found 2");
  EXPECT_EQ(Problems(All(2, "%f", "tensor<2xf32>", "count = 1", "({^bb0: \"t.end\"() : () -> ()})", "1, 0")),
            "requires attribute 'operandSegmentSizes' with 3 sizes that sum to 1");
  EXPECT_EQ(
      Problems(All(2, "%f", "tensor<2xf32>", "count = 1", "({^bb0: \"t.end\"() : () -> ()})", "1, 0, 1")),
      "requires attribute 'operandSegmentSizes' with 3 sizes that sum to 1");
  EXPECT_EQ(Problems(All(2, "%f, %f", "tensor<2xf32>, tensor<2xf32>", "count = 1",
                         "({^bb0: \"t.end\"() : () -> ()})", "2, 0, 0")),
            "'operandSegmentSizes' gives operand 'a' 2 values");
  EXPECT_EQ(Problems(All(2, "%i", "tensor<i32>", "count = 1")),
            "operand 0 'a' must be tensor<f32 | bf16>, but got 'tensor<i32>'");
  EXPECT_EQ(Problems(All(2, "%f, %d", "tensor<2xf32>, tensor<?xf32>", "count = 1",
                         "({^bb0: \"t.end\"() : () -> ()})", "1, 0, 1")),
            "operand 1 'c' must be static, but got 'tensor<?xf32>'");
  EXPECT_EQ(Problems(All(2, "%f, %s", "tensor<2xf32>, tensor<f32>", "count = 1",
                         "({^bb0: \"t.end\"() : () -> ()})", "1, 1, 0")),
            "operand 1 'b' must be scalar<integer> | i32 | !packed, but got 'tensor<f32>'");
  EXPECT_EQ(Problems(ProgramAt(1, "%0 = \"acme.add\"(%f) {id = 1 : i32} : (tensor<2xf32>) -> tensor<f32>")),
            "'x' and 'out' must have the same type, but got 'tensor<2xf32>' and 'tensor<f32>'");
  // One row that varies: what is wrong is the least or the most.
  EXPECT_EQ(Problems(ProgramAt(1, "\"acme.tail\"() : () -> ()")), "expected at least 1 operand, but found 0");
  EXPECT_EQ(
      Problems(ProgramAt(1, "\"acme.tail\"(%f, %i, %s) : (tensor<2xf32>, tensor<i32>, tensor<f32>) -> ()")),
      "");
  const std::string results =
      "%0:2 = \"acme.all\"(%f) ({^bb0: \"t.end\"() : () -> ()}) {operandSegmentSizes = array<i32: 1, 0, 0>, "
      "count = 1} : (tensor<2xf32>) -> (tensor<f32>, tensor<f32>)";
  EXPECT_EQ(Problems(ProgramAt(2, results)), "expected at most 1 result, but found 2");
}

TEST(VerifyDialect, ReportsRelations) {
  const auto pair = [](int version, const std::string& values, const std::string& types) {
    return Problems(ProgramAt(version, "\"acme.pair\"(" + values + ") : (" + types + ") -> ()"));
  };
  EXPECT_EQ(pair(4, "%f, %s", "tensor<2xf32>, tensor<f32>"),
            "'p' and 'q' must have the same shape, but got 'tensor<2xf32>' and 'tensor<f32>'");
  EXPECT_EQ(pair(4, "%i, %s", "tensor<i32>, tensor<f32>"), "");
  EXPECT_EQ(pair(3, "%f, %s", "tensor<2xf32>, tensor<f32>"), "");
  EXPECT_EQ(
      Problems(ProgramAt(2,
                         "%b = \"t.b\"() : () -> tensor<2xbf16>\n%r = \"acme.all\"(%b) ({^bb0: "
                         "\"t.end\"() : () -> ()}) {operandSegmentSizes = array<i32: 1, 0, 0>, count = 1} "
                         ": (tensor<2xbf16>) -> tensor<f32>")),
      "'a' and 'r' must have the same element type, but got 'tensor<2xbf16>' and 'tensor<f32>'");
}

TEST(VerifyDialect, ReportsAttributesAndRegions) {
  const auto add = [](const std::string& attrs) {
    return Problems(ProgramAt(1, "%0 = \"acme.add\"(%f) {" + attrs + "} : (tensor<2xf32>) -> tensor<2xf32>"));
  };
  EXPECT_EQ(add("old = 1 : i8"), "requires attribute 'id'");
  EXPECT_EQ(add("id = 1 : i64"), "attribute 'id' must be i32, but got '1 : i64'");
  EXPECT_EQ(add("id = 1 : i32, old = true"), "attribute 'old' must be integer, but got 'true'");
  EXPECT_EQ(add("id = 1 : i32, mode = \"x\""),
            "attribute 'mode' does not exist in acme 1, only in acme 1.1 (2) and newer");
  EXPECT_EQ(add("id = 1 : i32, odl = 1"), "unknown attribute 'odl' did you mean 'old'?");
  EXPECT_EQ(add("id = 1 : i32, x.info = #acme.info<1, 2>"),
            "parameter 'text' of '#acme.info' must be a string, but got '1'");
  EXPECT_EQ(add("id = 1 : i32, x.info = #acme.info<\"\", 1>"), "");
  EXPECT_EQ(add("id = 1 : i32, x.info = #acme.info<\"a\">"),
            "attribute '#acme.info' expects 2 parameters, but got 1");
  EXPECT_EQ(add("id = 1 : i32, x.info = [#acme.info<\"a\", x>]"),
            "parameter 'value' of '#acme.info' must be an "
            "attribute, but got 'x'");
  EXPECT_EQ(add("id = 1 : i32, x.info = #acme.inof<\"a\">"),
            "unknown attribute '#acme.inof'; did you mean 'info'?");
  EXPECT_EQ(add("id = 1 : i32, x.t = !acme.handl"), "unknown type '!acme.handl'; did you mean 'handle'?");
  EXPECT_EQ(add("id = 1 : i32, x.t = !acme.packed<f32, 1, row>"),
            "type '!acme.packed' does not exist in acme 1, only in acme 1.1 (2) and newer");
  const auto packed = [](const std::string& parameters) {
    return Problems(ProgramAt(2, "\"acme.early\"() {x.t = !acme.packed<" + parameters + ">} : () -> ()"));
  };
  EXPECT_EQ(packed("f32, 1, row"), "");
  EXPECT_EQ(packed("(f32) -> tensor<2x3xf32>, 1, row"), "");
  EXPECT_EQ(packed("x, 1, row"), "parameter 'element' of '!acme.packed' must be a type, but got 'x'");
  EXPECT_EQ(packed("f32, x, row"), "parameter 'lanes' of '!acme.packed' must be an integer, but got 'x'");
  EXPECT_EQ(packed("f32, 1, rows"),
            "parameter 'layout' of '!acme.packed' must be one of row, but got 'rows'");
  EXPECT_EQ(packed("f32, 1, tile"),
            "case 'tile' of '!acme.packed' does not exist in acme 1.1 (2), only in acme 2.0 (3) and newer");
  EXPECT_EQ(packed("!acme.handle<1>, 1, row"), "type '!acme.handle' expects 0 parameters, but got 1");
  std::string deep = "f32";
  for (int i = 0; i < 30; ++i) deep = "!acme.packed<" + deep + ", 1, row>";
  EXPECT_EQ(packed(deep + ", 1, row"), "parameters of '!acme.packed' nest too deeply");

  EXPECT_EQ(Problems(All(2, "%f", "tensor<2xf32>", "count = 1", "")),
            "expected at least 1 region, but found 0");
  EXPECT_EQ(Problems(ProgramAt(1, std::string("\"acme.early\"()") + kBody + " : () -> ()")),
            "expected 0 regions, but found 1");
}

TEST(VerifyDialect, CountsTheRest) {
  std::string ops;
  for (int i = 0; i < 5; ++i) ops += "\"acme.late\"() : () -> ()\n";
  const Diagnostics found =
      VerifyDialect(ReadProgram(ProgramAt(1, ops)), TestDialect(), {.max_diagnostics = 3});
  ASSERT_EQ(found.size(), 4u);
  EXPECT_EQ(found[3].message, "more diagnostics not shown");
  EXPECT_EQ(found[3].severity, Severity::kNote);
}

}  // namespace
}  // namespace shlo
