// Conditions of some revisions in some versions (Cond in op_table.h), as predicates on an op.
#pragma once

#include "shlo/module.h"

namespace shlo {

// Returns whether an op satisfies a condition. CondName states the condition.
bool Satisfies(const Module& module, const Op& op, Cond condition);

}  // namespace shlo
