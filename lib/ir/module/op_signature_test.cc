#include "shlo/op_signature.h"

#include <gtest/gtest.h>

#include <vector>

#include "ir/module/broken_signature.h"
#include "ir/module/builder.h"
#include "ir/module/sample.h"
#include "ir/table/ops.h"
#include "shlo/module.h"

namespace shlo {
namespace {

class OpSignatures : public testing::Test {
 protected:
  OpSignatures() {
    region_ = b_.NewRegion();
    block_ = b_.NewBlock();
    arg_ = b_.AddBlockArg(block_, f32_);
    b_.BeginBlock(region_, block_);
  }
  OpId Add(ValueId lhs, ValueId rhs, std::span<const NamedAttr> attrs = {}) {
    const ValueId operands[] = {lhs, rhs};
    return b_.AddOp({.revision = NewestRevision(ops::kAdd),
                     .operands = operands,
                     .results = {&f32_, 1},
                     .discardable_attrs = attrs});
  }
  SignatureId Of(OpId op) const { return m_.ops[op.v].signature; }

  Module m_;
  Builder b_{&m_};
  TypeId f32_ = m_.Type(TypeKind::kF32), f64_ = m_.Type(TypeKind::kF64);
  RegionId region_;
  BlockId block_;
  ValueId arg_;
};

TEST_F(OpSignatures, OpsThatStateTheSameShareOne) {
  const OpId a = Add(arg_, arg_), b = Add(m_.ResultOf(m_.ops[a.v], 0), arg_);
  EXPECT_EQ(Of(a), Of(b));
  const NamedAttr attrs[] = {{m_.strings.Intern("x.b"), m_.Unit()}, {m_.strings.Intern("x.a"), m_.Unit()}};
  const NamedAttr reversed[] = {attrs[1], attrs[0]};
  const OpId c = Add(arg_, arg_, attrs);
  EXPECT_NE(Of(a), Of(c));
  EXPECT_EQ(Of(c), Of(Add(arg_, arg_, reversed)));
  EXPECT_EQ(m_.strings[m_.DiscardableAttrsOf(m_.ops[c.v])[0].name], "x.a");
}

// Lists of different kinds with the same words in total.
TEST_F(OpSignatures, ListsAreToldApart) {
  const auto intern = [&](std::vector<TypeId> operands, std::vector<TypeId> results,
                          std::vector<NamedAttr> attrs) {
    return m_.signatures.Intern({.revision = {},
                                 .name = m_.strings.Intern("x.y"),
                                 .inherent_attrs = {},
                                 .discardable_attrs = attrs,
                                 .operand_types = operands,
                                 .result_types = results});
  };
  const NamedAttr like_types{StringId(f32_.v), AttrId(f32_.v)};
  const SignatureId ids[] = {intern({f32_, f32_}, {}, {}), intern({f32_}, {f32_}, {}),
                             intern({}, {f32_, f32_}, {}), intern({}, {}, {like_types})};
  for (size_t i = 0; i < std::size(ids); ++i)
    for (size_t k = 0; k < i; ++k) EXPECT_NE(ids[i], ids[k]) << i << " " << k;
  EXPECT_EQ(m_.signatures[ids[1]].operand_types.size(), 1u);
  EXPECT_EQ(m_.signatures[ids[3]].discardable_attrs[0], like_types);
}

TEST_F(OpSignatures, AttributesThatAreNotListedAreAbsent) {
  const RevisionId revision = NewestRevision(ops::kAllGather);
  const std::vector<AttrId> absent(RevisionOf(revision).attrs.size());
  ASSERT_FALSE(absent.empty());
  const auto intern = [&](std::span<const AttrId> attrs) {
    return m_.signatures.Intern({.revision = revision,
                                 .name = {},
                                 .inherent_attrs = attrs,
                                 .discardable_attrs = {},
                                 .operand_types = {},
                                 .result_types = {}});
  };
  EXPECT_EQ(intern({}), intern(absent));
  EXPECT_EQ(m_.signatures[intern({})].inherent_attrs.size(), absent.size());
}

TEST_F(OpSignatures, MoreWordsThanFew) {
  std::vector<ValueId> operands(100, arg_);
  const auto add = [&] {
    return b_.AddOp({.name = m_.strings.Intern("x.y"), .operands = operands, .results = {&f32_, 1}});
  };
  const OpId a = add(), b = add();
  EXPECT_EQ(Of(a), Of(b));
  operands.pop_back();
  EXPECT_NE(Of(a), Of(add()));
  EXPECT_EQ(m_.OperandsOf(m_.ops[a.v]).size(), 100u);
}

TEST_F(OpSignatures, AChangeIsOfOneOp) {
  const OpId a = Add(arg_, arg_), b = Add(arg_, arg_);
  m_.SetDiscardableAttrs(b, {{m_.strings.Intern("x.y"), m_.Unit()}});
  EXPECT_NE(Of(a), Of(b));
  EXPECT_TRUE(m_.DiscardableAttrsOf(m_.ops[a.v]).empty());
  m_.SetDiscardableAttrs(b, {});
  EXPECT_EQ(Of(a), Of(b));
  m_.EditSignature(b, [&](EditedSignature& s) { s.result_types[0] = f64_; });
  EXPECT_EQ(m_.TypeOf(m_.ResultOf(m_.ops[b.v], 0)), f64_);
  EXPECT_EQ(m_.TypeOf(m_.ResultOf(m_.ops[a.v], 0)), f32_);
}

TEST_F(OpSignatures, TypesOfValuesThatChangeMakeAnother) {
  const OpId a = Add(arg_, arg_), b = Add(m_.ResultOf(m_.ops[a.v], 0), arg_);
  m_.EditSignature(a, [&](EditedSignature& s) { s.result_types[0] = f64_; });
  EXPECT_EQ(BrokenSignature(m_), b);
  UpdateTypes(&m_, b);
  EXPECT_FALSE(BrokenSignature(m_));
  EXPECT_EQ(m_.SignatureOf(m_.ops[b.v]).operand_types[0], f64_);
}

TEST_F(OpSignatures, RewrittenOnesThatBecomeEqualAreOne) {
  const NamedAttr attr[] = {{m_.strings.Intern("x.y"), m_.Unit()}};
  const OpId a = Add(arg_, arg_), b = Add(arg_, arg_, attr), c = Add(arg_, arg_);
  size_t calls = 0;
  m_.RewriteSignatures([&](SignatureId, EditedSignature* s) {
    ++calls;
    s->discardable_attrs.clear();
  });
  EXPECT_EQ(calls, 2u);
  EXPECT_EQ(m_.signatures.size(), 2u);
  EXPECT_EQ(Of(a), Of(b));
  EXPECT_EQ(Of(a), Of(c));
  EXPECT_EQ(Of(a), Of(Add(arg_, arg_)));
}

// Every op of every version, with all that its row allows.
TEST(OpSignaturesOfSamples, StateTheTypesOfValues) {
  for (uint16_t r = 1; r < OpRows().size(); ++r)
    for (uint16_t n = kMinimumVersion.n; n <= kCurrentVersion.n; ++n)
      for (const SampleVariant& variant : SampleVariants(RowId{r}, Version{n}))
        EXPECT_FALSE(BrokenSignature(MakeSample(RowId{r}, Version{n}, variant)))
            << SampleName(RowId{r}, Version{n}, variant);
}

}  // namespace
}  // namespace shlo
