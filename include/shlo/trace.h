// Tracing of the types and attributes of programs, for `--trace`.
#pragma once

#include <functional>
#include <string_view>

namespace shlo {

// Receives a line, without its newline, for each type and attribute that a program has: "readType kTensor
// tensor<2xf32>". The lines of MLIR bytecode have no kind. If empty, tracing is off.
using Trace = std::function<void(std::string_view line)>;

}  // namespace shlo
