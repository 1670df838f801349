// Tracing of the types and attributes of a program.
#pragma once

#include <string_view>

#include "shlo/module.h"
#include "shlo/print.h"
#include "shlo/trace.h"

namespace shlo {

// Passes a line for each type and attribute to `trace`, unless it is empty: "readType kTensor tensor<2xf32>",
// where `verb` is "read". Of a large constant, the line has the type.
void TraceNodes(const Module& module, std::string_view verb, const Trace& trace,
                Spelling spelling = Spelling::kStablehlo);

}  // namespace shlo
