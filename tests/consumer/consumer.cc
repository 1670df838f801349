// Uses one function of every installed library: text -> module -> other version -> artifact -> values. Every
// header is included by itself somewhere in this project, and all of it is built without exceptions, too.
#include <cstdio>
#include <string>

#include "shlo/convert.h"
#include "shlo/evaluate.h"
#include "shlo/shlo_writer.h"
#include "shlo/text_reader.h"
#include "shlo/verify.h"

int main() {
  static const std::string text =
      "func.func @main() -> tensor<i32> {\n"
      "  %0 = stablehlo.constant dense<2> : tensor<i32>\n"
      "  %1 = stablehlo.add %0, %0 : tensor<i32>\n"
      "  return %1 : tensor<i32>\n"
      "}\n";
  auto module = shlo::ReadText(text, nullptr);
  if (!module || shlo::HasErrors(shlo::Verify(*module))) return std::puts("text"), 1;
  auto converted = shlo::Convert(*module, shlo::Version{62});
  if (!converted || converted->module.version.n != 62) return std::puts("convert"), 1;
  if (!shlo::WriteShlo(converted->module)) return std::puts("write"), 1;
  auto result = shlo::Evaluate(converted->module, "main", {});
  if (!result || result->results.size() != 1) return std::puts("evaluate"), 1;
  return shlo::PrintTensor(result->results[0]) == "dense<4> : tensor<i32>" ? 0 : 1;
}
