// write_lies DIR: writes every file of lib/serialize/mlirbc_test_lies.h into a folder, as NNN.bc, and beside
// it what the reader must say about it, as NNN.txt.
#include <cstdio>
#include <fstream>
#include <string>

#include "serialize/mlirbc_test_lies.h"

int main(int argc, char** argv) {
  if (argc != 2) return std::fputs("usage: write_lies DIR\n", stderr), 2;
  size_t number = 0;
  for (const shlo::mlirbc::Lie& lie : shlo::mlirbc::Lies()) {
    shlo::mlirbc::TestFile file;
    lie.tell(file);
    const std::string stem = std::string(argv[1]) + "/" + std::to_string(1000 + number++).substr(1);
    std::ofstream(stem + ".bc", std::ios::binary) << file.Bytes();
    std::ofstream(stem + ".txt") << lie.name << '\n' << lie.message << '\n';
  }
  return number ? 0 : 1;
}
