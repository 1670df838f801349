// The work of `check` on files: which rules hold for each, its baseline, kept results and waivers.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/request_status.h"
#include "check/report.h"
#include "serialize/inputs.h"
#include "shlo/check_policy.h"
#include "shlo/dialect.h"
#include "shlo/limits.h"

namespace shlo {

// Everything that holds for the whole run.
struct CheckRun {
  CheckPolicy policy;
  std::filesystem::path root;  // of the policy's paths
  std::vector<Consumer> known;
  Date today;
  bool lenient = false;                                  // as in CheckSettings
  std::shared_ptr<const std::vector<Dialect>> dialects;  // dialects of the user; null: none
  MeaningComparison compare_meaning;                     // as in CheckSettings
  // Compares the results of a file with a golden: CheckGoldens. Null: a file that has one fails.
  Result<void> (*check_goldens)(const LimitsFor& limits_for, const CheckGolden& golden, const CheckRun& run,
                                const std::string& relative, const ProgramFile& file, CheckSeverity severity,
                                Findings* findings) = nullptr;
};

// A file as it was.
struct BaselineFile {
  std::string name;  // of the baseline, for places
  std::string bytes;
};
// Returns the file that an absolute path was in the baseline; nullopt if there is none, or it is the same.
using Baseline = std::function<Result<std::optional<BaselineFile>>(const std::string& absolute)>;

// Sets the severity of a rule everywhere, and the consumers of all files.
void SetRule(CheckRule rule, CheckSeverity severity, CheckPolicy* policy);
void SetConsumers(const std::vector<std::string>& requirements, CheckPolicy* policy);

// Returns the files to check, with the names that reports have for them: those of the arguments, or of the
// policy if there are none, without those that the policy excludes.
Inputs FilesToCheck(const CheckRun& run, std::vector<std::string>* arguments);
// Checks a file. Sets used[i] for each waiver that matches a finding.
CheckedEntry CheckProgramFile(const CheckRun& run, const InputPath& input, const Baseline& baseline,
                              const LimitsFor& limits_for, std::vector<bool>* used);
// Adds a finding for a file of the baseline, by its absolute path, that is gone.
void AddRemoved(const CheckRun& run, const std::string& path, CheckReport* report, std::vector<bool>* used);
// Adds findings about the waivers. `used` is by file; `is_part`: files of the policy were left out, which
// says nothing about waivers of those.
void AddWaiverFindings(const CheckRun& run, const std::vector<std::vector<bool>>& used, bool is_part,
                       CheckReport* report);
// Returns the status of a report: also why files could not be checked.
RequestStatus StatusOf(const CheckReport& report);

}  // namespace shlo
