// Uses of arguments, and the numbers of programs.
#include "prove/argument_uses.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "shlo/text_reader.h"

namespace shlo {
namespace {

Module Read(const std::string& text) {
  auto module = ReadText(text, nullptr);
  EXPECT_TRUE(module) << text << (module ? "" : Render(module.error()[0]));
  return module ? std::move(*module) : Module();
}

std::string Describe(const ArgumentUse& use) {
  std::string out;
  const auto list = [&](std::string_view name, const std::vector<int64_t>& numbers) {
    if (numbers.empty()) return;
    out += fmt::format(" {}", name);
    for (int64_t n : numbers) out += n == kDynamic ? " ?" : fmt::format(" {}", n);
  };
  list("bounds", use.bounds);
  list("extents", use.extents);
  for (const auto& [flag, name] : {std::pair(use.count, " count"),
                                   {use.positive, " positive"},
                                   {use.probability, " probability"},
                                   {use.unit, " unit"},
                                   {use.matrix, " matrix"}})
    if (flag) out += name;
  if (use.fan_in != 1) out += fmt::format(" fan_in {}", use.fan_in);
  for (const Number& n : use.compared)
    out += n.is_float ? fmt::format(" = {}", n.real) : fmt::format(" == {}", n.integer);
  return out;
}

// Returns the uses of the arguments of @main, separated by "|".
std::string Uses(const std::string& arguments, const std::string& body, const std::string& others = "") {
  const Module m = Read("func.func @main(" + arguments + ") {\n" + body + "\nreturn\n}\n" + others);
  OpId main;
  for (uint32_t i = 1; i < m.ops.size(); ++i)
    if (m.SymbolOf(m.ops[i]) == "main") main = OpId(i);
  std::string out;
  for (const ArgumentUse& use : ArgumentUses(m, main)) out += Describe(use) + " |";
  return out;
}

TEST(ArgumentUses, StartIndicesHaveBounds) {
  const std::string ij = ", %i: tensor<i32>, %j: tensor<i32>";
  const auto slice = [&](const std::string& shape) {
    return Uses("%x: tensor<" + shape + "xf32>" + ij,
                "%0 = stablehlo.dynamic_slice %x, %i, %j, sizes = [2, 3] : (tensor<" + shape +
                    "xf32>, tensor<i32>, tensor<i32>) -> tensor<2x3xf32>");
  };
  // The last slice of 2 of 9 begins at 7, the last one of 3 of 70 at 67.
  EXPECT_EQ(slice("9x70"), " | bounds 8 | bounds 68 |");
  EXPECT_EQ(slice("?x70"), " | | bounds 68 |");
  EXPECT_EQ(slice("9x?"), " | bounds 8 | |");
  const auto update = [&](const std::string& shape) {
    return Uses("%x: tensor<9x70xf32>, %u: tensor<" + shape + "xf32>" + ij,
                "%0 = stablehlo.dynamic_update_slice %x, %u, %i, %j : (tensor<9x70xf32>, tensor<" + shape +
                    "xf32>, tensor<i32>, tensor<i32>) -> tensor<9x70xf32>");
  };
  EXPECT_EQ(update("2x3"), " | | bounds 8 | bounds 68 |");
  EXPECT_EQ(update("2x?"), " | | bounds 8 | bounds 70 |");
}

TEST(ArgumentUses, IndicesHaveBounds) {
  EXPECT_EQ(
      Uses("%x: tensor<5x7xf32>, %i: tensor<4x2xi32>",
           "%0 = \"stablehlo.gather\"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], "
           "start_index_map = [1, 0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>}> : "
           "(tensor<5x7xf32>, "
           "tensor<4x2xi32>) -> tensor<4x1x3xf32>"),
      " | bounds 5 |");  // 7 - (3 - 1) is 5, too
  EXPECT_EQ(
      Uses("%x: tensor<5x7xf32>, %i: tensor<4x1xi32>, %u: tensor<4x5xf32>",
           "%0 = \"stablehlo.scatter\"(%x, %i, %u) <{scatter_dimension_numbers = "
           "#stablehlo.scatter<update_window_dims = "
           "[1], inserted_window_dims = [1], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>}> ({\n"
           "^bb0(%a: tensor<f32>, %b: tensor<f32>):\nstablehlo.return %b : tensor<f32>\n}) : "
           "(tensor<5x7xf32>, "
           "tensor<4x1xi32>, tensor<4x5xf32>) -> tensor<5x7xf32>"),
      " | bounds 7 | |");
  const std::string branch = "{\nstablehlo.return %x : tensor<f32>\n}";
  EXPECT_EQ(
      Uses("%i: tensor<i32>, %x: tensor<f32>", "%0 = \"stablehlo.case\"(%i) (" + branch + ", " + branch +
                                                   ", " + branch + ") : (tensor<i32>) -> tensor<f32>"),
      " bounds 3 | |");
  EXPECT_EQ(Uses("%x: tensor<4x6xi32>",
                 "%i = stablehlo.iota dim = 1 : tensor<4x6xi32>\n"
                 "%0 = stablehlo.compare EQ, %x, %i : (tensor<4x6xi32>, tensor<4x6xi32>) -> tensor<4x6xi1>"),
            " bounds 6 |");
}

TEST(ArgumentUses, ComparisonsNameNumbers) {
  EXPECT_EQ(Uses("%x: tensor<3xi8>",
                 "%c = stablehlo.constant dense<[-1, 5, 5]> : tensor<3xi8>\n"
                 "%0 = stablehlo.compare LT, %x, %c : (tensor<3xi8>, tensor<3xi8>) -> tensor<3xi1>"),
            " == -1 == 5 == 5 |");
  EXPECT_EQ(Uses("%x: tensor<3xui8>",
                 "%s = stablehlo.constant dense<255> : tensor<ui8>\n"
                 "%c = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<ui8>) -> tensor<3xui8>\n"
                 "%0 = stablehlo.compare LT, %c, %x : (tensor<3xui8>, tensor<3xui8>) -> tensor<3xi1>"),
            " == 255 |");
  const std::string loop =
      "%z = stablehlo.constant dense<0> : tensor<i32>\n%r = stablehlo.while(%i = %z) : tensor<i32> cond {\n"
      "%c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
      "stablehlo.return %c : tensor<i1>\n} do {\nstablehlo.return %i : tensor<i32>\n}";
  EXPECT_EQ(Uses("%n: tensor<i32>", loop), " count |");
  // Outside of the condition of a loop it is any number.
  EXPECT_EQ(Uses("%n: tensor<i32>, %i: tensor<i32>",
                 "%c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>"),
            " | |");
}

// Arithmetic with a constant shifts an argument or mirrors it; of other arithmetic nothing is known.
TEST(ArgumentUses, FollowArithmetic) {
  const std::pair<const char*, const char*> kRows[] = {
      {"%y = stablehlo.add %x, %c", " positive |"},
      {"%y = stablehlo.add %c, %x", " positive |"},
      {"%y = stablehlo.multiply %x, %c", " positive |"},
      {"%y = stablehlo.maximum %c, %x", " positive |"},
      {"%y = stablehlo.divide %x, %c", " positive |"},
      {"%y = stablehlo.subtract %x, %c", " positive |"},
      {"%y = stablehlo.subtract %c, %x", " probability |"},
      {"%z = stablehlo.subtract %c, %x : tensor<f32>\n%y = stablehlo.subtract %c, %z", " positive |"},
      {"%y = stablehlo.minimum %x, %c", " |"},
      {"%y = stablehlo.remainder %x, %c", " |"},
      {"%y = stablehlo.atan2 %x, %c", " |"},
      {"%y = stablehlo.add %x, %x", " |"},
      {"%y = stablehlo.negate %x", " |"},
      {"%y = stablehlo.optimization_barrier %x", " positive |"},
  };
  for (const auto& [arithmetic, expected] : kRows)
    EXPECT_EQ(Uses("%x: tensor<f32>",
                   fmt::format("%c = stablehlo.constant dense<1.0> : tensor<f32>\n{} : tensor<f32>\n"
                               "%0 = stablehlo.log %y : tensor<f32>",
                               arithmetic)),
              expected)
        << arithmetic;
}

TEST(ArgumentUses, FollowValues) {
  const std::string log = "\n%0 = stablehlo.log %y : tensor<f32>";
  EXPECT_EQ(Uses("%p: tensor<i1>, %a: tensor<f32>, %b: tensor<f32>",
                 "%y = stablehlo.select %p, %a, %b : tensor<i1>, tensor<f32>" + log),
            " | positive | positive |");
  EXPECT_EQ(Uses("%a: tensor<f32>, %b: tensor<f32>",
                 "%y = func.call @f(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>" + log,
                 "func.func private @f(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {\n"
                 "%0 = stablehlo.sqrt %a : tensor<f32>\nreturn %b : tensor<f32>\n}"),
            " positive | |");
  EXPECT_EQ(Uses("%a: tensor<f32>", "%y = \"other.op\"(%a) : (tensor<f32>) -> tensor<f32>" + log),
            " positive |");
  EXPECT_EQ(Uses("%a: tensor<f32>",
                 "%y, %z = \"other.op\"(%a) : (tensor<f32>) -> (tensor<f32>, tensor<f32>)" + log),
            " |");
  EXPECT_EQ(Uses("%a: tensor<f32>, %b: tensor<f32>", "%y = stablehlo.power %a, %b : tensor<f32>"),
            " positive | |");
  EXPECT_EQ(Uses("%a: tensor<f32>, %b: tensor<f32>", "%y = stablehlo.divide %a, %b : tensor<f32>"),
            " | positive |");
  EXPECT_EQ(Uses("%a: tensor<3x3xf32>", "%y = stablehlo.cholesky %a : tensor<3x3xf32>"), " matrix |");
  const std::string one = "%c = stablehlo.constant dense<1.0> : tensor<f32>\n";
  EXPECT_EQ(Uses("%a: tensor<f32>", one + "%y = chlo.asin %a : tensor<f32> -> tensor<f32>"), " unit |");
  EXPECT_EQ(
      Uses("%a: tensor<f32>",
           one + "%b = stablehlo.add %a, %c : tensor<f32>\n%y = chlo.asin %b : tensor<f32> -> tensor<f32>"),
      " |");
}

// Functions @f0 to @f{levels}; each but the last calls the next one twice.
std::string CallsThatDouble(int levels, const std::string& last) {
  std::string out;
  for (int i = 0; i < levels; ++i)
    out += fmt::format(
        "func.func @f{0}(%a: tensor<f32>) -> tensor<f32> {{\n%0 = func.call @f{1}(%a) : (tensor<f32>) -> "
        "tensor<f32>\n"
        "%1 = func.call @f{1}(%0) : (tensor<f32>) -> tensor<f32>\nreturn %1 : tensor<f32>\n}}\n",
        i, i + 1);
  return out +
         fmt::format("func.func @f{}(%a: tensor<f32>) -> tensor<f32> {{\n{}\nreturn %a : tensor<f32>\n}}\n",
                     levels, last);
}

TEST(ArgumentUses, CallsThatDoubleAreFollowedOnce) {
  const std::string body = "%y = func.call @f0(%a) : (tensor<f32>) -> tensor<f32>";
  const std::string log = "%0 = stablehlo.log %a : tensor<f32>";
  EXPECT_EQ(Uses("%a: tensor<f32>", body, CallsThatDouble(20, log)), " positive |");
  // A second way to a function may be shorter, and lead farther.
  const std::string shorter = "\n%z = func.call @f9(%a) : (tensor<f32>) -> tensor<f32>";
  EXPECT_EQ(Uses("%a: tensor<f32>", body, CallsThatDouble(30, log)), " |");
  EXPECT_EQ(Uses("%a: tensor<f32>", body + shorter, CallsThatDouble(30, log)), " positive |");
  const Module m = Read(CallsThatDouble(60, log));
  uint64_t work = 0;
  ArgumentUses(m, m.OpsOf(m.BlocksOf(m.RegionsOf(m.ops[m.top.v])[0])[0])[0], &work);
  EXPECT_LT(work, m.ops.size() * 10'000);
}

TEST(ArgumentUses, ProductsAreCounted) {
  const std::string dot =
      " contracting_dims = [1, 2] x [0, 1] : (tensor<2x5x7xf32>, tensor<5x7xf32>) -> tensor<2xf32>";
  EXPECT_EQ(Uses("%x: tensor<2x5x7xf32>, %w: tensor<5x7xf32>", "%0 = stablehlo.dot_general %x, %w," + dot),
            " | fan_in 35 |");
  EXPECT_EQ(
      Uses("%x: tensor<2x5x7xf32>",
           "%w = stablehlo.constant dense<1.0> : tensor<5x7xf32>\n%0 = stablehlo.dot_general %x, %w," + dot),
      " fan_in 35 |");
  EXPECT_EQ(
      Uses(
          "%w: tensor<5x7xf32>",
          "%x = stablehlo.constant dense<1.0> : tensor<2x5x7xf32>\n%0 = stablehlo.dot_general %x, %w," + dot),
      " fan_in 35 |");
  EXPECT_EQ(Uses("%x: tensor<2x5xf32>, %w: tensor<5xf32>",
                 "%0 = stablehlo.dot %x, %w : (tensor<2x5xf32>, tensor<5xf32>) -> tensor<2xf32>"),
            " | fan_in 5 |");
  EXPECT_EQ(Uses("%x: tensor<1x8x8x2xf32>, %w: tensor<3x3x2x4xf32>",
                 "%0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], "
                 "window = {} "
                 "{batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x8x2xf32>, "
                 "tensor<3x3x2x4xf32>) -> "
                 "tensor<1x6x6x4xf32>"),
            " | fan_in 18 |");
}

TEST(ArgumentUses, ShapesHaveExtents) {
  EXPECT_EQ(
      Uses("%x: tensor<12xf32>, %s: tensor<2xi32>",
           "%0 = stablehlo.dynamic_reshape %x, %s : (tensor<12xf32>, tensor<2xi32>) -> tensor<?x4xf32>"),
      " | extents ? 4 |");
  EXPECT_EQ(
      Uses("%s: tensor<2xi32>",
           "%c = stablehlo.constant dense<1> : tensor<2xi32>\n%t = stablehlo.add %s, %c : tensor<2xi32>\n"
           "%0 = stablehlo.dynamic_iota %t, dim = 0 : (tensor<2xi32>) -> tensor<?x4xf32>"),
      " extents ? |");
}

std::string Numbers(const std::string& a, const std::string& b) {
  const auto program = [](const std::string& body) {
    return Read("func.func @main() {\n" + body + "\nreturn\n}");
  };
  std::string out;
  for (const Number& n : NumbersOf(program(a), program(b)))
    out += n.is_float ? fmt::format(" {:.2f}", n.real) : fmt::format(" {}", n.integer);
  return out;
}

TEST(NumbersOfPrograms, ThoseThatDifferComeFirst) {
  const auto constant = [](const std::string& value, const std::string& type) {
    return "%0 = stablehlo.constant dense<" + value + "> : " + type;
  };
  EXPECT_EQ(Numbers(constant("[5, 7]", "tensor<2xi32>"), constant("[5, 9]", "tensor<2xi32>")), " 7 9 5");
  EXPECT_EQ(Numbers(constant("[5, 5]", "tensor<2xi32>"), constant("[4, 5]", "tensor<2xi32>")), " 4 5");
  EXPECT_EQ(Numbers(constant("[0.0, 2.5]", "tensor<2xf32>"), constant("[-0.0, 2.5]", "tensor<2xf32>")),
            " 0.00 -0.00 2.50");
  EXPECT_EQ(Numbers(constant("0x7FC00000", "tensor<f32>"), constant("true", "tensor<i1>")), "");
  // Eight elements of a constant.
  EXPECT_EQ(Numbers(constant("[9, 8, 7, 6, 5, 4, 3, 2, 1]", "tensor<9xi8>"), ""), " 2 3 4 5 6 7 8 9");
  EXPECT_EQ(Numbers(constant("[9, 8, 7, 6, 5, 4, 3, 2, 1]", "tensor<9xi8>"),
                    constant("[9, 8, 7, 6, 5, 4, 3, 2, 1]", "tensor<9xi8>")),
            " 9 8 7 6 5 4 3 2");
}

// Attributes that are integers, and lists of up to 64.
TEST(NumbersOfPrograms, AreInAttributes) {
  const auto list = [](int n) {
    std::string numbers = "100";
    for (int i = 1; i < n; ++i) numbers += fmt::format(", {}", 100 + i);
    return "%c = stablehlo.constant dense<true> : tensor<i1>\n%0 = \"stablehlo.slice\"(%c) {start_indices = "
           "array<i64: " +
           numbers + ">, limit_indices = array<i64>, strides = array<i64>} : (tensor<i1>) -> tensor<i1>";
  };
  EXPECT_EQ(Numbers("%0 = \"stablehlo.iota\"() {iota_dimension = 3 : i64} : () -> tensor<f32>", ""), " 3");
  EXPECT_EQ(Numbers(list(2), ""), " 100 101");
  EXPECT_EQ(Numbers(list(64), "").substr(0, 12), " 100 101 102");
  EXPECT_EQ(Numbers(list(65), ""), "");
}

}  // namespace
}  // namespace shlo
