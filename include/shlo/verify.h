// The verifier: checks a program against the op table, the rules of MLIR and the constraints of the
// specification. Violations of MLIR's rules are errors. Violations of the specification's constraints (types,
// shapes, attributes, regions) are errors, too, unless the caller asks for less.
#pragma once

#include <string>
#include <vector>

#include "shlo/diagnostics.h"
#include "shlo/limits.h"
#include "shlo/module.h"
#include "shlo/program.h"
#include "shlo/source.h"

namespace shlo {

// The severity of a violated constraint of the specification. Everything that gives a verdict on programs
// (`verify`, `check`, `archive add`) uses kSpecification; everything that works on them uses kReference.
enum class Strictness : uint8_t {
  kStrict,         // an error, also if the reference implementation does not check the constraint
  kSpecification,  // an error if the reference implementation checks the constraint, otherwise a warning
  // As kSpecification, but a warning in the prototype versions: nothing ever verified their programs.
  kReference,
  kLenient,  // a warning
};

// Options of Verify.
struct VerifyOptions {
  const Source* source = nullptr;                      // of the module, for places
  Strictness strictness = Strictness::kSpecification;  // of constraints
  // Report nothing that the reference accepts, even where nobody can read the artifact.
  bool as_reference = false;
  // Report as the reference does: only the first invalid op of a function, and invalid symbol references only
  // if all ops are valid otherwise.
  bool first_of_function = false;
  Limits limits;                          // deadline
  size_t max_diagnostics = 1000;          // a note counts the rest
  std::vector<OpId>* reported = nullptr;  // gets every op that has a diagnostic, shown or not
};

// Returns the diagnostics of a module, in program order and in the reference's words. Checks of one op stop
// at the first failure that could cause others. An empty list means that the program verifies.
Diagnostics Verify(const Module& module, const VerifyOptions& options = {});
// Likewise, with the places of the program's source.
Diagnostics Verify(const Program& program, VerifyOptions options = {});

// Returns whether any diagnostic is an error.
bool HasErrors(const Diagnostics& diagnostics);

}  // namespace shlo
