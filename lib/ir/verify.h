// The structural verifier: everything about a program that the op table and the IR itself demand. Not the
// specification's constraints on meaning, but for element types of operands (those are warnings: see
// VerifyOptions::strict).
#pragma once

#include "ir/diagnostics.h"
#include "ir/module.h"

namespace shlo {

struct VerifyOptions {
  bool strict = false;            // constraint warnings become errors
  size_t max_diagnostics = 1000;  // then one note says how many more there are
};

// Every finding of a module, in program order: dominance, arity, row conformance (operands, attributes and
// their classes, results, regions), types of block arguments and terminators, symbols, versions. An empty
// list means the program verifies.
Diagnostics Verify(const Module& module, const VerifyOptions& options = {});

// Whether any diagnostic is an error.
bool HasErrors(const Diagnostics& diagnostics);

}  // namespace shlo
