// A file and the programs in it: what commands know of one that they have read.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "shlo/diagnostics.h"
#include "shlo/dialect.h"
#include "shlo/program_io.h"
#include "shlo/verify.h"
#include "tasks/json.h"

namespace shlo::tasks {

// A file and what the verifier says of its programs.
struct VerifiedFile : ProgramFile {
  std::vector<Diagnostics> findings = {};  // of each program, from VerifyPrograms
  bool was_mhlo = false;                   // LeaveMhlo made its programs StableHLO
};

// Makes MHLO programs StableHLO. Ops without a counterpart are left: they are in the way of conversions only.
// Returns whether there were any.
bool LeaveMhlo(std::span<Program> programs);

// Verifies every program of a file. Returns all that was found.
Diagnostics VerifyPrograms(std::span<const Dialect> dialects, const VerifyOptions& options,
                           VerifiedFile* file);
// Returns the entry of a file in the document of `verify`.
Json VerifyJson(const std::string& path, const ProgramFile& file, std::span<const Dialect> dialects,
                bool verifies);

// Returns the remedy for a file that has several programs where one is expected.
std::string ChooseHint(const ProgramFile& file);

}  // namespace shlo::tasks
