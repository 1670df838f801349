#include "shlo/op_table.h"

#include <gtest/gtest.h>

#include <set>

namespace shlo {
namespace {

TEST(OpTable, CoversVhlo) {
  // The public dialect at 1.20.0 has 120 op names in 145 versioned shapes; func.return and stablehlo.return
  // share one of them.
  std::set<std::string_view> names, mnemonics;
  for (size_t i = 1; i < OpRevisions().size(); ++i) {
    const std::string_view name = VhloName(RevisionId{uint16_t(i)});
    if (name.empty()) continue;
    names.insert(name);
    mnemonics.insert(name.substr(0, name.size() - 3));
  }
  EXPECT_EQ(names.size(), 145u);
  EXPECT_EQ(mnemonics.size(), 120u);
}

TEST(OpTable, TwentyFiveOpsHaveASecondPublicRevision) {
  int second = 0;
  for (const OpRevision& revision : OpRevisions()) second += revision.ordinal == 2;
  EXPECT_EQ(second, 25);
}

TEST(OpTable, FindsByEveryName) {
  for (size_t i = 1; i < OpRows().size(); ++i) {
    const RowId row{uint16_t(i)};
    EXPECT_EQ(FindOp(RowOf(row).name), row);
    EXPECT_EQ(FindWireId(RowOf(row).wire_id), row);
  }
  for (size_t i = 1; i < OpRevisions().size(); ++i) {
    const RevisionId revision{uint16_t(i)};
    const std::string_view name = VhloName(revision);
    if (name.empty()) continue;
    EXPECT_EQ(VhloName(FindVhlo(name)), name);
  }
  EXPECT_FALSE(FindOp("stablehlo.ad"));
  EXPECT_FALSE(FindOp(""));
  EXPECT_FALSE(FindVhlo("vhlo.add_v2"));
  EXPECT_FALSE(FindVhlo("vhlo.sub_v1"));
  EXPECT_FALSE(FindWireId(0));
  EXPECT_FALSE(FindWireId(65535));
  EXPECT_EQ(FindOp("stablehlo.func"), FindOp("func.func"));
}

TEST(OpTable, RevisionsByVersion) {
  const RowId gather = FindOp("stablehlo.gather");
  EXPECT_EQ(VhloName(RevisionAt(gather, Version{53})), "vhlo.gather_v1");
  EXPECT_EQ(VhloName(RevisionAt(gather, Version{54})), "vhlo.gather_v2");
  EXPECT_TRUE(RevisionAt(FindOp("stablehlo.sub"), Version{39}));
  EXPECT_FALSE(RevisionAt(FindOp("stablehlo.sub"), Version{40}));
  EXPECT_FALSE(RevisionAt(FindOp("stablehlo.subtract"), Version{39}));
  EXPECT_TRUE(RevisionAt(FindOp("stablehlo.subtract"), Version{40}));
  EXPECT_FALSE(RevisionAt(FindOp("stablehlo.collective_broadcast"), Version{47}));
}

TEST(OpTable, AttributesKeepTheVhloOrder) {
  const OpRevision& revision = RevisionOf(FindVhlo("vhlo.gather_v2"));
  ASSERT_EQ(revision.attrs.size(), 8u);
  EXPECT_EQ(revision.attrs[2].name, "operand_batching_dims");
  EXPECT_EQ(revision.FindSlot("slice_sizes"), 6);
  EXPECT_EQ(revision.FindSlot("dimension_numbers"), -1);
  EXPECT_EQ(revision.struct_attrs[0].name, "dimension_numbers");
}

TEST(OpTable, EveryFieldOfAStructAttrIsInherentInTheNewestRevision) {
  for (size_t i = 1; i < OpRows().size(); ++i) {
    const OpRevision& revision = RevisionOf(NewestRevision(RowId{uint16_t(i)}));
    for (const Cell& struct_attr : revision.struct_attrs)
      for (const FieldRow& field : RowOf(struct_attr.attr_kind()).fields())
        EXPECT_GE(revision.FindSlot(field.name), 0) << RowOf(revision.row).name << " " << field.name;
  }
}

}  // namespace
}  // namespace shlo
