#include "shlo/inline.h"

#include <gtest/gtest.h>

#include "shlo/text_reader.h"
#include "shlo/text_writer.h"
#include "shlo/verify.h"

namespace shlo {
namespace {

std::string Inlined(std::string_view text) {
  Source source;
  auto module = ReadText(text, nullptr, {}, &source);
  if (!module) return Render(module.error()[0]);
  auto inlined = InlineCalls(*module, &source.places);
  if (!inlined) return Render(inlined.error()[0]);
  for (const Diagnostic& d : Verify(*inlined)) ADD_FAILURE() << Render(d);
  // Every op is still where it was written.
  for (uint32_t i = 1; i < inlined->ops.size(); ++i) {
    if (OpId(i) == inlined->top) continue;
    const Place place = PlaceOf(*inlined, OpId(i), &source);
    const std::string_view name = inlined->NameOf(inlined->ops[i]);
    const std::string_view line = std::string_view(place.source_line).substr(place.column - 1);
    EXPECT_NE(line.substr(0, name.size() + 1).find(name.substr(name.rfind('.') + 1)), line.npos) << name;
  }
  return *WriteText(*inlined, {.source = &source});
}

TEST(Inline, PutsPrivateFunctionsInPlace) {
  EXPECT_EQ(Inlined(R"(
func.func @main(%a: tensor<f32>) -> tensor<f32> {
  %0 = func.call @twice(%a) : (tensor<f32>) -> tensor<f32>
  %1 = func.call @twice(%0) : (tensor<f32>) -> tensor<f32>
  return %1 : tensor<f32>
}
func.func private @twice(%a: tensor<f32>) -> tensor<f32> {
  %0 = func.call @id(%a) : (tensor<f32>) -> tensor<f32>
  %1 = stablehlo.add %0, %a : tensor<f32>
  return %1 : tensor<f32>
}
func.func private @id(%a: tensor<f32>) -> tensor<f32> {
  return %a : tensor<f32>
}
)"),
            R"(func.func @main(%arg0: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.add %arg0, %arg0 : tensor<f32>
  %1 = stablehlo.add %0, %0 : tensor<f32>
  return %1 : tensor<f32>
}
)");
}

// Public functions stay, and so do functions that call themselves or are named elsewhere.
TEST(Inline, KeepsWhatIsNeeded) {
  const std::string_view source = R"(func.func @main(%arg0: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.abs %arg0 : tensor<f32>
  %1 = "stablehlo.custom_call"(%0) <{call_target_name = "x", called_computations = [@used]}> : (tensor<f32>) -> tensor<f32>
  %2 = func.call @loop(%1) : (tensor<f32>) -> tensor<f32>
  %3 = func.call @used(%2) : (tensor<f32>) -> tensor<f32>
  return %3 : tensor<f32>
}
func.func private @used(%arg0: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.abs %arg0 : tensor<f32>
  return %0 : tensor<f32>
}
func.func private @loop(%arg0: tensor<f32>) -> tensor<f32> {
  %0 = func.call @loop(%arg0) : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
)";
  const std::string text = Inlined(source);
  EXPECT_NE(text.find("@used("), std::string::npos);
  EXPECT_NE(text.find("call @loop(%1)"), std::string::npos) << text;
  EXPECT_EQ(text.find("call @used"), std::string::npos);
}

// Functions that call each other twice double the program with each level.
TEST(Inline, RefusesToGrowWithoutEnd) {
  std::string text =
      "func.func @f0(%a: tensor<f32>) -> tensor<f32> {\n%0 = stablehlo.abs %a : tensor<f32>\n"
      "%1 = stablehlo.abs %0 : tensor<f32>\nreturn %1 : tensor<f32>\n}\n";
  for (int i = 1; i < 60; ++i) {
    const std::string callee = "call @f" + std::to_string(i - 1);
    text += "func.func @f" + std::to_string(i) + "(%a: tensor<f32>) -> tensor<f32> {\n%0 = " + callee +
            "(%a) : (tensor<f32>) -> tensor<f32>\n%1 = " + callee +
            "(%0) : (tensor<f32>) -> tensor<f32>\nreturn %1 : tensor<f32>\n}\n";
  }
  // Also if there is nothing but calls.
  const std::string calls = text.substr(0, text.find("%0")) + "return %a : tensor<f32>\n}\n" +
                            text.substr(text.find("func.func @f1("));
  for (const std::string& program : {text, calls}) {
    auto module = ReadText(program, nullptr);
    ASSERT_TRUE(module.has_value());
    auto inlined = InlineCalls(*module);
    ASSERT_FALSE(inlined.has_value());
    EXPECT_EQ(inlined.error()[0].code, Code::kLimit);
  }
}

}  // namespace
}  // namespace shlo
