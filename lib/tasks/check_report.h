// Reports of `check` and `gate`, in the formats that CI systems read.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/printable.h"
#include "shlo/check.h"
#include "tasks/json.h"

namespace shlo::tasks {

// Findings in one file.
struct CheckedEntry {
  std::string path;
  Findings findings;
  Diagnostics failures;   // why it could not be checked: never a pass
  bool compared = false;  // with the baseline
};

// Findings of a run.
struct CheckReport {
  std::string command = "check";       // that made it
  std::string policy;                  // file, or ""
  std::string baseline, commit;        // as it was named, and what it is; or ""
  std::vector<std::string> consumers;  // as the policy or the user names them
  Date today;                          // of windows and waivers
  std::vector<CheckedEntry> files;
  Findings about_policy;  // of rules about the policy itself

  // Counts of findings that are not waived, by severity; of waived ones; of files that could not be checked.
  struct Totals {
    size_t errors = 0, warnings = 0, notes = 0, waived = 0, failed = 0;
  };
  Totals Count() const;
};

// Returns the document of a report: "text", "json" (the keys between those of every document), "sarif"
// (2.1.0), "junit", "github" (annotations), "gitlab" (code quality), "markdown", "html". The same report
// gives the same bytes.
// A text for a terminal omits the failures, which are on stderr.
std::string RenderReport(const CheckReport& report, std::string_view format, bool color = false,
                         bool terminal = false);
Json ReportJson(const CheckReport& report);

// Returns what tells a finding from all others, and stays while lines move: a hash in hexadecimal.
std::string FingerprintOf(const Finding& finding, std::string_view path);

// The formats by name, for messages and flags.
inline constexpr std::string_view kReportFormats[] = {"text",   "json",   "sarif",    "junit",
                                                      "github", "gitlab", "markdown", "html"};

// Returns a finding as `check --json` has it.
Json FindingJson(const Finding& finding, std::string_view path);
Json TotalsJson(const CheckReport& report);

// Returns the command that applies a rule.
std::string_view CommandOf(const CheckRuleRow& row);
// Returns the keys of the document of `rules`: of one rule, or of all (null).
Json RulesJson(const CheckRuleRow* only);

// Parts, one file each.
TerminalText TextReport(const CheckReport& report, bool color, bool terminal);  // check_report_text.cc
MarkdownText MarkdownReport(const CheckReport& report);                         // check_report_text.cc
CommandText GithubReport(const CheckReport& report);                            // check_report_text.cc
XmlText HtmlReport(const CheckReport& report);                                  // check_report_html.cc
XmlText JunitReport(const CheckReport& report);                                 // check_report_html.cc
std::string SarifReport(const CheckReport& report);                             // check_report_json.cc
std::string GitlabReport(const CheckReport& report);                            // check_report_json.cc
// "3 errors, 1 warning, 2 waived in 40 files"
std::string TotalsText(const CheckReport& report);
// Returns the message with its op and count: "stablehlo.rng: gives other results in every run (3 times)".
std::string MessageOf(const Finding& finding);

}  // namespace shlo::tasks
