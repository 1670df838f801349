// Substitutes for custom calls that cannot be evaluated: functions with arbitrary results that depend on the
// target, its configuration and all bits of the operands. Programs that differ for one of them differ unless
// they rely on what the custom call computes. Internal to lib/prove.
#pragma once

#include <map>
#include <string>

#include "shlo/evaluate.h"
#include "shlo/module.h"

namespace shlo {

// Returns substitutes for the targets that both programs call and that the evaluator does not know.
std::map<std::string, CustomCall, std::less<>> SubstitutesFor(const Module& a, const Module& b);

}  // namespace shlo
