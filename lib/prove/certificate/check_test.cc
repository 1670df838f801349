// Certificates of pairs of programs that are equal, and forged ones, none of which may be accepted.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>

#include "base/json_mutants.h"
#include "base/try.h"
#include "ir/module/sample.h"
#include "prove/certificate/program_view.h"
#include "prove/planter.h"
#include "shlo/certificate.h"
#include "shlo/convert.h"
#include "shlo/text_reader.h"
#include "shlo/verify.h"

namespace shlo {
namespace {

Module Read(const std::string& text) {
  const Buffer owner = std::make_shared<std::string>(text);
  auto m = ReadText(*static_cast<const std::string*>(owner.get()), owner);
  EXPECT_TRUE(m) << (m ? "" : Render(m.error()[0])) << text;
  return m ? std::move(*m) : Module();
}

Result<Certificate> Certify(const Module& a, const Module& b) {
  ProveOptions options;
  options.matching = true;
  options.max_inputs = 16;
  auto proof = SHLO_TRY(Prove(a, b, options));
  return CertificateOf(proof, options, a, b);
}

std::string Why(const Certificate& certificate, const Module& a, const Module& b) {
  const auto check = CheckCertificate(certificate, a, b);
  return check ? "" : check.error()[0].message;
}

// Certifies both directions; the certificate passes as text, too.
void Certified(const std::string& text_a, const std::string& text_b) {
  const Module a = Read(text_a), b = Read(text_b);
  for (const auto& [x, y] : {std::pair(&a, &b), std::pair(&b, &a), std::pair(&a, &a)}) {
    const auto certificate = Certify(*x, *y);
    ASSERT_TRUE(certificate) << Render(certificate.error()[0]) << text_a << text_b;
    const auto read = ParseCertificate(CertificateText(*certificate));
    ASSERT_TRUE(read);
    const auto check = CheckCertificate(*read, *x, *y);
    ASSERT_TRUE(check) << Render(check.error()[0]);
    EXPECT_FALSE(check->verified.empty());
    EXPECT_TRUE(check->not_covered.empty());
  }
}

constexpr char kTwice[] = R"(
func.func @main(%a: tensor<4xf32>, %b: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %c = stablehlo.constant dense<2.0> : tensor<4xf32>
  %d = stablehlo.constant dense<2.0> : tensor<4xf32>
  %0 = stablehlo.add %a, %c : tensor<4xf32>
  %1 = stablehlo.add %a, %d : tensor<4xf32>
  %2 = stablehlo.multiply %1, %b : tensor<4xf32>
  %3 = stablehlo.subtract %0, %2 : tensor<4xf32>
  return %3, %1 : tensor<4xf32>, tensor<4xf32>
})";
constexpr char kOnce[] = R"(
func.func @main(%a: tensor<4xf32>, %b: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %c = stablehlo.constant dense<[2.0, 2.0, 2.0, 2.0]> : tensor<4xf32>
  %dead = stablehlo.negate %a : tensor<4xf32>
  %0 = stablehlo.add %a, %c : tensor<4xf32>
  %2 = stablehlo.multiply %0, %b : tensor<4xf32>
  %3 = stablehlo.subtract %0, %2 : tensor<4xf32>
  return %3, %0 : tensor<4xf32>, tensor<4xf32>
})";

TEST(Certificate, OfDuplicatesAndDeadCode) { Certified(kTwice, kOnce); }

TEST(Certificate, OfOtherOrderAndNames) {
  Certified(kTwice, R"(
func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %d = stablehlo.constant dense<2.0> : tensor<4xf32>
  %1 = stablehlo.add %x, %d : tensor<4xf32>
  %c = stablehlo.constant dense<2.0> : tensor<4xf32>
  %2 = stablehlo.multiply %1, %y : tensor<4xf32>
  %0 = stablehlo.add %x, %c : tensor<4xf32>
  %3 = stablehlo.subtract %0, %2 : tensor<4xf32>
  return %3, %1 : tensor<4xf32>, tensor<4xf32>
})");
}

// Names are bytes; the text of a certificate is UTF-8.
TEST(Certificate, OfFunctionsWithAnyName) {
  for (const std::string name : {"\\FF", "\\FE\\FF", "\\00", "\\00FF", "\\C3\\A9"}) {
    std::string twice = kTwice, once = kOnce;
    for (std::string* text : {&twice, &once}) text->replace(text->find("@main"), 5, "@\"" + name + "\"");
    Certified(twice, once);
  }
}

// A constant in the body of a loop, and before it; two reductions that are one.
TEST(Certificate, OfRegions) {
  const auto program = [](bool inside, bool once) {
    return fmt::format(R"(
func.func @main(%a: tensor<i32>, %x: tensor<3x4xf32>) -> (tensor<i32>, tensor<3xf32>) {{
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %out = stablehlo.constant dense<3> : tensor<i32>
  %r = stablehlo.while(%i = %a) : tensor<i32> cond {{
    %limit = stablehlo.constant dense<10> : tensor<i32>
    %less = stablehlo.compare LT, %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %less : tensor<i1>
  }} do {{
    %in = stablehlo.constant dense<3> : tensor<i32>
    %next = stablehlo.add %i, {} : tensor<i32>
    stablehlo.return %next : tensor<i32>
  }}
  %s = "stablehlo.reduce"(%x, %zero) ({{
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %sum = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }}) {{dimensions = array<i64: 1>}} : (tensor<3x4xf32>, tensor<f32>) -> tensor<3xf32>
  %t = "stablehlo.reduce"(%x, %zero) ({{
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %sum = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }}) {{dimensions = array<i64: 1>}} : (tensor<3x4xf32>, tensor<f32>) -> tensor<3xf32>
  %u = stablehlo.multiply %s, {} : tensor<3xf32>
  return %r, %u : tensor<i32>, tensor<3xf32>
}})",
                       inside ? "%in" : "%out", once ? "%s" : "%t");
  };
  Certified(program(true, true), program(false, false));
  Certified(program(true, false), program(false, true));
}

// Functions that are named in a list, and in a list of lists.
TEST(Certificate, OfSymbolsInLists) {
  const auto program = [](std::string_view name) {
    return fmt::format(R"(
func.func @main(%a: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {{
  %0 = "interpreter.run_parallel"(%a) {{programs = [[@{0}]]}} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = stablehlo.custom_call @x(%a) {{called_computations = [@{0}]}} : (tensor<4xf32>) -> tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}}
func.func private @{0}(%a: tensor<4xf32>) -> tensor<4xf32> {{
  return %a : tensor<4xf32>
}})",
                       name);
  };
  Certified(program("f"), program("g"));
}

// Private functions that nothing but an attribute of an unknown dialect names: as a symbol, in a list, in
// text of an attribute or of a type.
TEST(Certificate, OfFunctionsThatAttributesName) {
  const auto program = [](std::string_view name, std::string_view unused) {
    return fmt::format(R"(
module attributes {{my.hook = @{0}_1}} {{
  func.func @main(%a: tensor<f32>) -> tensor<f32> {{
    {1}
    %0 = "my.op"(%a) {{callee = @{0}_2, list = [{{to = @{0}_3}}]}} : (tensor<f32>) -> tensor<f32>
    %1 = stablehlo.negate %0 {{my.hint = @{0}_4}} : tensor<f32>
    return %1 : tensor<f32>
  }}
  func.func private @{0}_1() {{ return }}
  func.func private @{0}_2(%a: tensor<f32>) -> tensor<f32> {{ return %a : tensor<f32> }}
  func.func private @{0}_3(%a: tensor<f64>) -> tensor<f64> {{ return %a : tensor<f64> }}
  func.func private @{0}_4(%a: tensor<i1>) -> tensor<i1> {{ return %a : tensor<i1> }}
}})",
                       name, unused);
  };
  Certified(program("f", ""), program("g", "%unused = stablehlo.cosine %a : tensor<f32>"));

  // Text that states a name is only equal to text with that name.
  const auto mentions = [](std::string_view unused) {
    return fmt::format(R"(
func.func @main(%a: tensor<f32>) -> tensor<f32> {{
  {}
  %0 = "my.op"(%a) {{how = #my.call<@f>}} : (tensor<f32>) -> !my.type<@g>
  %1 = "my.op"(%0) : (!my.type<@g>) -> tensor<f32>
  return %1 : tensor<f32>
}}
func.func private @f(%a: tensor<f64>) -> tensor<f64> {{ return %a : tensor<f64> }}
func.func private @g(%a: tensor<i1>) -> tensor<i1> {{ return %a : tensor<i1> }}
)",
                       unused);
  };
  Certified(mentions(""), mentions("%unused = stablehlo.cosine %a : tensor<f32>"));
}

TEST(Certificate, OfCallsAndEffects) {
  Certified(R"(
func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @f(%a) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = call @g(%0) : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func private @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.custom_call @print(%a) {has_side_effect = true} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = "other.op"(%0) ({
  ^bb0(%x: i32):
    "other.end"(%x) : (i32) -> ()
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func private @g(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.custom_call @print(%a) {has_side_effect = true} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = "other.op"(%0) ({
  ^bb0(%x: i32):
    "other.end"(%x) : (i32) -> ()
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
})",
            R"(
func.func private @h(%b: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.custom_call @print(%b) {has_side_effect = true} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = "other.op"(%0) ({
  ^bb0(%x: i32):
    "other.end"(%x) : (i32) -> ()
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @h(%a) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = call @h(%0) : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
})");
}

// A function that is there twice repeats the ops of regions without an order, each at its place.
// Ops without results or uses, whose evaluation may fail.
TEST(Certificate, OfChecksAndFailures) {
  const auto program = [](const std::string& body) {
    return "func.func @main(%x: tensor<?xf32>, %y: tensor<?xf32>, %a: tensor<4xf32>) -> tensor<4xf32> {\n" +
           body + "return %a : tensor<4xf32>\n}\n";
  };
  const std::string add = "%0 = stablehlo.add %x, %y : tensor<?xf32>\n";
  const std::string subtract = "%1 = stablehlo.subtract %x, %y : tensor<?xf32>\n";
  Certified(program(add + subtract), program(subtract + add));
  Certified(program(add), program(add + "%2 = stablehlo.add %x, %y : tensor<?xf32>\n"));
  const std::string check =
      "stablehlo.custom_call @check.expect_eq(%a, %a) : (tensor<4xf32>, tensor<4xf32>) -> ()\n";
  Certified(program(check), program(check));
  // A certificate of the same program does not hold for one that lacks the op.
  for (const std::string& op : {add, check}) {
    const Module with = Read(program(op)), without = Read(program(""));
    const auto certificate = Certify(with, with);
    ASSERT_TRUE(certificate);
    Certificate forged = *certificate;
    forged.matching.matches = {{1, 1, 1}, {2, 3, 1}};
    EXPECT_NE(Why(forged, with, without), "");
    const auto other = Certify(without, without);
    ASSERT_TRUE(other);
    forged = *other;
    forged.matching.matches = {{1, 1, 1}, {3, 2, 1}};
    EXPECT_NE(Why(forged, without, with), "");
  }
}

TEST(Certificate, OfRegionsThatAreRepeated) {
  const auto function = [](const std::string& name) {
    return "func.func private @" + name + R"((%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "other.op"(%a) ({
  ^bb0(%x: i32):
    %c = stablehlo.constant dense<1> : tensor<i32>
    %d = stablehlo.constant dense<1> : tensor<i32>
    "other.end"(%c, %d) : (tensor<i32>, tensor<i32>) -> ()
  }) : (tensor<4xf32>) -> tensor<4xf32>
  %t = stablehlo.constant dense<true> : tensor<i1>
  %1 = "stablehlo.if"(%t) ({
    %c = stablehlo.sine %0 : tensor<4xf32>
    stablehlo.return %c : tensor<4xf32>
  }, {
    %c = stablehlo.cosine %0 : tensor<4xf32>
    %d = stablehlo.cosine %0 : tensor<4xf32>
    stablehlo.return %d : tensor<4xf32>
  }) : (tensor<i1>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
)";
  };
  const auto calls = [](const std::string& f, const std::string& g) {
    return "func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {\n  %0 = call @" + f +
           "(%a) : (tensor<4xf32>) -> tensor<4xf32>\n  %1 = call @" + g +
           "(%0) : (tensor<4xf32>) -> tensor<4xf32>\n  return %1 : tensor<4xf32>\n}\n";
  };
  Certified(calls("f", "g") + function("f") + function("g"), function("h") + calls("h", "h"));
}

// The ops of a function of several blocks are compared in order, and those of the next function are not.
TEST(Certificate, OfBlocks) {
  const std::string function =
                        R"("func.func"() <{function_type = (tensor<i1>) -> tensor<i1>, sym_name = "main"}> ({
^bb0(%a: tensor<i1>):
  %0 = "func.call"(%a) <{callee = @f}> : (tensor<i1>) -> tensor<i1>
  %1 = "func.call"(%0) <{callee = @g}> : (tensor<i1>) -> tensor<i1>
  "cf.br"()[^bb1] : () -> ()
^bb1:
  "func.return"(%1) : (tensor<i1>) -> ()
}) : () -> ()
)",
                    f = R"(func.func private @f(%a: tensor<i1>) -> tensor<i1> {
  return %a : tensor<i1>
}
)",
                    g = R"(func.func private @g(%a: tensor<i1>) -> tensor<i1> {
  %0 = stablehlo.not %a : tensor<i1>
  return %0 : tensor<i1>
}
)";
  Certified(function + f + g, function + g + f);
  Certified(f + function + g, g + f + function);
}

TEST(Certificate, StatesWhatWasEvaluated) {
  const Module a = Read(
                   "func.func @main(%a: tensor<i8>) -> tensor<i8> {\n"
                   "  %0 = stablehlo.add %a, %a : tensor<i8>\n  return %0 : tensor<i8>\n}"),
               b = Read(
                   "func.func @main(%a: tensor<i8>) -> tensor<i8> {\n"
                   "  %c = stablehlo.constant dense<2> : tensor<i8>\n"
                   "  %0 = stablehlo.multiply %a, %c : tensor<i8>\n  return %0 : tensor<i8>\n}");
  const auto certificate = Certify(a, b);
  ASSERT_TRUE(certificate);
  const auto check = CheckCertificate(*certificate, a, b);
  ASSERT_TRUE(check);
  EXPECT_EQ(check->verified, std::vector<std::string>());
  EXPECT_EQ(check->evaluated, std::vector<std::string>{"main"});
  ASSERT_EQ(certificate->functions.size(), 1u);
  const CertifiedFunction& function = certificate->functions[0];
  EXPECT_EQ(function.function, "main");
  EXPECT_EQ(function.evidence, Evidence::kExhaustive);
  EXPECT_EQ(function.inputs, 256u);
  // The same claim as a proof by congruence.
  Certificate forged = *certificate;
  forged.functions[0].evidence = Evidence::kCongruence;
  EXPECT_NE(Why(forged, a, b), "");
}

TEST(Certificate, NotOfPrograms_ThatDiffer) {
  const Module a = Read(kOnce), b = Read(
                                    "func.func @main(%a: tensor<4xf32>, %b: tensor<4xf32>) -> "
                                    "(tensor<4xf32>, tensor<4xf32>) {\n"
                                    "  return %a, %b : tensor<4xf32>, tensor<4xf32>\n}");
  EXPECT_FALSE(Certify(a, b));
}

// Two regions of the same kind, one in the other: their arguments must not be taken for each other.
TEST(Certificate, DoesNotMatchAnOpWithinItself) {
  const auto program = [](const char* operand) {
    return Read(fmt::format(R"(
func.func @main(%a: tensor<i32>, %p: tensor<i1>) -> tensor<i32> {{
  %r = stablehlo.while(%i = %a) : tensor<i32> cond {{
    stablehlo.return %p : tensor<i1>
  }} do {{
    %s = stablehlo.while(%k = %a) : tensor<i32> cond {{
      stablehlo.return %p : tensor<i1>
    }} do {{
      %n = stablehlo.add {}, %k : tensor<i32>
      stablehlo.return %n : tensor<i32>
    }}
    stablehlo.return %s : tensor<i32>
  }}
  return %r : tensor<i32>
}})",
                            operand));
  };
  const Module a = program("%k"), b = program("%i");
  EXPECT_FALSE(Certify(a, b));
  auto certificate = Certify(a, a);
  ASSERT_TRUE(certificate);
  EXPECT_NE(Why(*certificate, a, b), "");
  // The outer loop of the second program as the inner one of the first.
  const certificate::ProgramView view(a);
  std::vector<uint32_t> loops;
  for (uint32_t n = 1; n < view.ops.size(); ++n)
    if (a.NameOf(a.ops[view.ops[n].v]) == "stablehlo.while") loops.push_back(n);
  ASSERT_EQ(loops.size(), 2u);
  certificate->matching.matches = {{1, 1, loops[0] - 1}, {loops[0], loops[1], 1}, {loops[1], loops[1], 3}};
  EXPECT_NE(Why(*certificate, a, b), "");
}

// --- Forgeries ------------------------------------------------------------------------------------------

// One run per op, so that each can be forged.
std::vector<MatchRun> Single(const std::vector<MatchRun>& runs) {
  std::vector<MatchRun> out;
  for (const MatchRun& run : runs)
    for (uint32_t i = 0; i < run.count; ++i) out.push_back({run.first + i, run.to + i, 1});
  return out;
}

struct Forgeries {
  size_t tried = 0;
  std::vector<std::string> accepted;
  void Try(const Certificate& forged, const Module& a, const Module& b, const std::string& what) {
    ++tried;
    if (CheckCertificate(forged, a, b)) accepted.push_back(what);
  }
};

// Forges the matching and the laws of two programs that are equal.
void Forge(const Module& a, const Module& b, const std::string& name, Forgeries* out) {
  const auto certified = Certify(a, b);
  const certificate::ProgramView of_a(a), of_b(b);
  if (std::ranges::none_of(of_a.top_level, [&](OpId op) { return of_a.IsFunctionOp(op); })) return;
  ASSERT_TRUE(certified) << name << Render(certified.error()[0]);
  const Certificate& good = *certified;
  if (good.functions[0].evidence < Evidence::kLaws) return;
  const std::vector<bool> live = prove::LiveOps(b);
  const std::vector<MatchRun> single = Single(good.matching.matches);
  const auto same = [&](uint32_t n, uint32_t m) {
    const Op &x = a.ops[of_a.ops[n].v], &y = a.ops[of_a.ops[m].v];
    return a.RevisionIdOf(x) == a.RevisionIdOf(y) &&
           std::ranges::equal(a.InherentAttrsOf(x), a.InherentAttrsOf(y));
  };
  const bool steps = good.matching.form == "steps" && a.ops.size() == of_a.ops.size();
  for (size_t i = 0; i < single.size() && i < 12 && steps; ++i) {
    const std::string where = fmt::format("{}: op {}", name, single[i].first);
    Certificate forged = good;
    if (single[i].first < of_b.ops.size() && live[of_b.ops[single[i].first].v] &&
        !of_b.IsFunctionOp(of_b.ops[single[i].first])) {
      forged.matching.matches = single;
      forged.matching.matches.erase(forged.matching.matches.begin() + long(i));
      out->Try(forged, a, b, where + " is not matched");
    }
    const size_t k = (i * 7 + 3) % single.size();
    if (!same(single[i].to, single[k].to)) {
      forged.matching.matches = single;
      std::swap(forged.matching.matches[i].to, forged.matching.matches[k].to);
      out->Try(forged, a, b, where + " is matched with another");
      forged = good;
      forged.matching.repeats = {
          {std::max(single[i].to, single[k].to), std::min(single[i].to, single[k].to), 1}};
      out->Try(forged, a, b, where + " repeats another");
    }
    forged = good;
    forged.matching.matches.push_back({single[i].first, single[i].to, 1});
    out->Try(forged, a, b, where + " is matched twice");
    forged = good;
    forged.matching.matches.push_back({uint32_t(of_b.ops.size() + i), 1, UINT32_MAX});
    out->Try(forged, a, b, where + ": beyond the program");
  }
  Certificate forged = good;
  forged.matching.form = "other";
  out->Try(forged, a, b, name + ": form");
  forged = good;
  forged.functions.push_back({"not_there", good.functions[0].evidence, 0, 0});
  out->Try(forged, a, b, name + ": function");
  forged = good;
  forged.laws.push_back({"sub -> add", 1, false});
  out->Try(forged, a, b, name + ": another law");
  for (size_t i = 0; i < good.laws.size(); ++i) {
    forged = good;
    forged.laws.erase(forged.laws.begin() + long(i));
    out->Try(forged, a, b, name + ": law is missing");
    forged = good;
    ++forged.laws[i].count;
    out->Try(forged, a, b, name + ": count of a law");
    forged = good;
    forged.laws[i].approximate = !forged.laws[i].approximate;
    out->Try(forged, a, b, name + ": law is approximate");
    forged = good;
    forged.functions[0].evidence = Evidence::kCongruence;
    out->Try(forged, a, b, name + ": laws are denied");
    for (size_t rung = 0; rung < good.rungs[i].size(); ++rung)
      for (const uint64_t other :
           {good.rungs[i][rung] + 1, good.rungs[i][rung] - 1, uint64_t(0), ~uint64_t(0)}) {
        forged = good;
        forged.rungs[i][rung] = other;
        if (other != good.rungs[i][rung]) out->Try(forged, a, b, name + ": other checks of a law");
      }
    forged = good;
    forged.rungs.pop_back();
    out->Try(forged, a, b, name + ": no rungs");
  }
}

TEST(Certificate, ForgeriesAreRefused) {
  Forgeries forgeries;
  for (const auto& file : std::filesystem::directory_iterator(SHLO_SOURCE_DIR "/tests/roundtrip")) {
    if (file.path().extension() != ".mlir" || file.path().filename().string().starts_with("bad-")) continue;
    std::ifstream in(file.path(), std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    auto m = ReadText(text.str(), nullptr);
    if (!m || HasErrors(Verify(*m))) continue;
    const std::string name = file.path().filename().string();
    Forge(*m, *m, name, &forgeries);
    ConvertOptions options;
    options.allow_other_dialects = true;
    if (auto older = Convert(*m, Version{64}, options)) Forge(*m, older->module, name + " at 64", &forgeries);
  }
  for (uint16_t r = 1; r < OpRows().size(); ++r) {
    const Version newest = std::min(RevisionOf(NewestRevision(RowId{r})).until, kCurrentVersion);
    for (const SampleVariant& variant : SampleVariants(RowId{r}, newest)) {
      const Module m = MakeSample(RowId{r}, newest, variant);
      Forge(m, m, SampleName(RowId{r}, newest, variant), &forgeries);
    }
  }
  EXPECT_GT(forgeries.tried, 1000u);
  EXPECT_EQ(forgeries.accepted, std::vector<std::string>());
}

TEST(Certificate, DamagedTextIsRefused) {
  const Module a = Read(kTwice), b = Read(kOnce);
  const auto certificate = Certify(a, b);
  ASSERT_TRUE(certificate);
  const std::string text = CertificateText(*certificate);
  ASSERT_TRUE(ParseCertificate(text));
  ASSERT_TRUE(ParseCertificate(CertificateStatement(*certificate)));
  for (size_t n = 0; n + 2 < text.size(); ++n) EXPECT_FALSE(ParseCertificate(text.substr(0, n)));
  // No byte makes the parser fail otherwise; what it accepts must check or be refused.
  for (size_t n = 0; n < text.size(); ++n)
    for (const char c : {'0', '9', '"', '-', '[', '\xff'}) {
      std::string damaged = text;
      damaged[n] = c;
      if (const auto parsed = ParseCertificate(damaged)) (void)CheckCertificate(*parsed, a, b);
    }
  for (const std::string bad : {"", "1", "[]", "{}", "null", "{\"format\": 1}", "{\"predicateType\": 3}"})
    EXPECT_FALSE(ParseCertificate(bad)) << bad;
}

// A certificate has no place for a claim that nobody checks.
TEST(Certificate, UnknownAndRepeatedMembersAreRefused) {
  const Module a = Read(kTwice), b = Read(kOnce);
  Certificate certificate = *Certify(a, b);
  certificate.programs[0].sha256 = certificate.programs[1].sha256 = std::string(64, '0');
  const std::string text = CertificateText(certificate), statement = CertificateStatement(certificate);
  const struct {
    const std::string& text;
    std::string_view from, to;
    std::string why;
  } rows[] = {
      {text, R"("format":)", R"("more":1,"format":)", "a member has an unknown name"},
      {text, R"("evidence":)", R"("more":1,"evidence":)", "a member has an unknown name"},
      {text, R"("sha256":)", R"("more":1,"sha256":)", "a member has an unknown name"},
      {text, R"("format":)", R"("form":"steps","format":)", "a key occurs twice"},
      {text, R"("functions":)", R"("seed":1,"functions":)", "a member has an unknown name"},
      {statement, R"("_type":)", R"("more":1,"_type":)", "a member has an unknown name"},
      {statement, R"("digest":)", R"("more":1,"digest":)", "a member has an unknown name"},
      {statement, "Statement/v1", "Statement/v2", "the statement, or its predicate, has another type"},
      {statement, R"("sha256":"0)", R"("sha256":"1)",
       "the subjects of the statement are not the programs of the certificate"},
  };
  for (const auto& row : rows) {
    std::string changed = row.text;
    changed.replace(changed.find(row.from), row.from.size(), row.to);
    const auto parsed = ParseCertificate(changed);
    ASSERT_FALSE(parsed) << row.to;
    EXPECT_EQ(parsed.error()[0].message, "not a certificate: " + row.why) << row.to;
  }
  std::string deep(1 << 20, '[');
  EXPECT_EQ(ParseCertificate(deep).error()[0].message, "not a certificate: it is nested too deeply");
  std::string list = "[0";
  for (int i = 0; i < 1 << 20; ++i) list += ",0";
  EXPECT_EQ(ParseCertificate(list + "]", {.max_memory = 1 << 20}).error()[0].message,
            "not a certificate: it takes more memory than the limit");
}

TEST(Certificate, ClaimsOfNothingAreRefused) {
  const Module a = Read(kTwice), b = Read(kOnce);
  const Certificate good = *Certify(a, b);
  const std::string no = "the certificate does not hold: ";
  const auto why = [&](const std::function<void(Certificate&)>& edit) {
    Certificate changed = good;
    edit(changed);
    return Why(changed, a, b);
  };
  EXPECT_EQ(why([](Certificate&) {}), "");
  EXPECT_EQ(why([](Certificate& c) { c.functions.push_back(c.functions[0]); }), no + "it states @main twice");
  EXPECT_EQ(why([](Certificate& c) { c.functions[0].inputs = 1; }),
            no + "@main is congruence, with 1 input set and 0 parts");
  EXPECT_EQ(why([](Certificate& c) { c.functions[0].parts = 2; }),
            no + "@main is congruence, with 0 input sets and 2 parts");
  EXPECT_EQ(why([](Certificate& c) { c.functions[0].evidence = Evidence::kExhaustive; }),
            no + "@main is exhaustive, with 0 input sets and 0 parts");
  EXPECT_EQ(why([](Certificate& c) { c.functions[0].evidence = Evidence::kLaws; }),
            no + "@main needs laws, and it states none");
  EXPECT_EQ(why([](Certificate& c) { c.seed = 1; }), no + "it states a seed, and that nothing was evaluated");
  EXPECT_EQ(why([](Certificate& c) { c.functions[0].evidence = Evidence::kNone; }),
            no + "it states laws or matches, and no function that needs them");
  EXPECT_EQ(why([](Certificate& c) { c.programs[1].version = Version{3}; }),
            no + fmt::format("it states version 3 for the second program, which has {}", b.version.n));
  EXPECT_EQ(why([](Certificate& c) { c.rungs.emplace_back(); }), no + "it states rungs without a law");
}

TEST(Certificate, EvaluationHasTheSameOutcomeAgain) {
  const Module a = Read(
      "func.func @main(%a: tensor<2xi4>) -> tensor<2xi4> {\n"
      "  %0 = stablehlo.add %a, %a : tensor<2xi4>\n  return %0 : tensor<2xi4>\n}\n");
  const Module b = Read(
      "func.func @main(%a: tensor<2xi4>) -> tensor<2xi4> {\n"
      "  %c = stablehlo.constant dense<1> : tensor<2xi4>\n"
      "  %0 = stablehlo.shift_left %a, %c : tensor<2xi4>\n  return %0 : tensor<2xi4>\n}\n");
  ProveOptions options;
  options.matching = true;
  const Proof proof = *Prove(a, b, options);
  const Certificate good = *CertificateOf(proof, options, a, b);
  const auto check = CheckCertificate(good, a, b, ProveOptions());
  ASSERT_TRUE(check);
  EXPECT_EQ(check->weakest, Evidence::kExhaustive);
  for (const auto& edit : std::vector<std::function<void(Certificate&)>>{
           [](Certificate& c) { --c.functions[0].inputs; }, [](Certificate& c) { ++c.functions[0].inputs; },
           [](Certificate& c) { ++c.functions[0].parts; },
           [](Certificate& c) { c.functions[0].evidence = Evidence::kSampled; }}) {
    Certificate changed = good;
    edit(changed);
    const auto again = CheckCertificate(changed, a, b, ProveOptions());
    ASSERT_FALSE(again);
    EXPECT_NE(again.error()[0].message.find("was evaluated again, with another outcome"), std::string::npos);
  }
}

// SHLO_MUTANTS=N tries N of them.
TEST(Certificate, MutantsAreRefusedOrStateTheSame) {
  const auto older = Convert(Read(R"(
func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.tanh %a : tensor<4xf32>
  return %0 : tensor<4xf32>
})"),
                             Version{62});
  ASSERT_TRUE(older);
  const std::pair<Module, Module> pairs[] = {
      {Read(kTwice), Read(kOnce)},
      {Read("func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {\n"
            "  %0 = stablehlo.tanh %a : tensor<4xf32>\n  return %0 : tensor<4xf32>\n}\n"),
       older->module}};
  const auto known = [](Certificate c) {
    c.matching.matches.clear();
    c.matching.repeats.clear();
    return CertificateText(c);
  };
  const char* const given = std::getenv("SHLO_MUTANTS");
  const int count = given ? std::atoi(given) : 1000;
  int accepted = 0;
  for (const auto& [a, b] : pairs) {
    Certificate good = *Certify(a, b);
    good.producer = "p";
    good.programs[0].name = "a", good.programs[0].sha256 = std::string(64, '0');
    good.programs[1].name = "b", good.programs[1].sha256 = std::string(64, '1');
    for (int seed = 0; seed < count / 2; ++seed) {
      JsonMutator mutator{uint64_t(seed)};
      const auto parsed = ParseCertificate(mutator.Mutate(CertificateText(good)));
      if (!parsed || !CheckCertificate(*parsed, a, b, ProveOptions())) continue;
      ++accepted;
      // These are compared with the files (evidence/certificates.h).
      Certificate of_files = *parsed;
      of_files.producer = good.producer;
      for (size_t i = 0; i < 2; ++i) {
        of_files.programs[i].name = good.programs[i].name;
        of_files.programs[i].sha256 = good.programs[i].sha256;
        of_files.programs[i].content_hash.clear();
      }
      EXPECT_EQ(known(of_files), known(good)) << "seed " << seed;
    }
  }
  if (given) std::printf("%d of %d mutants hold, none with another meaning\n", accepted, count);
}

}  // namespace
}  // namespace shlo
