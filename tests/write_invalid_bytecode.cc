// write_invalid_bytecode DIR: writes every case of lib/serialize/mlirbc/invalid_cases.h to DIR as NNN.bc, and
// its name and expected diagnostic as NNN.txt.
#include <cstdio>
#include <fstream>
#include <string>

#include "serialize/mlirbc/invalid_cases.h"

int main(int argc, char** argv) {
  if (argc != 2) return std::fputs("usage: write_invalid_bytecode DIR\n", stderr), 2;
  size_t number = 0;
  for (const shlo::mlirbc::InvalidCase& invalid : shlo::mlirbc::InvalidCases()) {
    shlo::mlirbc::TestFile file;
    invalid.make(file);
    const std::string stem = std::string(argv[1]) + "/" + std::to_string(1000 + number++).substr(1);
    std::ofstream(stem + ".bc", std::ios::binary) << file.Bytes();
    std::ofstream(stem + ".txt") << invalid.name << '\n' << invalid.message << '\n';
  }
  return number ? 0 : 1;
}
