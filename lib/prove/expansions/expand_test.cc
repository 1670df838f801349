// Expansions that are exact: programs compute the same before and after.
#include "shlo/expand.h"

#include <fmt/format.h>

#include "prove/expansions/test_expansions.h"
#include "shlo/print.h"
#include "versioning/expand/recipe.h"

namespace shlo {
namespace {

bool SameValues(const Tensor& a, const Tensor& b) {
  if (a.type().shape != b.type().shape || a.element() != b.element()) return false;
  return PrintValues(a) == PrintValues(b);
}

// Expects that a program without arguments computes the same when it is expanded, for a version that it
// cannot be converted to otherwise, if one is given.
void ExpectSame(const std::string& body, const std::string& types, int target = 0) {
  const std::string text = "func.func @main() -> (" + types + ") {\n" + body + "}\n";
  const Module direct = Parse(text);
  const Version version{uint16_t(target)};
  const Module expanded = Expanded(direct, {}, version);
  if (version.valid()) {
    EXPECT_FALSE(Blockers(direct, version).empty()) << text;
    for (const Diagnostic& d : Blockers(expanded, version))
      ADD_FAILURE() << text << d.op << ": " << d.message;
  }
  const std::vector<Tensor> right = Results(direct, {}), values = Results(expanded, {});
  ASSERT_EQ(values.size(), right.size()) << text;
  for (size_t i = 0; i < values.size(); ++i)
    EXPECT_TRUE(SameValues(values[i], right[i]))
        << text << Print(expanded) << PrintValues(values[i]) << "\nexpected " << PrintValues(right[i]);
}

TEST(Expand, EveryOpOfChloHasAnExpansion) {
  std::set<std::string_view> rows;
  for (const Recipe& recipe : Recipes()) rows.insert(recipe.op);
#define SHLO_REWRITE(op, ...) rows.insert(op);
#include "schema/expansions.inc"
  for (const OpRow& row : OpRows()) EXPECT_TRUE(row.dialect != "chlo" || rows.contains(row.name)) << row.name;
  for (std::string_view row : rows)
    EXPECT_TRUE(row.find('.') == std::string_view::npos || FindOp(row)) << row;
}

TEST(Expand, PredicatesAndNeighbors) {
  for (const std::string type :
       {"f64", "f32", "f16", "bf16", "f8E5M2", "f8E4M3FN", "f8E4M3B11FNUZ", "f8E3M4"}) {
    const std::string t = "tensor<7x" + type + ">", p = "tensor<7xi1>";
    const std::string constants =
        "  %f = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.5, 2.5e38, -2.5e38, 0.125]> : "
        "tensor<7xf64>\n  %x = stablehlo.convert %f : (tensor<7xf64>) -> " +
        t + "\n" + "  %r = stablehlo.reverse %x, dims = [0] : " + t + "\n";
    for (const std::string op : {"is_inf", "is_pos_inf", "is_neg_inf"})
      ExpectSame(constants + "  %0 = chlo." + op + " %x : " + t + " -> " + p + "\n  return %0 : " + p + "\n",
                 p);
    // Formats without a negative zero have other codes for zero and NaN.
    if (type.ends_with("FNUZ")) continue;
    ExpectSame(constants + "  %0 = chlo.next_after %x, %r : " + t + ", " + t + " -> " + t +
                   "\n  return %0 : " + t + "\n",
               t);
    ExpectSame(constants + "  %0 = chlo.broadcast_next_after %x, %r : (" + t + ", " + t + ") -> " + t +
                   "\n  return %0 : " + t + "\n",
               t);
  }
}

TEST(Expand, UpperHalvesOfProducts) {
  const std::pair<std::string, std::string> kValues[] = {
      {"i4", "-8, -1, 7, 3"},
      {"ui4", "15, 1, 8, 0"},
      {"i8", "-128, -1, 127, 3"},
      {"ui8", "255, 1, 128, 0"},
      {"i16", "-32768, -1, 32767, 300"},
      {"i32", "-2147483648, -1, 2147483647, 65537"},
      {"ui32", "4294967295, 1, 2147483648, 65537"},
      {"i64", "-9223372036854775808, -1, 9223372036854775807, 4294967297"},
      {"ui64", "18446744073709551615, 1, 9223372036854775808, 4294967297"},
  };
  for (const auto& [type, values] : kValues) {
    const std::string t = "tensor<4x4x" + type + ">", v = "tensor<4x" + type + ">";
    ExpectSame("  %x = stablehlo.constant dense<[" + values + "]> : " + v +
                   "\n  %a = stablehlo.broadcast_in_dim %x, dims = [0] : (" + v + ") -> " + t +
                   "\n  %b = stablehlo.broadcast_in_dim %x, dims = [1] : (" + v + ") -> " + t +
                   "\n  %0 = chlo.mulhi %a, %b : " + t + ", " + t + " -> " + t + "\n  return %0 : " + t +
                   "\n",
               t);
  }
}

TEST(Expand, Constants) {
  ExpectSame(
      R"(  %0 = chlo.constant dense<[1, 2]> : tensor<2xi32>
  %1 = "chlo.constant_like"(%0) {value = 7 : i32} : (tensor<2xi32>) -> tensor<2xi32>
  %2 = tensor.cast %0 : tensor<2xi32> to tensor<?xi32>
  %3 = "chlo.constant_like"(%2) {value = -7 : i32} : (tensor<?xi32>) -> tensor<?xi32>
  %4 = stablehlo.convert %0 : (tensor<2xi32>) -> tensor<2xbf16>
  %5 = "chlo.constant_like"(%4) {value = 1.5 : bf16} : (tensor<2xbf16>) -> tensor<2xbf16>
  %6 = stablehlo.constant dense<1> : tensor<i32>
  %7 = stablehlo.set_dimension_size %0, %6, dim = 0 : (tensor<2xi32>, tensor<i32>) -> tensor<?xi32, #stablehlo.bounds<2>>
  %8 = "chlo.constant_like"(%7) {value = 9 : i32} : (tensor<?xi32, #stablehlo.bounds<2>>) -> tensor<?xi32, #stablehlo.bounds<2>>
  %9 = "chlo.constant_like"(%0) {value = 3.2 : f32} : (tensor<2xi32>) -> tensor<2xf32>
  %10 = "chlo.constant_like"(%2) {value = true} : (tensor<?xi32>) -> tensor<?xi1>
  %11 = "chlo.constant_like"(%7) {value = dense<(1.0, 2.0)> : tensor<complex<f64>>} : (tensor<?xi32, #stablehlo.bounds<2>>) -> tensor<?xcomplex<f64>, #stablehlo.bounds<2>>
  return %0, %1, %3, %5, %8, %9, %10, %11 : tensor<2xi32>, tensor<2xi32>, tensor<?xi32>, tensor<2xbf16>, tensor<?xi32, #stablehlo.bounds<2>>, tensor<2xf32>, tensor<?xi1>, tensor<?xcomplex<f64>, #stablehlo.bounds<2>>
)",
      "tensor<2xi32>, tensor<2xi32>, tensor<?xi32>, tensor<2xbf16>, tensor<?xi32, #stablehlo.bounds<2>>, "
      "tensor<2xf32>, tensor<?xi1>, tensor<?xcomplex<f64>, #stablehlo.bounds<2>>");
}

// Two operands of types that broadcast to a third one.
struct Shapes {
  const char *lhs, *rhs, *result, *attrs;
};
constexpr Shapes kShapes[] = {
    {"2x3", "2x3", "2x3", ""},
    {"3", "2x3", "2x3", ""},
    {"2x3", "", "2x3", ""},
    {"2x1", "1x3", "2x3", ""},
    {"2", "2x3", "2x3", " {broadcast_dimensions = array<i64: 0>}"},
    {"?x?", "3", "?x3", ""},
    {"?", "?x?", "?x?", ""},
    {"?x1", "?x?", "?x?", ""},
    {"?x?", "", "?x?", ""},
    {"?", "2x3", "2x?", ""},
};
// A static shape that has the dynamic sizes, so that operands can be made.
std::string Sizes(std::string_view shape, std::string_view other) {
  if (shape == "?" || shape == "3") return "3";
  if (shape == "?x1") return "2x1";
  if (shape == "?x?") return other == "?x1" ? "1x3" : "2x3";
  return std::string(shape);
}

TEST(Expand, Broadcasts) {
  struct Row {
    std::string op, element, result, extra;
  };
  const Row kRows[] = {
      {"broadcast_add", "i32", "i32", ""},
      {"broadcast_and", "i32", "i32", ""},
      {"broadcast_atan2", "f32", "f32", ""},
      {"broadcast_divide", "i32", "i32", ""},
      {"broadcast_maximum", "f64", "f64", ""},
      {"broadcast_minimum", "f16", "f16", ""},
      {"broadcast_multiply", "ui8", "ui8", ""},
      {"broadcast_or", "i32", "i32", ""},
      {"broadcast_power", "i32", "i32", ""},
      {"broadcast_remainder", "f32", "f32", ""},
      {"broadcast_shift_left", "i32", "i32", ""},
      {"broadcast_shift_right_arithmetic", "i32", "i32", ""},
      {"broadcast_xor", "i32", "i32", ""},
      {"broadcast_shift_right_logical", "i32", "i32", ""},
      {"broadcast_subtract", "f32", "f32", ""},
      {"broadcast_complex", "f32", "complex<f32>", ""},
      {"broadcast_next_after", "f32", "f32", ""},
      {"broadcast_compare", "f32", "i1", "comparison_direction = #chlo<comparison_direction LT>"},
      {"broadcast_compare", "i32", "i1",
       "comparison_direction = #chlo<comparison_direction GE>, compare_type = #chlo<comparison_type SIGNED>"},
  };
  const auto type = [](std::string_view shape, const std::string& element) {
    return "tensor<" + std::string(shape) + (shape.empty() ? "" : "x") + element + ">";
  };
  for (const Row& row : kRows) {
    for (const Shapes& shapes : kShapes) {
      std::string body;
      const std::pair<const char*, const char*> operands[] = {{shapes.lhs, shapes.rhs},
                                                              {shapes.rhs, shapes.lhs}};
      for (int i = 0; i < 2; ++i) {
        const std::string sizes = Sizes(operands[i].first, operands[i].second), n = std::to_string(i);
        const std::string from = type(sizes, "i32"), to = type(sizes, row.element);
        const int64_t elements = sizes.empty()                    ? 1
                                 : sizes == "2x3"                 ? 6
                                 : sizes == "2" || sizes == "2x1" ? 2
                                                                  : 3;
        const std::string flat = type(std::to_string(elements), "i32");
        body += "  %iota" + n + " = stablehlo.iota dim = 0 : " + flat + "\n  %one" + n +
                " = stablehlo.constant dense<" + std::to_string(i + 1) + "> : " + flat + "\n  %sum" + n +
                " = stablehlo.add %iota" + n + ", %one" + n + " : " + flat + "\n  %r" + n +
                " = stablehlo.reshape %sum" + n + " : (" + flat + ") -> " + from + "\n  %c" + n +
                " = stablehlo.convert %r" + n + " : (" + from + ") -> " + to + "\n  %x" + n +
                " = tensor.cast %c" + n + " : " + to + " to " + type(operands[i].first, row.element) + "\n";
      }
      std::string attrs = shapes.attrs;
      if (!row.extra.empty())
        attrs = attrs.empty() ? " {" + row.extra + "}"
                              : attrs.substr(0, attrs.size() - 1) + ", " + row.extra + "}";
      const std::string result = type(shapes.result, row.result);
      body += "  %0 = chlo." + row.op + " %x0, %x1" + attrs + " : (" + type(shapes.lhs, row.element) + ", " +
              type(shapes.rhs, row.element) + ") -> " + result + "\n  return %0 : " + result + "\n";
      ExpectSame(body, result);
    }
  }
  // Bounded sizes.
  ExpectSame(R"(  %0 = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %1 = stablehlo.constant dense<2> : tensor<i32>
  %2 = stablehlo.set_dimension_size %0, %1, dim = 0 : (tensor<3xi32>, tensor<i32>) -> tensor<?xi32, #stablehlo.bounds<3>>
  %3 = chlo.broadcast_add %2, %1 : (tensor<?xi32, #stablehlo.bounds<3>>, tensor<i32>) -> tensor<?xi32, #stablehlo.bounds<3>>
  %4 = chlo.broadcast_multiply %2, %3 : (tensor<?xi32, #stablehlo.bounds<3>>, tensor<?xi32, #stablehlo.bounds<3>>) -> tensor<?xi32, #stablehlo.bounds<3>>
  return %3, %4 : tensor<?xi32, #stablehlo.bounds<3>>, tensor<?xi32, #stablehlo.bounds<3>>
)",
             "tensor<?xi32, #stablehlo.bounds<3>>, tensor<?xi32, #stablehlo.bounds<3>>");
  // Outside of the domain of the functions, so that results are exact.
  ExpectSame(R"(  %0 = stablehlo.constant dense<[0.5, 1.0]> : tensor<2xf32>
  %1 = stablehlo.constant dense<2.0> : tensor<f32>
  %2 = chlo.broadcast_zeta %0, %1 : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  %3 = stablehlo.constant dense<[0.5, -1.0]> : tensor<2xf32>
  %4 = chlo.broadcast_polygamma %3, %1 : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  return %2, %4 : tensor<2xf32>, tensor<2xf32>
)",
             "tensor<2xf32>, tensor<2xf32>");
}

TEST(Expand, BroadcastSelects) {
  ExpectSame(R"(  %p = stablehlo.constant dense<true> : tensor<i1>
  %q = stablehlo.constant dense<[true, false, true]> : tensor<3xi1>
  %a = stablehlo.constant dense<[[1], [2]]> : tensor<2x1xi32>
  %b = stablehlo.constant dense<[[10, 20, 30]]> : tensor<1x3xi32>
  %d = tensor.cast %b : tensor<1x3xi32> to tensor<?x?xi32>
  %0 = "chlo.broadcast_select"(%p, %a, %b) : (tensor<i1>, tensor<2x1xi32>, tensor<1x3xi32>) -> tensor<2x3xi32>
  %1 = "chlo.broadcast_select"(%q, %a, %b) : (tensor<3xi1>, tensor<2x1xi32>, tensor<1x3xi32>) -> tensor<2x3xi32>
  %2 = "chlo.broadcast_select"(%q, %a, %d) : (tensor<3xi1>, tensor<2x1xi32>, tensor<?x?xi32>) -> tensor<2x3xi32>
  return %0, %1, %2 : tensor<2x3xi32>, tensor<2x3xi32>, tensor<2x3xi32>
)",
             "tensor<2x3xi32>, tensor<2x3xi32>, tensor<2x3xi32>");
  // Whichever of three dynamic operands has the size.
  for (const char* sizes : {"3, 1, 1", "1, 3, 1", "1, 1, 3", "3, 3, 1", "1, 3, 3", "3, 1, 3"}) {
    const std::string_view list = sizes;
    std::string body;
    const char* const names[] = {"p", "a", "b"};
    for (size_t i = 0; i < 3; ++i) {
      const std::string size(1, list[3 * i]), type = i == 0 ? "i1" : "i32",
                                              value = i == 0   ? "true"
                                                      : i == 1 ? "5"
                                                               : "7";
      body += fmt::format(
          "  %c{0} = stablehlo.constant dense<{1}> : tensor<{2}x{3}>\n  %{0} = tensor.cast %c{0} : "
          "tensor<{2}x{3}> to tensor<?x{3}>\n",
          names[i], value, size, type);
    }
    ExpectSame(
        body +
            R"(  %0 = "chlo.broadcast_select"(%p, %a, %b) : (tensor<?xi1>, tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
  return %0 : tensor<?xi32>
)",
        "tensor<?xi32>");
  }
}

// The declared result type says how results are quantized, not an operand's.
TEST(Expand, BroadcastsOfQuantizedOperands) {
  const Module direct = Parse(
      R"(func.func @main(%a: tensor<2x!quant.uniform<i8:f32, 0.5:3>>, %b: tensor<1x!quant.uniform<i8:f32, 0.25:-1>>) -> tensor<2x!quant.uniform<i8:f32, 1.0:2>> {
  %0 = chlo.broadcast_add %a, %b : (tensor<2x!quant.uniform<i8:f32, 0.5:3>>, tensor<1x!quant.uniform<i8:f32, 0.25:-1>>) -> tensor<2x!quant.uniform<i8:f32, 1.0:2>>
  return %0 : tensor<2x!quant.uniform<i8:f32, 1.0:2>>
}
)");
  const Module expanded = Expanded(direct, {});
  std::vector<Tensor> args;
  for (const auto& [scale, zero_point, stored] :
       {std::tuple(0.5, 3, "\x05\x0b"), std::tuple(0.25, -1, "\x07")}) {
    auto quantization = std::make_shared<Quantization>();
    quantization->expressed = TypeKind::kF32;
    quantization->storage_min = -128;
    quantization->storage_max = 127;
    quantization->scales = {scale};
    quantization->zero_points = {zero_point};
    const std::vector<int64_t> shape{int64_t(std::string_view(stored).size())};
    args.push_back(Tensor::Copy(MakeTensorType({TypeKind::kI8}, shape, quantization), stored));
  }
  // 1 + 2 = 3, 4 + 2 = 6; stored from zero point 2.
  for (const Module* m : {&direct, &expanded}) {
    const std::vector<Tensor> results = Results(*m, args);
    ASSERT_EQ(results.size(), 1u);
    EXPECT_EQ(results[0].ToBytes(), "\x05\x08");
  }
}

TEST(Expand, TopK) {
  ExpectSame(
      R"(  %0 = stablehlo.constant dense<[[1.0, 0x7FC00000, -0.0, 0.0, 0xFF800000], [3.0, 3.0, 5.0, 3.0, 0xFFC00000]]> : tensor<2x5xf32>
  %1:2 = chlo.top_k(%0, k = 4) : tensor<2x5xf32> -> (tensor<2x4xf32>, tensor<2x4xi32>)
  %2 = stablehlo.constant dense<[200, 3, 250, 3]> : tensor<4xui8>
  %3:2 = chlo.top_k(%2, k = 3) : tensor<4xui8> -> (tensor<3xui8>, tensor<3xi32>)
  %4 = stablehlo.constant dense<[-5, 3, 7, 3]> : tensor<4xi16>
  %5:2 = chlo.top_k(%4, k = 3) : tensor<4xi16> -> (tensor<3xi16>, tensor<3xi32>)
  %6 = tensor.cast %0 : tensor<2x5xf32> to tensor<?x?xf32>
  %7:2 = chlo.top_k(%6, k = 2) : tensor<?x?xf32> -> (tensor<?x2xf32>, tensor<?x2xi32>)
  return %1#0, %1#1, %3#0, %3#1, %5#0, %5#1, %7#0, %7#1 : tensor<2x4xf32>, tensor<2x4xi32>, tensor<3xui8>, tensor<3xi32>, tensor<3xi16>, tensor<3xi32>, tensor<?x2xf32>, tensor<?x2xi32>
)",
      "tensor<2x4xf32>, tensor<2x4xi32>, tensor<3xui8>, tensor<3xi32>, tensor<3xi16>, tensor<3xi32>, "
      "tensor<?x2xf32>, tensor<?x2xi32>");
}

TEST(Expand, RaggedDots) {
  constexpr const char* kInputs = R"(  %li = stablehlo.iota dim = 1 : tensor<2x5x3xf32>
  %lj = stablehlo.iota dim = 2 : tensor<2x5x3xf32>
  %lhs = stablehlo.add %li, %lj : tensor<2x5x3xf32>
  %sizes = stablehlo.constant dense<[2, 0, 1]> : tensor<3xi64>
)";
  // A range of rows per group; the rows after the last group are zero, and infinities of other groups have no
  // effect.
  ExpectSame(std::string(kInputs) + R"(  %ri = stablehlo.iota dim = 0 : tensor<3x2x3x4xf32>
  %rj = stablehlo.iota dim = 3 : tensor<3x2x3x4xf32>
  %rs = stablehlo.subtract %ri, %rj : tensor<3x2x3x4xf32>
  %inf = stablehlo.constant dense<0x7F800000> : tensor<3x2x3x4xf32>
  %two = stablehlo.constant dense<1.0> : tensor<3x2x3x4xf32>
  %is = stablehlo.compare EQ, %ri, %two : (tensor<3x2x3x4xf32>, tensor<3x2x3x4xf32>) -> tensor<3x2x3x4xi1>
  %rhs = stablehlo.select %is, %inf, %rs : tensor<3x2x3x4xi1>, tensor<3x2x3x4xf32>
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %sizes) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2], lhs_ragged_dimensions = [1], rhs_group_dimensions = [0]>, precision_config = [#chlo<precision DEFAULT>, #chlo<precision HIGHEST>]} : (tensor<2x5x3xf32>, tensor<3x2x3x4xf32>, tensor<3xi64>) -> tensor<2x5x4xf32>
  %d = tensor.cast %lhs : tensor<2x5x3xf32> to tensor<?x?x?xf32>
  %1 = "chlo.ragged_dot"(%d, %rhs, %sizes) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2], lhs_ragged_dimensions = [1], rhs_group_dimensions = [0]>} : (tensor<?x?x?xf32>, tensor<3x2x3x4xf32>, tensor<3xi64>) -> tensor<?x?x4xf32>
  return %0, %1 : tensor<2x5x4xf32>, tensor<?x?x4xf32>
)",
             "tensor<2x5x4xf32>, tensor<?x?x4xf32>");
  // A range of the contracting dimension per group, and batches.
  ExpectSame(std::string(kInputs) + R"(  %ri = stablehlo.iota dim = 1 : tensor<2x5x4xf32>
  %rj = stablehlo.iota dim = 2 : tensor<2x5x4xf32>
  %rhs = stablehlo.subtract %ri, %rj : tensor<2x5x4xf32>
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %sizes) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [1], rhs_group_dimensions = []>} : (tensor<2x5x3xf32>, tensor<2x5x4xf32>, tensor<3xi64>) -> tensor<3x2x3x4xf32>
  %1 = "chlo.ragged_dot"(%lhs, %rhs, %sizes) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = []>} : (tensor<2x5x3xf32>, tensor<2x5x4xf32>, tensor<3xi64>) -> tensor<2x3x4xf32>
  return %0, %1 : tensor<3x2x3x4xf32>, tensor<2x3x4xf32>
)",
             "tensor<3x2x3x4xf32>, tensor<2x3x4xf32>");
}

TEST(Expand, Scans) {
  for (const std::string reverse : {"", "is_reverse = true, "}) {
    const std::string scan =
        R"(
    %sum = stablehlo.add %e, %c : tensor<2xi32>
    %next = "chlo.broadcast_add"(%sum, %k) : (tensor<2xi32>, tensor<i32>) -> tensor<2xi32>
    %l = stablehlo.add %k, %k : tensor<i32>
    "stablehlo.return"(%next, %next, %l) : (tensor<2xi32>, tensor<2xi32>, tensor<i32>) -> ()
  }) {dimension = 1 : i64, )" +
        reverse + R"(operandSegmentSizes = array<i32: 1, 2>, resultSegmentSizes = array<i32: 1, 2>} : )";
    const std::string inputs = R"(  %x = stablehlo.constant dense<[[1, 2, 3], [10, 20, 30]]> : tensor<2x3xi32>
  %init = stablehlo.constant dense<[100, 200]> : tensor<2xi32>
  %one = stablehlo.constant dense<1> : tensor<i32>
)";
    ExpectSame(
        inputs + R"(  %0:3 = "chlo.scan"(%x, %init, %one) ({
  ^bb0(%e: tensor<2xi32>, %c: tensor<2xi32>, %k: tensor<i32>):)" +
            scan +
            R"((tensor<2x3xi32>, tensor<2xi32>, tensor<i32>) -> (tensor<2x3xi32>, tensor<2xi32>, tensor<i32>)
  return %0#0, %0#1, %0#2 : tensor<2x3xi32>, tensor<2xi32>, tensor<i32>
)",
        "tensor<2x3xi32>, tensor<2xi32>, tensor<i32>");
    ExpectSame(
        inputs + R"(  %d = tensor.cast %x : tensor<2x3xi32> to tensor<2x?xi32>
  %0:3 = "chlo.scan"(%d, %init, %one) ({
  ^bb0(%e: tensor<2xi32>, %c: tensor<2xi32>, %k: tensor<i32>):)" +
            scan +
            R"((tensor<2x?xi32>, tensor<2xi32>, tensor<i32>) -> (tensor<2x?xi32>, tensor<2xi32>, tensor<i32>)
  return %0#0, %0#1, %0#2 : tensor<2x?xi32>, tensor<2xi32>, tensor<i32>
)",
        "tensor<2x?xi32>, tensor<2xi32>, tensor<i32>");
  }
}

TEST(Expand, ScansWithoutInputsOrOutputs) {
  for (const std::string reverse : {"false", "true"}) {
    const auto segments = [&](const std::string& operands, const std::string& results, int size) {
      return fmt::format(
          " {{dimension = 1 : i64, is_reverse = {}, scan_dim_size = {} : i64, operandSegmentSizes = "
          "array<i32: {}>, resultSegmentSizes = array<i32: {}>}} : ",
          reverse, size, operands, results);
    };
    // A sum of rows, without prefixes.
    ExpectSame(R"(  %x = stablehlo.constant dense<[[1, 2, 3], [10, 20, 30]]> : tensor<2x3xi32>
  %init = stablehlo.constant dense<[100, 200]> : tensor<2xi32>
  %0 = "chlo.scan"(%x, %init) ({
  ^bb0(%e: tensor<2xi32>, %c: tensor<2xi32>):
    %s = stablehlo.add %e, %c : tensor<2xi32>
    stablehlo.return %s : tensor<2xi32>
  }))" + segments("1, 1", "0, 1", 3) +
                   R"((tensor<2x3xi32>, tensor<2xi32>) -> tensor<2xi32>
  return %0 : tensor<2xi32>
)",
               "tensor<2xi32>");
    // Powers, from nothing but their number.
    ExpectSame(R"(  %init = stablehlo.constant dense<[1, 3]> : tensor<2xi32>
  %0:2 = "chlo.scan"(%init) ({
  ^bb0(%c: tensor<2xi32>):
    %s = stablehlo.add %c, %c : tensor<2xi32>
    stablehlo.return %c, %s : tensor<2xi32>, tensor<2xi32>
  }))" + segments("0, 1", "1, 1", 4) +
                   R"((tensor<2xi32>) -> (tensor<2x4xi32>, tensor<2xi32>)
  return %0#0, %0#1 : tensor<2x4xi32>, tensor<2xi32>
)",
               "tensor<2x4xi32>, tensor<2xi32>");
  }
}

// Positions in the batch need a type that has them; of an unknown number, the widest.
TEST(Expand, IndicesGrowWithTheirBatches) {
  struct Row {
    const char *type, *size, *expected;
  };
  constexpr Row kRows[] = {
      {"i8", "127", "i8"},
      {"i8", "128", "i32"},
      {"ui8", "255", "ui8"},
      {"ui8", "256", "i32"},
      {"i16", "32767", "i16"},
      {"i16", "32768", "i32"},
      {"i32", "2147483647", "i32"},
      {"i32", "2147483648", "i64"},
      {"ui32", "4294967295", "ui32"},
      {"ui32", "4294967296", "i64"},
      {"i8", "2147483648", "i64"},
      {"i64", "2147483649", "i64"},
      {"ui64", "2147483649", "ui64"},
      {"i8", "?", "i64"},
      {"ui32", "?", "i64"},
      {"i64", "?", "i64"},
      {"ui64", "?", "ui64"},
  };
  for (const Row& row : kRows) {
    const Module m = Parse(fmt::format(
        R"(func.func @main(%a: tensor<{0}x2xf32>, %i: tensor<{0}x1x{1}>) -> tensor<{0}xf32> {{
  %0 = "stablehlo.gather"(%a, %i) <{{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}}> : (tensor<{0}x2xf32>, tensor<{0}x1x{1}>) -> tensor<{0}xf32> loc("here")
  return %0 : tensor<{0}xf32>
}})",
        row.size, row.type));
    const Module expanded = Expanded(m, {}, Version{53});
    const std::string text = Print(expanded);
    EXPECT_NE(text.find(fmt::format("-> tensor<{}x2x{}>", row.size, row.expected)), text.npos)
        << row.type << text;
    for (const Op& op : expanded.ops)
      if (expanded.NameOf(op) == "stablehlo.gather") {
        const auto loc = expanded.As<NameLoc>(op.loc);
        ASSERT_TRUE(loc);
        EXPECT_EQ(expanded.strings[loc->name], "here");
      }
  }
}

// Sizes that the operands state are not computed, though the type of the result may not state them.
TEST(Expand, StaticSizesAreNotComputed) {
  const auto text = [](const std::string& lhs, const std::string& rhs, const std::string& result) {
    return Print(Expanded(
        Parse(fmt::format(
            "func.func @main(%a: tensor<{0}>, %b: tensor<{1}>) -> tensor<{2}> {{\n  %0 = chlo.broadcast_add "
            "%a, %b : (tensor<{0}>, tensor<{1}>) -> tensor<{2}>\n  return %0 : tensor<{2}>\n}}\n",
            lhs, rhs, result)),
        {}));
  };
  for (const char* result : {"2x3xf32", "2x?xf32", "?x3xf32", "?x?xf32"})
    EXPECT_EQ(text("2x3xf32", "3xf32", result).find("dynamic"), std::string::npos) << result;
  // Sizes that only the result states are not computed either.
  EXPECT_EQ(text("?x3xf32", "3xf32", "2x3xf32").find("get_dimension_size"), std::string::npos);
  EXPECT_NE(text("?x3xf32", "3xf32", "?x3xf32").find("dynamic_broadcast_in_dim"), std::string::npos);
}

TEST(Expand, BatchingDimensions) {
  constexpr int kRelease_1_0_0 = 53;
  ExpectSame(R"(  %0 = stablehlo.iota dim = 1 : tensor<3x4x5xi32>
  %i = stablehlo.constant dense<[[[0], [3]], [[1], [2]], [[2], [0]]]> : tensor<3x2x1xi8>
  %1 = "stablehlo.gather"(%0, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 5>}> : (tensor<3x4x5xi32>, tensor<3x2x1xi8>) -> tensor<3x2x5xi32>
  %j = stablehlo.constant dense<[[0, 3], [1, 2], [2, 0]]> : tensor<3x2xi64>
  %2 = "stablehlo.gather"(%0, %j) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 5>, indices_are_sorted = true}> : (tensor<3x4x5xi32>, tensor<3x2xi64>) -> tensor<3x2x5xi32>
  %u = stablehlo.constant dense<[[10, 20], [30, 40], [50, 60]]> : tensor<3x2xi32>
  %z = stablehlo.constant dense<1> : tensor<3x4xi32>
  %3 = "stablehlo.scatter"(%z, %j, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) : (tensor<3x4xi32>, tensor<3x2xi64>, tensor<3x2xi32>) -> tensor<3x4xi32>
  return %1, %2, %3 : tensor<3x2x5xi32>, tensor<3x2x5xi32>, tensor<3x4xi32>
)",
             "tensor<3x2x5xi32>, tensor<3x2x5xi32>, tensor<3x4xi32>", kRelease_1_0_0);
  // More batches than i8 can count.
  ExpectSame(R"(  %0 = stablehlo.iota dim = 0 : tensor<300x2xi32>
  %i = stablehlo.constant dense<1> : tensor<300x1xi8>
  %1 = "stablehlo.gather"(%0, %i) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}> : (tensor<300x2xi32>, tensor<300x1xi8>) -> tensor<300xi32>
  %s = stablehlo.constant dense<1> : tensor<2xi32>
  %2 = "stablehlo.dynamic_gather"(%0, %i, %s) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>}> : (tensor<300x2xi32>, tensor<300x1xi8>, tensor<2xi32>) -> tensor<300xi32>
  return %1, %2 : tensor<300xi32>, tensor<300xi32>
)",
             "tensor<300xi32>, tensor<300xi32>", kRelease_1_0_0);
}

TEST(Expand, CollectivesOfSeveralOperandsAndMeshes) {
  const Module direct = Parse(R"(
func.func @main(%a: tensor<2xi32>, %b: tensor<1xi32>) -> (tensor<2xi32>, tensor<1xi32>, tensor<4xi32>) {
  %0:2 = "stablehlo.all_reduce"(%a, %b) <{replica_groups = #stablehlo.replica_group_mesh_axes<mesh = #stablehlo.mesh<axes = [#stablehlo.mesh_axis<name = "x", size = 2>, #stablehlo.mesh_axis<name = "y", size = 2>]>, axes = [#stablehlo.axis_ref<name = "y">]>}> ({
  ^bb0(%c: tensor<i32>, %d: tensor<i32>):
    %s = stablehlo.add %c, %d : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) : (tensor<2xi32>, tensor<1xi32>) -> (tensor<2xi32>, tensor<1xi32>)
  %1 = "stablehlo.all_gather"(%0#0) <{all_gather_dim = 0 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = #stablehlo.mesh<axes = [#stablehlo.mesh_axis<name = "x", size = 2>, #stablehlo.mesh_axis<name = "y", size = 2>]>, axes = [#stablehlo.axis_ref<name = "x">]>}> : (tensor<2xi32>) -> tensor<4xi32>
  return %0#0, %0#1, %1 : tensor<2xi32>, tensor<1xi32>, tensor<4xi32>
})");
  constexpr Version kRelease_1_4_0{57};
  const Module expanded = Expanded(direct, {}, kRelease_1_4_0);
  EXPECT_FALSE(Blockers(direct, kRelease_1_4_0).empty());
  for (const Diagnostic& d : Blockers(expanded, kRelease_1_4_0)) ADD_FAILURE() << d.op << ": " << d.message;
  std::vector<Tensor> args;
  for (int32_t i = 0; i < 4; ++i) {
    const int32_t a[] = {i, 10 * i}, b[] = {100 * i};
    args.push_back(Tensor::Copy(MakeTensorType({TypeKind::kI32}, std::vector<int64_t>{2}),
                                {reinterpret_cast<const char*>(a), sizeof a}));
    args.push_back(Tensor::Copy(MakeTensorType({TypeKind::kI32}, std::vector<int64_t>{1}),
                                {reinterpret_cast<const char*>(b), sizeof b}));
  }
  const std::vector<std::string> functions(4, "main");
  const auto right = EvaluateParallel(direct, functions, 1, args);
  const auto values = EvaluateParallel(expanded, functions, 1, args);
  ASSERT_TRUE(right && values);
  ASSERT_EQ(values->results.size(), right->results.size());
  for (size_t i = 0; i < values->results.size(); ++i)
    EXPECT_TRUE(SameValues(values->results[i], right->results[i])) << i;
}

TEST(Expand, CompositesBecomeCalls) {
  const Module direct = Parse(R"(
func.func @main() -> tensor<2xi32> {
  %0 = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %1 = stablehlo.composite "my.twice" %0 {decomposition = @twice} : (tensor<2xi32>) -> tensor<2xi32>
  return %1 : tensor<2xi32>
}
func.func private @twice(%x: tensor<2xi32>) -> tensor<2xi32> {
  %0 = stablehlo.add %x, %x : tensor<2xi32>
  return %0 : tensor<2xi32>
})");
  constexpr Version kRelease_0_18_0{50};
  const Module expanded = Expanded(direct, {"stablehlo.composite"}, kRelease_0_18_0);
  EXPECT_FALSE(Blockers(direct, kRelease_0_18_0).empty());
  EXPECT_TRUE(Blockers(expanded, kRelease_0_18_0).empty());
  const std::vector<Tensor> values = Results(expanded, {});
  ASSERT_EQ(values.size(), 1u);
  EXPECT_EQ(PrintValues(values[0]), "[2, 4]");
}

TEST(Expand, StatesWhatItLeaves) {
  const Module module = Parse(R"(func.func @main(%x: tensor<*xf32>) -> tensor<*xf32> {
  %0 = chlo.acos %x : tensor<*xf32> -> tensor<*xf32>
  return %0 : tensor<*xf32>
})");
  const auto expansion = Expand(module);
  ASSERT_TRUE(expansion);
  ASSERT_EQ(expansion->left.size(), 1u);
  EXPECT_EQ(expansion->left[0].op, "chlo.acos");
  EXPECT_EQ(expansion->left[0].message, "not expanded: an operand is not a ranked tensor");
  EXPECT_TRUE(expansion->ops.empty());
}

// Older programs may violate constraints of the specification; then the shapes that a rewrite relies on are
// wrong.
TEST(Expand, LeavesWhatDoesNotVerify) {
  const Module module = Parse(
      R"(func.func @main(%l: tensor<4x2xf32>, %r: tensor<2x2x2xf32>, %g: tensor<2xi32>, %x: tensor<3xf32>) {
  %0 = "chlo.ragged_dot"(%l, %r, %g) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [7], rhs_group_dimensions = [9]>} : (tensor<4x2xf32>, tensor<2x2x2xf32>, tensor<2xi32>) -> tensor<4x2xf32>
  %1:2 = "chlo.top_k"(%x) {k = -5 : i64} : (tensor<3xf32>) -> (tensor<3xf32>, tensor<3xi32>)
  return
})");
  const auto expansion = Expand(module);
  ASSERT_TRUE(expansion);
  ASSERT_EQ(expansion->left.size(), 2u);
  for (const Diagnostic& d : expansion->left) EXPECT_EQ(d.message, "not expanded: it does not verify");
  EXPECT_FALSE(Expand(Module()));
}

TEST(Expand, CountsOpsAndKeepsOthers) {
  const Module module = Parse(R"(func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = chlo.asin %x : tensor<2xf32> -> tensor<2xf32>
  %1 = chlo.asin %0 : tensor<2xf32> -> tensor<2xf32>
  %2 = stablehlo.tan %1 : tensor<2xf32>
  return %2 : tensor<2xf32>
})");
  const auto chlo = Expand(module);
  ASSERT_TRUE(chlo);
  ASSERT_EQ(chlo->ops.size(), 1u);
  EXPECT_EQ(chlo->ops[0].op, "chlo.asin");
  EXPECT_EQ(chlo->ops[0].count, 2u);
  const auto lacking = Expand(module, {.target = Version{53}, .chlo = false});
  ASSERT_TRUE(lacking);
  ASSERT_EQ(lacking->ops.size(), 1u);
  EXPECT_EQ(lacking->ops[0].op, "stablehlo.tan");
}

// The reference's rewriter moves constants to the start of a function, and merges equal ones.
TEST(Expand, AddsConstantsOncePerFunction) {
  const Module module = Parse(R"(func.func @merged(%x: tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>> {
  %one = stablehlo.constant dense<1.0> : tensor<2xf32> loc("one")
  %other = stablehlo.constant dense<2.0> : tensor<2xf32> loc("other")
  %0 = stablehlo.complex %one, %other : tensor<2xcomplex<f32>>
  %1 = stablehlo.add %x, %0 : tensor<2xcomplex<f32>>
  %2 = stablehlo.tan %1 : tensor<2xcomplex<f32>> loc("tan")
  return %2 : tensor<2xcomplex<f32>>
}
func.func @moved(%x: tensor<2xcomplex<f32>>, %p: tensor<i1>) -> tensor<2xcomplex<f32>> {
  %0 = stablehlo.negate %x : tensor<2xcomplex<f32>>
  %1 = stablehlo.tan %0 : tensor<2xcomplex<f32>> loc("tan")
  %2 = stablehlo.constant dense<1.0> : tensor<2xf32> loc("late")
  %3 = "stablehlo.if"(%p) ({
    %4 = stablehlo.slice %1 [0:1] : (tensor<2xcomplex<f32>>) -> tensor<1xcomplex<f32>>
    %5 = stablehlo.tan %4 : tensor<1xcomplex<f32>> loc("nested")
    %6 = stablehlo.real %5 : (tensor<1xcomplex<f32>>) -> tensor<1xf32>
    %7 = stablehlo.concatenate %6, %6, dim = 0 : (tensor<1xf32>, tensor<1xf32>) -> tensor<2xf32>
    stablehlo.return %7 : tensor<2xf32>
  }, {
    stablehlo.return %2 : tensor<2xf32>
  }) : (tensor<i1>) -> tensor<2xf32>
  %8 = stablehlo.complex %3, %2 : tensor<2xcomplex<f32>>
  return %8 : tensor<2xcomplex<f32>>
})");
  const Module expanded = Expanded(module, {"stablehlo.tan"}, Version{53});
  struct Constant {
    uint32_t place;  // in its block
    std::string type, location;
    bool operator==(const Constant&) const = default;
  };
  std::vector<std::vector<Constant>> found;
  for (size_t f = 1; f < expanded.ops.size(); ++f) {
    if (expanded.NameOf(expanded.ops[f]) != "func.func") continue;
    found.emplace_back();
    const auto blocks = expanded.BlocksOf(expanded.RegionsOf(expanded.ops[f])[0]);
    uint32_t place = 0;
    for (OpId id : expanded.OpsOf(blocks[0])) {
      const Op& op = expanded.ops[id.v];
      if (expanded.NameOf(op) == "stablehlo.constant") {
        const auto named = expanded.As<NameLoc>(op.loc);
        found.back().push_back({place, TypeText(expanded, expanded.TypeOf(expanded.ResultOf(op, 0))),
                                named ? std::string(expanded.strings[named->name]) : ""});
      }
      ++place;
    }
  }
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0], (std::vector<Constant>{{0, "tensor<2xf32>", ""}, {1, "tensor<2xf32>", "other"}}));
  EXPECT_EQ(found[1],
            (std::vector<Constant>{
                {0, "tensor<1xf32>", ""}, {1, "tensor<2xf32>", "tan"}, {14, "tensor<2xf32>", "late"}}));
}

}  // namespace
}  // namespace shlo
