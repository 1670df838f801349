// The op table as documentation: the form of an op, its constraints, every revision with its versions,
// operands, attributes, results and conditions, and the steps between revisions. And the words of the rows,
// which the comparison of releases uses, too.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ir/json.h"
#include "shlo/op_table.h"

namespace shlo {

// Finds rows by full name, VHLO name or mnemonic.
std::vector<RowId> FindOps(std::string_view name);
// Returns the page of an op, and a line with its name and versions.
std::string OpText(RowId row);
std::string OpLine(RowId row);
// Returns the page as an object, and the keys of a document about several ops.
Json OpJson(RowId row);
Json OpsJson(std::span<const RowId> rows);

}  // namespace shlo
