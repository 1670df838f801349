// Every claim of a certificate that the checker refuses, with its words.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "eval/test_program.h"
#include "ir/module/builder.h"
#include "ir/module/limits.h"
#include "shlo/certificate.h"
#include "shlo/text_reader.h"

namespace shlo {
namespace {

constexpr std::string_view kRefused = "the certificate does not hold: ";

// Returns why @main of two programs is not equal by this matching. Ops are numbered from 1 in the order of
// the text, the function included.
std::string Why(const Module& a, const Module& b, std::vector<MatchRun> matches,
                std::vector<MatchRun> repeats = {}) {
  Certificate certificate;
  certificate.functions.push_back({"main", Evidence::kCongruence, 0, 0});
  certificate.programs[0].version = a.version;
  certificate.programs[1].version = b.version;
  certificate.matching = {"steps", std::move(matches), std::move(repeats)};
  const auto check = CheckCertificate(certificate, a, b);
  if (check) return "";
  const std::string message = check.error()[0].message;
  EXPECT_TRUE(message.starts_with(kRefused)) << message;
  return message.substr(std::min(message.size(), kRefused.size()));
}

struct Row {
  std::string_view a, b;
  std::vector<MatchRun> matches, repeats;
  std::string_view why;
};

void ExpectRefused(std::span<const Row> rows) {
  for (const Row& row : rows) {
    SCOPED_TRACE(fmt::format("{}\n{}", row.a, row.b));
    const auto a = ReadText(row.a, nullptr), b = ReadText(row.b, nullptr);
    ASSERT_TRUE(a) << a.error()[0].message;
    ASSERT_TRUE(b) << b.error()[0].message;
    EXPECT_EQ(Why(*a, *b, row.matches, row.repeats), row.why);
  }
}

constexpr std::string_view kTwoConstants = R"(func.func @main() {
  %0 = stablehlo.constant dense<1> : tensor<i32>
  %1 = stablehlo.constant dense<1> : tensor<i32>
  return
})";
constexpr std::string_view kEffects = R"(func.func @main() {
  "stablehlo.custom_call"() {call_target_name = "x", has_side_effect = true} : () -> ()
  "stablehlo.custom_call"() {call_target_name = "y", has_side_effect = true} : () -> ()
  return
})";
constexpr std::string_view kEffectsSwapped = R"(func.func @main() {
  "stablehlo.custom_call"() {call_target_name = "y", has_side_effect = true} : () -> ()
  "stablehlo.custom_call"() {call_target_name = "x", has_side_effect = true} : () -> ()
  return
})";
constexpr std::string_view kNothing = "func.func @main() {\n  return\n}";

TEST(CertificateErrors, ListsThatContradictThemselves) {
  const Row rows[] = {
      {kTwoConstants, kTwoConstants, {{1, 1, 4}}, {}, ""},
      {kTwoConstants, kTwoConstants, {{1, 1, 4}}, {{3, 2, 1}}, ""},
      {kTwoConstants, kTwoConstants, {{1, 1, 2}, {2, 2, 3}}, {}, "'matches' names op 2 twice"},
      {kTwoConstants, kTwoConstants, {{1, 1, 4}}, {{3, 2, 1}, {3, 2, 1}}, "'repeats' names op 3 twice"},
      {kTwoConstants, kTwoConstants, {{1, 1, 5}}, {}, "'matches' names an op that does not exist"},
      {kTwoConstants, kTwoConstants, {{1, 1, 4}}, {{2, 3, 1}}, "op 2 cannot repeat op 3"},
      {kEffects,
       kEffects,
       {{1, 1, 4}},
       {{3, 2, 1}},
       "op 3 of the first program, 'stablehlo.custom_call': cannot repeat another op"},
  };
  ExpectRefused(rows);
}

TEST(CertificateErrors, OpsThatDiffer) {
  const Row rows[] = {
      {R"(func.func @main(%a: tensor<2xf32>) {
            %0 = stablehlo.concatenate %a, %a, dim = 0 : (tensor<2xf32>, tensor<2xf32>) -> tensor<4xf32>
            return
          })",
       R"(func.func @main(%a: tensor<2xf32>) {
            %0 = stablehlo.concatenate %a, dim = 0 : (tensor<2xf32>) -> tensor<2xf32>
            return
          })",
       {{1, 1, 3}},
       {},
       "op 2 of the second program, 'stablehlo.concatenate': has other numbers of operands or regions than "
       "its "
       "match"},
      // The outer loop of the second program and the one in its body, both as the only loop of the first one.
      {R"(func.func @main(%a: tensor<i32>, %p: tensor<i1>) {
            %r = stablehlo.while(%i = %a) : tensor<i32> cond {
              stablehlo.return %p : tensor<i1>
            } do {
              stablehlo.return %i : tensor<i32>
            }
            return
          })",
       R"(func.func @main(%a: tensor<i32>, %p: tensor<i1>) {
            %r = stablehlo.while(%i = %a) : tensor<i32> cond {
              stablehlo.return %p : tensor<i1>
            } do {
              %s = stablehlo.while(%k = %a) : tensor<i32> cond {
                stablehlo.return %p : tensor<i1>
              } do {
                stablehlo.return %k : tensor<i32>
              }
              stablehlo.return %i : tensor<i32>
            }
            return
          })",
       {{1, 1, 3}, {4, 2, 3}, {7, 4, 2}},
       {},
       "op 4 of the second program, 'stablehlo.while': is matched with an op that it is in"},
  };
  ExpectRefused(rows);
}

TEST(CertificateErrors, RegionsThatDiffer) {
  const auto other = [](std::string_view args, std::string_view body) {
    return fmt::format(
        "func.func @main() {{\n  \"other.op\"() ({{\n  ^bb0({}):\n    {}\n  }}) : () -> ()\n  return\n}}",
        args, body);
  };
  const std::string end = "\"other.end\"() : () -> ()";
  const std::string narrow = other("%x: i32", end), wide = other("%x: i64", end), none = other("", end),
                    two = other("", end + "\n" + end);
  const auto branch = [](std::string_view to) {
    return fmt::format(
        "func.func @main() {{\n  \"cf.br\"()[^{}] : () -> ()\n^bb1:\n  return\n^bb2:\n  return\n}}", to);
  };
  const std::string first = branch("bb1"), second = branch("bb2");
  const Row rows[] = {
      {kNothing,
       first,
       {{1, 1, 1}},
       {},
       "op 1 of the second program, 'func.func': a region has another form than its match"},
      {narrow,
       wide,
       {{1, 1, 4}},
       {},
       "op 2 of the second program, 'other.op': block arguments have other types than in its match"},
      {none,
       two,
       {{1, 1, 3}, {5, 4, 1}},
       {},
       "op 2 of the second program, 'other.op': a block has another number of ops than its match"},
      {none,
       none,
       {{1, 1, 2}, {4, 4, 1}},
       {},
       "op 3 of the second program, 'other.end': is not matched with the op at its place"},
      {first,
       second,
       {{1, 1, 4}},
       {},
       "op 2 of the second program, 'cf.br': branches to another block than its match"},
      {kEffects,
       kEffectsSwapped,
       {{1, 1, 1}, {2, 3, 1}, {3, 2, 1}, {4, 4, 1}},
       {},
       "op 1 of the second program, 'func.func': side effects differ from its match"},
      {kNothing,
       kEffects,
       {{1, 1, 1}, {4, 2, 1}},
       {},
       "op 2 of the second program, 'stablehlo.custom_call': has an effect or may not end, and is not "
       "matched"},
  };
  ExpectRefused(rows);
}

TEST(CertificateErrors, ModulesThatDiffer) {
  const std::string global = fmt::format("{}\n\"other.global\"() : () -> ()", kNothing);
  const std::string within = "func.func @main() {\n  \"other.global\"() : () -> ()\n  return\n}";
  const Row rows[] = {
      {kNothing,
       global,
       {{1, 1, 2}},
       {},
       "op 3 of the second program, 'other.global': is not in the first program"},
      {global,
       kNothing,
       {{1, 1, 2}},
       {},
       "op 3 of the first program, 'other.global': is not in the second program"},
      {within,
       global,
       {{3, 2, 1}},
       {},
       "op 3 of the second program, 'other.global': is matched with an op within another"},
      {kNothing,
       "func.func private @main() {\n  return\n}",
       {{1, 1, 2}},
       {},
       "op 1 of the second program, 'func.func': @main has another visibility"},
      {kNothing, kNothing, {}, {}, "there are no functions @main that are matched"},
  };
  ExpectRefused(rows);
}

// Deeper than any reader reads.
TEST(CertificateErrors, NestingHasALimit) {
  TestProgram p;
  Module& m = p.module();
  Builder& b = p.builder();
  std::vector<RegionId> open;
  for (int i = 0; i < int(kMaxNesting) + 10; ++i) {
    open.push_back(b.NewRegion());
    b.BeginBlock(open.back(), b.NewBlock());
  }
  while (!open.empty()) {
    b.EndBlock();
    b.EndRegion(open.back());
    const RegionId regions[] = {open.back()};
    open.pop_back();
    b.AddOp({.name = m.strings.Intern("other.op"), .regions = regions});
  }
  p.Done();
  EXPECT_EQ(Why(m, m, {}), "a program is nested too deeply");
}

}  // namespace
}  // namespace shlo
