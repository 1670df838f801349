// Why an op is not expanded, in full. Ops that do not verify are never expanded.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "prove/expansions/test_expansions.h"

namespace shlo {
namespace {

// Returns why the only op that can be expanded is left, as "op: message".
std::string Left(const std::string& text, Version target = {}) {
  const auto program = ReadProgram(text, nullptr);
  EXPECT_TRUE(program) << text << (program ? "" : program.error()[0].message);
  if (!program) return "";
  const auto expansion = Expand(program->module, {.target = target, .composites = true});
  EXPECT_TRUE(expansion) << text;
  if (!expansion || expansion->left.empty()) return "expanded";
  EXPECT_EQ(expansion->left.size(), 1u) << text;
  const Diagnostic& d = expansion->left[0];
  EXPECT_EQ(d.severity, Severity::kWarning);
  constexpr std::string_view kStart = "not expanded: ";
  EXPECT_TRUE(d.message.starts_with(kStart)) << d.message;
  return fmt::format("{}: {}", d.op, d.message.substr(kStart.size()));
}

// @main of one op on its arguments %0, %1, ...
std::string OneOp(std::string_view op, const std::vector<std::string_view>& operands,
                  std::string_view attributes, std::string_view results, std::string_view regions = "") {
  std::string args, names;
  for (size_t i = 0; i < operands.size(); ++i) {
    args += fmt::format("{}%a{}: {}", i ? ", " : "", i, operands[i]);
    names += fmt::format("{}%a{}", i ? ", " : "", i);
  }
  const size_t count = size_t(std::count(results.begin(), results.end(), ';')) + 1;
  std::string types(results);
  std::replace(types.begin(), types.end(), ';', ',');
  return fmt::format("func.func @main({}) {{\n  %r:{} = \"{}\"({}) {} {{{}}} : ({}) -> ({})\n  return\n}}\n",
                     args, count, op, names, regions, attributes, fmt::join(operands, ", "), types);
}

TEST(ExpandWords, RaggedDot) {
  const auto dot = [](std::string_view lhs, std::string_view rhs, std::string_view sizes,
                      std::string_view out, bool batch) {
    const std::string numbers = fmt::format(
        "lhs_batching_dimensions = [{0}], rhs_batching_dimensions = [{1}], lhs_contracting_dimensions = "
        "[{2}], "
        "rhs_contracting_dimensions = [{2}], lhs_ragged_dimensions = [{3}], rhs_group_dimensions = [0]",
        batch ? "0" : "", batch ? "1" : "", batch ? 2 : 1, batch ? 1 : 0);
    return Left(OneOp("chlo.ragged_dot", {lhs, rhs, sizes},
                      "ragged_dot_dimension_numbers = #chlo.ragged_dot<" + numbers + ">", out));
  };
  const std::string_view lhs = "tensor<3x4xf32>", out = "tensor<3x5xf32>";
  EXPECT_EQ(dot(lhs, "tensor<2x4x5xf32>", "tensor<2xi64>", out, false), "expanded");
  EXPECT_EQ(dot("tensor<2x3x4xf32>", "tensor<2x2x4x5xf32>", "tensor<2x2xi64>", "tensor<2x3x5xf32>", true),
            "chlo.ragged_dot: there are group sizes per batch");
  EXPECT_EQ(dot(lhs, "tensor<?x4x5xf32>", "tensor<?xi64>", out, false),
            "chlo.ragged_dot: the number of groups is dynamic");
  EXPECT_EQ(dot(lhs, "tensor<4097x4x5xf32>", "tensor<4097xi64>", out, false),
            "chlo.ragged_dot: there are more than 4096 groups, or none");
  EXPECT_EQ(dot(lhs, "tensor<0x4x5xf32>", "tensor<0xi64>", out, false),
            "chlo.ragged_dot: there are more than 4096 groups, or none");
}

TEST(ExpandWords, Scan) {
  const std::string_view output =
      "{\n^bb0(%c: tensor<f32>):\n  \"stablehlo.return\"(%c, %c) : (tensor<f32>, "
      "tensor<f32>) -> ()\n}";
  const auto scan = [&](int dimension, std::string_view segments, std::string_view type) {
    return Left(OneOp("chlo.scan", {"tensor<f32>"},
                      fmt::format("dimension = {} : i64, is_reverse = false, scan_dim_size = 3 : i64{}",
                                  dimension, segments),
                      fmt::format("{}; tensor<f32>", type), fmt::format("({})", output)));
  };
  const std::string_view both =
      ", operandSegmentSizes = array<i32: 0, 1>, resultSegmentSizes = array<i32: 1, 1>";
  EXPECT_EQ(scan(0, both, "tensor<3xf32>"), "expanded");
  EXPECT_EQ(scan(0, both, "tensor<?xf32>"), "chlo.scan: the size of an output is not known");
  EXPECT_EQ(scan(1, both, "tensor<3xf32>"), "chlo.scan: dimension is out of range");
  EXPECT_EQ(scan(0, ", resultSegmentSizes = array<i32: 1, 1>", "tensor<3xf32>"),
            "chlo.scan: operandSegmentSizes is missing, or it has a second name");
  EXPECT_EQ(scan(0, ", operand_segment_sizes = array<i32: 0, 1>" + std::string(both), "tensor<3xf32>"),
            "chlo.scan: operandSegmentSizes is missing, or it has a second name");
}

TEST(ExpandWords, TopKAndConstants) {
  EXPECT_EQ(Left(OneOp("chlo.top_k", {"tensor<1xcomplex<f32>>"}, "k = 1 : i64",
                       "tensor<1xcomplex<f32>>; tensor<1xi32>")),
            "chlo.top_k: there is no expansion for the element type");
  EXPECT_EQ(Left(OneOp("chlo.constant_like", {"tensor<2xf32>"}, "value = \"x\"", "tensor<2xf32>")),
            "chlo.constant_like: its value is not a number");
}

// Types that the rows of CHLO allow, and those of StableHLO do not.
TEST(ExpandWords, TypesWithoutAnOp) {
  const auto two = [](std::string_view op, std::string_view lhs, std::string_view rhs,
                      std::string_view result) {
    return Left(OneOp(op, {lhs, rhs}, "", result));
  };
  const std::string_view floats = "tensor<2xf32>", flags = "tensor<2xi1>";
  EXPECT_EQ(two("chlo.broadcast_shift_left", floats, floats, floats),
            "chlo.broadcast_shift_left: StableHLO has no such op of these types");
  EXPECT_EQ(two("chlo.broadcast_subtract", flags, flags, flags),
            "chlo.broadcast_subtract: StableHLO has no such op of these types");
  EXPECT_EQ(two("chlo.broadcast_atan2", "tensor<2xi32>", "tensor<2xi32>", "tensor<2xi32>"),
            "chlo.broadcast_atan2: StableHLO has no such op of these types");
  const std::string_view axis = "tensor<2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>";
  EXPECT_EQ(two("chlo.broadcast_add", axis, axis, axis), "expanded");
  EXPECT_EQ(two("chlo.broadcast_add", axis, "tensor<1x!quant.uniform<i8:f32:0, {0.5}>>", axis),
            "chlo.broadcast_add: an operand that is quantized per axis is broadcast");
  for (const std::string_view fnuz : {"tensor<2xf8E4M3FNUZ>", "tensor<2xf8E5M2FNUZ>", "tensor<2xf8E8M0FNU>"})
    EXPECT_EQ(two("chlo.next_after", fnuz, fnuz, fnuz),
              "chlo.next_after: there is no expansion for the element type");
  EXPECT_EQ(Left(OneOp("chlo.tan", {"tensor<2xf8E8M0FNU>"}, "", "tensor<2xf8E8M0FNU>")),
            "chlo.tan: there is no expansion for the element type");
}

// Slices of outputs may have other sizes than those of inputs.
TEST(ExpandWords, ScanWithOutputsOfUnknownSize) {
  const auto scan = [](std::string_view output) {
    return Left(fmt::format(R"(func.func @main(%x: tensor<?x2xf32>, %i: tensor<?xf32>) -> tensor<?x{0}xf32> {{
  %0:2 = "chlo.scan"(%x, %i) ({{
  ^bb0(%e: tensor<2xf32>, %c: tensor<?xf32>):
    %y = stablehlo.constant dense<0.0> : tensor<3xf32>
    "stablehlo.return"({1}, %c) : (tensor<{0}xf32>, tensor<?xf32>) -> ()
  }}) {{dimension = 0 : i64, is_reverse = false, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>}} : (tensor<?x2xf32>, tensor<?xf32>) -> (tensor<?x{0}xf32>, tensor<?xf32>)
  return %0#0 : tensor<?x{0}xf32>
}}
)",
                            output, output == "?" ? "%c" : "%y"));
  };
  EXPECT_EQ(scan("3"), "expanded");
  EXPECT_EQ(scan("?"), "chlo.scan: the size of an output is not known");
}

TEST(ExpandWords, ShapesThatTheVerifierLeavesOpen) {
  const auto add = [](std::string_view lhs, std::string_view rhs, std::string_view dimensions,
                      std::string_view result) {
    return Left(OneOp("chlo.broadcast_add", {lhs, rhs},
                      fmt::format("broadcast_dimensions = array<i64: {}>", dimensions), result));
  };
  const std::string_view matrix = "tensor<2x3xf32>", vector = "tensor<3xf32>";
  EXPECT_EQ(add(matrix, vector, "1", matrix), "expanded");
  EXPECT_EQ(add(matrix, vector, "0, 1", matrix),
            "chlo.broadcast_add: broadcast_dimensions does not match the operands");
  EXPECT_EQ(add(matrix, vector, "2", matrix),
            "chlo.broadcast_add: broadcast_dimensions does not match the operands");
  const std::string_view bounded = "tensor<2x?xf32, #stablehlo.bounds<?, 3>>";
  EXPECT_EQ(add(bounded, vector, "1", bounded),
            "chlo.broadcast_add: bounded and static sizes cannot be broadcast");
  EXPECT_EQ(add(vector, vector, "0", "tensor<*xf32>"), "chlo.broadcast_add: a result is not a ranked tensor");
  EXPECT_EQ(Left(OneOp("chlo.next_after", {"tensor<?xf32>", vector}, "", vector)),
            "chlo.next_after: operand shapes differ");
}

// Ops of a module are in no order.
TEST(ExpandWords, OperandsThatComeLater) {
  EXPECT_EQ(Left(R"(%0 = "chlo.tan"(%1) : (tensor<f32>) -> tensor<f32>
%1 = "stablehlo.constant"() {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
func.func @main() { return }
)"),
            "chlo.tan: an operand is defined after the op");
}

TEST(ExpandWords, ForOlderTargets) {
  const auto gather = [](std::string_view indices) {
    return Left(OneOp("stablehlo.gather", {"tensor<3x4xf32>", indices},
                      "dimension_numbers = #stablehlo.gather<offset_dims = [1], operand_batching_dims = [0], "
                      "start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>, "
                      "slice_sizes = array<i64: 1, 2>",
                      "tensor<?x2xf32>"),
                Version{40});
  };
  EXPECT_EQ(gather("tensor<3x1xi32>"), "expanded");
  EXPECT_EQ(gather("tensor<?x1xi32, #stablehlo.bounds<3, ?>>"), "stablehlo.gather: the indices are bounded");
  EXPECT_EQ(gather("tensor<3x?xi32>"), "stablehlo.gather: the length of index vectors is dynamic");
  // Only a discardable attribute is newer than the target.
  EXPECT_EQ(
      Left(
          OneOp(
              "stablehlo.gather", {"tensor<3x4xf32>", "tensor<3x1xi32>"},
              "dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], "
              "start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>, late = f4E2M1FN",
              "tensor<3x4xf32>"),
          Version{40}),
      "stablehlo.gather: it has no batching dimensions, but other properties that the target lacks");
  EXPECT_EQ(Left(R"(func.func private @f(%a: tensor<2xf32>) -> tensor<2xf32> { return %a : tensor<2xf32> }
func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.composite"(%a) ({
    "stablehlo.return"(%a) : (tensor<2xf32>) -> ()
  }) {name = "x.y", decomposition = @f} : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
})",
                 Version{40}),
            "stablehlo.composite: it has regions");
}

}  // namespace
}  // namespace shlo
