#include <gtest/gtest.h>

#include "ir/module/broken_signature.h"
#include "shlo/compare.h"
#include "shlo/editor.h"
#include "shlo/text_reader.h"

namespace shlo {
namespace {

// Copies all functions of a module to a new one.
Module Copied(const Module& from, SymbolNames names = {}) {
  ModuleEditor editor(from.version);
  OpCopier copier(std::make_shared<const Module>(from), &editor, std::move(names));
  for (BlockId block : from.BlocksOf(from.RegionsOf(from.ops[from.top.v])[0]))
    for (OpId op : from.OpsOf(block)) copier.Copy(op);
  copier.Finish();
  Module to = std::move(editor).Finish();
  EXPECT_FALSE(BrokenSignature(to));
  return to;
}

// Regions and blocks, uses before definitions in each operand, attributes of all kinds, names without a row.
constexpr std::string_view kCopiedProgram = R"(
func.func @main(%a: tensor<2xf32> {x.y = @side}) -> tensor<2xf32> attributes {x.z = [1, "two", 3.0]} {
  %p = stablehlo.constant dense<true> : tensor<i1>
  "cf.br"(%a)[^second] : (tensor<2xf32>) -> ()
^first:
  %0 = "stablehlo.subtract"(%2, %b) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %1 = "stablehlo.subtract"(%b, %2) {x.w = {k = tensor<4xi8>}} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %x:2 = "my.op"(%0, %1, %3) : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  return %x#1 : tensor<2xf32>
^second(%b: tensor<2xf32>):
  %2 = call @side(%b) : (tensor<2xf32>) -> tensor<2xf32>
  %i = stablehlo.constant dense<1> : tensor<i32>
  %3 = "stablehlo.case"(%i) ({
    stablehlo.return %2 : tensor<2xf32>
  }, {
    %z = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
    stablehlo.return %z : tensor<2xf32>
  }) : (tensor<i32>) -> tensor<2xf32>
  "cf.br"()[^first] : () -> ()
}
func.func private @side(%a: tensor<2xf32>) -> tensor<2xf32> {
  return %a : tensor<2xf32>
}
)";

TEST(OpCopier, ACopyIsEqual) {
  const auto module = ReadText(kCopiedProgram, nullptr);
  ASSERT_TRUE(module) << Render(module.error()[0]);
  const Module copy = Copied(*module);
  EXPECT_EQ(FirstDifference(*module, copy), "");
}

TEST(OpCopier, SymbolsAreRenamed) {
  const auto module = ReadText(kCopiedProgram, nullptr);
  ASSERT_TRUE(module) << Render(module.error()[0]);
  std::string renamed(kCopiedProgram);
  for (size_t at = 0; (at = renamed.find("@side", at)) != renamed.npos;) renamed.replace(at, 5, "@other");
  const auto expected = ReadText(renamed, nullptr);
  ASSERT_TRUE(expected) << Render(expected.error()[0]);
  EXPECT_EQ(FirstDifference(*expected, Copied(*module, {{"side", "other"}, {"two", "three"}})), "");
}

}  // namespace
}  // namespace shlo
