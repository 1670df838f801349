#include "ir/op_table.h"

#include <gtest/gtest.h>

#include <set>

namespace shlo {
namespace {

TEST(OpTable, CoversThePortableDialect) {
  // The public dialect at 1.20.0 has 120 op names in 145 versioned shapes; func.return and stablehlo.return
  // share one of them.
  std::set<std::string_view> names, mnemonics;
  for (size_t i = 1; i < ShapeRows().size(); ++i) {
    const std::string_view name = PortableName(ShapeId{uint16_t(i)});
    if (name.empty()) continue;
    names.insert(name);
    mnemonics.insert(name.substr(0, name.size() - 3));
  }
  EXPECT_EQ(names.size(), 145u);
  EXPECT_EQ(mnemonics.size(), 120u);
}

TEST(OpTable, TwentyFiveOpsHaveASecondPublicShape) {
  int second = 0;
  for (const ShapeRow& shape : ShapeRows()) second += shape.ordinal == 2;
  EXPECT_EQ(second, 25);
}

TEST(OpTable, FindsByEveryName) {
  for (size_t i = 1; i < OpRows().size(); ++i) {
    const RowId row{uint16_t(i)};
    EXPECT_EQ(FindOp(RowOf(row).name), row);
    EXPECT_EQ(FindWireId(RowOf(row).wire_id), row);
  }
  for (size_t i = 1; i < ShapeRows().size(); ++i) {
    const ShapeId shape{uint16_t(i)};
    const std::string_view name = PortableName(shape);
    if (name.empty()) continue;
    EXPECT_EQ(PortableName(FindPortable(name)), name);
  }
  EXPECT_FALSE(FindOp("stablehlo.ad"));
  EXPECT_FALSE(FindOp(""));
  EXPECT_FALSE(FindPortable("vhlo.add_v2"));
  EXPECT_FALSE(FindPortable("vhlo.sub_v1"));
  EXPECT_FALSE(FindWireId(0));
  EXPECT_FALSE(FindWireId(65535));
  EXPECT_EQ(FindOp("stablehlo.func"), OpNamed("func.func"));
}

TEST(OpTable, ShapesByVersion) {
  const RowId gather = OpNamed("stablehlo.gather");
  EXPECT_EQ(PortableName(ShapeAt(gather, Version{53})), "vhlo.gather_v1");
  EXPECT_EQ(PortableName(ShapeAt(gather, Version{54})), "vhlo.gather_v2");
  EXPECT_TRUE(ShapeAt(OpNamed("stablehlo.sub"), Version{39}));
  EXPECT_FALSE(ShapeAt(OpNamed("stablehlo.sub"), Version{40}));
  EXPECT_FALSE(ShapeAt(OpNamed("stablehlo.subtract"), Version{39}));
  EXPECT_TRUE(ShapeAt(OpNamed("stablehlo.subtract"), Version{40}));
  EXPECT_FALSE(ShapeAt(OpNamed("stablehlo.collective_broadcast"), Version{47}));
}

TEST(OpTable, AttributesKeepThePortableOrder) {
  const ShapeRow& shape = ShapeOf(FindPortable("vhlo.gather_v2"));
  ASSERT_EQ(shape.attrs.size(), 8u);
  EXPECT_EQ(shape.attrs[2].name, "operand_batching_dims");
  EXPECT_EQ(shape.FindSlot("slice_sizes"), 6);
  EXPECT_EQ(shape.FindSlot("dimension_numbers"), -1);
  EXPECT_EQ(shape.bundles[0].name, "dimension_numbers");
}

TEST(OpTable, EveryFieldOfABundleIsASlotOfTheNewestShape) {
  for (size_t i = 1; i < OpRows().size(); ++i) {
    const ShapeRow& shape = ShapeOf(NewestShape(RowId{uint16_t(i)}));
    for (const Cell& bundle : shape.bundles)
      for (const FieldRow& field : RowOf(bundle.attr_kind()).fields())
        EXPECT_GE(shape.FindSlot(field.name), 0) << RowOf(shape.row).name << " " << field.name;
  }
}

}  // namespace
}  // namespace shlo
