// Why functions are different or not covered, in full.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "eval/test_program.h"
#include "prove/difference_text.h"
#include "shlo/counterexample.h"
#include "shlo/program_io.h"
#include "shlo/prove.h"
#include "shlo/text_reader.h"

namespace shlo {
namespace {

Module Read(std::string_view text) {
  auto module = ReadText(text, nullptr);
  EXPECT_TRUE(module) << text << (module ? "" : module.error()[0].message);
  return module ? std::move(*module) : Module();
}

std::string Detail(std::string_view a, std::string_view b, ProveOptions options = {.evaluate_only = true}) {
  const auto proof = Prove(Read(a), Read(b), options);
  if (!proof) return proof.error()[0].message;
  return proof->functions.empty() ? "no function" : proof->functions[0].detail;
}

TEST(ProveWords, FunctionsThatCannotBeCompared) {
  const std::string_view nothing = "func.func @main() { return }";
  const std::string_view one = "func.func @main(%x: tensor<i8>) -> tensor<i8> { return %x : tensor<i8> }";
  EXPECT_EQ(Detail(nothing, "func.func @main(%x: tensor<i8>) { return }"),
            "has 0 arguments in the first program, 1 in the second");
  EXPECT_EQ(Detail(one,
                   "func.func @main(%x: tensor<i8>) -> (tensor<i8>, tensor<i8>) { return %x, %x : "
                   "tensor<i8>, tensor<i8> }"),
            "has 1 result in the first program, 2 in the second");
  const std::string_view odd = "func.func @main(%x: none) { return }";
  EXPECT_EQ(Detail(odd, odd), "argument 0 has a type that cannot be evaluated: none");
  const std::string_view unknown = "func.func @main(%x: !ml_program.token) { return }";
  EXPECT_EQ(Detail(unknown, unknown), "argument 0 has a type that cannot be evaluated: !ml_program.token");
  // Numbers outside of tensors are compared, and not equal to those inside.
  const std::string_view number = "func.func @main(%x: index) -> index { return %x : index }";
  EXPECT_EQ(
      Detail(number, "func.func @main(%x: tensor<index>) -> tensor<index> { return %x : tensor<index> }"),
      "argument 0 has a different type in the second program");
  EXPECT_EQ(Detail(number, "func.func @main(%x: i64) -> i64 { return %x : i64 }"),
            "argument 0 has a different type in the second program");
  // Programs need not be valid.
  const std::string_view untyped = R"("func.func"() <{function_type = i32, sym_name = "main"}> ({
    "func.return"() : () -> ()
  }) : () -> ())";
  EXPECT_EQ(Detail(nothing, untyped), "'func.func' in @main: function has no function type");
  EXPECT_EQ(Detail(untyped, nothing), "'func.func' in @main: function has no function type");
  std::string many = "func.func @main(%a0: tensor<4xi8>";
  for (int i = 1; i < 12; ++i) many += fmt::format(", %a{}: tensor<4xi8>", i);
  many += ") { return }";
  EXPECT_EQ(Detail(many, many, {.max_elements = 4, .evaluate_only = true}),
            "arguments have more than 32 elements");
  const std::string_view large = "func.func @main(%x: tensor<300000xf32>) { return }";
  EXPECT_EQ(
      Detail(large, large, {.limits = {.max_memory = 4 << 20}, .evaluate_only = true}),
      "arguments have 1200000 bytes, more than a quarter of the memory limit of 4 MiB; raise the limit: "
      "--max-memory");
}

TEST(ProveWords, IntermediateValuesThatDiffer) {
  const auto program = [](std::string_view op) {
    return fmt::format("func.func @main() {{\n  %0 = {}\n  return\n}}", op);
  };
  const std::string token = program("stablehlo.create_token : !stablehlo.token"),
                    f32 = program("stablehlo.constant dense<1.0> : tensor<f32>"),
                    i32 = program("stablehlo.constant dense<1> : tensor<i32>");
  EXPECT_EQ(Detail(token, f32), "computes 0 intermediate values in the first program, 1 in the second");
  EXPECT_EQ(Detail(f32, i32),
            "intermediate value 0 has type tensor<f32> in the first program, tensor<i32> in the second");
}

TEST(ProveWords, FailuresThatDiffer) {
  const auto asserts = [](std::string_view message) {
    return fmt::format(R"(func.func @main() {{
  %p = stablehlo.constant dense<false> : tensor<i1>
  stablehlo.custom_call @shape_assertion(%p) {{error_message = "{}", has_side_effect = true}} : (tensor<i1>) -> ()
  return
}})",
                       message);
  };
  EXPECT_EQ(
      Detail(asserts("one"), asserts("two")),
      "fails with a different message: 'stablehlo.custom_call' in @main: one; 'stablehlo.custom_call' in "
      "@main: two");
  const auto checks = [](std::string_view expected) {
    return fmt::format(R"(func.func @main() {{
  %p = stablehlo.constant dense<1> : tensor<i8>
  check.expect_eq_const %p, dense<{}> : tensor<i8>
  return
}})",
                       expected);
  };
  EXPECT_EQ(Detail(checks("2"), checks("3")),
            "failed check 0 differs: 'check.expect_eq_const' in @main: expected 2 at [], got 1; "
            "'check.expect_eq_const' in @main: expected 3 at [], got 1");
}

TEST(ProveWords, CustomCallsWithDynamicResults) {
  const std::string_view text = R"(func.func @main(%x: tensor<2xf32>) -> tensor<?xf32> {
  %0 = stablehlo.custom_call @unknown(%x) : (tensor<2xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
})";
  EXPECT_EQ(Detail(text, text),
            "'stablehlo.custom_call' in @main: result 0 of @unknown has no static tensor type");
}

// A large argument without a pattern is shown only at the place of the difference.
TEST(ProveWords, TheElementAtThePlaceOfADifference) {
  std::vector<uint8_t> values(20);
  for (size_t i = 0; i < values.size(); ++i) values[i] = uint8_t(10 + 7 * i);
  const Tensor a = TensorOf<uint8_t>({TypeKind::kUI8}, {20}, values);
  values[3] = 1;
  const Tensor b = TensorOf<uint8_t>({TypeKind::kUI8}, {20}, values), args[] = {a};
  EXPECT_EQ(DifferenceText("result 0", a, b, 3, args),
            "result 0 differs at [3]: 31 (bits 0x1F) in the first program, 1 (bits 0x01) in the second; 1 of "
            "20 elements differs; for %arg0 = 31 (bits 0x1F) at that index");
}

TEST(ProveWords, FunctionsWithoutACounterexampleProgram) {
  const auto why = [](const Module& m, const std::vector<Tensor>& inputs) {
    const auto program = CounterexampleProgram(m, m, "main", inputs);
    return program ? "a program" : program.error()[0].message;
  };
  const Module untyped = Read(R"("func.func"() ({
  "func.return"() : () -> ()
}) {function_type = i32, sym_name = "main"} : () -> ())");
  EXPECT_EQ(why(untyped, {}), "the function has no type");
  const Module dynamic = Read("func.func @main(%x: tensor<?xi8>) { return }");
  EXPECT_EQ(why(dynamic, {TensorOf<uint8_t>({TypeKind::kI8}, {1}, {1})}),
            "no constant has the type of argument 0: its type is not a static tensor");
  EXPECT_EQ(why(dynamic, {}), "expected 1 argument, got 0");
}

// --- Parts ----------------------------------------------------------------------------------------------

TEST(ProveWords, PlacesOfParts) {
  const std::string_view a = R"(func.func @main(%x: tensor<i8>) -> tensor<i8> {
  %0 = stablehlo.add %x, %x : tensor<i8> loc("here")
  %1 = stablehlo.negate %0 : tensor<i8>
  return %1 : tensor<i8>
})";
  const std::string_view b = R"(func.func @main(%x: tensor<i8>) -> tensor<i8> {
  %c = stablehlo.constant dense<2> : tensor<i8>
  %0 = stablehlo.multiply %x, %c : tensor<i8>
  %1 = stablehlo.negate %0 : tensor<i8>
  return %1 : tensor<i8>
})";
  EXPECT_EQ(Detail(a, b, {}), "'stablehlo.add' at here (1 op)");
}

TEST(ProveWords, SideEffectsThatDiffer) {
  const auto program = [](std::string_view target) {
    return fmt::format(R"(func.func @main(%x: tensor<i8>) -> tensor<i8> {{
  %0 = stablehlo.custom_call @{}(%x) {{has_side_effect = true}} : (tensor<i8>) -> tensor<i8>
  return %0 : tensor<i8>
}})",
                       target);
  };
  const std::string a = program("one"), b = program("two");
  const auto pa = ReadProgram(a, nullptr), pb = ReadProgram(b, nullptr);
  ASSERT_TRUE(pa && pb);
  const auto proof = Prove(pa->module, pb->module, {.source_a = &pa->source, .source_b = &pb->source});
  ASSERT_TRUE(proof && proof->functions.size() == 1);
  EXPECT_EQ(
      proof->functions[0].detail,
      "'stablehlo.custom_call' in @main at 2:8: Unsupported custom call: @one; 'stablehlo.custom_call' at "
      "2:8 is not the same as 'stablehlo.custom_call' at 2:8 in the second program");
}

// Functions that can be evaluated only in parts, because both have a custom call of which nothing is known.
TEST(ProveWords, ManyPartsAndLargeParts) {
  const std::string_view whole =
      "'stablehlo.custom_call' in @main: result 0 of @unknown has no static tensor type; ";
  const auto function = [](std::string_view args, std::string_view body, std::string_view results,
                           std::string_view types) {
    return fmt::format(R"(func.func @main({0}) -> ({3}, tensor<?xf32>) {{
  %two = stablehlo.constant dense<2> : tensor<i8>
  %u = stablehlo.custom_call @unknown(%x0) : (tensor<i8>) -> tensor<?xf32>
{1}  return {2}, %u : {3}, tensor<?xf32>
}})",
                       args, body, results, types);
  };
  std::string args, results, types, adds, products;
  for (int i = 0; i < 65; ++i) {
    const std::string_view comma = i ? ", " : "";
    args += fmt::format("{}%x{}: tensor<i8>", comma, i);
    results += fmt::format("{}%r{}", comma, i);
    types += fmt::format("{}tensor<i8>", comma);
    adds += fmt::format("  %r{0} = stablehlo.add %x{0}, %x{0} : tensor<i8>\n", i);
    products += fmt::format("  %r{0} = stablehlo.multiply %x{0}, %two : tensor<i8>\n", i);
  }
  EXPECT_EQ(Detail(function(args, adds, results, types), function(args, products, results, types), {}),
            std::string(whole) + "too many parts differ");
  const auto chain = [&](std::string_view op) {
    std::string ops = "  %r0 = stablehlo.negate %x0 : tensor<i8>\n";
    for (int i = 1; i <= 4097; ++i)
      ops += fmt::format("  %r{} = stablehlo.{} %r{}, %x0 : tensor<i8>\n", i, op, i - 1);
    return function("%x0: tensor<i8>", ops, "%r4097", "tensor<i8>");
  };
  EXPECT_EQ(Detail(chain("or"), chain("xor"), {}),
            std::string(whole) + "'stablehlo.or': more than 4096 ops differ");
}

// A law that the common form of two programs needs.
TEST(ProveWords, CustomCallsOfMhloOps) {
  const Module a = Read(R"(func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.custom_call @mhlo.unknown(%x) {mhlo.attributes = {}, mhlo.version = 1 : i64} : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
})");
  const Module b = Read(R"(func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "mhlo.unknown"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
})");
  const auto proof = Prove(a, b);
  ASSERT_TRUE(proof) << proof.error()[0].message;
  EXPECT_EQ(proof->verdict, Verdict::kEqual) << proof->functions[0].detail;
  ASSERT_EQ(proof->laws.size(), 1u);
  EXPECT_EQ(proof->laws[0].name, "custom calls of MHLO ops -> the ops");
  EXPECT_EQ(proof->laws[0].count, 1u);
}

}  // namespace
}  // namespace shlo
