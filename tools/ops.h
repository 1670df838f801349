// Words for the rows of the op table, as `ops` and the comparison of releases print them.
#pragma once

#include <string>
#include <string_view>

#include "common.h"
#include "shlo/op_table.h"
#include "versioning/steps.h"

namespace shlo::tool {

// Returns the class of an attribute, with the cases that do not exist in all versions.
std::string AttrText(const Cell& attr);
// Returns the changes of a step: "renamed, attributes added or removed".
std::string ChangeNames(ChangeSet changes);
// Returns "vhlo.gather_v2", or the name of an op that VHLO does not have.
std::string_view RevisionName(RevisionId revision);
// Returns a step as `ops --json` has it.
Json ToJson(const Step& step);

}  // namespace shlo::tool
