#include "shlo/convert.h"

#include <gtest/gtest.h>

#include <functional>

#include "ir/module/builder.h"
#include "ir/module/sample.h"
#include "ir/table/attr_class.h"
#include "shlo/compare.h"
#include "shlo/text_reader.h"
#include "shlo/verify.h"

namespace shlo {
namespace {

// A module of one function `main` over some argument types that returns nothing; `fill` adds its ops.
using Fill = std::function<void(Builder&, BlockId)>;

struct Options {
  std::vector<NamedAttr> discardable_attrs;  // of the function
  AttrId loc;                                // of the return
};

Module MakeModule(Version version, const std::function<std::vector<TypeId>(Module&)>& types, const Fill& fill,
                  const std::function<Options(Module&)>& options = {}) {
  Module m;
  m.version = version;
  Builder b(&m);
  const Options o = options ? options(m) : Options();
  const std::vector<TypeId> inputs = types(m);
  const RegionId body = b.NewRegion();
  const BlockId block = b.NewBlock();
  b.BeginBlock(body, block);
  const RegionId region = b.NewRegion();
  const BlockId entry = b.NewBlock();
  for (TypeId type : inputs) b.AddBlockArg(entry, type);
  b.BeginBlock(region, entry);
  fill(b, entry);
  b.AddOp({.revision = NewestRevision(FindOp("func.return")), .loc = o.loc});
  b.EndBlock();
  b.EndRegion(region);
  const RevisionId func = NewestRevision(FindOp("func.func"));
  std::vector<AttrId> inherent_attrs(RevisionOf(func).attrs.size());
  inherent_attrs[size_t(RevisionOf(func).FindSlot("sym_name"))] = m.String("main");
  inherent_attrs[size_t(RevisionOf(func).FindSlot("function_type"))] = m.TypeAttr(m.FunctionType(inputs, {}));
  b.AddOp({.revision = func,
           .inherent_attrs = inherent_attrs,
           .discardable_attrs = o.discardable_attrs,
           .regions = {{region}}});
  b.EndBlock();
  b.EndRegion(body);
  const RevisionId module = NewestRevision(FindOp("builtin.module"));
  const std::vector<AttrId> none(RevisionOf(module).attrs.size());
  m.top = b.AddOp({.revision = module, .inherent_attrs = none, .regions = {{body}}});
  return m;
}

TypeId Tensor(Module& m, TypeKind element) {
  const int64_t dims[] = {2};
  return m.TensorType(dims, m.Type(element));
}

// %r = op %arg0, ..., %arg0 of the argument's type.
void AddUnary(Builder& b, BlockId block, std::string_view op, Version version, size_t operands = 1,
              std::vector<AttrId> inherent_attrs = {}) {
  const ValueId arg = b.module().ArgOf(block, 0);
  const std::vector<ValueId> inputs(operands, arg);
  const std::vector<TypeId> results{b.module().TypeOf(arg)};
  const RevisionId revision = RevisionAt(FindOp(op), version);
  inherent_attrs.resize(RevisionOf(revision).attrs.size());
  b.AddOp({.revision = revision, .operands = inputs, .results = results, .inherent_attrs = inherent_attrs});
}

std::string NameOfFirstOp(const Module& m) { return std::string(m.NameOf(m.ops[1])); }

// The program of the 2022 compatibility talk.
Module TalkProgram() {
  return MakeModule(
      Version{37}, [](Module& m) { return std::vector<TypeId>{Tensor(m, TypeKind::kI1)}; },
      [](Builder& b, BlockId block) { AddUnary(b, block, "stablehlo.sub", Version{37}, 2); },
      [](Module& m) {
        return Options{{{m.strings.Intern("stablehlo.compat_version"), m.I32(37)}}, {}};
      });
}

TEST(ConvertTest, SubBecomesSubtractAndSubAgain) {
  const Module talk = TalkProgram();
  const VerifyOptions as_converted{.strictness = Strictness::kReference};
  ASSERT_FALSE(HasErrors(Verify(talk, as_converted)));
  for (const Version target : {Version{40}, Version{41}, kCurrentVersion}) {
    const auto up = Convert(talk, target);
    ASSERT_TRUE(up);
    EXPECT_EQ(NameOfFirstOp(up->module), "stablehlo.subtract");
    EXPECT_EQ(up->module.version, target);
    // It subtracts booleans, which every reference implementation refuses.
    EXPECT_EQ(HasErrors(Verify(up->module, as_converted)), target >= kFirstRelease);
    ASSERT_EQ(up->steps.size(), 1u);
    EXPECT_EQ(up->steps[0].from, "stablehlo.sub");
    EXPECT_EQ(up->steps[0].to, "vhlo.subtract_v1");
    EXPECT_EQ(up->steps[0].boundary, Version{40});
    EXPECT_EQ(up->steps[0].ops, 1u);
    const auto down = Convert(up->module, Version{38});
    ASSERT_TRUE(down);
    EXPECT_EQ(NameOfFirstOp(down->module), "stablehlo.sub");
    ASSERT_EQ(down->steps.size(), 1u);
    EXPECT_EQ(down->steps[0].from, "vhlo.subtract_v1");
    EXPECT_EQ(down->steps[0].to, "stablehlo.sub");
  }
  const auto near = Convert(talk, Version{38});
  ASSERT_TRUE(near);
  EXPECT_TRUE(near->steps.empty());
  EXPECT_EQ(NameOfFirstOp(near->module), "stablehlo.sub");
  // The source is never touched.
  EXPECT_EQ(FirstDifference(talk, TalkProgram()), "");
}

TEST(ConvertTest, AModuleCanBeUsedUp) {
  for (const Version target : {Version{38}, Version{40}, kCurrentVersion}) {
    Module talk = TalkProgram();
    const auto copied = Convert(talk, target);
    const auto used = Convert(std::move(talk), target);
    ASSERT_TRUE(copied && used);
    EXPECT_EQ(FirstDifference(copied->module, used->module), "");
    EXPECT_EQ(copied->steps.size(), used->steps.size());
  }
  // A module that cannot be converted is unchanged.
  Module talk = TalkProgram();
  ASSERT_FALSE(Convert(std::move(talk), Version{99}));
  EXPECT_EQ(FirstDifference(talk, TalkProgram()), "");  // NOLINT(bugprone-use-after-move)
}

// The version that a function states follows the program, as an i64.
TEST(ConvertTest, StatedVersionFollows) {
  const auto stated = [](const Module& m) {
    for (const Op& op : m.ops)
      if (m.Is(op, FindOp("func.func"))) return m.AttributeOf(op, "stablehlo.compat_version");
    return AttrId();
  };
  const Module talk = TalkProgram();
  auto up = Convert(talk, Version{40});
  ASSERT_TRUE(up);
  EXPECT_EQ(stated(up->module), up->module.I64(40));
  auto down = Convert(up->module, Version{38});
  ASSERT_TRUE(down);
  EXPECT_EQ(stated(down->module), down->module.I64(38));
  auto same = Convert(talk, Version{37});
  ASSERT_TRUE(same);
  EXPECT_EQ(FirstDifference(talk, same->module), "");
}

TEST(ConvertTest, UnknownVersionIsAnError) {
  for (const Version version :
       {Version{}, Version{36}, Version{uint16_t(kCurrentVersion.n + 1)}, Version{65535}}) {
    const auto refused = Convert(TalkProgram(), version);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().front().code, Code::kUnknownVersion);
  }
}

// A newer type is reported with its place, at the function and at each op; the last line names the lowest
// possible target.
TEST(ConvertTest, LateTypeIsNamedWhereverItIs) {
  const Module m = MakeModule(
      kCurrentVersion, [](Module& m) { return std::vector<TypeId>{Tensor(m, TypeKind::kF8E4M3B11FNUZ)}; },
      [](Builder& b, BlockId block) { AddUnary(b, block, "stablehlo.add", kCurrentVersion, 2); });
  EXPECT_EQ(LowestTarget(m), Version{43});
  ASSERT_TRUE(Convert(m, Version{43}));
  const auto refused = Convert(m, Version{42}, {.every_place = true});
  ASSERT_FALSE(refused);
  const Diagnostics& d = refused.error();
  ASSERT_EQ(d.size(), 3u);
  EXPECT_EQ(d[0].op, "func.func");
  EXPECT_EQ(d[1].op, "stablehlo.add");
  for (size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(d[i].severity, Severity::kError);
    EXPECT_EQ(d[i].code, Code::kBlocked);
    EXPECT_EQ(d[i].version, Version{43});
    EXPECT_EQ(d[i].place.function, "main");
    EXPECT_NE(d[i].message.find("'f8E4M3B11FNUZ'"), std::string::npos) << d[i].message;
    EXPECT_NE(d[i].hint.find("0.11.0 (43)"), std::string::npos) << d[i].hint;
  }
  EXPECT_EQ(d[2].severity, Severity::kNote);
  EXPECT_EQ(d[2].version, Version{43});
  EXPECT_EQ(d[2].message, "lowest possible target for this program: 0.11.0 (43)");
}

// A type that a version added blocks older targets, at any nesting depth.
TEST(ConvertTest, LateTypesInsideOtherTypes) {
  const auto lowest = [](const std::function<TypeId(Module&)>& type) {
    return LowestTarget(MakeModule(
                            kCurrentVersion, [&](Module& m) { return std::vector<TypeId>{type(m)}; },
                            [](Builder&, BlockId) {}))
        ->n;
  };
  EXPECT_EQ(lowest([](Module& m) { return Tensor(m, TypeKind::kF32); }), 37);
  EXPECT_EQ(lowest([](Module& m) { return Tensor(m, TypeKind::kF8E5M2FNUZ); }), 42);
  EXPECT_EQ(lowest([](Module& m) { return Tensor(m, TypeKind::kUI2); }), 55);
  EXPECT_EQ(lowest([](Module& m) { return Tensor(m, TypeKind::kTF32); }), 59);
  EXPECT_EQ(lowest([](Module& m) { return Tensor(m, TypeKind::kF8E3M4); }), 60);
  EXPECT_EQ(lowest([](Module& m) { return Tensor(m, TypeKind::kF4E2M1FN); }), 61);
  EXPECT_EQ(lowest([](Module& m) {
              return m.TupleType({{Tensor(m, TypeKind::kF32), Tensor(m, TypeKind::kI2)}});
            }),
            55);
  EXPECT_EQ(lowest([](Module& m) {
              const TypeId held[] = {Tensor(m, TypeKind::kF32)};
              return m.Make(FutureType{.types = held});
            }),
            68);
  EXPECT_EQ(lowest([](Module& m) { return m.IntegerType(3); }), 64);
  // A type in the encoding of a tensor, and one in a type attribute of a dictionary.
  EXPECT_EQ(lowest([](Module& m) {
              const int64_t dims[] = {2};
              return m.TensorType(
                  dims, m.Type(TypeKind::kF32),
                  m.Dict({{m.strings.Intern("a"), m.TypeAttr(m.Type(TypeKind::kF8E8M0FNU))}}));
            }),
            61);
}

// Discardable attributes are checked as well.
TEST(ConvertTest, LateAttributeInADiscardableOne) {
  const Module m = MakeModule(
      kCurrentVersion, [](Module&) { return std::vector<TypeId>(); }, [](Builder&, BlockId) {},
      [](Module& m) {
        const AttrId axis = m.Make(AxisRefAttr{.name = m.strings.Intern("x")});
        return Options{{{m.strings.Intern("test.axes"), m.Array({{axis}})}}, {}};
      });
  const auto refused = Convert(m, Version{68});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().front().op, "func.func");
  EXPECT_EQ(refused.error().front().version, Version{69});
  EXPECT_NE(refused.error().front().message.find("'test.axes'"), std::string::npos);
  EXPECT_NE(refused.error().front().message.find("'stablehlo.axis_ref'"), std::string::npos);
}

// dynamic_conv had an attribute `padding` up to 0.19.0, which must be zero to go up.
Module DynamicConv(std::vector<int64_t> padding, bool splat = false) {
  return MakeModule(
      Version{51}, [](Module& m) { return std::vector<TypeId>{Tensor(m, TypeKind::kF32)}; },
      [&](Builder& b, BlockId block) {
        Module& m = b.module();
        const OpRevision& revision = RevisionOf(RevisionAt(FindOp("stablehlo.dynamic_conv"), Version{51}));
        std::vector<AttrId> inherent_attrs;
        for (const Cell& cell : revision.attrs) {
          AttrId value;
          if (cell.attr_default() == Default::kRequired)
            value = cell.attr_class() == AttrClass::kI64s ? m.I64s({}) : m.I64(1);
          if (cell.name == "padding" && splat) {
            const int64_t dims[] = {1'000'000'000, 2};
            value = m.Elements(m.TensorType(dims, m.Type(TypeKind::kI64)),
                               m.payloads.AddCopy(std::string(8, '\0')), true);
          } else if (cell.name == "padding" && !padding.empty()) {
            const int64_t dims[] = {int64_t(padding.size() / 2), 2};
            value = m.I64Elements(dims, padding);
          }
          inherent_attrs.push_back(value);
        }
        AddUnary(b, block, "stablehlo.dynamic_conv", Version{51}, 3, inherent_attrs);
      });
}

TEST(ConvertTest, DynamicConvWithPaddingCannotGoUp) {
  for (const Module& m : {DynamicConv({}), DynamicConv({0, 0, 0, 0}), DynamicConv({}, true)}) {
    const auto up = Convert(m, Version{52});
    ASSERT_TRUE(up);
    EXPECT_FALSE(HasErrors(Verify(up->module, {.strictness = Strictness::kLenient})));
    const auto down = Convert(up->module, Version{51});
    ASSERT_TRUE(down);
    EXPECT_EQ(FirstDifference(DynamicConv({}), down->module), "");
  }
  const Module padded = DynamicConv({0, 0, 0, 1});
  ASSERT_TRUE(Convert(padded, Version{37}));
  const auto refused = Convert(padded, kCurrentVersion);
  ASSERT_FALSE(refused);
  ASSERT_EQ(refused.error().size(), 2u);
  EXPECT_EQ(refused.error()[0].message, "attribute 'padding' is not zero");
  EXPECT_EQ(refused.error()[0].version, Version{51});
  EXPECT_EQ(refused.error()[1].message, "highest possible target for this program: 0.19.0 (51)");
}

Module OtherDialects(Version version) {
  return MakeModule(
      version, [](Module& m) { return std::vector<TypeId>{Tensor(m, TypeKind::kI32)}; },
      [](Builder& b, BlockId block) { AddUnary(b, block, "arith.addi", kCurrentVersion, 2); });
}

TEST(ConvertTest, OtherDialectsLiveInThePrototypeAndFrom1_11) {
  const Module m = OtherDialects(kCurrentVersion);
  EXPECT_EQ(LowestTarget(m), Version{64});
  for (uint16_t n = kMinimumVersion.n; n <= kCurrentVersion.n; ++n)
    EXPECT_EQ(bool(Convert(m, Version{n})), n <= 40 || n >= 64) << n;
  EXPECT_TRUE(Convert(OtherDialects(Version{37}), kCurrentVersion));
  const auto refused = Convert(m, Version{63});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().front().op, "arith.addi");
  EXPECT_EQ(refused.error().front().version, Version{64});
  ConvertOptions allow;
  allow.allow_other_dialects = true;
  EXPECT_TRUE(Convert(m, Version{50}, allow));
  EXPECT_EQ(LowestTarget(m, allow), kMinimumVersion);
}

// The result of a conversion verifies, whatever the dialect of its ops.
TEST(ConvertTest, OtherDialectsVerifyWhereTheyAreAllowed) {
  ConvertOptions allow;
  allow.allow_other_dialects = true;
  size_t conversions = 0;
  for (uint16_t r = 1; r < OpRows().size(); ++r) {
    const OpRow& row = RowOf(RowId{r});
    if (row.vhlo) continue;
    const Module m = MakeSample(RowId{r}, kCurrentVersion, {});
    for (const Version target : {Version{37}, Version{50}, Version{63}}) {
      const auto converted = Convert(m, target, allow);
      if (!converted) continue;
      ++conversions;
      for (const Diagnostic& d : Verify(converted->module, {.strictness = Strictness::kLenient}))
        EXPECT_NE(d.severity, Severity::kError) << row.name << " at " << target.n << ": " << Render(d);
    }
  }
  EXPECT_GT(conversions, 100u);
}

TEST(ConvertTest, OpsWithoutARowComeWith1_11) {
  const Module m = MakeModule(
      kCurrentVersion, [](Module& m) { return std::vector<TypeId>{Tensor(m, TypeKind::kI32)}; },
      [](Builder& b, BlockId) { b.AddOp({.name = b.module().strings.Intern("my.op")}); });
  EXPECT_EQ(LowestTarget(m), Version{64});
  const auto refused = Convert(m, Version{40});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().front().op, "my.op");
  ConvertOptions allow;
  allow.allow_other_dialects = true;
  EXPECT_EQ(LowestTarget(m, allow), kMinimumVersion);
}

// Locations are not part of the meaning: newer kinds become older ones, with one warning for all of them.
TEST(ConvertTest, LateLocationsAreRewritten) {
  const Module m = MakeModule(
      kCurrentVersion, [](Module&) { return std::vector<TypeId>(); }, [](Builder&, BlockId) {},
      [](Module& m) {
        const AttrId file = m.Make(FileRangeLoc{.file = m.strings.Intern("model.py"),
                                                .start_line = 3,
                                                .start_column = 7,
                                                .end_line = 4,
                                                .end_column = 2});
        const AttrId named = m.Make(NameLoc{.name = m.strings.Intern("layer"), .child = file});
        const AttrId parts[] = {named, file};
        return Options{{}, m.Make(FusedLoc{.locations = parts})};
      });
  EXPECT_EQ(LowestTarget(m), kMinimumVersion);
  const auto kept = Convert(m, Version{62});
  ASSERT_TRUE(kept);
  EXPECT_TRUE(kept->warnings.empty());
  EXPECT_EQ(FirstDifference(m, kept->module, {.version = false}), "");
  const auto lowered = Convert(m, Version{61});
  ASSERT_TRUE(lowered);
  ASSERT_EQ(lowered->warnings.size(), 1u);
  EXPECT_EQ(lowered->warnings[0].severity, Severity::kWarning);
  EXPECT_EQ(lowered->warnings[0].code, Code::kBlocked);
  EXPECT_EQ(lowered->warnings[0].version, Version{62});
  EXPECT_EQ(lowered->warnings[0].message,
            "version 1.8.0 (61) has no file ranges: 1 location became its start");
  EXPECT_EQ(lowered->warnings[0].hint, "pass --strip-debuginfo to leave locations out");
  const Module& l = lowered->module;
  const AttrId loc = l.ops[1].loc;
  const auto fused = l.As<FusedLoc>(loc);
  ASSERT_TRUE(fused);
  EXPECT_FALSE(fused->metadata);
  ASSERT_EQ(fused->locations.size(), 2u);
  EXPECT_EQ(l.attrs.KindOf(fused->locations[0]), AttrKind::kNameLoc);
  const auto file = l.As<FileLineColLoc>(fused->locations[1]);
  ASSERT_TRUE(file);
  EXPECT_EQ(l.strings[file->file], "model.py");
  EXPECT_EQ(file->line, 3);
  EXPECT_EQ(file->column, 7);
}

// Every op is listed, up to the limit; then a note counts the rest.
// An op that may have several results in the newer version, of which this one has two of one operand.
TEST(ConvertTest, SeveralResultsCannotGoDown) {
  const Module m = MakeModule(
      kCurrentVersion, [](Module& m) { return std::vector<TypeId>{Tensor(m, TypeKind::kF32)}; },
      [](Builder& b, BlockId block) {
        const ValueId arg = b.module().ArgOf(block, 0);
        const RevisionId revision = RevisionAt(FindOp("stablehlo.all_gather"), kCurrentVersion);
        const TypeId type = b.module().TypeOf(arg);
        const std::vector<AttrId> none(RevisionOf(revision).attrs.size());
        b.AddOp(
            {.revision = revision, .operands = {{arg}}, .results = {{type, type}}, .inherent_attrs = none});
      });
  bool found = false;
  for (const Diagnostic& d : Blockers(m, Version{40}))
    if (d.op == "stablehlo.all_gather" && d.message == "has 2 results, but the target allows 1") {
      EXPECT_NE(d.hint.find("split the op into one per result"), std::string::npos) << d.hint;
      found = true;
    }
  EXPECT_TRUE(found);
}

// A type is one cause whatever ops have it, and a value of an attribute, too; each op name is another cause.
TEST(ConvertTest, BlockersOfOneCauseAreOne) {
  const auto module = ReadText(R"(func.func @main(%a: tensor<4xf4E2M1FN>, %b: tensor<4xf32>) {
  %0 = stablehlo.abs %a : tensor<4xf4E2M1FN>
  %1 = stablehlo.negate %0 : tensor<4xf4E2M1FN>
  %2 = stablehlo.convert %1 : (tensor<4xf4E2M1FN>) -> tensor<4xf6E2M3FN>
  %3 = stablehlo.tan %b : tensor<4xf32>
  %4 = stablehlo.tan %3 : tensor<4xf32>
  return
})",
                               nullptr);
  ASSERT_TRUE(module) << Render(module.error()[0]);
  std::vector<std::string> found;
  for (const Diagnostic& d : Blockers(*module, Version{56}))
    found.push_back(d.op + " " + std::to_string(d.count));
  EXPECT_EQ(found, (std::vector<std::string>{"func.func 4", "stablehlo.convert 1", "stablehlo.tan 2"}));
  EXPECT_EQ(Blockers(*module, Version{56}, {.every_place = true}).size(), 7u);
}

// The reference converts an artifact by way of StableHLO, which has no attribute that says what its absence
// says.
TEST(ConvertTest, ArtifactsLoseWhatAbsenceSays) {
  const auto module = ReadText(R"(func.func @main(%a: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.composite "a.b" %a {decomposition = @d, version = 0 : i32} : (tensor<f32>) -> tensor<f32>
  %1 = stablehlo.composite "a.b" %0 {decomposition = @d, version = 3 : i32} : (tensor<f32>) -> tensor<f32>
  return %1 : tensor<f32>
}
func.func private @d(%a: tensor<f32>) -> tensor<f32> {
  return %a : tensor<f32>
})",
                               nullptr);
  ASSERT_TRUE(module) << Render(module.error()[0]);
  const auto versions = [&](bool portable, Version target) {
    Source source;
    source.portable = portable;
    const auto converted = Convert(*module, target, {.source = &source});
    std::string text;
    for (uint32_t i = 1; converted && i < converted->module.ops.size(); ++i) {
      const Op& op = converted->module.ops[i];
      if (converted->module.NameOf(op) != "stablehlo.composite") continue;
      int64_t number = -1;
      converted->module.AsInteger(converted->module.InherentAttrOf(op, "version"), &number);
      text += std::to_string(number) + " ";
    }
    return text;
  };
  EXPECT_EQ(versions(true, Version{66}), "-1 3 ");
  EXPECT_EQ(versions(false, Version{66}), "0 3 ");
  // An artifact that is only copied keeps its bytes.
  EXPECT_EQ(versions(true, module->version), "0 3 ");
}

TEST(ConvertTest, BlockersAreCapped) {
  const Module m = MakeModule(
      kCurrentVersion, [](Module& m) { return std::vector<TypeId>{Tensor(m, TypeKind::kF32)}; },
      [](Builder& b, BlockId block) {
        for (int i = 0; i < 10; ++i) AddUnary(b, block, "stablehlo.tan", kCurrentVersion);
      });
  // One blocker for a cause, which counts its places.
  const Diagnostics causes = Blockers(m, Version{56});
  ASSERT_EQ(causes.size(), 1u);
  EXPECT_EQ(causes[0].count, 10u);
  EXPECT_NE(Render(causes[0]).find("does not exist in version 1.3.0 (10 times)"), std::string::npos)
      << Render(causes[0]);
  ConvertOptions few;
  few.every_place = true;
  EXPECT_EQ(Blockers(m, Version{56}, few).size(), 10u);
  few.max_blockers = 4;
  const Diagnostics capped = Blockers(m, Version{56}, few);
  ASSERT_EQ(capped.size(), 5u);
  EXPECT_EQ(capped.back().severity, Severity::kNote);
  EXPECT_EQ(capped.back().message, "6 more blockers not listed");
  EXPECT_TRUE(Blockers(m, Version{57}).empty());
}

}  // namespace
}  // namespace shlo
