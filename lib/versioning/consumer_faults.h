// Ops that a consumer reads and cannot compile.
#pragma once

#include "shlo/consumers.h"

namespace shlo {

// Returns the warnings of CompileWarnings about ops.
Diagnostics UncompiledOps(const Module& module, const Consumer& consumer, const ConvertOptions& options);

}  // namespace shlo
