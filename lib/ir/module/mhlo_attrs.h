// Attributes of MHLO and of old CHLO in the notation of StableHLO.
#pragma once

#include <string_view>

#include "ir/table/mhlo.h"
#include "shlo/module.h"

namespace shlo {

// Returns the value of an attribute as StableHLO writes it: an enum for a string or a number, a struct for a
// dictionary, the enum of CHLO for that of MHLO. Returns other values unchanged, for the verifier to report.
// Replaces a former name of the attribute.
AttrId FromMhlo(Module& m, RevisionId revision, std::string_view* name, AttrId value);

// Returns whether an attribute that StableHLO lacks has the value that means nothing.
bool MeansNothing(const Module& m, const mhlo::OpRow& op, std::string_view name, AttrId value);

}  // namespace shlo
