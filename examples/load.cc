// Loads a program in any format, verifies it, and prints its errors with their places.
//   load FILE
#include <cstdio>

#include "shlo/program_io.h"
#include "shlo/verify.h"

int main(int argc, char** argv) {
  if (argc != 2) return std::fputs("usage: load FILE\n", stderr), 2;

  // Text, MLIR bytecode or .shlo, as detected from the content. Warnings mean that a file is unusual but
  // readable.
  shlo::Diagnostics warnings;
  const shlo::Result<shlo::Program> program = shlo::ReadProgramFile(argv[1], {}, &warnings);
  for (const shlo::Diagnostic& d : warnings) std::fputs(shlo::Render(d).c_str(), stderr);
  if (!program) {
    for (const shlo::Diagnostic& d : program.error()) std::fputs(shlo::Render(d).c_str(), stderr);
    return 1;
  }

  const shlo::Diagnostics found = shlo::Verify(*program);
  for (const shlo::Diagnostic& d : found) std::fputs(shlo::Render(d).c_str(), stdout);
  if (shlo::HasErrors(found)) return 1;

  std::printf("version %s, %zu ops\n", shlo::VersionName(program->module.version).c_str(),
              program->module.ops.size() - 1);  // op 0 is unused
  return 0;
}
