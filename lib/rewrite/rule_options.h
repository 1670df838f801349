// Choices of a pass's user that concern its rules.
#pragma once

#include <cstdint>

#include "shlo/diagnostics.h"

namespace shlo::rewrite {

struct PassRun;

struct RuleOptions {
  // Largest number of elements of a constant that a rule makes, where the reference limits it. Constants of
  // one element for all have no limit.
  uint64_t max_elements = 1 << 16;
  bool floats = true;  // fold floats where the reference lets its user forbid it
  // Erase loops that never run although a call in them may have side effects.
  bool calls_are_pure = false;
};

// Returns those that the options of a pass state: fold-op-element-limit, optimize-float, and
// assume-no-undeclared-side-effects. Fails with kUsage.
Result<RuleOptions> RuleOptionsOf(const PassRun& run);

}  // namespace shlo::rewrite
