// `stablehlo-translate --interpret`: evaluates programs and prints what they give as the reference
// interpreter does. Shared by the drop-in and `eval`.
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

// Reads, evaluates and prints; gives the exit code.
int RunInterpret(Context& ctx, const InterpretOptions& options);

// Gives the probes of an evaluation a directory: values become probe<N>.npy, index.csv says which is which.
void WriteProbesTo(const std::string& directory, EvalOptions* options);

// The elements attributes in a text: one, or a list in brackets. An error when there are others.
Result<std::vector<Tensor>> ParseTensors(const std::string& text, const std::string& source_name);

}  // namespace shlo::tool
