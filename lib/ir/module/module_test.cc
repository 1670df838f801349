#include "shlo/module.h"

#include <gtest/gtest.h>

#include <array>

#include "ir/module/builder.h"
#include "shlo/compare.h"

namespace shlo {
namespace {

TEST(Module, EqualNodesAreOneNode) {
  Module m;
  const TypeId f32 = m.Type(TypeKind::kF32);
  const int64_t dims[] = {2, kDynamic};
  EXPECT_EQ(m.TensorType(dims, f32), m.TensorType(dims, f32));
  EXPECT_NE(m.TensorType(dims, f32), m.TensorType(dims, m.Type(TypeKind::kF64)));
  EXPECT_EQ(m.I64(7), m.I64(7));
  EXPECT_NE(m.I64(7), m.I32(7));
  EXPECT_EQ(m.IntegerType(32), m.Type(TypeKind::kI32));
  EXPECT_EQ(m.types.KindOf(m.IntegerType(32, 1)), TypeKind::kInteger);
  EXPECT_EQ(m.IntegerType(2, 2), m.Type(TypeKind::kUI2));
}

TEST(Module, DictionariesAreSortedByName) {
  Module m;
  const NamedAttr a{m.strings.Intern("a"), m.Unit()}, b{m.strings.Intern("b"), m.I64(1)};
  EXPECT_EQ(m.Dict({a, b}), m.Dict({b, a}));
}

TEST(Module, EqualElementsBecomeASplat) {
  Module m;
  const int64_t shape[] = {3};
  const auto splat = m.As<ElementsAttr>(m.I64Elements(shape, {{5, 5, 5}}));
  ASSERT_TRUE(splat);
  EXPECT_TRUE(splat->splat);
  EXPECT_EQ(m.payloads[splat->payload].size, 8u);
  const auto list = m.As<ElementsAttr>(m.I64Elements(shape, {{5, 6, 5}}));
  ASSERT_TRUE(list);
  EXPECT_FALSE(list->splat);
  std::vector<int64_t> values;
  ASSERT_TRUE(m.AsI64s(m.I64Elements(shape, {{5, 5, 5}}), &values));
  EXPECT_EQ(values, (std::vector<int64_t>{5, 5, 5}));
}

TEST(Module, ElementCountsDoNotOverflow) {
  uint64_t count = 0;
  EXPECT_TRUE(Module::ElementCount({{3, 4}}, &count));
  EXPECT_EQ(count, 12u);
  EXPECT_TRUE(Module::ElementCount({}, &count));
  EXPECT_EQ(count, 1u);
  EXPECT_TRUE(Module::ElementCount({{0, 5}}, &count));
  EXPECT_EQ(count, 0u);
  EXPECT_FALSE(Module::ElementCount({{int64_t{1} << 40, int64_t{1} << 40}}, &count));
  EXPECT_FALSE(Module::ElementCount({{0, int64_t{1} << 40, int64_t{1} << 40}}, &count));
  EXPECT_FALSE(Module::ElementCount({{2, kDynamic}}, &count));
}

TEST(Module, SmallPayloadsAreStoredOnce) {
  Module m;
  const PayloadId a = m.payloads.AddCopy("abc");
  EXPECT_EQ(m.payloads.AddCopy("abc"), a);
  EXPECT_NE(m.payloads.AddCopy("abd"), a);
  const std::string big(PayloadTable::kDeduplicate + 1, 'x');
  EXPECT_NE(m.payloads.AddCopy(big), m.payloads.AddCopy(big));
}

TEST(Module, InherentAttrsAreNormalized) {
  Module m;
  const OpRevision& revision = RevisionOf(NewestRevision(FindOp("stablehlo.broadcast_in_dim")));
  const int64_t two[] = {2};
  EXPECT_EQ(m.NormalizeInherentAttr(revision.attrs[0], m.I64Elements(two, {{0, 1}})), m.I64s({{0, 1}}));
  const OpRevision& reduce = RevisionOf(NewestRevision(FindOp("stablehlo.all_reduce")));
  const Cell& flag = reduce.attrs[size_t(reduce.FindSlot("use_global_device_ids"))];
  EXPECT_EQ(m.NormalizeInherentAttr(flag, m.Unit()), m.Bool(true));
  const OpRevision& call = RevisionOf(NewestRevision(FindOp("func.call")));
  EXPECT_EQ(m.NormalizeInherentAttr(call.attrs[0], m.String("f")), m.Symbol("f"));
  const OpRevision& custom = RevisionOf(NewestRevision(FindOp("stablehlo.custom_call")));
  const Cell& api = custom.attrs[size_t(custom.FindSlot("api_version"))];
  EXPECT_EQ(m.NormalizeInherentAttr(api, m.Enum(AttrKind::kCustomCallApiVersion, 2)), m.I32(2));
  const OpRevision& dot = RevisionOf(NewestRevision(FindOp("stablehlo.dot_general")));
  const Cell& lhs = dot.attrs[size_t(dot.FindSlot("lhs_precision_type"))];
  EXPECT_FALSE(m.NormalizeInherentAttr(lhs, m.TypeAttr(m.Type(TypeKind::kNone))));
}

TEST(Module, DefaultsFollowTheOp) {
  Module m;
  Builder b(&m);
  OpSpec spec;
  spec.revision = NewestRevision(FindOp("stablehlo.reduce_window"));
  const OpRevision& revision = RevisionOf(spec.revision);
  std::vector<AttrId> inherent_attrs(revision.attrs.size());
  inherent_attrs[size_t(revision.FindSlot("window_dimensions"))] = m.I64s({{2, 2, 1}});
  inherent_attrs[size_t(revision.FindSlot("window_strides"))] = m.I64s({{1, 1, 1}});
  inherent_attrs[size_t(revision.FindSlot("base_dilations"))] = m.I64s({{1, 2, 1}});
  spec.inherent_attrs = inherent_attrs;
  const OpId id = b.AddOp(spec);
  const Op op = m.ops[id.v];
  EXPECT_EQ(m.DefaultOf(op, revision.FindSlot("window_strides")), m.I64s({{1, 1, 1}}));
  EXPECT_TRUE(m.IsDefault(op, revision.FindSlot("window_strides")));
  EXPECT_FALSE(m.IsDefault(op, revision.FindSlot("base_dilations")));
  EXPECT_TRUE(m.IsDefault(op, revision.FindSlot("padding")));
  const int64_t pairs[] = {3, 2};
  EXPECT_EQ(m.DefaultOf(op, revision.FindSlot("padding")), m.I64Elements(pairs, std::vector<int64_t>(6, 0)));
}

TEST(Module, SetVersionMovesInherentAttrsByName) {
  Module m;
  Builder b(&m);
  OpSpec spec;
  spec.revision = NewestRevision(FindOp("stablehlo.gather"));
  const OpRevision& v2 = RevisionOf(spec.revision);
  std::vector<AttrId> inherent_attrs(v2.attrs.size());
  inherent_attrs[size_t(v2.FindSlot("slice_sizes"))] = m.I64s({{4}});
  inherent_attrs[size_t(v2.FindSlot("operand_batching_dims"))] = m.I64s({{0}});
  inherent_attrs[size_t(v2.FindSlot("start_indices_batching_dims"))] = m.I64s({});
  spec.inherent_attrs = inherent_attrs;
  const OpId id = b.AddOp(spec);
  m.SetVersion(Version{41});
  const Op op = m.ops[id.v];
  EXPECT_EQ(VhloName(m.RevisionIdOf(op)), "vhlo.gather_v1");
  EXPECT_EQ(m.InherentAttrOf(op, "slice_sizes"), m.I64s({{4}}));
  // Attributes that version 41 does not have are kept for the verifier to report; defaults are erased.
  ASSERT_EQ(m.DiscardableAttrsOf(op).size(), 1u);
  EXPECT_EQ(m.AttributeOf(op, "operand_batching_dims"), m.I64s({{0}}));
  m.SetVersion(kCurrentVersion);
  EXPECT_EQ(m.InherentAttrOf(m.ops[id.v], "operand_batching_dims"), m.I64s({{0}}));
}

TEST(Module, ACopyIsEqualAndIndependent) {
  Module m;
  Builder b(&m);
  const RegionId region = b.NewRegion();
  b.EndRegion(region);
  OpSpec spec;
  spec.revision = NewestRevision(FindOp("builtin.module"));
  const std::vector<RegionId> regions{region};
  spec.regions = regions;
  m.top = b.AddOp(spec);
  Module copy = m;
  EXPECT_EQ(FirstDifference(m, copy), "");
  copy.strings.Intern("only in the copy");
  m.strings.Intern("only in the original");
  EXPECT_FALSE(m.strings.Find("only in the copy"));
  copy.version = Version{41};
  EXPECT_NE(FirstDifference(m, copy), "");
}

// Texts cannot tell a line without a column from column 0.
TEST(Module, LinesWithoutAColumnDifferUnlessAskedNotTo) {
  const auto at = [](bool range, int64_t line, int64_t column) {
    Module m;
    Builder b(&m);
    const StringId file = m.strings.Intern("model.py");
    OpSpec spec;
    spec.revision = NewestRevision(FindOp("builtin.module"));
    spec.loc = range ? m.Make(FileRangeLoc{.file = file,
                                           .start_line = line,
                                           .start_column = column,
                                           .end_line = line,
                                           .end_column = column})
                     : m.Make(FileLineColLoc{.file = file, .line = line, .column = column});
    spec.loc = m.Make(NameLoc{.name = m.strings.Intern("f"), .child = spec.loc});
    m.top = b.AddOp(spec);
    return m;
  };
  const Module line = at(true, 7, 0);
  const CompareOptions as_text{.columns = false};
  EXPECT_NE(FirstDifference(line, at(false, 7, 0)), "");
  EXPECT_EQ(FirstDifference(line, at(false, 7, 0), as_text), "");
  EXPECT_NE(FirstDifference(line, at(false, 8, 0), as_text), "");
  EXPECT_NE(FirstDifference(line, at(false, 7, 1), as_text), "");
  EXPECT_NE(FirstDifference(at(true, 7, 2), at(false, 7, 2), as_text), "");
}

TEST(Module, ListsOpsAndAnswersForSymbols) {
  Module m;
  Builder builder(&m);
  const auto add = [&](std::string_view name, std::span<const RegionId> regions) {
    return builder.AddOp({.name = m.strings.Intern(name), .regions = regions});
  };
  const RegionId outer = builder.NewRegion();
  builder.BeginBlock(outer, builder.NewBlock());
  const RegionId inner = builder.NewRegion();
  builder.BeginBlock(inner, builder.NewBlock());
  const OpId first = add("my.first", {}), second = add("my.second", {});
  builder.EndBlock();
  builder.EndRegion(inner);
  const OpId around = add("my.around", std::array{inner}), last = add("my.last", {});
  builder.EndBlock();
  builder.EndRegion(outer);
  m.top = add("my.top", std::array{outer});
  EXPECT_EQ(m.BodyOpsOf(m.ops[m.top.v]), (std::vector{around, last}));
  EXPECT_EQ(m.OpsIn(m.top), (std::vector{m.top, around, first, second, last}));
  EXPECT_EQ(m.OpsIn(last), std::vector{last});
  EXPECT_TRUE(m.OpsIn({}).empty());
  EXPECT_EQ(m.VisibilityOf(m.ops[last.v]), "public");
  m.SetAttr(last, "sym_visibility", m.String("private"));
  EXPECT_EQ(m.VisibilityOf(m.ops[last.v]), "private");
}

}  // namespace
}  // namespace shlo
