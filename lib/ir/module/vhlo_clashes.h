// Names that VHLO would use for two attributes of one op. It has no struct attributes: their fields are in
// the op's only dictionary, such as `start_index_map` of a gather. In StableHLO that is free for a
// discardable attribute.
#pragma once

#include "shlo/module.h"
#include "shlo/source.h"

namespace shlo {

// Reports the first op with a discardable attribute that has the name of a VHLO attribute of this op, so
// that nobody could read what is written. `source` may be nullptr. Code: kBlocked.
Diagnostics VhloClashes(const Module& module, const Source* source);

}  // namespace shlo
