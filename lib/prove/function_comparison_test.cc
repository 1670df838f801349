// Programs that differ where inputs of random bits do not show it, and programs that no input tells apart.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "shlo/prove.h"
#include "shlo/text_reader.h"

namespace shlo {
namespace {

// Evaluation only: congruence would settle most of these.
Result<Proof> Evaluated(const Module& a, const Module& b, ProveOptions options = {}) {
  options.evaluate_only = true;
  return Prove(a, b, options);
}

// Compares two programs whose texts differ in one place: `text` has "{}" there.
FunctionProof Compare(std::string_view text, std::string_view a, std::string_view b,
                      ProveOptions options = {}) {
  const auto read = [&](std::string_view part) {
    auto module = ReadText(fmt::format(fmt::runtime(text), part), nullptr);
    EXPECT_TRUE(module) << (module ? "" : module.error()[0].message);
    return module ? std::move(*module) : Module();
  };
  const Module ma = read(a), mb = read(b);
  const auto proof = Evaluated(ma, mb, options);
  EXPECT_TRUE(proof);
  if (!proof || proof->functions.empty()) return {};
  return proof->functions[0];
}

// The mistake is found, and the right program is equal to itself.
void ExpectTold(std::string_view text, std::string_view right, std::string_view wrong) {
  const FunctionProof found = Compare(text, right, wrong);
  EXPECT_EQ(found.verdict, Verdict::kDifferent) << wrong << ": " << found.detail;
  const FunctionProof same = Compare(text, right, right);
  EXPECT_EQ(same.verdict, Verdict::kEqual) << same.detail;
  EXPECT_GT(same.coverage.telling, 0u);
}

TEST(Tempers, OrdinaryNumbersDoNotSaturate) {
  // Of inputs with a few random bits, each of these results is NaN.
  ExpectTold(R"(
    func.func @main(%x: tensor<4x600xf16>, %w: tensor<600x8xf16>, %v: tensor<8x2xf16>) -> tensor<4x2xf16> {{
      %a = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<4x600xf16>, tensor<600x8xf16>) -> tensor<4x8xf16>
      %b = stablehlo.{} %a : tensor<4x8xf16>
      %c = stablehlo.dot_general %b, %v, contracting_dims = [1] x [0] : (tensor<4x8xf16>, tensor<8x2xf16>) -> tensor<4x2xf16>
      return %c : tensor<4x2xf16>
    }})",
             "tanh", "sine");
  ExpectTold(R"(
    func.func @main(%x: tensor<50x50xf32>, %i: tensor<f32>) -> tensor<50xf32> {{
      %y = stablehlo.reduce(%x init: %i) applies stablehlo.{} across dimensions = [1] : (tensor<50x50xf32>, tensor<f32>) -> tensor<50xf32>
      return %y : tensor<50xf32>
    }})",
             "add", "maximum");
}

TEST(Tempers, ConstantsOfTheProgramsAreTried) {
  ExpectTold(R"(
    func.func @main(%x: tensor<i32>) -> tensor<i1> {{
      %c = stablehlo.constant dense<{}> : tensor<i32>
      %e = stablehlo.compare EQ, %x, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      return %e : tensor<i1>
    }})",
             "123456789", "123456788");
  ExpectTold(R"(
    func.func @main(%x: tensor<5xf32>) -> tensor<5xf32> {{
      %l = stablehlo.constant dense<-7.25> : tensor<f32>
      %h = stablehlo.constant dense<{}> : tensor<f32>
      %c = stablehlo.clamp %l, %x, %h : (tensor<f32>, tensor<5xf32>, tensor<f32>) -> tensor<5xf32>
      return %c : tensor<5xf32>
    }})",
             "1000.0", "1000.5");
}

TEST(Tempers, ASumOfNegativeZerosIsTried) {
  ExpectTold(R"(
    func.func @main(%x: tensor<40xf32>) -> tensor<f32> {{
      %z = stablehlo.constant dense<{}> : tensor<f32>
      %s = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [0] : (tensor<40xf32>, tensor<f32>) -> tensor<f32>
      return %s : tensor<f32>
    }})",
             "-0.0", "0.0");
}

TEST(Tempers, IndicesAreAtAndBeyondTheirBounds) {
  ExpectTold(R"(
    func.func @main(%x: tensor<9x70xf32>, %i: tensor<i32>, %j: tensor<i32>) -> tensor<2x3xf32> {{
      %s = stablehlo.dynamic_slice %x, {}, sizes = [2, 3] : (tensor<9x70xf32>, tensor<i32>, tensor<i32>) -> tensor<2x3xf32>
      return %s : tensor<2x3xf32>
    }})",
             "%i, %j", "%j, %i");
  // Negative indices count from the end.
  ExpectTold(R"(
    func.func @main(%x: tensor<90xf32>, %i: tensor<i32>) -> tensor<1xf32> {{
      %n = stablehlo.constant dense<{}> : tensor<i32>
      %z = stablehlo.constant dense<0> : tensor<i32>
      %neg = stablehlo.compare LT, %i, %z, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %w = stablehlo.add %i, %n : tensor<i32>
      %s = stablehlo.select %neg, %w, %i : tensor<i1>, tensor<i32>
      %y = stablehlo.dynamic_slice %x, %s, sizes = [1] : (tensor<90xf32>, tensor<i32>) -> tensor<1xf32>
      return %y : tensor<1xf32>
    }})",
             "90", "89");
}

TEST(Tempers, MatricesCanBeDecomposed) {
  ExpectTold(R"(
    func.func @main(%x: tensor<6x6xf32>) -> tensor<6x6xf32> {{
      %l = stablehlo.cholesky %x, lower = {} : tensor<6x6xf32>
      return %l : tensor<6x6xf32>
    }})",
             "true", "false");
}

TEST(Tempers, QuantizedArgumentsAreCovered) {
  ExpectTold(R"(
    func.func @main(%x: tensor<8x!quant.uniform<i8:f32, 0.5:3>>, %y: tensor<8x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<8x!quant.uniform<i8:f32, 0.5:3>> {{
      %s = stablehlo.{} %x, %y : tensor<8x!quant.uniform<i8:f32, 0.5:3>>
      return %s : tensor<8x!quant.uniform<i8:f32, 0.5:3>>
    }})",
             "add", "maximum");
}

TEST(Tempers, UnknownCustomCallsHaveArbitraryResults) {
  const std::string_view text = R"(
    func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {{
      %c = stablehlo.custom_call @unknown({}) {{backend_config = "{}"}} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
      %r = stablehlo.add %c, %y : tensor<4xf32>
      return %r : tensor<4xf32>
    }})";
  const auto read = [&](std::string_view operands, std::string_view config) {
    auto module = ReadText(fmt::format(fmt::runtime(text), operands, config), nullptr);
    EXPECT_TRUE(module) << (module ? "" : module.error()[0].message);
    return module ? std::move(*module) : Module();
  };
  const Module a = read("%x, %y", "k"), b = read("%y, %x", "k"), c = read("%x, %y", "l");
  const auto same = Evaluated(a, a);
  EXPECT_EQ(same->verdict, Verdict::kEqual) << same->functions[0].detail;
  EXPECT_NE(same->functions[0].detail.find("arbitrary results of @unknown"), std::string::npos);
  EXPECT_EQ(Evaluated(a, b)->verdict, Verdict::kDifferent);
  EXPECT_EQ(Evaluated(a, c)->verdict, Verdict::kDifferent);
}

TEST(Tempers, ThresholdsOfComputedNumbersAreFound) {
  // The square must be 6.25 to show the mistake.
  ExpectTold(R"(
    func.func @main(%x: tensor<6xf32>) -> tensor<i1> {{
      %z = stablehlo.constant dense<0.0> : tensor<f32>
      %s = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [0] : (tensor<6xf32>, tensor<f32>) -> tensor<f32>
      %m = stablehlo.multiply %s, %s : tensor<f32>
      %l = stablehlo.constant dense<6.25> : tensor<f32>
      %c = stablehlo.compare {}, %m, %l, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      return %c : tensor<i1>
    }})",
             "GT", "GE");
}

// --- Dynamic dimensions ---------------------------------------------------------------------------

TEST(Extents, DifferencesInOneSizeAreFound) {
  // An assertion fails for sizes from 5 or 6 on.
  const std::string_view text = R"(
    func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {{
      %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xf32>) -> tensor<i32>
      %l = stablehlo.constant dense<{}> : tensor<i32>
      %ok = stablehlo.compare LT, %n, %l, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.custom_call @shape_assertion(%ok) {{error_message = "too long", has_side_effect = true}} : (tensor<i1>) -> ()
      %y = stablehlo.negate %x : tensor<?xf32>
      return %y : tensor<?xf32>
    }})";
  ExpectTold(text, "5", "6");
  const FunctionProof same = Compare(text, "5", "5");
  EXPECT_GE(same.coverage.extents.size(), 3u);
  for (const auto& sizes : same.coverage.extents) EXPECT_LT(sizes[0], 5);
  // No size is accepted: nothing is shown.
  const FunctionProof none = Compare(text, "0", "0");
  EXPECT_EQ(none.verdict, Verdict::kNotCovered) << none.detail;
  EXPECT_NE(none.detail.find("too long"), std::string::npos) << none.detail;
}

TEST(Extents, BoundsLimitSizesAndAreCompared) {
  const std::string_view text = R"(
    func.func @main(%x: tensor<?x2xf32, #stablehlo.bounds<{}, ?>>) -> tensor<f32> {{
      %z = stablehlo.constant dense<0.0> : tensor<f32>
      %s = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [0, 1] : (tensor<?x2xf32, #stablehlo.bounds<{}, ?>>, tensor<f32>) -> tensor<f32>
      return %s : tensor<f32>
    }})";
  const auto with = [&](int bound) {
    auto module = ReadText(fmt::format(fmt::runtime(text), bound, bound), nullptr);
    EXPECT_TRUE(module) << (module ? "" : module.error()[0].message);
    return module ? std::move(*module) : Module();
  };
  const Module four = with(4), five = with(5);
  const auto same = Evaluated(four, four);
  ASSERT_TRUE(same);
  ASSERT_EQ(same->verdict, Verdict::kEqual) << same->functions[0].detail;
  for (const auto& sizes : same->functions[0].coverage.extents) EXPECT_LE(sizes[0], 4);
  EXPECT_EQ(Evaluated(four, five)->verdict, Verdict::kDifferent);
}

// --- Endings --------------------------------------------------------------------------------------

constexpr std::string_view kLoop = R"(
    func.func @main(%x: tensor<i32>) -> tensor<i32> {{
      %z = stablehlo.constant dense<0> : tensor<i32>
      %r = stablehlo.while(%i = %z) : tensor<i32>
      cond {{
        %l = stablehlo.constant dense<100> : tensor<i32>
        %c = stablehlo.compare LT, %i, %l, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %c : tensor<i1>
      }} do {{
        %s = stablehlo.constant dense<{}> : tensor<i32>
        %n = stablehlo.multiply %i, %s : tensor<i32>
        %o = stablehlo.constant dense<{}> : tensor<i32>
        %m = stablehlo.add %n, %o : tensor<i32>
        stablehlo.return %m : tensor<i32>
      }}
      %y = stablehlo.add %r, %x : tensor<i32>
      return %y : tensor<i32>
    }})";

FunctionProof CompareLoops(int step_a, int step_b) {
  const auto read = [](int step) {
    auto module = ReadText(fmt::format(fmt::runtime(kLoop), 1, step), nullptr);
    EXPECT_TRUE(module);
    return module ? std::move(*module) : Module();
  };
  const Module a = read(step_a), b = read(step_b);
  const auto proof = Evaluated(a, b);
  return proof ? proof->functions[0] : FunctionProof();
}

TEST(Endings, EndingAndNotEndingIsDifferent) {
  for (const auto& [a, b] : {std::pair(1, 0), std::pair(0, 1)}) {
    const FunctionProof proof = CompareLoops(a, b);
    EXPECT_EQ(proof.verdict, Verdict::kDifferent) << proof.detail;
    EXPECT_NE(proof.detail.find(a == 0 ? "does not end in the first program"
                                       : "does not end in the second program"),
              std::string::npos)
        << proof.detail;
  }
  EXPECT_EQ(CompareLoops(1, 1).verdict, Verdict::kEqual);
}

TEST(Endings, LoopsWithoutEndShowNothing) {
  const FunctionProof proof = CompareLoops(0, 0);
  EXPECT_EQ(proof.verdict, Verdict::kNotCovered) << proof.detail;
  EXPECT_NE(proof.detail.find("neither program ends"), std::string::npos) << proof.detail;
  EXPECT_GT(proof.coverage.unfinished, 0u);
}

TEST(Endings, FailuresAreCompared) {
  const std::string_view text = R"(
    func.func @main(%x: tensor<f32>) -> tensor<f32> {{
      %l = stablehlo.constant dense<{}> : tensor<f32>
      %ok = stablehlo.compare LT, %x, %l, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.custom_call @shape_assertion(%ok) {{error_message = "too large", has_side_effect = true}} : (tensor<i1>) -> ()
      return %x : tensor<f32>
    }})";
  ExpectTold(text, "1.0e+10", "1.1e+10");
  EXPECT_GT(Compare(text, "1.0", "1.0").coverage.failed, 0u);
}

// --- Coverage -------------------------------------------------------------------------------------

TEST(Evidence, ResultsThatAreNeverFiniteShowNothing) {
  const FunctionProof proof = Compare(R"(
    func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {{
      %n = stablehlo.constant dense<0x7FC00000> : tensor<3xf32>
      %a = stablehlo.{} %x : tensor<3xf32>
      %y = stablehlo.add %a, %n : tensor<3xf32>
      return %y : tensor<3xf32>
    }})",
                                      "sine", "cosine");
  EXPECT_EQ(proof.verdict, Verdict::kNotCovered) << proof.detail;
  EXPECT_NE(proof.detail.find("result 0 is never finite"), std::string::npos) << proof.detail;
}

TEST(Evidence, ConstantResultsShowNothing) {
  const std::string_view text = R"(
    func.func @main(%x: tensor<3xi32>) -> (tensor<3xi32>, tensor<i32>) {{
      %z = stablehlo.constant dense<0> : tensor<3xi32>
      %y = stablehlo.{} %x, %z : tensor<3xi32>
      %c = stablehlo.constant dense<5> : tensor<i32>
      return %y, %c : tensor<3xi32>, tensor<i32>
    }})";
  const FunctionProof proof = Compare(text, "multiply", "multiply");
  EXPECT_EQ(proof.verdict, Verdict::kNotCovered) << proof.detail;
  EXPECT_NE(proof.detail.find("result 0 is the same for all inputs"), std::string::npos) << proof.detail;
  // Only results that depend on arguments count.
  EXPECT_EQ(Compare(text, "add", "add").verdict, Verdict::kEqual);
}

TEST(Evidence, BranchesThatNeverRanAreReported) {
  const std::string_view text = R"(
    func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {{
      %h = stablehlo.constant dense<1.0e+38> : tensor<f32>
      %z = stablehlo.constant dense<0.0> : tensor<f32>
      %t = stablehlo.tanh %x : tensor<4xf32>
      %s = stablehlo.reduce(%t init: %z) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
      %c = stablehlo.compare GT, %s, {}, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %y = "stablehlo.if"(%c) ({{
        stablehlo.return %t : tensor<4xf32>
      }}, {{
        stablehlo.return %x : tensor<4xf32>
      }}) : (tensor<i1>) -> tensor<4xf32>
      return %y : tensor<4xf32>
    }})";
  const FunctionProof never = Compare(text, "%h", "%h");
  EXPECT_EQ(never.verdict, Verdict::kNotCovered) << never.detail;
  EXPECT_NE(never.detail.find("region 0 of 'stablehlo.if'"), std::string::npos) << never.detail;
  EXPECT_EQ(never.coverage.not_run.size(), 2u);  // in both programs
  const FunctionProof both = Compare(text, "%z", "%z");
  EXPECT_EQ(both.verdict, Verdict::kEqual) << both.detail;
  EXPECT_EQ(both.coverage.regions_run, both.coverage.regions);
}

TEST(Evidence, BranchesThatNoInputReachesAreDead) {
  const FunctionProof proof = Compare(R"(
    func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {{
      %c = stablehlo.constant dense<{}> : tensor<i1>
      %y = "stablehlo.if"(%c) ({{
        stablehlo.return %x : tensor<4xf32>
      }}, {{
        %n = stablehlo.negate %x : tensor<4xf32>
        stablehlo.return %n : tensor<4xf32>
      }}) : (tensor<i1>) -> tensor<4xf32>
      return %y : tensor<4xf32>
    }})",
                                      "true", "true");
  EXPECT_EQ(proof.verdict, Verdict::kEqual) << proof.detail;
}

}  // namespace
}  // namespace shlo
