// write_containers DIR: writes containers as frameworks make them to DIR, for tests of the tool and for
// fuzzing.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include "serialize/container/test_files.h"

int main(int argc, char** argv) {
  using namespace shlo::container;
  if (argc != 2) return std::fputs("usage: write_containers DIR\n", stderr), 2;
  const std::string folder = argv[1];
  const auto write = [&](const std::string& name, const std::string& bytes) {
    std::ofstream(folder + "/" + name, std::ios::binary) << bytes;
  };
  TestExport test;
  write("one.bin", test.Bytes());
  test.programs = {TestProgram(1), TestProgram(2), TestProgram(3)};
  write("gradients.bin", test.Bytes());
  test.unknown_field = true;
  write("newer.bin", test.Bytes());
  test = {};
  test.argument = shlo::jax_export::TreeKind_custom;
  test.hlo = "";
  test.lists = false;
  write("custom.bin", test.Bytes());
  test = {};
  test.hlo = "\x08\x03";
  test.named = test.indices = false;
  test.memory = shlo::jax_export::MemorySpace_host;
  write("host.bin", test.Bytes());
  test = {};
  test.programs = {
      TestArtifact("func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {\n"
                   "  %y = chlo.square %x : tensor<4xf32> -> tensor<4xf32>\n"
                   "  return %y : tensor<4xf32>\n}\n",
                   "1.15.0")};
  write("chlo.bin", test.Bytes());
  test.programs = {
      TestArtifact("func.func @main() -> tensor<i32> {\n"
                   "  %0 = stablehlo.constant dense<7> : tensor<i32>\n"
                   "  return %0 : tensor<i32>\n}\n",
                   "1.9.0")};
  test.kept_inputs = {};
  write("unused.bin", test.Bytes());
  test.kept_inputs = {0};
  test.programs = {"not a program"};
  write("broken.bin", test.Bytes());
  std::filesystem::create_directories(folder + "/model/variables");
  write("model/saved_model.pb", TestSavedModel({TestProgram(1), TestProgram(2)}));
  write("model/variables/variables.index", "weights");
  write("single.pb", TestSavedModel({TestProgram()}));
  write("none.pb", TestSavedModel({}));
  return 0;
}
