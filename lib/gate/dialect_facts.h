// Facts of a dialect that a file defines, and its witnesses.
#pragma once

#include "gate/facts.h"
#include "gate/witness.h"
#include "shlo/dialect.h"
#include "shlo/gate.h"

namespace shlo::gate {

// Returns the versions of a dialect.
Versions VersionsOf(const Dialect& dialect);

// Adds what the dialect has in each version.
void AddDialectFacts(const Dialect& dialect, Facts& facts);

// Returns what the verifier, the writers and conversions make of a program of the dialect. Lowest and upgrade
// are about versions of the dialect.
WitnessParts ReplayDialect(const Dialect& dialect, std::string_view text, const ReplayOptions& options);

// Returns the op of the dialect that a program is about, and the version that it states.
struct DialectProgram {
  std::string subject;
  uint16_t version = 0;
};
Result<DialectProgram> ProgramOf(const Dialect& dialect, const WitnessSource& source);

}  // namespace shlo::gate
