// Runs each function that returns a Result or Diagnostics again and again; each time a different allocation
// fails. The function must report it or succeed without the memory. An exception that leaves the library ends
// the program, because this one is also built without exceptions.
#include <cstdio>
#include <functional>
#include <string>
#include <utility>

#include "allocations.h"
#include "shlo/compare.h"
#include "shlo/conversion.h"
#include "shlo/convert.h"
#include "shlo/evaluate.h"
#include "shlo/file_io.h"
#include "shlo/inline.h"
#include "shlo/known_values.h"
#include "shlo/mlirbc_reader.h"
#include "shlo/mlirbc_writer.h"
#include "shlo/npy.h"
#include "shlo/program_io.h"
#include "shlo/prove.h"
#include "shlo/random_tensor.h"
#include "shlo/shlo_reader.h"
#include "shlo/shlo_writer.h"
#include "shlo/strided.h"
#include "shlo/tensor_file.h"
#include "shlo/text_reader.h"
#include "shlo/text_writer.h"
#include "shlo/verify.h"
#include "shlo/window.h"

namespace {

const char* const kText =
    "func.func private @twice(%arg0: tensor<3xf32>) -> tensor<3xf32> {\n"
    "  %0 = stablehlo.add %arg0, %arg0 : tensor<3xf32>\n"
    "  return %0 : tensor<3xf32>\n"
    "}\n"
    "func.func @main(%arg0: tensor<3xf32>) -> tensor<3xf32> {\n"
    "  %0 = stablehlo.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>\n"
    "  %1 = stablehlo.multiply %0, %0 {note = \"squares of the numbers 1, 2 and 3\"} : tensor<3xf32>\n"
    "  %2 = func.call @twice(%1) : (tensor<3xf32>) -> tensor<3xf32>\n"
    "  %3 = stablehlo.tanh %arg0 {result_accuracy = #stablehlo.result_accuracy<mode = "
    "#stablehlo.result_accuracy_mode<HIGHEST>>} : "
    "tensor<3xf32>\n"
    "  %4 = stablehlo.add %2, %3 : tensor<3xf32>\n"
    "  return %4 : tensor<3xf32>\n"
    "}\n";

int failures = 0;

// Refuses each allocation of a call in turn: each must be reported, or not be needed.
void Survives(const char* name, const std::function<bool()>& call) {
  if (!call()) {
    std::printf("%s fails\n", name);
    ++failures;
    return;
  }
  long reported = 0;
  const long n = RefuseEach(call, &reported);
  if (n > 0 && reported == 0) {
    std::printf("%s reports none of %ld allocations that fail\n", name, n);
    ++failures;
  }
}

}  // namespace

int main(int, char** argv) {
  const std::string text = kText, path = std::string(argv[0]) + ".mlir";
  const auto module = shlo::ReadText(text, nullptr);
  if (!module) return std::puts("text"), 1;
  const auto shlo_bytes = shlo::WriteShlo(*module);
  const auto mlirbc_bytes = shlo::WriteMlirBytecode(*module);
  if (!shlo_bytes || !mlirbc_bytes) return std::puts("write"), 1;
  const shlo::Program program{*module, {}};
  const shlo::Version current = shlo::kCurrentVersion, old{62};

  Survives("ReadText", [&] { return bool(shlo::ReadText(text, nullptr)); });
  Survives("SplitText", [&] { return bool(shlo::SplitText(text)); });
  Survives("WriteText", [&] { return bool(shlo::WriteText(*module)); });
  Survives("ReadShlo", [&] { return bool(shlo::ReadShlo(*shlo_bytes, nullptr)); });
  Survives("InspectShlo", [&] { return bool(shlo::InspectShlo(*shlo_bytes)); });
  Survives("WriteShlo", [&] { return bool(shlo::WriteShlo(*module)); });
  Survives("ReadMlirBytecode", [&] { return bool(shlo::ReadMlirBytecode(*mlirbc_bytes, nullptr)); });
  Survives("InspectMlirBytecode", [&] { return bool(shlo::InspectMlirBytecode(*mlirbc_bytes)); });
  Survives("WriteMlirBytecode", [&] { return bool(shlo::WriteMlirBytecode(*module)); });
  Survives("ReadProgram", [&] { return bool(shlo::ReadProgram(text, nullptr)); });
  Survives("ReadPrograms", [&] {
    shlo::Diagnostics errors;
    return !shlo::ReadPrograms({text, nullptr, ""}, {}, &errors).programs.empty() && errors.empty();
  });
  Survives("WriteProgram", [&] { return bool(shlo::WriteProgram(program)); });
  Survives("WriteProgramFile", [&] { return bool(shlo::WriteProgramFile(program, path)); });
  Survives("ReadProgramFile", [&] { return bool(shlo::ReadProgramFile(path)); });
  Survives("OpenInput", [&] { return bool(shlo::OpenInput(path)); });
  Survives("WriteFile", [&] { return bool(shlo::WriteFile(path, text, false)); });
  std::remove(path.c_str());

  Survives("Verify", [&] { return !shlo::HasErrors(shlo::Verify(*module)); });
  Survives("FirstDifference", [&] { return shlo::FirstDifference(*module, *module).empty(); });
  Survives("InlineCalls", [&] { return bool(shlo::InlineCalls(*module)); });
  Survives("Convert", [&] { return bool(shlo::Convert(*module, current)); });
  Survives("Blockers", [&] { return shlo::Blockers(*module, current).empty(); });
  Survives("LowestTarget", [&] { return bool(shlo::LowestTarget(*module)); });
  Survives("PossibleTargets", [&] { return bool(shlo::PossibleTargets(*module)); });
  Survives("ParseCompatibilityWindow", [&] {
    // The error needs memory; a window does not.
    const auto wrong = shlo::ParseCompatibilityWindow("the key of this window is unknown=1d");
    return !wrong && wrong.error()[0].code == shlo::Code::kUsage;
  });
  Survives("CheckCompatibilityWindow", [&] {
    const auto outside = shlo::CheckCompatibilityWindow(current, shlo::kMinimumVersion, {});
    return !outside && outside.error()[0].code == shlo::Code::kOutsideWindow;
  });
  Survives("Convert a program", [&] {
    auto read = shlo::ReadProgram(text, nullptr);
    return read && bool(shlo::Convert(std::move(*read), {.target = current}));
  });
  shlo::Program folded = program;
  Survives("FoldConstants", [&] { return bool(shlo::FoldConstants(&folded)); });
  // A refused conversion lists what blocks it.
  Survives("Convert to an old version", [&] {
    const auto refusal = shlo::Convert(*module, old);
    return !refusal && refusal.error()[0].code == shlo::Code::kBlocked;
  });

  const auto types = shlo::ArgumentTypes(*module, "main");
  if (!types) return std::puts("types"), 1;
  const shlo::Tensor arg = shlo::RandomTensor((*types)[0], 1);
  const auto npy = shlo::WriteNpy(arg);
  const shlo::NamedTensors named = {{"the name of the only argument", arg}};
  const auto npz = shlo::WriteNpz(named);
  const auto safetensors = shlo::WriteSafetensors(named);
  if (!arg || !npy || !npz || !safetensors) return std::puts("tensors"), 1;
  const int64_t strides[] = {-1};
  float numbers[3] = {1, 2, 3};
  Survives("ArgumentTypes", [&] { return bool(shlo::ArgumentTypes(*module, "main")); });
  Survives("RandomTensor", [&] { return bool(shlo::RandomTensor((*types)[0], 1)); });
  Survives("Evaluate", [&] { return bool(shlo::Evaluate(*module, "main", {&arg, 1})); });
  const std::string functions[] = {"main", "main"};
  const shlo::Tensor both[] = {arg, arg};
  Survives("EvaluateParallel", [&] { return bool(shlo::EvaluateParallel(*module, functions, 2, both)); });
  Survives("KnownValues", [&] { return bool(shlo::KnownValues(*module)); });
  shlo::OpId pure;
  for (uint32_t i = 1; i < module->ops.size(); ++i)
    if (module->NameOf(module->ops[i]) == "stablehlo.tanh") pure = shlo::OpId(i);
  Survives("IsPure", [&] { return shlo::IsPure(*module, pure); });
  Survives("Prove", [&] {
    const auto proof = shlo::Prove(*module, *module, {.max_inputs = 2});
    return proof && proof->verdict == shlo::Verdict::kEqual;
  });
  Survives("WriteNpy", [&] { return bool(shlo::WriteNpy(arg)); });
  Survives("ReadNpy", [&] { return bool(shlo::ReadNpy(*npy)); });
  Survives("WriteNpz", [&] { return bool(shlo::WriteNpz(named)); });
  Survives("WriteSafetensors", [&] { return bool(shlo::WriteSafetensors(named)); });
  for (const std::string* bytes : {&*npz, &*safetensors}) {
    Survives("TensorFile", [&] {
      const auto file = shlo::TensorFile::Open(*bytes, nullptr, "file");
      return file && file->Shape(0) && file->Read(0);
    });
    Survives("TensorFile that is damaged", [&] {
      const auto file =
          shlo::TensorFile::Open(std::string_view(*bytes).substr(0, bytes->size() - 1), nullptr, "file");
      return !file && file.error()[0].code == shlo::Code::kMalformed;
    });
  }
  Survives("TensorAt", [&] { return bool(shlo::TensorAt((*types)[0], numbers + 2, strides)); });
  Survives("CopyTo", [&] { return bool(shlo::CopyTo(arg, numbers + 2, strides)); });
  return failures ? 1 : 0;
}
