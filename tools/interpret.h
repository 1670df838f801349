// `stablehlo-translate --interpret`: evaluates programs and prints their results like the reference
// interpreter. The drop-in and `eval` share parts.
#pragma once

#include <string>
#include <vector>

#include "dropin.h"
#include "shlo/evaluate.h"

namespace shlo::tool {

// Reads, evaluates and prints programs. Returns the exit code.
int RunInterpret(Context& ctx, const DropinFlags& flags);

// Makes interpreter.probe write values to `directory`, as probe<N>.npy with an index.csv.
void WriteProbesTo(const std::string& directory, EvalOptions* options);

}  // namespace shlo::tool
