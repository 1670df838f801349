#include "ir/table/mhlo.h"

#include <gtest/gtest.h>

#include "ir/module/mhlo_attrs.h"
#include "ir/table/ops.h"

namespace shlo::mhlo {
namespace {

TEST(MhloTest, OpsHaveTheOpThatTheyBecame) {
  const OpRow* const add = FindOpRow("mhlo.add");
  ASSERT_TRUE(add);
  EXPECT_EQ(add->row, ops::kAdd);
  EXPECT_EQ(OpRowOf(ops::kAdd), add);
  EXPECT_EQ(FindOpRow("xla_hlo.add"), add);
  EXPECT_EQ(FindOpRow("stablehlo.add"), nullptr);
  EXPECT_EQ(FindOpRow("mhlo."), nullptr);
  EXPECT_EQ(FindOpRow("mhlo"), nullptr);
  EXPECT_EQ(FindOpRow(""), nullptr);
  EXPECT_EQ(OpRowOf(RowId()), nullptr);
  EXPECT_EQ(OpRowOf(ops::kFunc), nullptr);
}

TEST(MhloTest, FormerNamesAreNotPrinted) {
  const OpRow* const uniform = FindOpRow("mhlo.rng_uniform");
  ASSERT_TRUE(uniform);
  EXPECT_EQ(uniform->value, "UNIFORM");
  EXPECT_EQ(OpRowOf(uniform->row)->name, "mhlo.rng");
}

TEST(MhloTest, EveryOpOfStablehloFromMhloHasItsName) {
  for (uint16_t i = 1; i < OpRows().size(); ++i)
    if (const OpRow* const row = OpRowOf(RowId{i})) {
      EXPECT_EQ(row->name.substr(5), RowOf(RowId{i}).mnemonic());
      EXPECT_EQ(RowOf(RowId{i}).dialect, "stablehlo");
    }
}

TEST(MhloTest, OpsThatAreKeptSayWhatToDo) {
  const OpRow* const fusion = FindOpRow("mhlo.fusion");
  ASSERT_TRUE(fusion);
  EXPECT_EQ(fusion->fate, Fate::kNone);
  EXPECT_FALSE(fusion->why.empty());
  EXPECT_TRUE(HasProperty(*fusion, "fusion_kind"));
  EXPECT_TRUE(HasProperty(*fusion, "output_operand_aliases"));
  EXPECT_FALSE(HasProperty(*fusion, "fusion"));
}

TEST(MhloTest, AttributesThatStablehloLacks) {
  const OpRow* const call = FindOpRow("mhlo.custom_call");
  EXPECT_TRUE(HasProperty(*call, "custom_call_schedule"));
  EXPECT_TRUE(MeansNothing(*call, "custom_call_schedule", "<custom_call_schedule NONE>"));
  EXPECT_FALSE(MeansNothing(*call, "custom_call_schedule", "<custom_call_schedule LATEST>"));
  EXPECT_FALSE(MeansNothing(*call, "custom_call_schedule", ""));
  EXPECT_TRUE(MeansNothing(*FindOpRow("mhlo.dynamic_conv"), "padding", ""));
}

TEST(MhloTest, DialectsAndKinds) {
  EXPECT_EQ(DialectNow("hlo_client"), "chlo");
  EXPECT_EQ(DialectNow("mhlo"), "mhlo");
  EXPECT_TRUE(IsRefused("lmhlo"));
  EXPECT_FALSE(IsRefused("mhlo"));
  EXPECT_EQ(FindAttr("dot"), AttrKind::kDotDimensionNumbers);
  EXPECT_EQ(FindAttr("fusion_kind"), AttrKind::kInvalid);
  EXPECT_EQ(FindType("token"), TypeKind::kToken);
  EXPECT_EQ(FindType("async_bundle"), TypeKind::kInvalid);
}

// Returns the attribute that an op has for a value in a notation of MHLO.
AttrId Become(Module& m, std::string_view op, std::string_view name, AttrId value) {
  return FromMhlo(m, NewestRevision(FindOp(op)), &name, value);
}

TEST(MhloAttrsTest, NamesAndNumbersOfCases) {
  Module m;
  const AttrId lt = m.Enum(AttrKind::kComparisonDirection, 5);
  EXPECT_EQ(Become(m, "stablehlo.compare", "comparison_direction", m.String("LT")), lt);
  EXPECT_EQ(Become(m, "stablehlo.compare", "comparison_direction", lt), lt);
  EXPECT_EQ(Become(m, "chlo.broadcast_compare", "comparison_direction", lt),
            m.Enum(AttrKind::kChloComparisonDirection, 5));
  EXPECT_EQ(Become(m, "stablehlo.compare", "comparison_direction", m.String("XX")), m.String("XX"));
  EXPECT_EQ(Become(m, "stablehlo.rng_bit_generator", "rng_algorithm", m.I32(2)),
            m.Enum(AttrKind::kRngAlgorithm, 2));
  EXPECT_EQ(Become(m, "stablehlo.rng_bit_generator", "rng_algorithm", m.I32(7)), m.I32(7));
  const AttrId high[] = {m.String("HIGH")}, is_high[] = {m.Enum(AttrKind::kPrecision, 1)};
  EXPECT_EQ(Become(m, "stablehlo.dot", "precision_config", m.Array(high)), m.Array(is_high));
}

TEST(MhloAttrsTest, DictionariesOfStructs) {
  Module m;
  const int64_t shape[] = {1}, two[] = {2};
  const AttrId lhs = m.I64Elements(shape, two);
  const auto dict = [&](std::string_view name, AttrId value) {
    return m.Dict({{m.strings.Intern(name), value}});
  };
  const auto dot = m.As<DotDimensionNumbersAttr>(
      Become(m, "stablehlo.dot_general", "dot_dimension_numbers", dict("lhs_contracting_dimensions", lhs)));
  ASSERT_TRUE(dot);
  EXPECT_EQ(dot->lhs_contracting_dimensions[0], 2);
  EXPECT_TRUE(dot->rhs_contracting_dimensions.empty());
  // Other entries and values are for the verifier to report.
  for (const AttrId wrong : {dict("lhs", lhs), dict("lhs_contracting_dimensions", m.String("x"))})
    EXPECT_EQ(Become(m, "stablehlo.dot_general", "dot_dimension_numbers", wrong), wrong);
}

TEST(MhloAttrsTest, FormerNames) {
  Module m;
  std::string_view name = "channel_id";
  const AttrId handle =
      m.Dict({{m.strings.Intern("handle"), m.I64(5)}, {m.strings.Intern("type"), m.I64(2)}});
  const auto channel =
      m.As<ChannelHandleAttr>(FromMhlo(m, NewestRevision(FindOp("stablehlo.send")), &name, handle));
  EXPECT_EQ(name, "channel_handle");
  ASSERT_TRUE(channel);
  EXPECT_EQ(channel->channel_id, 5);
  EXPECT_EQ(channel->channel_type, 2);
  name = "type";
  const AttrId type = m.TypeAttr(m.FunctionType({}, {}));
  EXPECT_EQ(FromMhlo(m, NewestRevision(ops::kFunc), &name, type), type);
  EXPECT_EQ(name, "function_type");
}

}  // namespace
}  // namespace shlo::mhlo
