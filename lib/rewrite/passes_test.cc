#include "shlo/passes.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "rewrite/pass.h"
#include "shlo/program_io.h"

namespace shlo {
namespace {

using Options = std::vector<std::pair<std::string, std::string>>;

TEST(Passes, AreSortedByName) { EXPECT_TRUE(std::ranges::is_sorted(AllPasses(), {}, &PassInfo::name)); }

TEST(Passes, OptionsAreDividedBySpaces) {
  const auto call =
      ParsePass("stablehlo-compatibility-expander", "target=1.0.0  target={a b} target='x,y' target");
  ASSERT_TRUE(call);
  EXPECT_EQ(call->options,
            (Options{{"target", "1.0.0"}, {"target", "a b"}, {"target", "x,y"}, {"target", "true"}}));
}

TEST(Passes, PipelinesHaveAnchorsAndOptions) {
  const auto calls = ParsePipeline(
      "builtin.module(inline,func.func(stablehlo-compatibility-expander{target=1.0.0}),"
      "chlo-legalize-to-stablehlo)");
  ASSERT_TRUE(calls);
  ASSERT_EQ(calls->size(), 3u);
  EXPECT_EQ((*calls)[0].name, "inline");
  EXPECT_EQ((*calls)[1].options, (Options{{"target", "1.0.0"}}));
  EXPECT_EQ((*calls)[2].name, "chlo-legalize-to-stablehlo");
}

TEST(Passes, ListsKeepWhatIsInBrackets) {
  const PassCall call{"", {{"types", "tensor<2xf32>,tuple<i32, i32>,\"a,b\""}}};
  PassReport report;
  const rewrite::PassRun run{call, {}, report};
  EXPECT_EQ(run.List("types"),
            (std::vector<std::string_view>{"tensor<2xf32>", "tuple<i32, i32>", "\"a,b\""}));
}

TEST(Passes, FailedPassLeavesTheProgram) {
  const auto program = ReadProgram(
      "func.func @f(%x: tensor<f32>) -> tensor<f32> {\n"
      "  %0 = stablehlo.add %x, %x : tensor<f32>\n"
      "  return %0 : tensor<f32>\n"
      "}\n",
      nullptr, {});
  ASSERT_TRUE(program);
  Program changed = *program;
  const PassCall calls[] = {{"stablehlo-compatibility-expander", {{"target", "99.0.0"}}}};
  const auto done = RunPasses(calls, &changed);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error()[0].code, Code::kUsage);
  EXPECT_EQ(changed.module.ops.size(), program->module.ops.size());
}

}  // namespace
}  // namespace shlo
