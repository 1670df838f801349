// Common subexpressions: one op instead of equal ones.
#pragma once

#include <cstdint>

#include "shlo/editor.h"

namespace shlo::rewrite {

// Replaces each pure op without regions by an earlier equal one that is visible to it, and erases ops without
// uses and effects. Returns the number of ops that it erased. Linear in the ops.
uint64_t EliminateCommonOps(ModuleEditor* editor);

}  // namespace shlo::rewrite
