// The op table as documentation: the form of an op, its constraints, every revision with its versions,
// operands, attributes, results and conditions, and the steps between revisions. And the words of the rows,
// which the comparison of releases uses, too.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "shlo/op_table.h"
#include "tasks/json.h"
#include "versioning/steps.h"

namespace shlo::tasks {

// Returns the class of an attribute, with the cases that do not exist in all versions.
std::string AttrText(const Cell& attr);
// Returns the changes of a step: "renamed, attributes added or removed".
std::string ChangeNames(ChangeSet changes);
// Returns "vhlo.gather_v2", or the name of an op that VHLO does not have.
std::string_view RevisionName(RevisionId revision);
// Returns a step as `ops --json` has it.
Json StepJson(const Step& step);

// Finds rows by full name, VHLO name or mnemonic.
std::vector<RowId> FindOps(std::string_view name);
// Returns the page of an op, and a line with its name and versions.
std::string OpText(RowId row);
std::string OpLine(RowId row);
// Returns the page as an object, and the keys of a document about several ops.
Json OpJson(RowId row);
Json OpsJson(std::span<const RowId> rows);

}  // namespace shlo::tasks
