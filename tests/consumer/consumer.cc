// Uses one function of every installed library: text -> program -> other version -> artifact -> values. Every
// header is included by itself somewhere in this project, and all of it is built without exceptions, too.
#include <cstdio>
#include <string>

#include "shlo/conversion.h"
#include "shlo/evaluate.h"
#include "shlo/program_io.h"

int main() {
  static const std::string text =
      "func.func @main() -> tensor<i32> {\n"
      "  %0 = stablehlo.constant dense<2> : tensor<i32>\n"
      "  %1 = stablehlo.add %0, %0 : tensor<i32>\n"
      "  return %1 : tensor<i32>\n"
      "}\n";
  auto program = shlo::ReadProgram(text, nullptr);
  if (!program) return std::puts("text"), 1;
  auto converted = shlo::Convert(std::move(*program), {.target = shlo::Version{62}});
  if (!converted || converted->module.version.n != 62) return std::puts("convert"), 1;
  if (!shlo::WriteProgram(*converted, {.format = shlo::Format::kShlo})) return std::puts("write"), 1;
  auto result = shlo::Evaluate(converted->module, "main", {});
  if (!result || result->results.size() != 1) return std::puts("evaluate"), 1;
  return shlo::PrintTensor(result->results[0]) == "dense<4> : tensor<i32>" ? 0 : 1;
}
