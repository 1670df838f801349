// Examples of ops as text, for documentation.
#pragma once

#include <string>

#include "shlo/op_table.h"

namespace shlo {

// Returns the newest revision of an op as StableHLO text, without the surrounding program, in its custom form
// if it has one. Empty if neither schema/examples.inc nor the sample program satisfies all constraints.
std::string ExampleOf(RowId row);

}  // namespace shlo
