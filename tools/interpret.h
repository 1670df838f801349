// `stablehlo-translate --interpret`: evaluates programs and prints their results like the reference
// interpreter. The drop-in and `eval` share parts.
#pragma once

#include <string>
#include <vector>

#include "common.h"
#include "shlo/evaluate.h"

namespace shlo::tool {

struct InterpretOptions {
  std::string file = "-";
  std::string args;              // --args=[dense<1> : tensor<2xi32>, ...]
  std::string probe_output_dir;  // --probe-output-dir
  bool print_dense = false;      // --interpreter-print-dense
  bool split_input_file = false;
};

// Reads, evaluates and prints programs. Returns the exit code.
int RunInterpret(Context& ctx, const InterpretOptions& options);

// Makes interpreter.probe write values to `directory`, as probe<N>.npy with an index.csv.
void WriteProbesTo(const std::string& directory, EvalOptions* options);

}  // namespace shlo::tool
