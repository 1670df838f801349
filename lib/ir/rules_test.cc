// Rules of every family on programs that miss one constraint each: the message, and that it is the only one.
#include "ir/rules.h"

#include <gtest/gtest.h>

#include "ir/verify.h"
#include "serialize/text_reader.h"
#include "serialize/text_writer.h"

namespace shlo {
namespace {

Diagnostics FindingsOf(std::string_view body, bool first_of_function = false) {
  const std::string text(body);
  auto module = ReadText(text, {}, {});
  if (!module) return module.error();
  VerifyOptions options;
  options.strict = true;
  options.first_of_function = first_of_function;
  options.type_text = [](const Module& m, TypeId type) { return TypeText(m, type); };
  options.attr_text = [](const Module& m, AttrId attr) { return AttrText(m, attr); };
  return Verify(*module, options);
}

struct Case {
  const char* name;
  const char* body;  // of a function with these arguments
  const char* message;
};

constexpr const char* kArguments =
    "%f: tensor<4x6xf32>, %i: tensor<4x6xi32>, %s: tensor<i32>, %b: tensor<i1>, %d: tensor<?x6xf32>, "
    "%c: tensor<4xcomplex<f64>>";

const Case kCases[] = {
    {"element type", R"(%0 = "stablehlo.not"(%f) : (tensor<4x6xf32>) -> tensor<4x6xf32>)",
     "'stablehlo.not' op operand #0 must be ranked tensor of bool or 2/4/8/16/32/64-bit integer values, but "
     "got "
     "'tensor<4x6xf32>'"},
    {"relation",
     R"(%0 = "stablehlo.maximum"(%f, %i) : (tensor<4x6xf32>, tensor<4x6xi32>) -> tensor<4x6xf32>)",
     "'stablehlo.maximum' op requires compatible types for all operands and results"},
    {"most specific type",
     R"(%0 = "stablehlo.minimum"(%d, %f) : (tensor<?x6xf32>, tensor<4x6xf32>) -> tensor<5x6xf32>)",
     "'stablehlo.minimum' op inferred type(s) 'tensor<4x6xf32>' are incompatible with return type(s) of "
     "operation "
     "'tensor<5x6xf32>'"},
    {"real part", R"(%0 = "stablehlo.abs"(%c) : (tensor<4xcomplex<f64>>) -> tensor<4xf32>)",
     "'stablehlo.abs' op inferred type(s) 'tensor<4xf64>' are incompatible with return type(s) of operation "
     "'tensor<4xf32>'"},
    {"broadcast",
     R"(%0 = "stablehlo.broadcast_in_dim"(%f) {broadcast_dimensions = array<i64: 1, 0>} : (tensor<4x6xf32>) -> tensor<4x6xf32>)",
     "size of operand dimension 0 (4) is not equal to 1 or size of result dimension 1 (6)"},
    {"pad", R"(%0 = stablehlo.constant dense<0.0> : tensor<f32>
               %1 = "stablehlo.pad"(%f, %0) {edge_padding_low = array<i64: -5, 0>, edge_padding_high = array<i64: 0, 0>, interior_padding = array<i64: 0, 0>} : (tensor<4x6xf32>, tensor<f32>) -> tensor<?x6xf32>)",
     "Padding result in negative size for dimension 0"},
    {"dynamic slice",
     R"(%0 = "stablehlo.dynamic_slice"(%f, %s, %s) {slice_sizes = array<i64: 4, 7>} : (tensor<4x6xf32>, tensor<i32>, tensor<i32>) -> tensor<4x7xf32>)",
     "has slice size 7 greater than dimension size 6 in dimension 1 of operand"},
    {"constant shape", R"(%0 = stablehlo.constant dense<[3, 8]> : tensor<2xi32>
                          %1 = "stablehlo.dynamic_iota"(%0) {iota_dimension = 0 : i64} : (tensor<2xi32>) -> tensor<3x9xf32>)",
     "output shape [3, 8] is incompatible with return type of operation 'tensor<3x9xf32>'"},
    {"dot", R"(%0 = "stablehlo.dot"(%f, %f) : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>)",
     "expected both lhs/rhs ranks to be either 1 or 2"},
    {"reducer", R"(%0 = stablehlo.constant dense<0.0> : tensor<f32>
      %1 = "stablehlo.reduce"(%f, %0) ({
      ^bb0(%x: tensor<f32>, %y: tensor<f32>, %z: tensor<f32>):
        "stablehlo.return"(%x) : (tensor<f32>) -> ()
      }) {dimensions = array<i64: 1>} : (tensor<4x6xf32>, tensor<f32>) -> tensor<4xf32>)",
     "Reduction-region must take 2 parameters, but takes 3 parameter(s)"},
    {"branches", R"(%0 = "stablehlo.if"(%b) ({
        "stablehlo.return"(%f) : (tensor<4x6xf32>) -> ()
      }, {
        "stablehlo.return"(%i) : (tensor<4x6xi32>) -> ()
      }) : (tensor<i1>) -> tensor<4x6xf32>)",
     "branch 0 and branch 1 have mismatched return types: 'tensor<4x6xf32>' vs 'tensor<4x6xi32>'"},
    {"replica groups",
     R"(%0 = "stablehlo.all_gather"(%f) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 2]]> : tensor<1x2xi64>} : (tensor<4x6xf32>) -> tensor<8x6xf32>)",
     "replica id #1 not seen in replica groups"},
    {"region",
     R"(%0 = "stablehlo.sort"(%f) ({}) {dimension = 0 : i64} : (tensor<4x6xf32>) -> tensor<4x6xf32>)",
     "'stablehlo.sort' op region #0 ('comparator') failed to verify constraint: region with 1 blocks"},
    {"composite",
     R"(%0 = "stablehlo.composite"(%s) {name = "plain", decomposition = @none} : (tensor<i32>) -> tensor<i32>)",
     "name must be a valid namespaced op name"},
};

TEST(RulesTest, EachConstraintIsNamed) {
  for (const Case& c : kCases) {
    const std::string text =
        std::string("func.func @f(") + kArguments + ") {\n" + c.body + "\n  func.return\n}\n";
    const Diagnostics found = FindingsOf(text);
    ASSERT_FALSE(found.empty()) << c.name;
    EXPECT_NE(found[0].message.find(c.message), std::string::npos) << c.name << ": " << found[0].message;
    for (const Diagnostic& d : found) EXPECT_EQ(d.code, Code::kConstraint) << c.name << ": " << d.message;
  }
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
