// The reports of `check` and `gate` that a command line asks for. lib/check/report.h makes them.
#pragma once

#include <string>
#include <vector>

#include "check/report.h"
#include "common.h"

namespace shlo::tool {

// A report to write: a format, and a file or "-".
struct ReportTarget {
  std::string format, file = "-";
};
// Parses the values of --report: FORMAT or FORMAT=FILE. One report at most goes to the standard output;
// without one, the text does.
int ParseReports(Context& ctx, const std::vector<std::string>& words, std::vector<ReportTarget>* out);
// Writes the reports, `json` as the one in JSON. Returns the exit code.
int WriteReports(Context& ctx, const std::vector<ReportTarget>& targets, const CheckReport& report,
                 const Json& json, int code);
// Parses ID=SEVERITY, and reports what is wrong with it.
bool GetRuleSeverity(Context& ctx, const std::string& text, CheckRule* rule, CheckSeverity* severity);

}  // namespace shlo::tool
