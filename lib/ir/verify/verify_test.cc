#include "shlo/verify.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/test_stack.h"
#include "ir/module/builder.h"
#include "shlo/compare.h"

namespace shlo {
namespace {

// A module with one function @f(i32 tensor) -> i32 tensor, whose body a test fills in.
class VerifyTest : public ::testing::Test {
 protected:
  VerifyTest() : b_(&m_) {
    i32_ = m_.TensorType({}, m_.Type(TypeKind::kI32));
    f32_ = m_.TensorType({}, m_.Type(TypeKind::kF32));
    module_region_ = b_.NewRegion();
    b_.BeginBlock(module_region_, b_.NewBlock());
    body_ = b_.NewRegion();
    entry_ = b_.NewBlock();
    arg_ = b_.AddBlockArg(entry_, i32_);
    b_.BeginBlock(body_, entry_);
  }

  OpId Op(std::string_view name, std::vector<ValueId> operands, std::vector<TypeId> results,
          std::vector<RegionId> regions = {}, std::vector<BlockId> successors = {}) {
    OpSpec spec;
    spec.revision = RevisionAt(FindOp(name), m_.version);
    if (!spec.revision) spec.revision = NewestRevision(FindOp(name));
    if (!spec.revision) spec.name = m_.strings.Intern(name);
    spec.operands = operands;
    spec.results = results;
    spec.regions = regions;
    spec.successors = successors;
    return b_.AddOp(spec);
  }
  ValueId Result(OpId op, uint32_t i = 0) { return ValueId(m_.ops[op.v].first_result + i); }
  void Return(ValueId v) { Op("func.return", {v}, {}); }

  // Closes the function and the module; returns the findings.
  Diagnostics Finish(std::vector<TypeId> inputs, std::vector<TypeId> results, std::string_view name = "f") {
    if (in_body_) {
      b_.EndBlock();
      b_.EndRegion(body_);
    }
    Function(name, inputs, results, {body_});
    return Close();
  }
  void Function(std::string_view name, std::vector<TypeId> inputs, std::vector<TypeId> results,
                std::vector<RegionId> regions) {
    OpSpec spec;
    spec.revision = NewestRevision(FindOp("func.func"));
    const std::vector<AttrId> inherent_attrs{
        m_.String(name), m_.TypeAttr(m_.FunctionType(inputs, results)), {}, {}, {}};
    spec.inherent_attrs = inherent_attrs;
    spec.regions = regions;
    b_.AddOp(spec);
  }
  Diagnostics Close(const VerifyOptions& options = {}) {
    b_.EndBlock();
    b_.EndRegion(module_region_);
    OpSpec spec;
    spec.revision = NewestRevision(FindOp("builtin.module"));
    const std::vector<RegionId> regions{module_region_};
    spec.regions = regions;
    m_.top = b_.AddOp(spec);
    return Verify(m_, options);
  }
  static bool Says(const Diagnostics& findings, std::string_view text) {
    return std::ranges::any_of(
        findings, [&](const Diagnostic& d) { return d.message.find(text) != std::string::npos; });
  }

  Module m_;
  Builder b_;
  TypeId i32_, f32_;
  RegionId module_region_, body_;
  BlockId entry_;
  ValueId arg_;
  bool in_body_ = true;
};

TEST_F(VerifyTest, AProgramThatVerifies) {
  const OpId add = Op("stablehlo.add", {arg_, arg_}, {i32_});
  Return(Result(add));
  EXPECT_TRUE(Finish({i32_}, {i32_}).empty());
}

TEST_F(VerifyTest, EveryErrorIsFound) {
  Op("stablehlo.add", {arg_}, {i32_});
  Op("stablehlo.reshape", {arg_, arg_}, {i32_});
  Op("stablehlo.iota", {}, {i32_});
  Return(arg_);
  const Diagnostics findings = Finish({i32_}, {i32_});
  EXPECT_TRUE(Says(findings, "'stablehlo.add' op expected 2 operands, but found 1"));
  EXPECT_TRUE(Says(findings, "'stablehlo.reshape' op requires a single operand"));
  EXPECT_TRUE(Says(findings, "requires attribute 'iota_dimension'"));
  EXPECT_EQ(findings.size(), 3u);
}

TEST_F(VerifyTest, UseBeforeDefinition) {
  const OpId first = Op("stablehlo.negate", {arg_}, {i32_});
  const OpId second = Op("stablehlo.negate", {arg_}, {i32_});
  ModuleLists(&m_).operands[m_.ops[first.v].first_operand] = Result(second);
  Return(arg_);
  EXPECT_TRUE(Says(Finish({i32_}, {i32_}), "operand #0 does not dominate this use"));
}

TEST_F(VerifyTest, ValuesOfARegionEndWithIt) {
  const RegionId region = b_.NewRegion();
  b_.BeginBlock(region, b_.NewBlock());
  const OpId inner = Op("stablehlo.negate", {arg_}, {i32_});
  Op("stablehlo.return", {Result(inner)}, {});
  b_.EndBlock();
  b_.EndRegion(region);
  Op("stablehlo.case", {arg_}, {i32_}, {region});
  Return(Result(inner));
  EXPECT_TRUE(Says(Finish({i32_}, {i32_}), "operand #0 does not dominate this use"));
}

TEST_F(VerifyTest, IsolatedRegionsDoNotSeeOutside) {
  const RegionId region = b_.NewRegion();
  b_.BeginBlock(region, b_.NewBlock());
  Op("stablehlo.return", {arg_}, {});
  b_.EndBlock();
  b_.EndRegion(region);
  Op("stablehlo.async_start", {arg_}, {i32_}, {region});
  Return(arg_);
  EXPECT_TRUE(Says(Finish({i32_}, {i32_}), "using value defined outside the region"));
}

TEST_F(VerifyTest, DominanceAcrossBlocks) {
  // entry -> left | right -> join; join may use entry's values, not left's.
  const BlockId left = b_.NewBlock(), right = b_.NewBlock(), join = b_.NewBlock();
  const OpId from_entry = Op("stablehlo.negate", {arg_}, {i32_});
  Op("x.choose", {}, {}, {}, {left, right});
  b_.EndBlock();
  b_.BeginBlock(body_, left);
  const OpId from_left = Op("stablehlo.negate", {Result(from_entry)}, {i32_});
  Op("cf.br", {}, {}, {}, {join});
  b_.EndBlock();
  b_.BeginBlock(body_, right);
  Op("cf.br", {}, {}, {}, {join});
  b_.EndBlock();
  b_.BeginBlock(body_, join);
  Op("stablehlo.add", {Result(from_entry), Result(from_left)}, {i32_});
  Return(arg_);
  const Diagnostics findings = Finish({i32_}, {i32_});
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_NE(findings[0].message.find("operand #1"), std::string::npos);
}

TEST_F(VerifyTest, Terminators) {
  Return(arg_);
  Op("stablehlo.negate", {arg_}, {i32_});
  const Diagnostics findings = Finish({i32_}, {i32_});
  EXPECT_TRUE(Says(findings, "must be the last operation in the parent block"));
  EXPECT_TRUE(Says(findings, "block with no terminator, has 'stablehlo.negate'"));
}

TEST_F(VerifyTest, FunctionTypes) {
  Return(arg_);
  const Diagnostics findings = Finish({f32_}, {f32_});
  EXPECT_TRUE(Says(findings, "type of entry block argument #0('tensor<i32>') must match"));
  EXPECT_TRUE(Says(findings,
                   "type of return operand 0 ('tensor<i32>') doesn't match function result type "
                   "('tensor<f32>') in function @f"));
}

TEST_F(VerifyTest, SymbolsAreUniqueAndFound) {
  OpSpec call;
  call.revision = NewestRevision(FindOp("func.call"));
  const std::vector<AttrId> inherent_attrs{m_.Symbol("nowhere")};
  call.inherent_attrs = inherent_attrs;
  b_.AddOp(call);
  Return(arg_);
  b_.EndBlock();
  b_.EndRegion(body_);
  in_body_ = false;
  const RegionId none = b_.NewRegion();
  b_.EndRegion(none);
  Function("f", {i32_}, {i32_}, {none});
  const Diagnostics findings = Finish({i32_}, {i32_});
  EXPECT_TRUE(Says(findings, "'func.call' op 'nowhere' does not reference a valid function"));
  EXPECT_TRUE(Says(findings, "redefinition of symbol named 'f'"));
}

TEST_F(VerifyTest, BranchesStayInTheirRegion) {
  // The region of an op without a row may be a graph: its blocks are checked on a separate path.
  for (const char* const parent : {"stablehlo.case", "foo.graph"}) {
    const RegionId region = b_.NewRegion();
    b_.BeginBlock(region, b_.NewBlock());
    Op("cf.br", {}, {}, {}, {entry_});
    b_.EndBlock();
    b_.EndRegion(region);
    Op(parent, {arg_}, {i32_}, {region});
  }
  Return(arg_);
  const Diagnostics findings = Finish({i32_}, {i32_});
  const std::string message = "branching to block of a different region";
  EXPECT_EQ(std::ranges::count(findings, message, &Diagnostic::message), 2);
  ASSERT_FALSE(findings.empty());
  EXPECT_EQ(findings[0].op, "cf.br");
  EXPECT_EQ(findings[0].message, message);
}

TEST_F(VerifyTest, NestingHasALimit) {
  RegionId inner;
  for (int depth = 0; depth < 2001; ++depth) {
    const RegionId region = b_.NewRegion();
    b_.BeginBlock(region, b_.NewBlock());
    if (inner) Op("foo.nest", {}, {}, {inner});
    b_.EndBlock();
    b_.EndRegion(region);
    inner = region;
  }
  Op("foo.nest", {}, {}, {inner});
  Return(arg_);
  OnOwnStack([&] {
    const Diagnostics findings = Finish({i32_}, {i32_});
    ASSERT_FALSE(findings.empty());
    EXPECT_EQ(findings[0].op, "foo.nest");
    EXPECT_EQ(findings[0].message, "region nesting exceeds the limit of 2000");
    EXPECT_EQ(findings[0].code, Code::kLimit);
    EXPECT_EQ(FirstDifference(m_, m_), "'foo.nest' in @f: region nesting exceeds the limit of 2000");
  });
}

TEST_F(VerifyTest, OpsOfOtherVersions) {
  m_.version = Version{41};
  Op("stablehlo.tan", {arg_}, {i32_});
  Return(arg_);
  const Diagnostics findings = Finish({i32_}, {i32_});
  ASSERT_TRUE(HasErrors(findings));
  EXPECT_TRUE(Says(findings, "does not exist in version 0.9.0 (41)"));
}

TEST_F(VerifyTest, SubtractOfBooleansViolatesAConstraint) {
  const TypeId i1 = m_.TensorType({}, m_.Type(TypeKind::kI1));
  const BlockId entry = entry_;
  m_.values[arg_.v].type = i1;
  (void)entry;
  const OpId sub = Op("stablehlo.subtract", {arg_, arg_}, {i1});
  Return(Result(sub));
  const Diagnostics findings = Finish({i1}, {i1});
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].severity, Severity::kError);
  EXPECT_EQ(findings[0].code, Code::kConstraint);
  EXPECT_TRUE(HasErrors(Verify(m_, {.strictness = Strictness::kReference})));
  EXPECT_EQ(Verify(m_, {.strictness = Strictness::kLenient})[0].severity, Severity::kWarning);
  // The prototype had no reference that would have refused it; every release has.
  m_.version = kFirstRelease;
  EXPECT_TRUE(HasErrors(Verify(m_, {.strictness = Strictness::kReference})));
  m_.version = Version{uint16_t(kFirstRelease.n - 1)};
  EXPECT_TRUE(HasErrors(Verify(m_)));
  EXPECT_FALSE(HasErrors(Verify(m_, {.strictness = Strictness::kReference})));
}

TEST_F(VerifyTest, ReductionsPromoteFromVersion49) {
  m_.version = Version{48};
  const RegionId region = b_.NewRegion();
  const BlockId block = b_.NewBlock();
  const ValueId x = b_.AddBlockArg(block, f32_);
  b_.AddBlockArg(block, f32_);
  b_.BeginBlock(region, block);
  Op("stablehlo.return", {x}, {});
  b_.EndBlock();
  b_.EndRegion(region);
  OpSpec spec;
  spec.revision = RevisionAt(FindOp("stablehlo.reduce"), m_.version);
  const std::vector<ValueId> operands{arg_, arg_};
  const std::vector<TypeId> results{f32_};
  const std::vector<AttrId> inherent_attrs{m_.I64s({})};
  const std::vector<RegionId> regions{region};
  spec.operands = operands;
  spec.results = results;
  spec.inherent_attrs = inherent_attrs;
  spec.regions = regions;
  b_.AddOp(spec);
  Return(arg_);
  EXPECT_TRUE(Says(Finish({i32_}, {i32_}), "same element types"));
  m_.version = Version{49};
  EXPECT_FALSE(HasErrors(Verify(m_, {.strictness = Strictness::kLenient})));
}

// Ops like one without findings are not checked again, if nothing else matters.
TEST_F(VerifyTest, ValuesOfConstantsMatterForEachOp) {
  const TypeId pair = m_.TensorType({{2}}, m_.Type(TypeKind::kI32));
  const TypeId row = m_.TensorType({{1, 2}}, m_.Type(TypeKind::kI32));
  const auto reshape = [&](const std::vector<int32_t>& shape) {
    OpSpec spec;
    spec.revision = NewestRevision(FindOp("stablehlo.constant"));
    const std::vector<TypeId> types{pair};
    spec.results = types;
    const std::string bytes(reinterpret_cast<const char*>(shape.data()), shape.size() * sizeof(int32_t));
    const std::vector<AttrId> value{m_.Elements(pair, m_.payloads.AddCopy(bytes), /*splat=*/false)};
    spec.inherent_attrs = value;
    const ValueId constant = Result(b_.AddOp(spec));
    Op("stablehlo.dynamic_reshape", {constant, constant}, {row});
  };
  reshape({1, 2});
  reshape({1, 2});
  reshape({1, 3});
  Return(arg_);
  const Diagnostics findings = Finish({i32_}, {i32_});
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].message,
            "output shape [1, 3] is incompatible with return type of operation 'tensor<1x2xi32>'");
}

TEST_F(VerifyTest, EveryLikeOpWithAFindingIsReported) {
  for (int i = 0; i < 3; ++i) {
    Op("stablehlo.add", {arg_, arg_}, {i32_});
    Op("stablehlo.add", {arg_, arg_}, {f32_});
  }
  Return(arg_);
  EXPECT_EQ(Finish({i32_}, {i32_}).size(), 3u);
}

TEST_F(VerifyTest, FindingsAreCapped) {
  for (int i = 0; i < 20; ++i) Op("stablehlo.add", {arg_}, {i32_});
  Return(arg_);
  Finish({i32_}, {i32_});
  const Diagnostics findings = Verify(m_, {.max_diagnostics = 5});
  ASSERT_EQ(findings.size(), 6u);
  EXPECT_EQ(findings.back().severity, Severity::kNote);
  EXPECT_NE(findings.back().message.find("15 more"), std::string::npos);
}

TEST(Verify, AnEmptyModuleIsAFindingNotACrash) { EXPECT_TRUE(HasErrors(Verify(Module()))); }

}  // namespace
}  // namespace shlo
