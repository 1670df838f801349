#include "shlo/consumers.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "shlo/op_table.h"
#include "shlo/text_reader.h"

namespace shlo {
namespace {

const std::vector<Consumer> kConsumers = {
    {"tool", "1.2", "0.9.0", {"chlo"}, {}},
    {"tool", "1.10", "1.4.2", {"chlo", "sdy"}, {"i2"}},
    {"tool", "1.10.3", "1.9.0", {"chlo", "sdy"}, {}},
    {"Other_Tool", "3", "9.0.0", {}, {}},
};

std::string Found(std::string_view requirement) {
  const auto found = FindConsumer(requirement, kConsumers);
  if (!found) return found.error()[0].message;
  return NameOf(*found).substr(found->package.size() + 1) + " " + found->release;
}

TEST(ConsumersTest, RequirementsNameTheOldestVersionThatMeetsThem) {
  EXPECT_EQ(Found("tool==1.2"), "1.2 0.9.0");
  EXPECT_EQ(Found("tool==1.10"), "1.10 1.4.2");
  EXPECT_EQ(Found("tool==1"), "1.2 0.9.0");
  EXPECT_EQ(Found("Tool>=1.10.3"), "1.10.3 1.9.0");
  EXPECT_EQ(Found("other-tool==3"), "3 9.0.0");
  // Numbers are compared, not text; what is not listed is assumed to be as the version before it.
  EXPECT_EQ(Found("tool==1.9"), "1.9 (assumed as 1.2) 0.9.0");
  EXPECT_EQ(Found("tool==2.0"), "2.0 (assumed as 1.10.3) 1.9.0");
  EXPECT_EQ(Found("tool>=1.10.4"), "1.10.4 (assumed as 1.10.3) 1.9.0");
}

TEST(ConsumersTest, RequirementsThatNameNone) {
  EXPECT_EQ(Found("toool==1"), "unknown consumer 'toool'");
  EXPECT_EQ(Found("tool"), "expected a version of 'tool'");
  EXPECT_EQ(Found("tool<2"), "expected a version of 'tool'");
  EXPECT_EQ(Found("tool==1.x"), "invalid version '1.x' of 'tool'");
  EXPECT_EQ(Found("tool=="), "invalid version '' of 'tool'");
  EXPECT_EQ(Found("tool==99999999999"), "invalid version '99999999999' of 'tool'");
  EXPECT_EQ(Found("tool==0.1"), "'tool' 0.1 is older than the versions that are known");
  EXPECT_EQ(FindConsumer("tool", kConsumers).error()[0].hint,
            "write tool==VERSION, from 1.2 to 1.10.3; 'shlo-compat consumers tool' lists them");
}

TEST(ConsumersTest, Versions) {
  EXPECT_EQ(VersionFor(kConsumers[0])->n, 41);
  EXPECT_EQ(VersionFor(kConsumers[1])->n, 57);
  EXPECT_EQ(*VersionFor(kConsumers[3]), kCurrentVersion);
  EXPECT_FALSE(VersionFor({"tool", "1", "0.1.0", {}, {}}));
  EXPECT_FALSE(VersionFor({"tool", "1", "newest", {}, {}}));
}

// Every row has a release of the version history, and the rows of a package ascend.
TEST(ConsumersTest, TheTable) {
  const std::vector<Consumer> all = KnownConsumers();
  ASSERT_FALSE(all.empty());
  for (size_t i = 0; i < all.size(); ++i) {
    EXPECT_TRUE(VersionFor(all[i])) << all[i].package << all[i].version;
    const auto found = FindConsumer(all[i].package + "==" + all[i].version, all);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->release, all[i].release);
    if (i && all[i - 1].package == all[i].package) {
      EXPECT_LE(VersionFor(all[i - 1])->n, VersionFor(all[i])->n) << all[i].version;
    }
  }
  EXPECT_EQ(FindConsumer("jax==0.4.30", all)->release, "1.1.3");
  EXPECT_EQ(FindConsumer("tensorflow==2.13", all)->release, "0.10.1");
  EXPECT_EQ(FindConsumer("tensorflow==2.21.0", all)->release, "1.13.7");
  EXPECT_EQ(FindConsumer("iree==3.0.0", all)->release, "1.8.0");
  // Their last column has types, and ops with the release that they need.
  for (const Consumer& consumer : all) {
    EXPECT_TRUE(CompiledVersionFor(consumer)) << NameOf(consumer);
    for (const std::string& text : consumer.uncompiled) {
      const size_t at = text.find('@');
      const bool type =
          std::ranges::any_of(TypeKinds(), [&](const KindRow& row) { return row.mnemonic == text; });
      EXPECT_TRUE(at == text.npos ? type : bool(FindOp(text.substr(0, at)))) << text;
    }
  }
  EXPECT_TRUE(IsDialectOfConsumers("sdy"));
  EXPECT_TRUE(IsDialectOfConsumers("mhlo"));
  EXPECT_FALSE(IsDialectOfConsumers("mine"));
  EXPECT_FALSE(IsDialectOfConsumers(""));
}

TEST(ConsumersTest, Blockers) {
  const auto module = ReadText(R"(func.func @main(%a: tensor<2xi2>) -> tensor<2xi2> {
  %0 = "sdy.sharding_constraint"(%a) {sharding = 1 : i32} : (tensor<2xi2>) -> tensor<2xi2>
  %1 = stablehlo.add %0, %0 {x.y = [#acme.note<1>]} : tensor<2xi2>
  return %1 : tensor<2xi2>
})",
                               nullptr);
  ASSERT_TRUE(module) << Render(module.error()[0]);
  std::vector<std::string> found;
  for (const Diagnostic& d : ConsumerBlockers(*module, kConsumers[0])) found.push_back(d.message);
  EXPECT_EQ(found.size(), 2u);
  EXPECT_EQ(found.front(), "tool 1.2 does not have dialect 'sdy'");
  EXPECT_EQ(found.back(), "tool 1.2 does not have attribute kind '#acme.note'");
  found.clear();
  for (const Diagnostic& d : ConsumerBlockers(*module, kConsumers[1])) found.push_back(d.message);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0], "tool 1.10 does not have type 'i2'");
}

// A type that is missing is reported once, wherever it is, at the first op that has it.
TEST(ConsumersTest, BlockersAreFoundInsideOfOtherNodes) {
  const auto blockers = [](const std::string& op) {
    const auto module = ReadText("func.func @main(%a: tensor<2xi8>) {\n  " + op + "\n  return\n}", nullptr);
    EXPECT_TRUE(module) << op << Render(module.error()[0]);
    std::string all;
    for (const Diagnostic& d : ConsumerBlockers(*module, {"t", "1", "1.0.0", {}, {"i2"}}))
      all += d.op + ": " + d.message + "\n";
    return all;
  };
  EXPECT_EQ(blockers("%0 = stablehlo.abs %a : tensor<2xi8>"), "");
  const std::string type = "t 1 does not have type 'i2'\n";
  EXPECT_EQ(blockers("%0 = stablehlo.convert %a : (tensor<2xi8>) -> tensor<2xi2>\n  %1 = stablehlo.abs %0 : "
                     "tensor<2xi2>"),
            "stablehlo.convert: " + type);
  EXPECT_EQ(blockers("%0 = stablehlo.abs %a {x.y = [{z = tensor<i2>}]} : tensor<2xi8>"),
            "stablehlo.abs: " + type);
  EXPECT_EQ(blockers("%0 = stablehlo.custom_call @f(%a) {backend_config = \"\", called_computations = [], "
                     "mhlo.x = tuple<i2>} : "
                     "(tensor<2xi8>) -> tensor<2xi8>"),
            "stablehlo.custom_call: " + type);
  EXPECT_EQ(blockers("%0 = stablehlo.abs %a {x.y = !acme.thing} : tensor<2xi8>\n  %1 = stablehlo.abs %a {x.y "
                     "= #acme.note} : tensor<2xi8>"),
            "stablehlo.abs: t 1 does not have type '!acme.thing'\n"
            "stablehlo.abs: t 1 does not have attribute kind '#acme.note'\n");
}

// Each op that holds it is a place, whether its attribute is another one's or not.
TEST(ConsumersTest, PlacesOfBlockersAreCounted) {
  const auto module = ReadText(R"(func.func @main(%a: tensor<2xi8>, %b: tensor<2xi2>) {
  %0 = stablehlo.abs %a {x.y = #acme.note<1>} : tensor<2xi8>
  %1 = stablehlo.abs %0 {x.y = #acme.note<1>} : tensor<2xi8>
  %2 = stablehlo.abs %1 {x.y = [#acme.note<1>, #acme.note<2>]} : tensor<2xi8>
  %3 = stablehlo.abs %2 {x.y = {z = [#acme.note<1>]}} : tensor<2xi8>
  %4 = stablehlo.abs %b : tensor<2xi2>
  %5 = stablehlo.add %4, %4 : tensor<2xi2>
  return
})",
                               nullptr);
  ASSERT_TRUE(module) << Render(module.error()[0]);
  const Consumer consumer{"t", "1", "1.20.0", {}, {"i2"}};
  std::vector<std::string> found;
  for (const Diagnostic& d : ConsumerBlockers(*module, consumer))
    found.push_back(d.message + " x" + std::to_string(d.count));
  EXPECT_EQ(found, (std::vector<std::string>{"t 1 does not have attribute kind '#acme.note' x5",
                                             "t 1 does not have type 'i2' x3"}));
  EXPECT_EQ(ConsumerBlockers(*module, consumer, {.every_place = true}).size(), 8u);
}

// Deserializers register func and quant, but no other dialect of MLIR.
TEST(ConsumersTest, DialectsOfMlirAreNotCommon) {
  const auto module = ReadText(R"(func.func @main(%a: i32) -> i32 {
  %0 = arith.addi %a, %a : i32
  %1 = "math.absi"(%0) : (i32) -> i32
  return %1 : i32
})",
                               nullptr);
  ASSERT_TRUE(module) << Render(module.error()[0]);
  const Diagnostics found = ConsumerBlockers(*module, kConsumers[3]);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].message, "Other_Tool 3 does not have dialect 'arith'");
  EXPECT_EQ(found[1].message, "Other_Tool 3 does not have dialect 'math'");
  EXPECT_TRUE(ConsumerBlockers(*module, {"t", "1", "1.0.0", {"arith", "math"}, {}}).empty());
}

// Attributes and types of a dialect need it as much as its ops do.
TEST(ConsumersTest, BlockersByTheDialectOfAKind) {
  const auto blockers = [](const std::string& attr) {
    const auto module =
        ReadText("func.func @main(%a: tensor<2xi8>) {\n  %0 = stablehlo.abs %a {x.y = " + attr +
                     "} : tensor<2xi8>\n  return\n}",
                 nullptr);
    EXPECT_TRUE(module) << attr << Render(module.error()[0]);
    return ConsumerBlockers(*module, kConsumers[3]).size();
  };
  EXPECT_EQ(blockers("#chlo<precision DEFAULT>"), 1u);
  EXPECT_EQ(blockers("#arith.fastmath<none>"), 1u);
  EXPECT_EQ(blockers("!shape.shape"), 1u);
  EXPECT_EQ(blockers("#stablehlo<precision DEFAULT>"), 0u);
  EXPECT_EQ(blockers("tensor<2x!quant.uniform<i8:f32, 2.0:1>>"), 0u);
  EXPECT_EQ(blockers("affine_map<(d0) -> (d0)>"), 0u);
}

TEST(ConsumersTest, WhatOneDeserializerHasIsAWarning) {
  const auto module = ReadText(R"(func.func @main(%a: tensor<2xi8>) -> tensor<2xi8> {
  %0 = "sdy.sharding_constraint"(%a) {sharding = #sdy.x<1>} : (tensor<2xi8>) -> tensor<2xi8>
  %1 = stablehlo.abs %0 {x.y = #sdy.x<2>} : tensor<2xi8>
  return %1 : tensor<2xi8>
})",
                               nullptr);
  ASSERT_TRUE(module) << Render(module.error()[0]);
  const Diagnostics found = ConsumerBlockers(*module, {"tool", "1.2", "1.12.0", {}, {}, {{"sdy", "loader"}}});
  ASSERT_EQ(found.size(), 2u);
  for (const Diagnostic& d : found) EXPECT_EQ(d.severity, Severity::kWarning);
  EXPECT_EQ(found[0].message, "only the loader deserializer of tool 1.2 has dialect 'sdy'");
  EXPECT_EQ(found[1].message, "only the loader deserializer of tool 1.2 has attribute kind '#sdy.x'");
}

// A version stands for the newest package of the table with at most its release.
TEST(ConsumersTest, DialectsOfVersions) {
  const auto dialects = [](const char* text) {
    const auto found = ResolveConsumer(text, {}, Date{2026, 9, 1});
    EXPECT_TRUE(found) << text;
    return found && found->package ? found->package->version : "none";
  };
  EXPECT_EQ(dialects("0.9.0"), "none");
  EXPECT_EQ(dialects("1.11.0"), "0.6.2");
  EXPECT_EQ(dialects("1.15.0"), "0.9.2");
  EXPECT_EQ(dialects("WEEK_12"), "0.10.0");
  const std::vector<Consumer> all = KnownConsumers();
  const Consumer now = *FindConsumer("jaxlib==0.12.0", all), before = *FindConsumer("jaxlib==0.7.0", all);
  EXPECT_EQ(now.dialects, std::vector<std::string>{"chlo"});
  EXPECT_EQ(now.partial_dialects.size(), 9u);
  EXPECT_TRUE(before.dialects.empty());
  EXPECT_EQ(before.partial_dialects.back(), std::make_pair(std::string("sdy"), std::string("jax.export")));
}

std::vector<std::string> Warnings(const Diagnostics& found) {
  std::vector<std::string> out;
  for (const Diagnostic& d : found)
    out.push_back(std::string(SeverityName(d.severity)) + ": " + d.op + ": " + d.message +
                  (d.count > 1 ? " x" + std::to_string(d.count) : "") +
                  (d.hint.empty() ? "" : "; " + d.hint));
  return out;
}

TEST(ConsumersTest, WhatIsReadButNotCompiledIsAWarning) {
  const auto module =
      ReadText(R"(func.func @main(%a: tensor<3x2xf32>, %i: tensor<3x1xi32>, %b: tensor<2xf6E2M3FN>) {
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}> : (tensor<3x2xf32>, tensor<3x1xi32>) -> tensor<3x1xf32>
  %1 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}> : (tensor<3x2xf32>, tensor<3x1xi32>) -> tensor<3xf32>
  %2 = stablehlo.tan %a : tensor<3x2xf32>
  return
})",
               nullptr);
  ASSERT_TRUE(module) << Render(module.error()[0]);
  Consumer consumer{"tool", "1", "1.8.0", {}, {}};
  EXPECT_TRUE(CompileWarnings(*module, consumer).empty());
  EXPECT_EQ(*CompiledVersionFor(consumer), *VersionFor(consumer));
  consumer.uncompiled = {"stablehlo.gather@1.1.0", "stablehlo.scatter@1.1.0", "f6E2M3FN"};
  EXPECT_EQ(CompiledVersionFor(consumer)->n, 53);
  const std::vector<std::string> found = Warnings(CompileWarnings(*module, consumer));
  ASSERT_EQ(found.size(), 2u) << found[0];
  EXPECT_EQ(found[0],
            "warning: stablehlo.gather: tool 1 reads this, but cannot compile it: attribute "
            "'operand_batching_dims' is "
            "not empty; pass --expand to rewrite this op");
  EXPECT_EQ(found[1], "warning: func.func: tool 1 reads type 'f6E2M3FN', but cannot compile it");
  // Nothing is wrong with a program that does not need the release.
  Module older = *module;
  older.version = Version{53};
  EXPECT_EQ(Warnings(CompileWarnings(older, consumer)).size(), 1u);
  for (const char* text :
       {"stablehlo.gather@", "stablehlo.gather@9.9.9.9", "stablehlo.gather@0.9.0", "x@y"}) {
    consumer.uncompiled = {text};
    EXPECT_FALSE(CompiledVersionFor(consumer)) << text;
  }
}

// Readers upgrade an op with regions and what is in these at once, and fail if both are of an older revision.
TEST(ConsumersTest, ReadersHaveAFault) {
  const auto faults = [](const char* body, uint16_t version, Version reader) {
    const auto text =
        ReadText(std::string(R"(func.func @main(%v: tensor<4xf32>, %i: tensor<1xi32>, %u: tensor<f32>) {
  %r = "stablehlo.scatter"(%v, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    )") + body + R"(
    stablehlo.return %x : tensor<f32>
  }) : (tensor<4xf32>, tensor<1xi32>, tensor<f32>) -> tensor<4xf32>
  return
})",
                 nullptr);
    EXPECT_TRUE(text) << Render(text.error()[0]);
    const auto converted = Convert(*text, Version{version});
    EXPECT_TRUE(converted);
    return Warnings(ReaderFaults(converted->module, reader));
  };
  const std::string exp = "%x = stablehlo.exponential %b : tensor<f32>";
  const std::string message =
      "warning: stablehlo.scatter: StableHLO 1.9.0 and later cannot read 'vhlo.exponential_v1' in the region "
      "of this op at "
      "version 1.0.0 (53); target 1.1.0 (54) or newer, or write another artifact for old readers";
  EXPECT_EQ(faults(exp.c_str(), 53, kCurrentVersion), std::vector<std::string>{message});
  EXPECT_EQ(faults(exp.c_str(), 53, Version{62}).size(), 1u);
  // To these readers one of the two is current.
  EXPECT_TRUE(faults(exp.c_str(), 53, Version{61}).empty());
  EXPECT_TRUE(faults(exp.c_str(), 54, kCurrentVersion).empty());
  EXPECT_TRUE(faults("%x = stablehlo.add %a, %b : tensor<f32>", 53, kCurrentVersion).empty());
  // However deep it is.
  EXPECT_EQ(faults(R"(%p = stablehlo.constant dense<true> : tensor<i1>
    %x = "stablehlo.if"(%p) ({
      %y = stablehlo.exponential %b : tensor<f32>
      stablehlo.return %y : tensor<f32>
    }, {
      stablehlo.return %b : tensor<f32>
    }) : (tensor<i1>) -> tensor<f32>)",
                   53, kCurrentVersion),
            std::vector<std::string>{message});
  EXPECT_EQ(faults(R"(%y = stablehlo.exponential %b : tensor<f32>
    %x = stablehlo.exponential %y : tensor<f32>)",
                   53, kCurrentVersion),
            std::vector<std::string>{message.substr(0, message.find(';')) + " x2" +
                                     message.substr(message.find(';'))});
}

TEST(ConsumersTest, Names) {
  const Date today{2026, 9, 1};
  const auto resolved = [&](const char* text) {
    const auto found = ResolveConsumer(text, kConsumers, today);
    if (!found) return found.error()[0].message + "; " + found.error()[0].hint;
    return found->name + " " + std::to_string(found->version.n) + (found->is_version ? "" : " package");
  };
  EXPECT_EQ(resolved("tool==1.10"), "tool 1.10 57 package");
  EXPECT_EQ(resolved("WEEK_12"), "WEEK_12 69");
  EXPECT_EQ(resolved("1.9.0"), "1.9.0 62");
  EXPECT_EQ(resolved("2025-06-01"), "2025-06-01 " + std::to_string(ParseVersion("2025-06-01")->n));
  EXPECT_EQ(resolved("WEEK12"), "unknown consumer 'WEEK12'; did you mean 'WEEK_12'?");
  EXPECT_EQ(resolved("toool"), "unknown consumer 'toool'; known: tool, Other_Tool");
  EXPECT_EQ(resolved("toool==1"), "unknown consumer 'toool'; known: tool, Other_Tool");
}

}  // namespace
}  // namespace shlo
