// The verifier: everything about a program that the op table, the IR itself and the specification demand.
// What the IR demands is an error. What the specification demands of an op (types of operands and results,
// shapes, attributes, regions) is a warning unless asked for: programs of older versions were written under
// older rules, and are still read.
#pragma once

#include <string>

#include "shlo/diagnostics.h"
#include "shlo/module.h"
#include "shlo/source.h"

namespace shlo {

struct VerifyOptions {
  const Source* source = nullptr;  // of the module, for places
  bool strict = false;             // constraint warnings become errors
  // As the reference: of a function only the first op that does not verify, and what ops refer to only when
  // all of them verify.
  bool first_of_function = false;
  size_t max_diagnostics = 1000;  // then one note says how many more there are
};

// Every finding of a module, in program order, in the words of the reference tool; of one op the first that
// others may follow from. An empty list means the program verifies.
Diagnostics Verify(const Module& module, const VerifyOptions& options = {});

// Whether any diagnostic is an error.
bool HasErrors(const Diagnostics& diagnostics);

}  // namespace shlo
