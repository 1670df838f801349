// Text in pieces and in several threads: the same bytes and the same diagnostics as in one piece and thread.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/hex.h"
#include "base/test_sanitizers.h"
#include "shlo/compare.h"
#include "shlo/mlirbc_reader.h"
#include "shlo/mlirbc_writer.h"
#include "shlo/program_io.h"
#include "shlo/shlo_reader.h"
#include "shlo/shlo_writer.h"
#include "shlo/text_reader.h"
#include "shlo/text_writer.h"
#include "shlo/verify.h"

namespace shlo {
namespace {

std::string RandomDigits(size_t bytes, uint64_t seed) {
  std::string data(bytes, '\0');
  for (char& c : data) c = char((seed = seed * 6364136223846793005u + 1442695040888963407u) >> 56);
  std::string digits;
  AppendHex(data, &digits);
  return digits;
}

// Many functions with regions, calls, locations, constants of all sizes, and names that begin again in each.
std::string LargeProgram(size_t functions, std::string_view wrong = "", bool regions = false,
                         bool constants = true) {
  std::string text = "module @large {\n";
  for (size_t i = 0; i < functions; ++i) {
    text += fmt::format("  func.func private @f{}(%arg0: tensor<4xf32>) -> tensor<4xf32> {{\n", i);
    text += fmt::format(
        "    %cst = stablehlo.constant dense<{}.500000e+00> : tensor<4xf32> loc(\"c\":{}:3)\n", i % 10, i);
    if (constants && i % 50 == 7)
      text += fmt::format("    %c = stablehlo.constant dense<\"0x{}\"> : tensor<1500xi64>\n",
                          RandomDigits(12000, i));
    text += "    %0 = stablehlo.add %arg0, %cst : tensor<4xf32>\n";
    for (int k = 0; k < 40; ++k)
      text += fmt::format("    %{} = stablehlo.multiply %{}, %{} {{note = \"{}\"}} : tensor<4xf32>\n", k + 1,
                          k, k / 2, i % 97);
    if (i > 0)
      text += fmt::format("    %41 = func.call @f{}(%40) : (tensor<4xf32>) -> tensor<4xf32>\n", i - 1);
    else
      text += "    %41 = stablehlo.negate %40 : tensor<4xf32>\n";
    // Regions that use values around them.
    if (regions && i % 3 == 0)
      text +=
          "    %t = stablehlo.constant dense<true> : tensor<i1>\n"
          "    %if = \"stablehlo.if\"(%t) ({\n      stablehlo.return %40 : tensor<4xf32>\n    }, {\n"
          "      %n = stablehlo.negate %cst : tensor<4xf32>\n      stablehlo.return %n : tensor<4xf32>\n"
          "    }) : (tensor<i1>) -> tensor<4xf32>\n";
    if (i % 200 == 150) text += wrong;
    text += "    return %41 : tensor<4xf32>\n  }\n";
  }
  return text + "}\n";
}

Module ModuleOf(const std::string& text, Source* source = nullptr) {
  auto owner = std::make_shared<std::string>(text);
  auto module = ReadText(*owner, owner, {}, source);
  EXPECT_TRUE(module) << Render(module.error()[0], false);
  return module ? std::move(*module) : Module();
}

TEST(Streams, TheTextIsTheSameInPiecesAndThreads) {
  const Module module = ModuleOf(LargeProgram(600));
  ASSERT_GT(module.ops.size(), 20000u);
  for (const TextStyle style : {TextStyle::kExact, TextStyle::kMlir})
    for (const bool generic : {false, true}) {
      TextWriteOptions options{.style = style, .generic = generic, .locations = true};
      const auto whole = WriteText(module, options);
      ASSERT_TRUE(whole);
      for (const uint32_t threads : {1, 2, 5}) {
        options.limits.threads = threads;
        for (const bool complete : {false, true}) {
          options.complete = complete;
          std::string text;
          const auto size = WriteTextTo(module, options, [&](std::string_view piece) {
            text += piece;
            return true;
          });
          ASSERT_TRUE(size);
          EXPECT_EQ(*size, text.size());
          EXPECT_TRUE(text == *whole) << threads;
        }
      }
      Module again = ModuleOf(*whole);
      EXPECT_EQ(FirstDifference(module, again), "");
    }
}

TEST(Streams, TheArtifactIsTheSameInThreads) {
  const std::string bare = LargeProgram(600, "", /*regions=*/true);
  // A module inside, and an op of no dialect with functions.
  const std::string nested = "module {\n" + bare + "\"x.y\"() ({\n" + LargeProgram(20) + "}) : () -> ()\n}\n";
  for (const std::string& text : {bare, nested}) {
    Module module = ModuleOf(text);
    ASSERT_GT(module.ops.size(), 20000u);
    // In old versions uses have another order, which is written.
    for (const Version version : {kCurrentVersion, kFirstRelease}) {
      module.SetVersion(version);
      for (const bool vhlo : {false, true})
        for (const bool from_text : {false, true}) {
          MlirBytecodeWriteOptions options{.vhlo = vhlo, .other_dialects = true, .from_text = from_text};
          options.origin = kCurrentVersion;
          options.limits.threads = 1;
          const auto one = WriteMlirBytecode(module, options);
          ASSERT_TRUE(one) << Render(one.error()[0]);
          for (const uint32_t threads : {2, 5}) {
            options.limits.threads = threads;
            const auto many = WriteMlirBytecode(module, options);
            ASSERT_TRUE(many);
            EXPECT_TRUE(*many == *one) << threads;
          }
          const auto back = ReadMlirBytecode(*one, nullptr);
          ASSERT_TRUE(back) << Render(back.error()[0]);
          if (version == kCurrentVersion) {
            EXPECT_EQ(FirstDifference(module, *back), "");
          }
        }
    }
  }
}

// Modules with the same ids in all tables are written as the same bytes.
void ExpectSame(const Module& a, const Module& b) {
  EXPECT_EQ(FirstDifference(a, b), "");
  EXPECT_EQ(a.ops.size(), b.ops.size());
  EXPECT_EQ(a.values.size(), b.values.size());
  EXPECT_EQ(a.types.size(), b.types.size());
  EXPECT_EQ(a.payloads.size(), b.payloads.size());
  ASSERT_EQ(a.strings.size(), b.strings.size());
  for (uint32_t i = 1; i < a.strings.size(); ++i) ASSERT_EQ(a.strings[StringId(i)], b.strings[StringId(i)]);
  ASSERT_EQ(a.attrs.size(), b.attrs.size());
  for (uint32_t i = 1; i < a.attrs.size(); ++i)
    ASSERT_TRUE(std::ranges::equal(a.attrs[AttrId(i)].words, b.attrs[AttrId(i)].words)) << i;
  EXPECT_TRUE(*WriteShlo(a) == *WriteShlo(b));
  EXPECT_TRUE(*WriteMlirBytecode(a, {.vhlo = false}) == *WriteMlirBytecode(b, {.vhlo = false}));
}

TEST(Streams, ReadingInThreadsMakesTheSameModule) {
  const std::string bare = LargeProgram(900);
  const std::string inside = bare.substr(bare.find('\n') + 1, bare.size() - bare.find('\n') - 3);
  const std::vector<std::string> texts = {
      bare,
      inside,
      // Aliases before and after; other ops, and ops that look like the first one, in between.
      "#map = affine_map<(d0) -> (d0)>\nmodule attributes {x.y = #map} {\n" + inside +
          "  module @inner {\n  func.func @f0() {\n    return\n  }\n  }\n" +
          "  func.func @last(%arg0: i32 loc(#loc1)) {\n    return\n  }\n}\n#loc1 = loc(\"a\":1:2)\n",
      "#t = 5 : i32\n" + inside + "#u = #t\n",
  };
  for (const std::string& text : texts) {
    ASSERT_GT(text.size(), size_t(2) << 20);
    const auto owner = std::make_shared<std::string>(text);
    Source one_source;
    const auto one = ReadText(*owner, owner, {}, &one_source);
    ASSERT_TRUE(one) << Render(one.error()[0]).substr(0, 500);
    for (const uint32_t threads : {2, 5}) {
      Source source;
      const auto many = ReadText(*owner, owner, {.limits = {.threads = threads}}, &source);
      ASSERT_TRUE(many);
      ExpectSame(*one, *many);
      for (uint32_t i = 1; i < one->ops.size(); i += 7) {
        const Place a = PlaceOf(*one, OpId(i), &one_source), b = PlaceOf(*many, OpId(i), &source);
        ASSERT_EQ(std::pair(a.line, a.column), std::pair(b.line, b.column)) << i;
        const Place c = PlaceOfAttr(*one, OpId(i), "note", &one_source);
        const Place d = PlaceOfAttr(*many, OpId(i), "note", &source);
        ASSERT_EQ(std::pair(c.line, c.column), std::pair(d.line, d.column)) << i;
      }
    }
  }
}

TEST(Streams, ReadingInThreadsFindsTheSameErrors) {
  const std::string text = LargeProgram(900);
  // Something wrong at places all over the text, of which some are where threads begin.
  for (size_t i = 1; i < 13; i += kSanitized ? 3 : 1) {
    std::string broken = text;
    const size_t at = broken.find(i % 3 ? "stablehlo.multiply" : "func.func", text.size() / 13 * i);
    if (i % 4 == 0)
      broken.insert(at, "}\n");
    else if (i % 4 == 1)
      broken.replace(at + 3, 2, "??");
    else if (i % 4 == 2)
      broken.insert(at, "\"");
    else
      broken.erase(at - 4, 6);
    const auto owner = std::make_shared<std::string>(broken);
    const auto errors = [&](uint32_t threads) {
      const auto module = ReadText(*owner, owner, {.limits = {.threads = threads}});
      std::string all;
      if (!module)
        for (const Diagnostic& d : module.error()) all += Render(d);
      return all;
    };
    const std::string one = errors(1);
    EXPECT_NE(one, "") << i;
    for (const uint32_t threads : {2, 5}) EXPECT_EQ(errors(threads), one) << i;
  }
}

// Wherever a marker is, the programs do not depend on the number of threads.
TEST(Streams, LargeTextsAreSplitAtMarkers) {
  const std::string text = LargeProgram(2000, "", /*regions=*/false, /*constants=*/false);
  ASSERT_GT(text.size(), size_t(4) << 20);
  const auto with = [&](std::string_view inserted, std::string_view before, double where) {
    std::string out = text;
    out.insert(out.find(before, size_t(double(out.size()) * where)), inserted);
    return out;
  };
  const std::string marker = "// -----\n";
  struct Case {
    std::string text;
    size_t programs;
    bool errors;
  };
  const std::string two = "}\n" + marker + "module {\n";
  const std::string in_string = "    %s = stablehlo.constant {s = \"// -----\"} dense<1> : tensor<i32>\n";
  const std::string shorter = "    %s = stablehlo.constant {s = \"// ----\"} dense<1> : tensor<i32>\n";
  const std::vector<Case> cases = {
      // Between functions, where the text could also be read as one program.
      {with(marker, "  func.func", 0.01), 0, true},
      {with(marker, "  func.func", 0.4), 0, true},
      {with(marker, "  func.func", 0.5), 0, true},
      {with(marker, "  func.func", 0.6), 0, true},
      {with(marker, "  func.func", 0.7), 0, true},
      {with(marker, "    return", 0.99), 0, true},
      {text, 1, false},
      {with(two, "  func.func", 0.05), 2, false},
      {with(two, "  func.func", 0.5), 2, false},
      {with(two, "  func.func", 0.98), 2, false},
      {with("?", "    %7 =", 0.2) + marker + "module {\n}\n", 1, true},
      {text + "\n" + marker, 1, false},  // and an empty part, which is skipped
      {text + marker + text.substr(0, text.size() / 2) + "  ?\n", 1, true},
      {with(marker, "    %7 =", 0.3), 0, true},      // two halves of a function
      {with(in_string, "    %7 =", 0.7), 1, false},  // not a separate line
      {with(shorter, "    %7 =", 0.7), 1, false},
      {with("// ----- a banner -----\n", "    %7 =", 0.7), 1, false},
      {with("?", "    %7 =", 0.6), 0, true},
  };
  for (const Case& each : cases) {
    const size_t i = size_t(&each - cases.data());
    const auto owner = std::make_shared<std::string>(each.text);
    const auto read = [&](uint32_t threads, Diagnostics* errors) {
      return ReadPrograms({*owner, owner, ""}, {.limits = {.threads = threads}}, errors).programs;
    };
    Diagnostics expected;
    const std::vector<Program> one = read(1, &expected);
    EXPECT_EQ(one.size(), each.programs) << i;
    EXPECT_EQ(!expected.empty(), each.errors) << i;
    for (const uint32_t threads : {2, 5}) {
      Diagnostics errors;
      const std::vector<Program> many = read(threads, &errors);
      ASSERT_EQ(many.size(), one.size()) << i;
      for (size_t p = 0; p < one.size(); ++p)
        EXPECT_EQ(FirstDifference(one[p].module, many[p].module), "") << i;
      ASSERT_EQ(errors.size(), expected.size()) << i;
      for (size_t e = 0; e < errors.size(); ++e) EXPECT_EQ(Render(errors[e]), Render(expected[e])) << i;
    }
    if (kSanitized && i >= 5) break;
  }
}

TEST(Streams, ASinkMayStop) {
  const Module module = ModuleOf(LargeProgram(600));
  for (const uint32_t threads : {1, 4})
    for (const size_t most : {0, 1, 3, 10}) {
      size_t calls = 0;
      const auto size = WriteTextTo(module, {.limits = {.threads = threads}},
                                    [&](std::string_view) { return calls++ < most; });
      ASSERT_FALSE(size);
      EXPECT_EQ(size.error()[0].code, Code::kIo);
      EXPECT_EQ(calls, most + 1);
    }
}

TEST(Streams, TheLimitCountsAllPieces) {
  const Module module = ModuleOf(LargeProgram(600));
  const uint64_t size = WriteText(module)->size();
  for (const uint32_t threads : {1, 4})
    for (const uint64_t limit : {uint64_t(100), size / 2, size - 1, size}) {
      size_t calls = 0;
      const auto written =
          WriteTextTo(module, {.complete = true, .limits = {.max_output = limit, .threads = threads}},
                      [&](std::string_view) { return ++calls; });
      ASSERT_EQ(written.has_value(), limit == size) << limit;
      if (written) continue;
      EXPECT_EQ(calls, 0u);
      EXPECT_EQ(written.error()[0].code, Code::kLimit);
      EXPECT_NE(written.error()[0].hint.find("--max-output"), std::string::npos);
    }
}

TEST(Streams, VerificationFindsTheSameInThreads) {
  const std::string wrong =
      "    %w = \"stablehlo.add\"(%0, %c9) : (tensor<4xf32>, tensor<4xi32>) -> tensor<4xf32>\n";
  std::string text = LargeProgram(1000, "    %c9 = stablehlo.constant dense<1> : tensor<4xi32>\n" + wrong);
  Source source;
  const Module module = ModuleOf(text, &source);
  ASSERT_GT(module.ops.size(), 40000u);
  const auto rendered = [&](uint32_t threads, const Module& m) {
    std::string all;
    for (const Diagnostic& d : Verify(m, {.source = &source, .limits = {.threads = threads}}))
      all += Render(d, false);
    return all;
  };
  const std::string one = rendered(1, module);
  EXPECT_NE(one.find(":6950:"), std::string::npos) << one;
  EXPECT_NE(one.find(":43774:"), std::string::npos);
  for (const uint32_t threads : {2, 3, 8}) EXPECT_EQ(rendered(threads, module), one);
  const Module valid = ModuleOf(LargeProgram(1000));
  for (const uint32_t threads : {1, 4}) EXPECT_EQ(rendered(threads, valid), "");
}

// The digits of a text stay where they are until somebody needs the bytes; every format has the same.
TEST(Streams, ConstantsStayDigits) {
  const std::string digits = RandomDigits(40000, 5);
  const std::string text = fmt::format(
      "module {{\n  func.func @main() -> tensor<10000xf32> {{\n    %cst = stablehlo.constant dense<\"0x{}\"> "
      ": "
      "tensor<10000xf32>\n    return %cst : tensor<10000xf32>\n  }}\n}}\n",
      digits);
  const Module module = ModuleOf(text);
  const auto is_hex = [](const Module& m) {
    for (uint32_t i = 1; i < m.payloads.size(); ++i)
      if (m.payloads.StoredOf(PayloadId(i)).hex) return true;
    return false;
  };
  EXPECT_TRUE(is_hex(module));
  EXPECT_TRUE(Verify(module).empty());
  EXPECT_EQ(*WriteText(module), text);
  const auto bytecode = WriteMlirBytecode(module);
  const auto shlo = WriteShlo(module);
  ASSERT_TRUE(bytecode && shlo);
  EXPECT_TRUE(is_hex(module));  // none of this needed them
  std::string lower = text;
  const size_t at = lower.find("0x") + 2;
  for (size_t i = at; i < at + digits.size(); ++i) lower[i] = char(std::tolower(lower[i]));
  const Module eager = ModuleOf(lower);
  EXPECT_FALSE(is_hex(eager));
  EXPECT_EQ(*WriteText(eager), text);
  EXPECT_TRUE(*WriteMlirBytecode(eager) == *bytecode);
  EXPECT_TRUE(*WriteShlo(eager) == *shlo);
  EXPECT_EQ(FirstDifference(module, eager), "");
  EXPECT_EQ(FirstDifference(*ReadMlirBytecode(*bytecode, nullptr), module), "");
  EXPECT_EQ(FirstDifference(*ReadShlo(*shlo, nullptr), module), "");
  ShloWriteOptions compressed{.compress_constants = true};
  EXPECT_TRUE(*WriteShlo(module, compressed) == *WriteShlo(eager, compressed));
}

TEST(Streams, EqualElementsAreOneInDigits) {
  std::string digits;
  for (int i = 0; i < 5000; ++i) digits += "0000803F";
  const auto printed = [](const std::string& elements) {
    return *WriteText(ModuleOf("func.func @main() -> tensor<5000xf32> {\n  %cst = stablehlo.constant dense<" +
                               elements + "> : tensor<5000xf32>\n  return %cst : tensor<5000xf32>\n}\n"));
  };
  EXPECT_NE(printed("\"0x" + digits + "\"").find("dense<1.000000e+00>"), std::string::npos);
  digits.back() = 'E';
  EXPECT_TRUE(printed("\"0x" + digits + "\"").find("dense<\"0x" + digits + "\">") != std::string::npos);
}

}  // namespace
}  // namespace shlo
