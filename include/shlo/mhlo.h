// Leaves MHLO, the dialect that StableHLO was made of. Readers make each op of MHLO the op of StableHLO that
// it became (Source::mhlo). Some ops became one of CHLO or none: they are in the module as ops of another
// dialect, until a conversion calls this.
#pragma once

#include <span>

#include "shlo/diagnostics.h"
#include "shlo/module.h"
#include "shlo/program.h"
#include "shlo/source.h"

namespace shlo {

// Makes each op of MHLO that CHLO has the op of CHLO. Returns a blocker (kBlocked) for each op and attribute
// that is left because no other dialect has it; the hint says what to do instead. `source` may be null. If
// there are none, the program is StableHLO: clear Source::mhlo.
Diagnostics LeaveMhlo(Module* module, const Source* source);
// Likewise, and clears Source::mhlo. Fails with the blockers.
Result<void> LeaveMhlo(Program* program);
// Likewise of each program, but ops without a counterpart are left: they are in the way of conversions only.
// Returns whether there was any MHLO.
bool LeaveMhlo(std::span<Program> programs);

}  // namespace shlo
