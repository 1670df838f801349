// Words for the rows of the op table, as the pages of ops and the comparison of releases have them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ir/json.h"
#include "shlo/op_table.h"
#include "versioning/steps.h"

namespace shlo {

// Returns "1.0.0 (53) to 1.9.0 (62)", or "1.0.0 (53) and later".
std::string Interval(Version since, Version until);
// Returns the cases of an attribute that do not exist as long as their enum.
std::vector<EnumCase> DatedCases(const Cell& attr);
// Returns the class of an attribute, with the cases that do not exist in all versions.
std::string AttrText(const Cell& attr);
// Returns the changes of a step: "renamed, attributes added or removed".
std::string ChangeNames(ChangeSet changes);
// Returns "vhlo.gather_v2", or the name of an op that VHLO does not have.
std::string_view RevisionName(RevisionId revision);
// Returns a step as `ops --json` has it.
Json StepJson(const Step& step);

}  // namespace shlo
