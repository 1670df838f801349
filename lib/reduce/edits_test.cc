#include "reduce/edits.h"

#include <gtest/gtest.h>

#include "shlo/program_io.h"
#include "shlo/reduce.h"

namespace shlo::reduce {
namespace {

// An argument that is removed becomes zero where it is used, if its type has a zero.
TEST(Edits, RemovedArgumentsAreZero) {
  for (const auto& [type, zero] : {std::pair("tensor<2xf32>", true), {"tensor<?xf32>", false}}) {
    const std::string t = type;
    const auto program =
        ReadProgram("func.func @main(%a: " + t + ", %b: " + t + ") -> " + t +
                        " {\n  %0 = stablehlo.add %a, %b : " + t + "\n  return %0 : " + t + "\n}",
                    nullptr);
    ASSERT_TRUE(program);
    const Module& m = program->module;
    const ReduceOptions options;
    const Outline outline(m, options);
    Edits edits(m);
    ASSERT_EQ(outline.functions.size(), 1u);
    edits.args[m.ArgOf(outline.functions[0].body, 1).v] = true;
    const auto edited = Apply(m, outline, edits);
    ASSERT_EQ(edited.has_value(), zero) << type;
    if (!zero) continue;
    Program out;
    out.module = *edited;
    EXPECT_EQ(*WriteProgram(out),
              "module {\n  func.func @main(%arg0: tensor<2xf32>) -> tensor<2xf32> {\n"
              "    %cst = stablehlo.constant dense<0.000000e+00> : tensor<2xf32>\n"
              "    %0 = stablehlo.add %arg0, %cst : tensor<2xf32>\n    return %0 : tensor<2xf32>\n  }\n}\n");
  }
}

}  // namespace
}  // namespace shlo::reduce
