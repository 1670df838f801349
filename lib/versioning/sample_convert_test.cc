// Properties of conversion that hold for every op of the table, over generated samples.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "base/test_sanitizers.h"
#include "ir/module/sample.h"
#include "ir/table/trait.h"
#include "shlo/compare.h"
#include "shlo/convert.h"
#include "shlo/verify.h"

namespace shlo {
namespace {

std::string Errors(const Diagnostics& diagnostics) {
  std::string text;
  for (const Diagnostic& d : diagnostics)
    if (d.severity == Severity::kError) text += Render(d);
  return text;
}

// The versions at which something may change for a row: the ends of its shapes.
std::vector<Version> Ends(RowId row) {
  std::set<Version> ends;
  const OpRow& op = RowOf(row);
  for (uint16_t s = 0; s < op.num_revisions; ++s) {
    ends.insert(RevisionOf(RevisionId{uint16_t(op.first_revision + s)}).since);
    ends.insert(RevisionOf(RevisionId{uint16_t(op.first_revision + s)}).until);
  }
  return {ends.begin(), ends.end()};
}

template <typename Body>
void ForEachSample(Body&& body) {
  SomeCases cases(3);
  for (uint16_t r = 1; r < OpRows().size(); ++r)
    for (const Version version : Ends(RowId{r}))
      for (const SampleVariant& variant : SampleVariants(RowId{r}, version))
        if (cases.Next()) body(RowId{r}, version, variant, MakeSample(RowId{r}, version, variant));
}

// A converted sample verifies and converts back unchanged. Otherwise a blocker names a possible version, and
// the lowest possible target works.
TEST(SampleConvertTest, EverySampleToEveryVersion) {
  size_t converted = 0, refused = 0;
  ForEachSample([&](RowId row, Version version, const SampleVariant& variant, const Module& m) {
    const std::string name = SampleName(row, version, variant);
    // Some rows of other dialects have attributes that exist only since programs can mix dialects.
    if (!Blockers(m, version).empty()) {
      EXPECT_FALSE(RowOf(row).vhlo) << name;
      return;
    }
    for (const VersionRow& line : VersionLine()) {
      const Version target = line.version;
      const auto there = Convert(m, target);
      if (!there) {
        ++refused;
        ASSERT_GE(there.error().size(), 2u) << name;
        for (const Diagnostic& d : there.error()) {
          if (d.severity == Severity::kNote) continue;
          EXPECT_EQ(d.code, Code::kBlocked) << name;
          EXPECT_TRUE(d.version.valid() && d.version != target)
              << name << " to " << target.n << ": " << Render(d);
          // An upgrade may do either: ops of other dialects are allowed again from 1.11.0 on.
          if (target < version) {
            EXPECT_GT(d.version, target) << name << " to " << target.n << ": " << Render(d);
          }
        }
        continue;
      }
      ++converted;
      EXPECT_EQ(there->module.version, target);
      ASSERT_EQ(Errors(Verify(there->module, {.strictness = Strictness::kLenient})), "")
          << name << " to " << target.n;
      EXPECT_TRUE(Blockers(m, target).empty()) << name << " to " << target.n;
      const auto back = Convert(there->module, version);
      ASSERT_TRUE(back) << name << " to " << target.n << " and back: " << Errors(back.error());
      // A written default may become absent, because the version in between does not have the attribute.
      const bool written = variant.kind != SampleVariant::kDefaults;
      ASSERT_EQ(FirstDifference(m, back->module, {.defaults = written}), "") << name << " to " << target.n;
    }
    const Version lowest = *LowestTarget(m);
    EXPECT_LE(lowest, version) << name;
    for (Version v = lowest; v < version; ++v.n) EXPECT_TRUE(Convert(m, v)) << name << " to " << v.n;
    if (lowest > kMinimumVersion && lowest < version) {
      EXPECT_FALSE(Convert(m, Version{uint16_t(lowest.n - 1)})) << name;
    }
  });
  EXPECT_GT(converted, 10000u);
  EXPECT_GT(refused, 1000u);
}

// One long conversion is the same as two short ones.
TEST(SampleConvertTest, TheWayDoesNotMatter) {
  uint32_t random = 1;
  const auto any_version = [&] {
    random = random * 1664525u + 1013904223u;
    return Version{uint16_t(kMinimumVersion.n + (random >> 16) % VersionLine().size())};
  };
  size_t compared = 0;
  ForEachSample([&](RowId row, Version version, const SampleVariant& variant, const Module& m) {
    for (int i = 0; i < 4; ++i) {
      const Version between = any_version(), target = any_version();
      const auto first = Convert(m, between);
      if (!first) continue;
      const auto second = Convert(first->module, target);
      const auto direct = Convert(m, target);
      const std::string name = SampleName(row, version, variant);
      ASSERT_EQ(bool(second), bool(direct)) << name << " to " << between.n << " to " << target.n;
      if (!second) continue;
      const bool written = variant.kind != SampleVariant::kDefaults;
      ASSERT_EQ(FirstDifference(second->module, direct->module, {.defaults = written}), "")
          << name << " to " << between.n << " to " << target.n;
      ++compared;
    }
  });
  EXPECT_GT(compared, 1000u);
}

// Attributes that were added later, according to the version log, listed by hand.
struct Late {
  std::string_view op;
  std::string_view attribute;
  uint16_t since;
};
constexpr Late kLate[] = {
    {"stablehlo.gather", "operand_batching_dims", 54},
    {"stablehlo.gather", "start_indices_batching_dims", 54},
    {"stablehlo.dynamic_gather", "operand_batching_dims", 54},
    {"stablehlo.dynamic_gather", "start_indices_batching_dims", 54},
    {"stablehlo.scatter", "input_batching_dims", 54},
    {"stablehlo.scatter", "scatter_indices_batching_dims", 54},
    {"stablehlo.dot_general", "lhs_precision_type", 59},
    {"stablehlo.exponential", "result_accuracy", 62},
    {"stablehlo.cbrt", "result_accuracy", 63},
    {"stablehlo.cosine", "result_accuracy", 63},
    {"stablehlo.exponential_minus_one", "result_accuracy", 63},
    {"stablehlo.log", "result_accuracy", 63},
    {"stablehlo.log_plus_one", "result_accuracy", 63},
    {"stablehlo.logistic", "result_accuracy", 63},
    {"stablehlo.rsqrt", "result_accuracy", 63},
    {"stablehlo.sine", "result_accuracy", 63},
    {"stablehlo.sqrt", "result_accuracy", 63},
    {"stablehlo.tan", "result_accuracy", 63},
    {"stablehlo.tanh", "result_accuracy", 63},
    {"stablehlo.send", "source_target_pairs", 65},
    {"stablehlo.recv", "source_target_pairs", 65},
    {"stablehlo.custom_call", "result_tilings", 71},
    {"stablehlo.collective_broadcast", "has_dynamic_root", 73},
};

TEST(SampleConvertTest, LateAttributesStopWhereTheLogSays) {
  for (const Late& late : kLate) {
    const RowId row = FindOp(late.op);
    ASSERT_TRUE(row) << late.op;
    const int slot = RevisionOf(NewestRevision(row)).FindSlot(late.attribute);
    ASSERT_GE(slot, 0) << late.op;
    const Module m = MakeSample(row, kCurrentVersion, {SampleVariant::kValue, slot});
    EXPECT_EQ(LowestTarget(m)->n, late.since) << late.op << " " << late.attribute;
    const auto refused = Convert(m, Version{uint16_t(late.since - 1)});
    ASSERT_FALSE(refused) << late.op;
    const Diagnostic& first = refused.error().front();
    EXPECT_EQ(first.version.n, late.since) << Render(first);
    EXPECT_EQ(first.op, late.op);
    EXPECT_NE(first.message.find("'" + std::string(late.attribute) + "'"), std::string::npos)
        << first.message;
    // With the default in place of the value the way is open.
    const Module absent = MakeSample(row, kCurrentVersion);
    const Module written = MakeSample(row, kCurrentVersion, {SampleVariant::kDefaults});
    EXPECT_LT(LowestTarget(absent)->n, late.since) << late.op;
    EXPECT_EQ(*LowestTarget(written), *LowestTarget(absent)) << late.op;
  }
}

// Changes of other cells, likewise.
TEST(SampleConvertTest, OtherLateThingsStopWhereTheLogSays) {
  const auto lowest = [](RowId row, SampleVariant variant) {
    return LowestTarget(MakeSample(row, kCurrentVersion, variant))->n;
  };
  for (RowId row :
       {FindOp("stablehlo.all_reduce"), FindOp("stablehlo.all_gather"), FindOp("stablehlo.all_to_all")}) {
    EXPECT_EQ(lowest(row, {SampleVariant::kLonger}), 58) << RowOf(row).name;
    EXPECT_EQ(lowest(row, {}), 37) << RowOf(row).name;
  }
  EXPECT_EQ(lowest(FindOp("stablehlo.collective_broadcast"), {SampleVariant::kLonger}), 73);
  EXPECT_EQ(lowest(FindOp("stablehlo.collective_broadcast"), {}), 48);
  EXPECT_EQ(lowest(FindOp("stablehlo.composite"), {SampleVariant::kWithRegion}), 67);
  EXPECT_EQ(lowest(FindOp("stablehlo.composite"), {}), 51);
  EXPECT_EQ(lowest(FindOp("stablehlo.collective_reduce"), {}), 72);
  EXPECT_EQ(lowest(FindOp("stablehlo.async_start"), {}), 68);
  EXPECT_EQ(lowest(FindOp("stablehlo.async_done"), {}), 68);
  EXPECT_EQ(lowest(FindOp("stablehlo.tan"), {}), 57);
  EXPECT_EQ(lowest(FindOp("stablehlo.custom_call"), {}), 41);
  EXPECT_EQ(lowest(FindOp("stablehlo.subtract"), {}), 37);
  const SampleVariant promoting{SampleVariant::kBreaks, -1, Cond::kSameElementTypes};
  for (RowId row : {FindOp("stablehlo.reduce"), FindOp("stablehlo.all_reduce"), FindOp("stablehlo.scatter"),
                    FindOp("stablehlo.reduce_scatter"), FindOp("stablehlo.reduce_window"),
                    FindOp("stablehlo.select_and_scatter")})
    EXPECT_EQ(lowest(row, promoting), 49) << RowOf(row).name;
  const RowId custom_call = FindOp("stablehlo.custom_call");
  EXPECT_EQ(lowest(custom_call, {SampleVariant::kBreaks, -1, Cond::kNoTypedFfi}), 56);
  EXPECT_EQ(lowest(custom_call, {SampleVariant::kBreaks, -1, Cond::kNoFutureOperands}), 70);
  const int groups = RevisionOf(NewestRevision(FindOp("stablehlo.all_reduce"))).FindSlot("replica_groups");
  EXPECT_EQ(lowest(FindOp("stablehlo.all_reduce"), {SampleVariant::kMeshAxes, groups}), 69);
}

}  // namespace
}  // namespace shlo
