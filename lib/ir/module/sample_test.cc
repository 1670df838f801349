#include "ir/module/sample.h"

#include <gtest/gtest.h>

#include <set>

#include "ir/table/attr_class.h"
#include "ir/table/ops.h"
#include "shlo/compare.h"
#include "shlo/verify.h"

namespace shlo {
namespace {

std::string Findings(const Module& m) {
  std::string text;
  for (const Diagnostic& d : Verify(m, {.strictness = Strictness::kLenient}))
    if (d.severity == Severity::kError) text += Render(d);
  return text;
}

// Every row has a sample at every version it lives in, and each one verifies and holds the op in the
// revision of that version.
TEST(SampleTest, EveryRowAtEveryVersionVerifies) {
  size_t count = 0;
  for (uint16_t r = 1; r < OpRows().size(); ++r) {
    const RowId row{r};
    for (const VersionRow& line : VersionLine()) {
      const RevisionId revision = RevisionAt(row, line.version);
      const auto variants = SampleVariants(row, line.version);
      EXPECT_EQ(bool(revision), !variants.empty()) << RowOf(row).name << " at " << line.version.n;
      for (const SampleVariant& variant : variants) {
        const std::string name = SampleName(row, line.version, variant);
        const Module m = MakeSample(row, line.version, variant);
        EXPECT_EQ(Findings(m), "") << name;
        EXPECT_EQ(m.version, line.version);
        const OpId op = FindOp(m, row);
        ASSERT_TRUE(op) << name;
        EXPECT_EQ(m.RevisionIdOf(m.ops[op.v]).v, revision.v) << name;
        ++count;
      }
    }
  }
  // More than one for each of the ops that today's version has.
  EXPECT_GT(count, 37u * 119u);
}

// Every class of attribute is written by some sample, so that walking the samples covers them all.
TEST(SampleTest, EveryAttributeClassIsWritten) {
  std::set<AttrClass> written;
  std::set<AttrClass> in_table;
  for (uint16_t r = 1; r < OpRows().size(); ++r) {
    for (const Version version : {kMinimumVersion, kCurrentVersion}) {
      for (const SampleVariant& variant : SampleVariants(RowId{r}, version)) {
        const Module m = MakeSample(RowId{r}, version, variant);
        const Op& op = m.ops[FindOp(m, RowId{r}).v];
        const OpRevision& revision = RevisionOf(m.RevisionIdOf(op));
        for (size_t i = 0; i < revision.attrs.size(); ++i) {
          in_table.insert(revision.attrs[i].attr_class());
          if (m.InherentAttrsOf(op)[i]) written.insert(revision.attrs[i].attr_class());
        }
      }
    }
  }
  EXPECT_EQ(written, in_table);
}

// Variants with defaults contain defaults, and the others do not.
TEST(SampleTest, DefaultsAreDefaultsAndOtherValuesAreNot) {
  for (uint16_t r = 1; r < OpRows().size(); ++r) {
    for (const SampleVariant& variant : SampleVariants(RowId{r}, kCurrentVersion)) {
      Module m = MakeSample(RowId{r}, kCurrentVersion, variant);
      const Op op = m.ops[FindOp(m, RowId{r}).v];
      const auto attrs = RevisionOf(m.RevisionIdOf(op)).attrs;
      for (size_t i = 0; i < attrs.size(); ++i) {
        if (attrs[i].attr_default() == Default::kRequired) continue;
        if (m.Is(op, ops::kGlobal) && attrs[i].name == "value") continue;  // one that is not mutable needs it
        const std::string where =
            SampleName(RowId{r}, kCurrentVersion, variant) + ": " + std::string(attrs[i].name);
        if (variant.kind == SampleVariant::kDefaults) {
          EXPECT_TRUE(m.IsDefault(op, int(i))) << where;
        } else if (variant.kind == SampleVariant::kAbsent) {
          EXPECT_FALSE(m.InherentAttrsOf(op)[i]) << where;
        } else if (variant.kind == SampleVariant::kValue && variant.slot == int(i)) {
          EXPECT_FALSE(m.IsDefault(op, int(i))) << where;
        }
      }
    }
  }
}

// Equal arguments produce equal programs, and different variants different ones.
TEST(SampleTest, IsDeterministic) {
  const RowId gather = FindOp("stablehlo.gather");
  const Module absent = MakeSample(gather, kCurrentVersion);
  EXPECT_EQ(FirstDifference(absent, MakeSample(gather, kCurrentVersion)), "");
  EXPECT_NE(FirstDifference(absent, MakeSample(gather, kCurrentVersion, {SampleVariant::kDefaults})), "");
}

}  // namespace
}  // namespace shlo
