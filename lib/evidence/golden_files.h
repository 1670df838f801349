// Results that were kept: `check` computes them again.
#pragma once

#include "check/files.h"
#include "shlo/check_policy.h"

namespace shlo {

// Evaluates the programs of a file on the inputs of a golden, and adds a finding for each result that
// differs. `relative` is the path of the file from the policy's folder. Fails if there is nothing
// to compare: the golden names a file that is not there, or the program cannot be evaluated.
Result<void> CheckGoldens(const LimitsFor& limits_for, const CheckGolden& golden, const CheckRun& run,
                          const std::string& relative, const ProgramFile& file, CheckSeverity severity,
                          Findings* findings);

// Adds the rules about results to a run.
void AddEvaluation(CheckRun* run);

}  // namespace shlo
