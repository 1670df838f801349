#include "shlo/simplify.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "base/format.h"
#include "ir/table/float_format.h"
#include "rewrite/simplify/formula.h"
#include "rewrite/simplify/rewrite_rules.h"
#include "shlo/evaluate.h"
#include "shlo/passes.h"
#include "shlo/program_io.h"
#include "shlo/text_writer.h"

namespace shlo {
namespace {

Program ReadText(const std::string& text) {
  auto program = ReadProgram(text, nullptr, {});
  EXPECT_TRUE(program) << text;
  return program ? std::move(*program) : Program();
}

std::string TextOf(const Program& program) { return WriteText(program.module).value_or(""); }

// --- Rows ------------------------------------------------------------------------------------------------

TEST(Rewrites, FormulasFollowTheNotation) {
#define SHLO_LAW(name, elements, exactness, match, where, replacement, ...) \
  EXPECT_TRUE(rewrite::Formula::Parse(match, where, replacement)) << name << ": " match;
#include "schema/rewrites.inc"
  for (const auto& [match, where, replacement] : {std::array{"x", "", "x"},
                                                  {"add(x", "", "x"},
                                                  {"no_such_op(x)", "", "x"},
                                                  {"abs(x)", "static", "x"},
                                                  {"abs(x)", "", "x + words"},
                                                  {"abs(a, b, c, d, e, f)", "", "a"}})
    EXPECT_FALSE(rewrite::Formula::Parse(match, where, replacement)) << match;
}

TEST(Rewrites, InexactOnesHaveCounterexamples) {
  for (const RewriteInfo& rewrite : AllRewrites()) {
    EXPECT_FALSE(rewrite.name.empty());
    EXPECT_FALSE(rewrite.summary.empty()) << rewrite.name;
    EXPECT_EQ(rewrite.exactness == Exactness(), rewrite.counterexample.empty()) << rewrite.name;
  }
}

TEST(Rewrites, UnknownNamesAreRefused) {
  Program program = ReadText("func.func @f() { return }");
  const auto done = Simplify(&program, {.only = {"AddOp_RemoveNop"}});
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error()[0].code, Code::kUsage);
  EXPECT_NE(done.error()[0].hint.find("AddOp_RemoveNoop"), std::string::npos);
}

// --- Exactness of element-wise rewrites
// -----------------------------------------------------------------------

// All special values of a type, as literals of a constant.
const std::map<std::string, std::vector<std::string>>& Values() {
  static const std::map<std::string, std::vector<std::string>> kValues = {
      {"f32",
       {"0.0", "-0.0", "1.0", "-1.5", "0x7F800000", "0xFF800000", "0x7FC00000", "0xFFC00001", "0x7F800001",
        "0x00000001", "0x7F7FFFFF", "3.0e-5"}},
      {"bf16", {"0.0", "-0.0", "1.0", "-1.5", "0x7F80", "0xFF80", "0x7FC0", "0xFFC1", "0x7F81", "0x0001"}},
      {"i32", {"0", "1", "-1", "2147483647", "-2147483648", "12345"}},
      {"ui8", {"0", "1", "255", "128", "77"}},
      {"i1", {"true", "false"}}};
  return kValues;
}

std::string ListOf(const std::vector<std::string>& values) {
  std::string list;
  for (const std::string& value : values) list += (list.empty() ? "" : ", ") + value;
  return list;
}

struct Outcome {
  bool nan = false, zero_sign = false, other = false;
};

// How the results of two evaluations differ.
Outcome Compare(const Tensor& a, const Tensor& b) {
  Outcome outcome;
  for (uint64_t i = 0; i < a.count(); ++i) {
    const uint64_t x = ElementBits(a, i), y = ElementBits(b, i);
    if (x == y) continue;
    const TypeKind kind = a.element().kind;
    const bool real = IsFloat(kind);
    if (real && IsNan(kind, x) && IsNan(kind, y))
      outcome.nan = true;
    else if (real && DecodeFloat(kind, x) == 0 && DecodeFloat(kind, y) == 0)
      outcome.zero_sign = true;
    else
      outcome.other = true;
  }
  return outcome;
}

Result<std::vector<Tensor>> EvaluateF(const Program& program, std::span<const Tensor> args) {
  auto done = Evaluate(program.module, "f", args);
  if (!done) return tl::unexpected(std::move(done.error()));
  return std::move(done->results);
}

// Rewrites op(x, c) and op(c, x) for all special values.
TEST(Rewrites, AreAsExactAsTheyState) {
  std::map<std::string, Outcome> seen;  // by name and class of elements
  std::map<std::string, Exactness> stated;
  for (const RewriteInfo& rewrite : AllRewrites()) {
    Exactness& exactness = stated[StrFormat("{} {}", rewrite.name, rewrite.elements)];
    exactness.nan |= rewrite.exactness.nan;
    exactness.zero_sign |= rewrite.exactness.zero_sign;
  }
  for (const auto& [type, values] : Values()) {
    const std::string tensor = StrFormat("tensor<{}x{}>", values.size(), type);
    const Program all =
        ReadText(StrFormat("func.func @f() -> {0} {{ %0 = stablehlo.constant dense<[{1}]> : {0}\n"
                           "return %0 : {0} }}",
                           tensor, ListOf(values)));
    const auto args = EvaluateF(all, {});
    ASSERT_TRUE(args);
    for (const char* op : {"add", "and", "maximum", "minimum", "multiply", "or", "subtract", "xor"}) {
      const bool bits = std::string_view("and or xor").find(op) != std::string_view::npos;
      const bool floats = type == "f32" || type == "bf16";
      if ((bits && floats) || (type == "i1" && std::string_view(op) == "subtract")) continue;
      for (const std::string& value : values) {
        for (const char* operands : {"%x, %c", "%c, %x", "%x, %x"}) {
          const Program before =
              ReadText(StrFormat("func.func @f(%x: {0}) -> {0} {{ %c = stablehlo.constant dense<{1}> : {0}\n"
                                 "%0 = stablehlo.{2} {3} : {0}\n return %0 : {0} }}",
                                 tensor, value, op, operands));
          const auto expected = EvaluateF(before, *args);
          ASSERT_TRUE(expected);
          for (const Exactness allowed : {Exactness{}, Exactness{.nan = true, .zero_sign = true}}) {
            Program after = before;
            const auto report = Simplify(&after, {.allowed = allowed});
            ASSERT_TRUE(report);
            const auto got = EvaluateF(after, *args);
            ASSERT_TRUE(got);
            const Outcome outcome = Compare((*expected)[0], (*got)[0]);
            EXPECT_FALSE(outcome.other) << TextOf(before) << TextOf(after);
            EXPECT_FALSE(outcome.nan && !allowed.nan) << TextOf(before) << TextOf(after);
            EXPECT_FALSE(outcome.zero_sign && !allowed.zero_sign) << TextOf(before) << TextOf(after);
            if (report->applied.size() != 1) continue;
            Outcome& o = seen[StrFormat("{} {}", report->applied[0].first, floats ? "floats" : "integers")];
            o.nan |= outcome.nan;
            o.zero_sign |= outcome.zero_sign;
          }
        }
      }
    }
  }
  // What is stated was seen, and nothing else.
  for (const auto& [name, outcome] : seen) {
    if (!stated.contains(name)) continue;
    EXPECT_TRUE(stated[name].nan || !outcome.nan) << name;
    EXPECT_TRUE(stated[name].zero_sign || !outcome.zero_sign) << name;
  }
  EXPECT_TRUE(seen["AddOp_RemoveNoop floats"].zero_sign);
  EXPECT_TRUE(seen["AddOp_RemoveNoop floats"].nan);
  EXPECT_TRUE(seen["MulOp_RemoveNoop floats"].nan);
  EXPECT_TRUE(seen["SubtractOp_RemoveNoop floats"].zero_sign);
}

// --- Programs --------------------------------------------------------------------------------------------

// Simplifies a function of these argument types exactly. Its results must be the same bits, and ops decrease.
void ExpectSimpler(const std::string& text, const std::string& gone, uint64_t times = 1) {
  const Program before = ReadText(text);
  Program after = before;
  const auto report = Simplify(&after);
  ASSERT_TRUE(report);
  EXPECT_EQ(TextOf(after).find(gone), std::string::npos) << TextOf(after);
  uint64_t applied = 0;
  for (const auto& [name, count] : report->applied) applied += count;
  EXPECT_GE(applied, times) << text;
  std::vector<Tensor> args;
  const Module& m = before.module;
  for (const OpId op : m.OpsIn(m.top))
    if (const auto type = m.FunctionTypeOf(m.ops[op.v]); type && m.SymbolOf(m.ops[op.v]) == "f")
      for (const TypeId input : type->inputs) {
        const ValueTypePtr value_type = TensorTypeOf(m, input);
        ASSERT_TRUE(value_type);
        std::string bytes(value_type->bytes, 0);
        for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = char(i / value_type->element.bytes() + i);
        args.push_back(Tensor::Copy(value_type, bytes));
      }
  const auto expected = EvaluateF(before, args), got = EvaluateF(after, args);
  ASSERT_TRUE(expected);
  ASSERT_TRUE(got);
  ASSERT_EQ(expected->size(), got->size());
  for (size_t i = 0; i < got->size(); ++i) EXPECT_TRUE(BitEqual((*expected)[i], (*got)[i])) << TextOf(after);
}

TEST(Rewrites, MergeMovements) {
  ExpectSimpler(
      "func.func @f(%x: tensor<2x3x4xi32>) -> tensor<3x4x2xi32> {\n"
      "  %0 = stablehlo.transpose %x, dims = [2, 0, 1] : (tensor<2x3x4xi32>) -> tensor<4x2x3xi32>\n"
      "  %1 = stablehlo.transpose %0, dims = [2, 0, 1] : (tensor<4x2x3xi32>) -> tensor<3x4x2xi32>\n"
      "  return %1 : tensor<3x4x2xi32>\n}\n",
      "[2, 0, 1]");
  ExpectSimpler(
      "func.func @f(%x: tensor<2x3xi32>) -> tensor<3x5x2x4xi32> {\n"
      "  %0 = stablehlo.broadcast_in_dim %x, dims = [2, 0] : (tensor<2x3xi32>) -> tensor<3x4x2xi32>\n"
      "  %1 = stablehlo.broadcast_in_dim %0, dims = [0, 3, 2] : (tensor<3x4x2xi32>) -> tensor<3x5x2x4xi32>\n"
      "  return %1 : tensor<3x5x2x4xi32>\n}\n",
      "tensor<3x4x2xi32>");
  ExpectSimpler(
      "func.func @f(%x: tensor<1x3x1x4xi32>) -> tensor<3x1x4x1xi32> {\n"
      "  %0 = stablehlo.transpose %x, dims = [1, 0, 3, 2] : (tensor<1x3x1x4xi32>) -> tensor<3x1x4x1xi32>\n"
      "  return %0 : tensor<3x1x4x1xi32>\n}\n",
      "transpose");
}

TEST(Rewrites, SliceConcatenations) {
  ExpectSimpler(
      "func.func @f(%x: tensor<3xi32>, %y: tensor<4xi32>, %z: tensor<5xi32>) -> tensor<3xi32> {\n"
      "  %0 = stablehlo.concatenate %x, %y, %z, dim = 0 : (tensor<3xi32>, tensor<4xi32>, tensor<5xi32>) -> "
      "tensor<12xi32>\n"
      "  %1 = stablehlo.slice %0 [5:11:2] : (tensor<12xi32>) -> tensor<3xi32>\n"
      "  return %1 : tensor<3xi32>\n}\n",
      "tensor<12xi32>");
  ExpectSimpler(
      "func.func @f(%x: tensor<300xi8>) -> tensor<4xi8> {\n"
      "  %c = stablehlo.constant dense<200> : tensor<ui8>\n"
      "  %0 = stablehlo.dynamic_slice %x, %c, sizes = [4] : (tensor<300xi8>, tensor<ui8>) -> tensor<4xi8>\n"
      "  return %0 : tensor<4xi8>\n}\n",
      "dynamic_slice");
  ExpectSimpler(
      "func.func @f(%x: tensor<5x6x7xi32>) -> tensor<3x6xi32> {\n"
      "  %0 = stablehlo.constant dense<[4, 2]> : tensor<2xi32>\n"
      "  %1 = \"stablehlo.gather\"(%x, %0) {dimension_numbers = #stablehlo.gather<collapsed_slice_dims = "
      "[2], "
      "index_vector_dim = 0, offset_dims = [0, 1], start_index_map = [0, 2]>, slice_sizes = array<i64: 3, 6, "
      "1>} : (tensor<5x6x7xi32>, tensor<2xi32>) -> tensor<3x6xi32>\n"
      "  return %1 : tensor<3x6xi32>\n}\n",
      "gather");
}

constexpr const char* kLoop =
    "func.func @f(%x: tensor<4xi32>, %n: tensor<i32>) -> (tensor<4xi32>, tensor<4xi32>) {\n"
    "  %zero = stablehlo.constant dense<0> : tensor<i32>\n"
    "  %five = stablehlo.constant dense<5> : tensor<i32>\n"
    "  %one = stablehlo.constant dense<1> : tensor<i32>\n"
    "  %0:3 = stablehlo.while(%a = %x, %i = %zero, %b = %x) : tensor<4xi32>, tensor<i32>, tensor<4xi32>\n"
    "  cond {\n"
    "    %1 = stablehlo.compare LT, %i, %five : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
    "    stablehlo.return %1 : tensor<i1>\n"
    "  } do {\n"
    "    %1 = stablehlo.add %i, %one : tensor<i32>\n"
    "    %2 = stablehlo.multiply %a, %b : tensor<4xi32>\n"
    "    stablehlo.return %a, %1, %2 : tensor<4xi32>, tensor<i32>, tensor<4xi32>\n"
    "  }\n"
    "  return %0#0, %0#2 : tensor<4xi32>, tensor<4xi32>\n}\n";

TEST(Rewrites, CaptureInvariants) { ExpectSimpler(kLoop, "while(%iterArg = %arg0, %iterArg_0"); }

TEST(Rewrites, DropUnusedPairs) {
  ExpectSimpler(
      "func.func @f(%x: tensor<8xi32>, %y: tensor<8xi32>) -> tensor<i32> {\n"
      "  %0 = stablehlo.constant dense<1> : tensor<i32>\n"
      "  %1 = stablehlo.constant dense<2> : tensor<i32>\n"
      "  %2:2 = stablehlo.reduce(%x init: %0), (%y init: %1) across dimensions = [0] : (tensor<8xi32>, "
      "tensor<8xi32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)\n"
      "   reducer(%a: tensor<i32>, %b: tensor<i32>) (%c: tensor<i32>, %d: tensor<i32>) {\n"
      "    %3 = stablehlo.add %a, %b : tensor<i32>\n"
      "    %4 = stablehlo.xor %c, %d : tensor<i32>\n"
      "    stablehlo.return %3, %4 : tensor<i32>, tensor<i32>\n"
      "  }\n"
      "  return %2#1 : tensor<i32>\n}\n",
      "stablehlo.add");
  ExpectSimpler(
      "func.func @f(%x: tensor<6xi32>, %y: tensor<6xi32>, %z: tensor<6xi32>) -> tensor<6xi32> {\n"
      "  %0:3 = \"stablehlo.sort\"(%x, %y, %z) ({\n"
      "  ^bb0(%a: tensor<i32>, %b: tensor<i32>, %c: tensor<i32>, %d: tensor<i32>, %e: tensor<i32>, %g: "
      "tensor<i32>):\n"
      "    %1 = stablehlo.compare GT, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
      "    stablehlo.return %1 : tensor<i1>\n"
      "  }) {dimension = 0 : i64, is_stable = true} : (tensor<6xi32>, tensor<6xi32>, tensor<6xi32>) -> "
      "(tensor<6xi32>, tensor<6xi32>, tensor<6xi32>)\n"
      "  return %0#2 : tensor<6xi32>\n}\n",
      "(%arg0, %arg1, ");
}

TEST(Rewrites, ReduceOverNothingIsNotExact) {
  const std::string text =
      "func.func @f(%x: tensor<2xi32>) -> tensor<2xi32> {\n"
      "  %0 = stablehlo.constant dense<1> : tensor<i32>\n"
      "  %1 = stablehlo.reduce(%x init: %0) applies stablehlo.add across dimensions = [] : (tensor<2xi32>, "
      "tensor<i32>) -> tensor<2xi32>\n"
      "  return %1 : tensor<2xi32>\n}\n";
  Program program = ReadText(text);
  ASSERT_TRUE(Simplify(&program));
  EXPECT_NE(TextOf(program).find("reduce"), std::string::npos);
  ASSERT_TRUE(Simplify(&program, {.allowed = {.rounding = true, .wrong = true}}));
  EXPECT_EQ(TextOf(program).find("reduce"), std::string::npos);
}

// --- Passes ----------------------------------------------------------------------------------------------

TEST(Cse, KeepsWhatIsNotVisible) {
  Program program = ReadText(
      "func.func @f(%p: tensor<i1>, %x: tensor<f32>) -> (tensor<f32>, tensor<f32>) {\n"
      "  %0 = \"stablehlo.if\"(%p) ({\n"
      "    %1 = stablehlo.sine %x : tensor<f32>\n"
      "    stablehlo.return %1 : tensor<f32>\n"
      "  }, {\n"
      "    %1 = stablehlo.cosine %x : tensor<f32>\n"
      "    %2 = stablehlo.cosine %x : tensor<f32>\n"
      "    %3 = stablehlo.add %1, %2 : tensor<f32>\n"
      "    stablehlo.return %3 : tensor<f32>\n"
      "  }) : (tensor<i1>) -> tensor<f32>\n"
      "  %4 = stablehlo.sine %x : tensor<f32>\n"
      "  return %0, %4 : tensor<f32>, tensor<f32>\n}\n");
  const PassCall calls[] = {{"cse", {}}};
  ASSERT_TRUE(RunPasses(calls, &program));
  const std::string text = TextOf(program);
  const auto count = [&](std::string_view word) {
    size_t n = 0;
    for (size_t at = 0; (at = text.find(word, at)) != text.npos; ++at) ++n;
    return n;
  };
  EXPECT_EQ(count("stablehlo.sine"), 2u);
  EXPECT_EQ(count("stablehlo.cosine"), 1u);
}

}  // namespace
}  // namespace shlo
