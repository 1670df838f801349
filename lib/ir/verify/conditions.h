// Conditions that some shapes carry in some versions (Cond in op_table.h), as predicates on an op.
#pragma once

#include "shlo/module.h"

namespace shlo {

// Whether an op satisfies a condition. CondName states what is demanded.
bool Satisfies(const Module& module, const Op& op, Cond condition);

}  // namespace shlo
