#include "ir/witness.h"

#include <gtest/gtest.h>

#include <set>

#include "ir/compare.h"
#include "ir/verify.h"

namespace shlo {
namespace {

std::string Findings(const Module& m) {
  std::string text;
  for (const Diagnostic& d : Verify(m))
    if (d.severity == Severity::kError) text += Render(d);
  return text;
}

// Every row has a witness at every version it lives in, and each one verifies and holds the op in the shape
// of that version.
TEST(WitnessTest, EveryRowAtEveryVersionVerifies) {
  size_t count = 0;
  for (uint16_t r = 1; r < OpRows().size(); ++r) {
    const RowId row{r};
    for (const VersionRow& line : VersionLine()) {
      const ShapeId shape = ShapeAt(row, line.version);
      const auto variants = WitnessVariants(row, line.version);
      EXPECT_EQ(bool(shape), !variants.empty()) << RowOf(row).name << " at " << line.version.n;
      for (const WitnessVariant& variant : variants) {
        const std::string name = WitnessName(row, line.version, variant);
        const Module m = MakeWitness(row, line.version, variant);
        EXPECT_EQ(Findings(m), "") << name;
        EXPECT_EQ(m.version, line.version);
        const OpId op = FindOp(m, row);
        ASSERT_TRUE(op) << name;
        EXPECT_EQ(m.ops[op.v].shape.v, shape.v) << name;
        ++count;
      }
    }
  }
  // More than one for each of the ops that today's version has.
  EXPECT_GT(count, 37u * 119u);
}

// Every class of attribute is written by some witness, so that walking the witnesses covers them all.
TEST(WitnessTest, EveryAttributeClassIsWritten) {
  std::set<AttrClass> written;
  std::set<AttrClass> in_table;
  for (uint16_t r = 1; r < OpRows().size(); ++r) {
    for (const Version version : {kMinimumVersion, kCurrentVersion}) {
      for (const WitnessVariant& variant : WitnessVariants(RowId{r}, version)) {
        const Module m = MakeWitness(RowId{r}, version, variant);
        const Op& op = m.ops[FindOp(m, RowId{r}).v];
        const ShapeRow& shape = ShapeOf(op.shape);
        for (size_t i = 0; i < shape.attrs.size(); ++i) {
          in_table.insert(shape.attrs[i].attr_class());
          if (m.SlotsOf(op)[i]) written.insert(shape.attrs[i].attr_class());
        }
      }
    }
  }
  EXPECT_EQ(written, in_table);
}

// The variants say what they are: defaults count as defaults, other values do not.
TEST(WitnessTest, DefaultsAreDefaultsAndOtherValuesAreNot) {
  for (uint16_t r = 1; r < OpRows().size(); ++r) {
    for (const WitnessVariant& variant : WitnessVariants(RowId{r}, kCurrentVersion)) {
      Module m = MakeWitness(RowId{r}, kCurrentVersion, variant);
      const Op op = m.ops[FindOp(m, RowId{r}).v];
      const auto attrs = ShapeOf(op.shape).attrs;
      for (size_t i = 0; i < attrs.size(); ++i) {
        if (attrs[i].attr_default() == Default::kRequired) continue;
        const std::string where =
            WitnessName(RowId{r}, kCurrentVersion, variant) + ": " + std::string(attrs[i].name);
        if (variant.kind == WitnessVariant::kDefaults) {
          EXPECT_TRUE(m.IsDefault(op, int(i))) << where;
        } else if (variant.kind == WitnessVariant::kAbsent) {
          EXPECT_FALSE(m.SlotsOf(op)[i]) << where;
        } else if (variant.kind == WitnessVariant::kValue && variant.slot == int(i)) {
          EXPECT_FALSE(m.IsDefault(op, int(i))) << where;
        }
      }
    }
  }
}

// The same request gives the same program, and another variant another one.
TEST(WitnessTest, IsDeterministic) {
  const RowId gather = OpNamed("stablehlo.gather");
  const Module absent = MakeWitness(gather, kCurrentVersion);
  EXPECT_EQ(FirstDifference(absent, MakeWitness(gather, kCurrentVersion)), "");
  EXPECT_NE(FirstDifference(absent, MakeWitness(gather, kCurrentVersion, {WitnessVariant::kDefaults})), "");
}

}  // namespace
}  // namespace shlo
