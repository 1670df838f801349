// Examples of ops in text, for documentation. Not for tests, which have witnesses and dropped files.
#pragma once

#include <string>

#include "shlo/op_table.h"

namespace shlo::tool {

// The newest shape of an op as StableHLO text, without the program around it: its custom form where it has
// one. Empty where neither its witness nor a program of schema/examples.inc keeps all constraints, since it
// would make a poor example.
std::string ExampleOf(RowId row);

}  // namespace shlo::tool
