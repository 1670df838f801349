// Evaluates @main of a program on arguments whose elements are 1, 2, 3, ... (f32), and prints the results.
//   evaluate FILE
#include "shlo/evaluate.h"

#include <cstdio>
#include <cstring>

#include "shlo/program_io.h"

namespace {

int Fail(const shlo::Diagnostics& why) {
  for (const shlo::Diagnostic& d : why) std::fputs(shlo::Render(d).c_str(), stderr);
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return std::fputs("usage: evaluate FILE\n", stderr), 2;
  const auto program = shlo::ReadProgramFile(argv[1]);
  if (!program) return Fail(program.error());

  const auto types = shlo::ArgumentTypes(program->module, "main", &program->source);
  if (!types) return Fail(types.error());
  std::vector<shlo::Tensor> args;
  for (const shlo::ValueTypePtr& type : *types) {
    if (type->element.kind != shlo::TypeKind::kF32)
      return std::fputs("an argument is not of f32\n", stderr), 1;
    shlo::Tensor arg = shlo::Tensor::Uninitialized(type);
    if (!arg) return std::fputs("out of memory\n", stderr), 1;
    for (uint64_t i = 0; i < arg.count(); ++i) {
      const float value = float(i + 1);
      std::memcpy(arg.mutable_data() + i * sizeof value, &value, sizeof value);
    }
    args.push_back(std::move(arg));
  }

  shlo::EvalOptions options;
  options.source = &program->source;
  options.limits.max_memory = 1 << 20;  // bytes; more is an error, not a crash
  const auto result = shlo::Evaluate(program->module, "main", args, options);
  if (!result) return Fail(result.error());
  for (const shlo::Tensor& value : result->results) std::printf("%s\n", shlo::PrintTensor(value).c_str());
  return 0;
}
