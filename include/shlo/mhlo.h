// Leaves MHLO, the dialect that StableHLO was made of. Readers make each op of MHLO the op of StableHLO that
// it became (Source::mhlo). Some ops became one of CHLO or none: they are in the module as ops of another
// dialect, until a conversion calls this.
#pragma once

#include "shlo/diagnostics.h"
#include "shlo/module.h"
#include "shlo/source.h"

namespace shlo {

// Makes each op of MHLO that CHLO has the op of CHLO. Fails with a blocker (kBlocked) for each op and
// attribute that no other dialect has; the hint says what to do instead. `source` may be null. The program is
// StableHLO afterwards: clear Source::mhlo.
Result<Module> LeaveMhlo(Module module, const Source* source);

}  // namespace shlo
