// Names of laws, as reports of `prove` state them.
#pragma once

#include <string>
#include <string_view>

#include "shlo/op_table.h"

namespace shlo::prove {

// Returns "vhlo.gather_v2", or the name of the op if VHLO does not have the revision.
std::string RevisionName(RevisionId revision);
// Returns "vhlo.gather_v1 -> vhlo.gather_v2".
std::string StepLawName(RevisionId from, RevisionId to);
// Returns "expansion of chlo.erf".
std::string ExpansionLawName(std::string_view op);
// Returns whether an expansion keeps every bit.
bool IsExactExpansion(std::string_view op);

}  // namespace shlo::prove
