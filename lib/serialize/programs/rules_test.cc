// Rules of every family on programs that violate one constraint each: the message, and that it is the only
// one.
#include "ir/verify/rules/rules.h"

#include <gtest/gtest.h>

#include <cctype>
#include <set>
#include <string>
#include <vector>

#include "base/test_sanitizers.h"
#include "ir/module/sample.h"
#include "ir/table/constraints.h"
#include "shlo/text_reader.h"
#include "shlo/text_writer.h"
#include "shlo/verify.h"

namespace shlo {
namespace {

Diagnostics FindingsOf(std::string_view body, bool first_of_function = false) {
  const std::string text(body);
  Source source;
  auto module = ReadText(text, {}, {}, &source);
  if (!module) return module.error();
  VerifyOptions options;
  options.source = &source;
  options.first_of_function = first_of_function;
  return Verify(*module, options);
}

struct Case {
  const char* name;
  const char* body;  // of a function with these arguments
  const char* message;
  const char* hint;  // begins with this: the constraint
};

constexpr const char* kArguments =
    "%f: tensor<4x6xf32>, %i: tensor<4x6xi32>, %s: tensor<i32>, %b: tensor<i1>, %d: tensor<?x6xf32>, "
    "%c: tensor<4xcomplex<f64>>";

const Case kCases[] = {
    {"element type", R"(%0 = "stablehlo.not"(%f) : (tensor<4x6xf32>) -> tensor<4x6xf32>)",
     "'stablehlo.not' op operand #0 must be ranked tensor of bool or 2/4/8/16/32/64-bit integer values, but "
     "got "
     "'tensor<4x6xf32>'",
     ""},
    {"relation",
     R"(%0 = "stablehlo.maximum"(%f, %i) : (tensor<4x6xf32>, tensor<4x6xi32>) -> tensor<4x6xf32>)",
     "'stablehlo.maximum' op requires compatible types for all operands and results",
     "C1 of maximum: base(lhs) = base(rhs) = base(result)"},
    {"most specific type",
     R"(%0 = "stablehlo.minimum"(%d, %f) : (tensor<?x6xf32>, tensor<4x6xf32>) -> tensor<5x6xf32>)",
     "'stablehlo.minimum' op inferred type(s) 'tensor<4x6xf32>' are incompatible with return type(s) of "
     "operation "
     "'tensor<5x6xf32>'",
     "C1 of minimum"},
    {"real part", R"(%0 = "stablehlo.abs"(%c) : (tensor<4xcomplex<f64>>) -> tensor<4xf32>)",
     "'stablehlo.abs' op inferred type(s) 'tensor<4xf64>' are incompatible with return type(s) of operation "
     "'tensor<4xf32>'",
     "C1 of abs"},
    {"broadcast",
     R"(%0 = "stablehlo.broadcast_in_dim"(%f) {broadcast_dimensions = array<i64: 1, 0>} : (tensor<4x6xf32>) -> tensor<4x6xf32>)",
     "size of operand dimension 0 (4) is not equal to 1 or size of result dimension 1 (6)",
     "C5 of broadcast_in_dim: "},
    {"pad", R"(%0 = stablehlo.constant dense<0.0> : tensor<f32>
               %1 = "stablehlo.pad"(%f, %0) {edge_padding_low = array<i64: -5, 0>, edge_padding_high = array<i64: 0, 0>, interior_padding = array<i64: 0, 0>} : (tensor<4x6xf32>, tensor<f32>) -> tensor<?x6xf32>)",
     "Padding result in negative size for dimension 0", "C4 of pad: "},
    {"dynamic slice",
     R"(%0 = "stablehlo.dynamic_slice"(%f, %s, %s) {slice_sizes = array<i64: 4, 7>} : (tensor<4x6xf32>, tensor<i32>, tensor<i32>) -> tensor<4x7xf32>)",
     "has slice size 7 greater than dimension size 6 in dimension 1 of operand",
     "C4 of dynamic_slice: slice_sizes[d] in [0, dim(operand, d)]"},
    {"constant shape", R"(%0 = stablehlo.constant dense<[3, 8]> : tensor<2xi32>
                          %1 = "stablehlo.dynamic_iota"(%0) {iota_dimension = 0 : i64} : (tensor<2xi32>) -> tensor<3x9xf32>)",
     "output shape [3, 8] is incompatible with return type of operation 'tensor<3x9xf32>'",
     "C2 of dynamic_iota: "},
    {"dot", R"(%0 = "stablehlo.dot"(%f, %f) : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>)",
     "expected both lhs/rhs ranks to be either 1 or 2", "R2 of dot: "},
    {"reducer", R"(%0 = stablehlo.constant dense<0.0> : tensor<f32>
      %1 = "stablehlo.reduce"(%f, %0) ({
      ^bb0(%x: tensor<f32>, %y: tensor<f32>, %z: tensor<f32>):
        "stablehlo.return"(%x) : (tensor<f32>) -> ()
      }) {dimensions = array<i64: 1>} : (tensor<4x6xf32>, tensor<f32>) -> tensor<4xf32>)",
     "Reduction-region must take 2 parameters, but takes 3 parameter(s)", "C6 of reduce: "},
    {"branches", R"(%0 = "stablehlo.if"(%b) ({
        "stablehlo.return"(%f) : (tensor<4x6xf32>) -> ()
      }, {
        "stablehlo.return"(%i) : (tensor<4x6xi32>) -> ()
      }) : (tensor<i1>) -> tensor<4x6xf32>)",
     "branch 0 and branch 1 have mismatched return types: 'tensor<4x6xf32>' vs 'tensor<4x6xi32>'",
     "C2 of if: "},
    {"replica groups",
     R"(%0 = "stablehlo.all_gather"(%f) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 2]]> : tensor<1x2xi64>} : (tensor<4x6xf32>) -> tensor<8x6xf32>)",
     "replica id #1 not seen in replica groups", "C4 of all_gather: "},
    {"region",
     R"(%0 = "stablehlo.sort"(%f) ({}) {dimension = 0 : i64} : (tensor<4x6xf32>) -> tensor<4x6xf32>)",
     "'stablehlo.sort' op region #0 ('comparator') failed to verify constraint: region with 1 blocks", ""},
    {"composite",
     R"(%0 = "stablehlo.composite"(%s) {name = "plain", decomposition = @none} : (tensor<i32>) -> tensor<i32>)",
     "name must be a valid namespaced op name", "C1 of composite: "},
};

TEST(RulesTest, EachConstraintIsNamed) {
  for (const Case& c : kCases) {
    const std::string text =
        std::string("func.func @f(") + kArguments + ") {\n" + c.body + "\n  func.return\n}\n";
    const Diagnostics found = FindingsOf(text);
    ASSERT_FALSE(found.empty()) << c.name;
    EXPECT_NE(found[0].message.find(c.message), std::string::npos) << c.name << ": " << found[0].message;
    EXPECT_EQ(found[0].hint.rfind(c.hint, 0), 0u) << c.name << ": " << found[0].hint;
    EXPECT_EQ(found[0].hint.empty(), std::string_view(c.hint).empty()) << c.name << ": " << found[0].hint;
    for (const Diagnostic& d : found) EXPECT_EQ(d.code, Code::kConstraint) << c.name << ": " << d.message;
  }
}

// Programs that keep every constraint, one or more of every op.
std::vector<std::string> SoundPrograms() {
  std::vector<std::string> programs = {
#define SHLO_EXAMPLE(name, program) program,
#include "schema/examples.inc"
  };
  TextWriteOptions generic;
  generic.generic = true;
  for (uint16_t row = 1; row < OpRows().size(); ++row) {
    if (!RevisionAt(RowId{row}, kCurrentVersion)) continue;
    for (const SampleVariant& variant : SampleVariants(RowId{row}, kCurrentVersion))
      if (auto text = WriteText(MakeSample(RowId{row}, kCurrentVersion, variant), generic))
        programs.push_back(*std::move(text));
  }
  return programs;
}

// Tokens that can be replaced alone: numbers, types and flags.
struct Token {
  size_t begin = 0, size = 0;
};
std::vector<Token> TokensOf(std::string_view text) {
  std::vector<Token> tokens;
  const auto word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  for (size_t i = 0; i < text.size();) {
    if (!word(text[i]) || (i && (text[i - 1] == '%' || text[i - 1] == '@' || text[i - 1] == '.'))) {
      ++i;
      continue;
    }
    size_t end = i;
    // The sizes of a type end in 'x', which belongs to the next.
    while (end < text.size() && word(text[end]) && !(text[end] == 'x' && std::isdigit(text[i]))) ++end;
    tokens.push_back({i, end - i});
    i = end + (end < text.size() && text[end] == 'x');
  }
  return tokens;
}

// A rule that fails under a label without a row reports that in the hint. Every token of every program is
// replaced.
TEST(RulesTest, EveryLabelHasItsConstraint) {
  std::set<std::string> labels;
  SomeCases cases(4);
  for (const std::string& program : SoundPrograms()) {
    for (const Token& token : TokensOf(program)) {
      if (!cases.Next()) continue;
      const std::string_view old = std::string_view(program).substr(token.begin, token.size);
      std::vector<std::string_view> others;
      if (std::isdigit(static_cast<unsigned char>(old[0])))
        others = {"-1", "0", "1", "3", "9", "0, 0", "1, 0", ""};
      else if (old == "f32" || old == "i64" || old == "i32" || old == "i1" || old == "f64")
        others = {"f32", "i64", "i1", "complex<f32>", "!quant.uniform<i8:f32, 0.5>"};
      else if (old == "true" || old == "false")
        others = {"true", "false"};
      for (std::string_view other : others) {
        std::string damaged = program;
        damaged.replace(token.begin, token.size, other);
        for (const Diagnostic& d : FindingsOf(damaged)) {
          EXPECT_EQ(d.hint.find("is not in schema/constraints.inc"), std::string::npos) << d.hint << damaged;
          if (d.code == Code::kConstraint && !d.hint.empty())
            labels.insert(d.hint.substr(0, d.hint.find(':')));
        }
      }
    }
  }
  // Not every label is reached, but most are.
  EXPECT_GT(labels.size(), kSanitized ? 120u : 240u);
}

TEST(RulesTest, AnAttributeIsReportedWhereItStands) {
  const Diagnostics found = FindingsOf(
      "func.func @f(%x: tensor<2xf32>) {\n"
      "  %0 = \"stablehlo.exponential\"(%x) {\n"
      "    result_accuracy = #stablehlo.result_accuracy<ulps = -1, mode = "
      "#stablehlo.result_accuracy_mode<TOLERANCE>>\n"
      "  } : (tensor<2xf32>) -> tensor<2xf32>\n"
      "  func.return\n}\n");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].message, "Negative tolerance");
  EXPECT_EQ(found[0].place.line, 3u);
}

TEST(RulesTest, TheFirstOfEachFunction) {
  const std::string_view text =
      "func.func @f(%x: tensor<2xf32>) {\n"
      "  %0 = \"stablehlo.not\"(%x) : (tensor<2xf32>) -> tensor<2xf32>\n"
      "  %1 = \"stablehlo.not\"(%x) : (tensor<2xf32>) -> tensor<2xf32>\n"
      "  func.return\n}\n"
      "func.func @g(%x: tensor<2xf32>) {\n"
      "  %0 = \"stablehlo.popcnt\"(%x) : (tensor<2xf32>) -> tensor<2xf32>\n"
      "  func.return\n}\n";
  EXPECT_EQ(FindingsOf(text).size(), 3u);
  EXPECT_EQ(FindingsOf(text, /*first_of_function=*/true).size(), 2u);
}

TEST(RulesTest, TypesAreJudgedOnce) {
  const Diagnostics found = FindingsOf(
      "func.func @f(%x: tensor<?x2xf32, #stablehlo.bounds<3>>) -> tensor<?x2xf32, #stablehlo.bounds<3>> {\n"
      "  func.return %x : tensor<?x2xf32, #stablehlo.bounds<3>>\n}\n");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].message,
            "Bounds length is 1, expected to be equal to rank(2) of the tensor 'tensor<?x2xf32>'");
}

// Sizes from a program cannot make the arithmetic of shapes overflow, nor a list of any length be built.
TEST(RulesTest, HugeNumbers) {
  const Diagnostics found = FindingsOf(
      "func.func @f(%x: tensor<9223372036854775807xf32>, %y: tensor<f32>) {\n"
      "  %0 = \"stablehlo.pad\"(%x, %y) {edge_padding_low = array<i64: 9223372036854775807>, "
      "edge_padding_high = "
      "array<i64: 9223372036854775807>, interior_padding = array<i64: 9223372036854775807>} : "
      "(tensor<9223372036854775807xf32>, tensor<f32>) -> tensor<?xf32>\n"
      "  func.return\n}\n");
  EXPECT_LE(found.size(), 2u);
}

}  // namespace
}  // namespace shlo
