#include "shlo/reduce.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "ir/module/sample.h"
#include "ir/module/test_program.h"
#include "shlo/compare.h"
#include "shlo/program_io.h"
#include "shlo/verify.h"

namespace shlo {
namespace {

Program Read(std::string_view text) {
  auto owner = std::make_shared<std::string>(text);
  auto program = ReadProgram(*owner, owner);
  EXPECT_TRUE(program) << (program ? "" : program.error()[0].message);
  return program ? std::move(*program) : Program();
}

std::string Text(const Module& module) {
  Program program;
  program.module = module;
  auto text = WriteProgram(program);
  EXPECT_TRUE(text);
  return text ? *text : "";
}

uint64_t NumOps(const Module& m, std::string_view name) {
  uint64_t n = 0;
  for (uint32_t i = 1; i < m.ops.size(); ++i) n += m.NameOf(m.ops[i]) == name;
  return n;
}

StillShows Has(std::string_view name, uint64_t at_least = 1) {
  return [=](const Module& m) -> Result<bool> { return NumOps(m, name) >= at_least; };
}

// Reduces, and checks what holds for every reduction.
Reduced Checked(const Module& module, const StillShows& test, const ReduceOptions& options = {}) {
  auto reduced = Reduce(module, test, options);
  EXPECT_TRUE(reduced) << (reduced ? "" : reduced.error()[0].message);
  if (!reduced) return Reduced{.module = Module()};
  EXPECT_TRUE(*test(reduced->module));
  EXPECT_TRUE(options.allow_invalid || Verify(reduced->module).empty());
  EXPECT_LE(reduced->ops_after, reduced->ops_before);
  EXPECT_LE(reduced->tests, options.max_tests);
  const auto again = Reduce(module, test, options);
  EXPECT_TRUE(again);
  if (again) {
    EXPECT_EQ(again->tests, reduced->tests);
    EXPECT_EQ(FirstDifference(again->module, reduced->module), "");
  }
  return std::move(*reduced);
}

// @main of 1,000 ops, each on two values before it, with one needle in the middle.
std::unique_ptr<TestProgram> Haystack(size_t needle_at) {
  auto p = std::make_unique<TestProgram>();
  const TypeId t = p->Tensor(TypeKind::kF32, {92, 3});
  p->Function("main", {t, t}, {t, t}, [&](std::vector<ValueId> values) {
    const char* const names[] = {"stablehlo.add", "stablehlo.multiply", "stablehlo.maximum"};
    for (size_t i = 0; i < 1000; ++i) {
      const ValueId a = values[values.size() - 1 - i * 7 % std::min<size_t>(values.size(), 40)];
      const ValueId b = values[values.size() - 1 - i * 3 % std::min<size_t>(values.size(), 9)];
      values.push_back(i == needle_at ? p->Op("stablehlo.tanh", {a}, {t}) : p->Op(names[i % 3], {a, b}, {t}));
    }
    return std::vector{values.back(), values[values.size() - 2]};
  });
  p->Done();
  return p;
}

TEST(Reduce, FindsANeedle) {
  for (size_t at : {0, 500, 999}) {
    const auto p = Haystack(at);
    const Reduced out = Checked(p->module(), Has("stablehlo.tanh"));
    EXPECT_EQ(out.ops_before, 1001u);
    EXPECT_EQ(out.ops_after, 2u) << Text(out.module);  // the function and the needle
    EXPECT_LT(out.tests, 60u);
    EXPECT_TRUE(out.complete);
    EXPECT_NE(Text(out.module).find("tensor<1x1xf32>"), std::string::npos) << Text(out.module);
  }
}

TEST(Reduce, KeepsWhatBelongsTogether) {
  const auto p = Haystack(500);
  // The needle must depend on an argument through an add.
  const StillShows test = [](const Module& m) -> Result<bool> {
    for (uint32_t i = 1; i < m.ops.size(); ++i) {
      const Op& op = m.ops[i];
      if (m.NameOf(op) != "stablehlo.tanh") continue;
      const OpId from = m.values[m.OperandsOf(op)[0].v].op;
      if (from &&
          (m.NameOf(m.ops[from.v]) == "stablehlo.add" || m.NameOf(m.ops[from.v]) == "stablehlo.multiply" ||
           m.NameOf(m.ops[from.v]) == "stablehlo.maximum"))
        return true;
    }
    return false;
  };
  EXPECT_EQ(Checked(p->module(), test).ops_after, 3u);
}

// Samples have every op, kind of attribute and kind of region.
TEST(Reduce, KeepsEveryOp) {
  for (uint16_t row = 1; row < OpRows().size(); ++row) {
    const std::string name(RowOf(RowId{row}).name);
    for (const SampleVariant& variant : SampleVariants(RowId{row}, kCurrentVersion)) {
      const Module sample = MakeSample(RowId{row}, kCurrentVersion, variant);
      if (HasErrors(Verify(sample)) || NumOps(sample, name) == 0) continue;
      const auto reduced = Reduce(sample, Has(name));
      ASSERT_TRUE(reduced) << name;
      EXPECT_FALSE(HasErrors(Verify(reduced->module))) << name;
      EXPECT_NE(NumOps(reduced->module, name), 0u) << name;
      EXPECT_TRUE(reduced->complete) << name;
    }
  }
}

TEST(Reduce, StopsAtTheLimit) {
  const auto p = Haystack(500);
  const Reduced out = Checked(p->module(), Has("stablehlo.tanh"), {.max_tests = 5});
  EXPECT_FALSE(out.complete);
  EXPECT_EQ(out.tests, 5u);
}

TEST(Reduce, FailsIfTheProgramDoesNotShowIt) {
  const auto p = Haystack(0);
  const auto out = Reduce(p->module(), Has("stablehlo.cosine"));
  ASSERT_FALSE(out);
  EXPECT_EQ(out.error()[0].code, Code::kNotEqual);
}

TEST(Reduce, ReturnsTheErrorOfATest) {
  const auto p = Haystack(0);
  int tests = 0;
  const auto out = Reduce(p->module(), [&](const Module&) -> Result<bool> {
    if (++tests < 2) return true;
    return Error(Code::kIo, "no space");
  });
  ASSERT_FALSE(out);
  EXPECT_EQ(out.error()[0].message, "no space");
  EXPECT_EQ(tests, 2);
}

TEST(Reduce, AlwaysTrueLeavesNothing) {
  const auto p = Haystack(7);
  const Reduced out = Checked(p->module(), [](const Module&) -> Result<bool> { return true; });
  EXPECT_EQ(out.ops_after, 0u) << Text(out.module);
}

constexpr std::string_view kRegions = R"(
module attributes {mhlo.num_partitions = 1 : i32} {
  func.func private @decomposition(%arg0: tensor<4xf32>) -> tensor<4xf32> {
    %0 = stablehlo.cosine %arg0 : tensor<4xf32>
    return %0 : tensor<4xf32>
  }
  func.func public @unused(%arg0: tensor<4xf32>) -> tensor<4xf32> {
    %0 = call @decomposition(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
  func.func public @main(%arg0: tensor<4xf32> {mhlo.sharding = "{replicated}"}, %arg1: tensor<i32>, %arg2: tensor<i1>) -> (tensor<4xf32>, tensor<i32>) {
    %c = stablehlo.constant dense<10> : tensor<i32>
    %w:2 = stablehlo.while(%a = %arg0, %i = %arg1) : tensor<4xf32>, tensor<i32>
     cond {
      %lt = stablehlo.compare LT, %i, %c : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %lt : tensor<i1>
    } do {
      %1 = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
      %2 = "stablehlo.if"(%arg2) ({
        %4 = stablehlo.atan2 %a, %1 {my.note = 7 : i32} : tensor<4xf32>
        stablehlo.return %4 : tensor<4xf32>
      }, {
        %5 = stablehlo.composite "my.op" %a {decomposition = @decomposition} : (tensor<4xf32>) -> tensor<4xf32>
        stablehlo.return %5 : tensor<4xf32>
      }) : (tensor<i1>) -> tensor<4xf32>
      %3 = stablehlo.add %i, %c : tensor<i32>
      stablehlo.return %2, %3 : tensor<4xf32>, tensor<i32>
    }
    return %w#0, %w#1 : tensor<4xf32>, tensor<i32>
  }
}
)";

TEST(Reduce, TakesOpsOutOfRegions) {
  const Program program = Read(kRegions);
  const Reduced out = Checked(program.module, Has("stablehlo.atan2"));
  EXPECT_EQ(out.ops_after, 2u) << Text(out.module);
  EXPECT_EQ(Text(out.module).find("my.note"), std::string::npos);
  EXPECT_EQ(Text(out.module).find("sharding"), std::string::npos);
}

TEST(Reduce, ComputesInlineWhatACompositeStandsFor) {
  const Program program = Read(kRegions);
  const Reduced out = Checked(program.module, Has("stablehlo.cosine"));
  EXPECT_EQ(out.ops_after, 2u) << Text(out.module);
}

TEST(Reduce, KeepsAnOpWithItsRegions) {
  const Program program = Read(kRegions);
  const Reduced out = Checked(program.module, Has("stablehlo.while"));
  EXPECT_EQ(NumOps(out.module, "stablehlo.if"), 0u) << Text(out.module);
  EXPECT_EQ(NumOps(out.module, "stablehlo.while"), 1u);
}

TEST(Reduce, KeepsSignatures) {
  const Program program = Read(kRegions);
  const Reduced out = Checked(program.module, Has("stablehlo.atan2"), {.keep_signatures = true});
  const std::string text = Text(out.module);
  EXPECT_NE(text.find("tensor<4xf32>, tensor<i32>)"), std::string::npos) << text;
  EXPECT_EQ(NumOps(out.module, "stablehlo.while"), 0u) << text;
}

TEST(Reduce, ShrinksConstants) {
  const Program program = Read(R"(
func.func @main() -> tensor<2x3xi64> {
  %0 = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi64>
  %1 = stablehlo.constant dense<7> : tensor<2x3xi64>
  %2 = stablehlo.add %0, %1 : tensor<2x3xi64>
  return %2 : tensor<2x3xi64>
}
)");
  // Arguments would be allowed, too, but the test looks for constants.
  const Reduced out = Checked(program.module, Has("stablehlo.constant", 2));
  const std::string text = Text(out.module);
  EXPECT_EQ(text.find("dense<["), std::string::npos) << text;
  EXPECT_NE(text.find("dense<0>"), std::string::npos) << text;
}

TEST(Reduce, KeepsFunctionsTogether) {
  const Program program = Read(R"(
func.func @first(%arg0: tensor<8xf32>, %arg1: tensor<8xf32>, %arg2: tensor<f32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = stablehlo.add %arg0, %arg1 : tensor<8xf32>
  %1 = stablehlo.sine %0 : tensor<8xf32>
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
}
func.func @second(%arg0: tensor<8xf32>, %arg1: tensor<8xf32>, %arg2: tensor<f32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = stablehlo.add %arg0, %arg1 : tensor<8xf32>
  %1 = stablehlo.cosine %0 : tensor<8xf32>
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
}
)");
  const StillShows test = [](const Module& m) -> Result<bool> {
    std::vector<TypeId> types;
    for (uint32_t i = 1; i < m.ops.size(); ++i)
      if (const AttrId type = m.InherentAttrOf(m.ops[i], "function_type"))
        types.push_back(m.Get<TypeAttr>(type).type);
    return types.size() == 2 && types[0] == types[1] && NumOps(m, "stablehlo.sine") == 1 &&
           NumOps(m, "stablehlo.cosine") == 1;
  };
  const Reduced out = Checked(program.module, test, {.together = {"first", "second"}});
  EXPECT_EQ(out.ops_after, 4u) << Text(out.module);
  EXPECT_EQ(Text(out.module).find("tensor<f32>"), std::string::npos) << Text(out.module);
}

TEST(Reduce, ReducesInvalidPrograms) {
  const Program program = Read(R"(
func.func @main(%arg0: tensor<4xf32>, %arg1: tensor<5xf32>) -> tensor<4xf32> {
  %0 = stablehlo.sine %arg0 : tensor<4xf32>
  %1 = "stablehlo.add"(%0, %arg1) : (tensor<4xf32>, tensor<5xf32>) -> tensor<4xf32>
  %2 = stablehlo.cosine %1 : tensor<4xf32>
  return %2 : tensor<4xf32>
}
)");
  ASSERT_FALSE(Verify(program.module).empty());
  const StillShows test = [](const Module& m) -> Result<bool> {
    for (const Diagnostic& d : Verify(m))
      if (d.op == "stablehlo.add") return true;
    return false;
  };
  const Reduced out = Checked(program.module, test, {.allow_invalid = true});
  EXPECT_EQ(out.ops_after, 2u) << Text(out.module);
}

// --- Locations and resources ------------------------------------------------------------------------------

constexpr std::string_view kWithResources = R"(
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %a = stablehlo.constant dense_resource<used> : tensor<2xf32>
  %b = stablehlo.constant dense_resource<unused> : tensor<2xf32>
  %c = "stablehlo.tanh"(%a) {note = {value = [dense_resource<noted> : tensor<2xf32>]}} : (tensor<2xf32>) -> tensor<2xf32> loc("model.py":3:4)
  %d = stablehlo.add %c, %b : tensor<2xf32> loc("model.py":5:6)
  %e = stablehlo.add %d, %x : tensor<2xf32>
  return %e : tensor<2xf32>
}
{-#
  dialect_resources: {
    builtin: {
      noted: "0x0400000000000000000000000000803F",
      unused: "0x04000000000000400000803F",
      used: "0x040000000000803F00000040"
    }
  }
#-}
)";

std::vector<std::string> Resources(const Module& m) {
  std::vector<std::string> keys;
  for (const Resource& r : m.resources) keys.emplace_back(m.strings[r.key]);
  return keys;
}

TEST(Reduce, ResourcesThatNothingUsesGo) {
  std::string text(kWithResources);
  // 16 bytes of two floats: a prefix of 4 with the alignment, then the numbers.
  text.replace(text.find("0x0400000000000000000000000000803F"), 34, "0x04000000000000000000803F");
  const Program program = Read(text);
  ASSERT_EQ(Resources(program.module), (std::vector<std::string>{"noted", "unused", "used"}));
  // The test needs tanh of the first constant, with its note.
  const StillShows test = [](const Module& m) -> Result<bool> {
    for (uint32_t i = 1; i < m.ops.size(); ++i)
      if (m.NameOf(m.ops[i]) == "stablehlo.tanh") {
        const Value& operand = m.values[m.OperandsOf(m.ops[i])[0].v];
        return operand.op && m.NameOf(m.ops[operand.op.v]) == "stablehlo.constant" &&
               m.As<ResourceElementsAttr>(m.InherentAttrOf(m.ops[operand.op.v], "value")) &&
               !m.DiscardableAttrsOf(m.ops[i]).empty();
      }
    return false;
  };
  const Reduced reduced = Checked(program.module, test);
  EXPECT_EQ(NumOps(reduced.module, "stablehlo.add"), 0u);
  EXPECT_EQ(Resources(reduced.module), (std::vector<std::string>{"noted", "used"}));
  EXPECT_EQ(Text(reduced.module).find("loc("), std::string::npos);
}

TEST(Reduce, LocationsStayIfTheTestNeedsThem) {
  const Program program = Read(R"(
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.tanh %x : tensor<2xf32> loc("model.py":3:4)
  %1 = stablehlo.add %0, %0 : tensor<2xf32> loc("model.py":5:6)
  return %1 : tensor<2xf32>
}
)");
  const auto has_location = [](const Module& m) {
    for (uint32_t i = 1; i < m.ops.size(); ++i)
      if (m.NameOf(m.ops[i]) == "stablehlo.tanh" && m.ops[i].loc) return true;
    return false;
  };
  ASSERT_TRUE(has_location(program.module));
  const Reduced kept =
      Checked(program.module, [&](const Module& m) -> Result<bool> { return has_location(m); });
  EXPECT_TRUE(has_location(kept.module));
  EXPECT_EQ(kept.ops_after, 2u);  // the function and tanh
  const Reduced dropped = Checked(program.module, Has("stablehlo.tanh"));
  EXPECT_FALSE(has_location(dropped.module));
}

// Shapes in attributes that nobody knows shrink with those of the values.
TEST(Reduce, ShapesShrinkInDiscardableAttributes) {
  const Program program = Read(R"(
func.func @main(%x: tensor<64x32xf32>) -> tensor<64x32xf32> {
  %0 = "stablehlo.tanh"(%x) {my.type = tensor<64x32xf32>} : (tensor<64x32xf32>) -> tensor<64x32xf32>
  return %0 : tensor<64x32xf32>
}
)");
  const StillShows test = [](const Module& m) -> Result<bool> {
    for (uint32_t i = 1; i < m.ops.size(); ++i)
      if (m.NameOf(m.ops[i]) == "stablehlo.tanh") return !m.DiscardableAttrsOf(m.ops[i]).empty();
    return false;
  };
  const Reduced reduced = Checked(program.module, test);
  EXPECT_EQ(Text(reduced.module).find("64"), std::string::npos) << Text(reduced.module);
}

}  // namespace
}  // namespace shlo
