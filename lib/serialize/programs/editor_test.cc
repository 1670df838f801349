#include "shlo/editor.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>

#include "ir/module/broken_signature.h"
#include "ir/table/ops.h"
#include "shlo/compare.h"
#include "shlo/text_reader.h"
#include "shlo/text_writer.h"
#include "shlo/verify.h"

namespace shlo {
namespace {

Module Parsed(std::string_view text) {
  auto module = ReadText(text, nullptr);
  EXPECT_TRUE(module) << Render(module.error()[0]);
  return module ? std::move(*module) : Module();
}

constexpr std::string_view kProgram = R"(
func.func @main(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.add %a, %b : tensor<f32>
  %1 = stablehlo.multiply %0, %0 : tensor<f32>
  %2 = "stablehlo.case"(%c) ({
    %3 = stablehlo.negate %1 : tensor<f32>
    stablehlo.return %3 : tensor<f32>
  }, {
    stablehlo.return %0 : tensor<f32>
  }) : (tensor<i32>) -> tensor<f32>
  %c = stablehlo.constant dense<1> : tensor<i32>
  %4 = call @side(%2) : (tensor<f32>) -> tensor<f32>
  return %4 : tensor<f32>
}
func.func private @side(%a: tensor<f32>) -> tensor<f32> {
  return %a : tensor<f32>
}
)";

class Editor : public testing::Test {
 protected:
  void Begin(std::string_view text) { editor_.emplace(Parsed(text)); }
  // The n-th op of a name.
  OpId Find(std::string_view name, int n = 0) const {
    for (const OpId op : editor_->Ops())
      if (editor_->module().NameOf((*editor_)[op]) == name && n-- == 0) return op;
    ADD_FAILURE() << name;
    return {};
  }
  ValueId Result(OpId op) const { return editor_->module().ResultOf((*editor_)[op], 0); }
  Module& module() { return editor_->module(); }
  TypeId F64() { return module().TensorType({}, module().Type(TypeKind::kF64)); }

  // Compares the result with a program.
  void Expect(std::string_view text) {
    const Module made = std::move(*editor_).Finish();
    EXPECT_EQ(BrokenSignature(made), OpId());
    const Module expected = Parsed(text);
    EXPECT_EQ(FirstDifference(expected, made), "") << *WriteText(made);
    // Numbered as a reader does it.
    ASSERT_EQ(made.ops.size(), expected.ops.size());
    for (uint32_t i = 1; i < made.ops.size(); ++i)
      EXPECT_EQ(made.NameOf(made.ops[i]), expected.NameOf(expected.ops[i]));
  }

  std::optional<ModuleEditor> editor_;
};

TEST_F(Editor, ChangesNothingByItself) {
  Begin(kProgram);
  Expect(kProgram);
}

TEST_F(Editor, ListsOpsInOrder) {
  Begin(kProgram);
  std::string names;
  for (const OpId op : editor_->Ops()) names += std::string(module().NameOf((*editor_)[op])) + " ";
  EXPECT_EQ(
      names,
      "builtin.module func.func stablehlo.add stablehlo.multiply stablehlo.case stablehlo.negate "
      "stablehlo.return stablehlo.return stablehlo.constant func.call func.return func.func func.return ");
}

TEST_F(Editor, InsertsReplacesAndErases) {
  Begin(R"(func.func @f(%a: tensor<f32>) -> tensor<f32> {
    %0 = stablehlo.negate %a : tensor<f32>
    %1 = stablehlo.negate %0 : tensor<f32>
    %2 = stablehlo.add %1, %1 : tensor<f32>
    return %2 : tensor<f32>
  })");
  const OpId inner = Find("stablehlo.negate"), outer = Find("stablehlo.negate", 1);
  const ValueId arg = module().OperandsOf((*editor_)[inner])[0];
  editor_->InsertBefore(Find("stablehlo.add"));
  const auto abs = editor_->InsertInferred(
      {.revision = RevisionAt(FindOp("stablehlo.abs"), module().version), .operands = std::array{arg}});
  ASSERT_TRUE(abs);
  editor_->Replace(outer, std::array{Result(*abs)});
  EXPECT_FALSE(editor_->Has(outer));
  EXPECT_FALSE(editor_->Has(Result(outer)));
  EXPECT_FALSE(editor_->HasUses(inner));
  editor_->Erase(inner);
  Expect(R"(func.func @f(%a: tensor<f32>) -> tensor<f32> {
    %0 = stablehlo.abs %a : tensor<f32>
    %1 = stablehlo.add %0, %0 : tensor<f32>
    return %1 : tensor<f32>
  })");
}

TEST_F(Editor, DoesNotInsertAnOpWhoseTypesCannotBeInferred) {
  Begin(kProgram);
  const size_t ops = editor_->Ops().size();
  const ValueId arg =
      module().ArgOf(editor_->BlocksOf(module().RegionsOf((*editor_)[Find("func.func")])[0])[0], 0);
  editor_->InsertBefore(Find("func.return"));
  EXPECT_FALSE(editor_->InsertInferred(
      {.revision = RevisionAt(FindOp("stablehlo.reshape"), module().version), .operands = std::array{arg}}));
  EXPECT_EQ(editor_->Ops().size(), ops);
  Expect(kProgram);
}

TEST_F(Editor, KnowsUses) {
  Begin(kProgram);
  const OpId add = Find("stablehlo.add"), multiply = Find("stablehlo.multiply");
  int uses = 0;
  editor_->ForEachUse(Result(add), [&](OpId op, uint32_t i) {
    ++uses;
    EXPECT_EQ(module().OperandsOf((*editor_)[op])[i], Result(add));
  });
  EXPECT_EQ(uses, 3);
  EXPECT_EQ(editor_->UserOutside(add), multiply);
  EXPECT_EQ(editor_->UserOutside(Find("stablehlo.case")), Find("func.call"));
  EXPECT_EQ(editor_->UserOutside(Find("func.func")), OpId());
  // A visitor may end the use that it sees.
  editor_->ForEachUse(Result(add),
                      [&](OpId op, uint32_t i) { editor_->SetOperand(op, i, Result(multiply)); });
  EXPECT_FALSE(editor_->HasUses(add));
}

TEST_F(Editor, StatesTypesThatChange) {
  Begin(kProgram);
  const OpId add = Find("stablehlo.add"), multiply = Find("stablehlo.multiply");
  editor_->SetType(Result(add), F64());
  EXPECT_FALSE(BrokenSignature(module()));
  editor_->ReplaceUses(Result(add), Result(multiply));
  EXPECT_FALSE(BrokenSignature(module()));
  editor_->SetOperand(multiply, 0, Result(add));
  EXPECT_FALSE(BrokenSignature(module()));
  editor_->SetOperands(multiply, std::array{Result(add), Result(add), Result(multiply)});
  EXPECT_FALSE(BrokenSignature(module()));
  editor_->SetOperands(multiply, std::array{Result(multiply)});
  EXPECT_FALSE(BrokenSignature(module()));
  const BlockId side = editor_->BlocksOf(module().RegionsOf((*editor_)[Find("func.func", 1)])[0])[0];
  const ValueId arg = module().ArgOf(side, 0);
  editor_->ReplaceUses(arg, ValueId(editor_->SetArgs(side, std::array{F64()}).first));
  EXPECT_FALSE(editor_->Has(arg));
  editor_->EditSignature(add, [&](EditedSignature& s) { s.result_types[0] = s.operand_types[0]; });
  EXPECT_FALSE(BrokenSignature(std::move(*editor_).Finish()));
}

TEST_F(Editor, SetsAttributes) {
  Begin(R"(module attributes {b.c = 1 : i64, a.b = 2 : i64} {
    func.func @f() attributes {sym_visibility = "private"}
  })");
  editor_->SetAttr(module().top, "a.c", module().Unit());
  editor_->SetAttr(module().top, "b.c", {});
  editor_->SetAttr(Find("func.func"), "sym_visibility", {});
  editor_->SetAttr(Find("func.func"), "sym_name", module().String("g"));
  Expect(R"(module attributes {a.b = 2 : i64, a.c} {
    func.func @g()
  })");
}

TEST_F(Editor, Moves) {
  Begin(kProgram);
  editor_->MoveBefore(Find("stablehlo.constant"), Find("stablehlo.add"));
  editor_->MoveBefore(Find("stablehlo.negate"), Find("stablehlo.case"));
  editor_->MoveBefore(Find("func.func", 1), Find("func.func"));
  Expect(R"(
func.func private @side(%a: tensor<f32>) -> tensor<f32> {
  return %a : tensor<f32>
}
func.func @main(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
  %c = stablehlo.constant dense<1> : tensor<i32>
  %0 = stablehlo.add %a, %b : tensor<f32>
  %1 = stablehlo.multiply %0, %0 : tensor<f32>
  %3 = stablehlo.negate %1 : tensor<f32>
  %2 = "stablehlo.case"(%c) ({
    stablehlo.return %3 : tensor<f32>
  }, {
    stablehlo.return %0 : tensor<f32>
  }) : (tensor<i32>) -> tensor<f32>
  %4 = call @side(%2) : (tensor<f32>) -> tensor<f32>
  return %4 : tensor<f32>
}
)");
}

TEST_F(Editor, InlinesABlock) {
  Begin(kProgram);
  const OpId choice = Find("stablehlo.case");
  editor_->InsertBefore(choice);
  const auto returned =
      editor_->InlineBlock(editor_->BlocksOf(module().RegionsOf((*editor_)[choice])[0])[0], {});
  editor_->Replace(choice, returned);
  editor_->Erase(Find("stablehlo.constant"));
  Expect(R"(
func.func @main(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.add %a, %b : tensor<f32>
  %1 = stablehlo.multiply %0, %0 : tensor<f32>
  %3 = stablehlo.negate %1 : tensor<f32>
  %4 = call @side(%3) : (tensor<f32>) -> tensor<f32>
  return %4 : tensor<f32>
}
func.func private @side(%a: tensor<f32>) -> tensor<f32> {
  return %a : tensor<f32>
}
)");
}

TEST_F(Editor, RenamesSymbols) {
  Begin(R"(func.func @f() attributes {x = [@g, {y = @h}]} {
    call @g() : () -> ()
    return
  }
  func.func private @g())");
  EXPECT_FALSE(editor_->RenameSymbol("h", "i"));
  EXPECT_TRUE(editor_->RenameSymbol("g", "i"));
  Expect(R"(func.func @f() attributes {x = [@i, {y = @h}]} {
    call @i() : () -> ()
    return
  }
  func.func private @i())");
}

TEST_F(Editor, BuildsAProgram) {
  editor_.emplace(kCurrentVersion);
  const TypeId type = module().TensorType({}, module().Type(TypeKind::kF32));
  const RegionId body = editor_->NewRegion();
  editor_->Insert(
      {.revision = RevisionAt(ops::kFunc, module().version), .regions = std::array{body}},
      {{"sym_name", module().String("f")},
       {"function_type", module().TypeAttr(module().FunctionType(std::array{type}, std::array{type}))}});
  const BlockId block = editor_->AddBlock(body, std::array{type});
  editor_->InsertAtEnd(block);
  editor_->Insert({.revision = RevisionAt(ops::kFuncReturn, module().version),
                   .operands = std::array{module().ArgOf(block, 0)}});
  Expect("func.func @f(%a: tensor<f32>) -> tensor<f32> { return %a : tensor<f32> }");
}

TEST_F(Editor, ErasesWhatIsUsedElsewhere) {
  Begin(kProgram);
  const OpId multiply = Find("stablehlo.multiply"), negate = Find("stablehlo.negate");
  const ValueId arg = module().OperandsOf((*editor_)[Find("stablehlo.add")])[0];
  editor_->Erase(multiply);
  EXPECT_EQ(module().OperandsOf((*editor_)[negate])[0], ValueId());
  editor_->SetOperand(negate, 0, arg);
  EXPECT_FALSE(BrokenSignature(std::move(*editor_).Finish()));
}

TEST_F(Editor, InsertsElsewhereIfThePlaceIsGone) {
  Begin(kProgram);
  editor_->InsertBefore(Find("stablehlo.negate"));
  editor_->Erase(Find("func.func"));
  editor_->Insert(
      {.revision = RevisionAt(ops::kFunc, module().version), .regions = std::array{editor_->NewRegion()}},
      {{"sym_name", module().String("g")},
       {"function_type", module().TypeAttr(module().FunctionType({}, {}))},
       {"sym_visibility", module().String("private")}});
  Expect(R"(
func.func private @side(%a: tensor<f32>) -> tensor<f32> {
  return %a : tensor<f32>
}
func.func private @g()
)");
}

TEST(EditorPlaces, AreThoseOfOrigins) {
  constexpr std::string_view kText = R"(func.func @f(%a: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.negate %a : tensor<f32>
  %1 = stablehlo.abs %0 : tensor<f32>
  return %1 : tensor<f32>
})";
  Source source;
  auto module = ReadText(kText, nullptr, {}, &source);
  ASSERT_TRUE(module);
  ModuleEditor editor(std::move(*module));
  OpId negate;
  for (const OpId op : editor.Ops())
    if (editor.module().NameOf(editor[op]) == "stablehlo.negate") negate = op;
  editor.InsertBefore(negate);
  const Module& m = editor.module();
  const ValueId arg = m.OperandsOf(editor[negate])[0];
  const OpId made = editor.Insert({.revision = RevisionAt(FindOp("stablehlo.sine"), m.version),
                                   .operands = std::array{arg},
                                   .results = std::array{m.TypeOf(arg)}},
                                  negate);
  editor.Replace(negate, std::array{editor.module().ResultOf(editor[made], 0)});
  SourcePlaces places = source.places;
  std::vector<OpId> origins;
  const Module out = std::move(editor).Finish(&places, &origins);
  int found = 0;
  for (uint32_t i = 1; i < out.ops.size(); ++i) {
    EXPECT_EQ(places.OffsetOfOp(OpId(i)), source.places.OffsetOfOp(origins[i]));
    found += out.NameOf(out.ops[i]) == "stablehlo.sine" && origins[i] == negate;
  }
  EXPECT_EQ(found, 1);
}

// Any changes in any order keep uses, lists and signatures as a scan of the whole program finds them.
class RandomChanges {
 public:
  explicit RandomChanges(uint32_t seed) : random_(seed), editor_(Parsed(kProgram)), m_(editor_.module()) {}

  void Run() {
    for (int i = 0; i < 60; ++i) {
      Change();
      Check();
    }
    for (const OpId op : editor_.Ops())
      for (uint32_t i = 0; i < m_.NumOperands(editor_[op]); ++i)
        if (!m_.OperandsOf(editor_[op])[i]) editor_.SetOperand(op, i, AnyValue());
    const size_t ops = editor_.Ops().size();
    const Module made = std::move(editor_).Finish();
    EXPECT_EQ(BrokenSignature(made), OpId());
    EXPECT_EQ(made.ops.size(), ops + 1);
  }

 private:
  size_t Below(size_t n) { return std::uniform_int_distribution<size_t>(0, n - 1)(random_); }
  // An op in a function: others are too few to be changed.
  OpId AnyOp() {
    std::vector<OpId> ops;
    for (const OpId op : editor_.Ops())
      if (editor_.ParentOf(op) && editor_.ParentOf(op) != m_.top) ops.push_back(op);
    return ops[Below(ops.size())];
  }
  ValueId AnyValue() {
    std::vector<ValueId> values;
    for (uint32_t i = 1; i < m_.values.size(); ++i)
      if (editor_.Has(ValueId(i))) values.emplace_back(i);
    return values[Below(values.size())];
  }

  void Change() {
    const OpId op = AnyOp();
    const uint32_t operands = m_.NumOperands(editor_[op]);
    switch (Below(7)) {
      case 0:
        editor_.ReplaceUses(AnyValue(), AnyValue());
        return;
      case 1:
        editor_.SetType(AnyValue(), m_.TensorType(std::array{int64_t(Below(3))}, m_.Type(TypeKind::kF32)));
        return;
      case 2: {
        std::vector<ValueId> values(Below(4));
        for (ValueId& value : values) value = AnyValue();
        editor_.SetOperands(op, values);
        return;
      }
      case 3:
        if (operands) editor_.SetOperand(op, uint32_t(Below(operands)), AnyValue());
        return;
      case 4:
        if (editor_.Ops().size() > editor_.OpsIn(op).size() + 4) editor_.Erase(op);
        return;
      case 5: {
        const OpId before = AnyOp();
        for (OpId around = before; around; around = editor_.ParentOf(around))
          if (around == op) return;
        editor_.MoveBefore(op, before);
        return;
      }
      default:
        editor_.InsertBefore(op);
        editor_.Insert({.name = m_.strings.Intern("my.op"),
                        .operands = std::array{AnyValue(), AnyValue()},
                        .results = std::array{m_.Type(TypeKind::kF32)}});
    }
  }

  void Check() {
    std::vector<size_t> uses(m_.values.size());
    for (const OpId op : editor_.Ops()) {
      ASSERT_TRUE(editor_.Has(op));
      ASSERT_TRUE(StatesTypes(m_, editor_[op]));
      for (const ValueId value : m_.OperandsOf(editor_[op])) ++uses[value.v];
      if (!editor_[op].parent) continue;
      const std::vector<OpId> list = editor_.OpsOf(editor_[op].parent);
      ASSERT_EQ(std::ranges::count(list, op), 1);
      ASSERT_EQ(editor_.LastOf(editor_[op].parent), list.back());
    }
    for (uint32_t i = 1; i < uses.size(); ++i) {
      size_t found = 0;
      editor_.ForEachUse(ValueId(i), [&](OpId op, uint32_t k) {
        found += editor_.Has(op) && m_.OperandsOf(editor_[op])[k] == ValueId(i);
      });
      ASSERT_EQ(found, uses[i]);
    }
  }

  std::mt19937 random_;
  ModuleEditor editor_;
  Module& m_;
};

TEST(EditorChanges, KeepWhatAScanFinds) {
  for (uint32_t seed = 0; seed < 200; ++seed) {
    RandomChanges(seed).Run();
    ASSERT_FALSE(testing::Test::HasFailure()) << seed;
  }
}

}  // namespace
}  // namespace shlo
