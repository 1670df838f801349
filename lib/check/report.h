// Reports of `check`, `gate` and other commands, in the formats that CI systems read.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/printable.h"
#include "ir/json.h"
#include "shlo/check.h"

namespace shlo {

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
  bool has_rules = true;               // of `check`; otherwise a finding's rule is the code of its diagnostic
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
  // Returns the id of the rule of a finding.
  std::string_view RuleOf(const Finding& finding) const;
};

// Reads a report from a document of `check --json`; or of another command that has the keys `files` and
// `policy_findings` of such a document, in which rules are codes of diagnostics. In both a diagnostic may
// have its `source_line`.
Result<CheckReport> ReadReport(std::string_view document, const Limits& limits);
// Returns the diagnostic of a document: the inverse of ToJson, with its `source_line`.
Diagnostic DiagnosticOf(const Json& json);

// Returns the document of a report: "text", "json" (the keys between those of every document), "sarif"
// (2.1.0), "junit", "github" (annotations), "gitlab" (code quality), "markdown", "html". The same report
// gives the same bytes.
// A text for a terminal omits the failures, which are on stderr.
std::string RenderReport(const CheckReport& report, std::string_view format, bool color = false,
                         bool terminal = false);
Json ReportJson(const CheckReport& report);

// The formats by name, for messages and flags.
inline constexpr std::string_view kReportFormats[] = {"text",   "json",   "sarif",    "junit",
                                                      "github", "gitlab", "markdown", "html"};

// A finding, or why a file could not be checked, as reports show it.
struct ReportRow {
  std::string_view kind;         // "failed", "error", "warning", "note" or "waived"
  std::string_view rule;         // its id; of a failure the code
  std::string_view path;         // of the file
  const Diagnostic* diagnostic;  // place, op and remedy
  const Finding* finding;        // null for a failure
  std::string message;           // with its op and count: "stablehlo.rng: gives other results (3 times)"
};
// Returns the rows of all files, failures first in each, and then those about the policy. They refer to the
// report.
std::vector<ReportRow> RowsOf(const CheckReport& report);

// Returns a finding as `check --json` has it.
Json FindingJson(const CheckReport& report, const Finding& finding, std::string_view path);
Json TotalsJson(const CheckReport& report);

// Returns the command that applies a rule.
std::string_view CommandOf(const CheckRuleRow& row);
// Returns the keys of the document of `rules`: of one rule, or of all (null).
Json RulesJson(const CheckRuleRow* only);

// Parts, one file each.
TerminalText TextReport(const CheckReport& report, bool color, bool terminal);  // report_text.cc
MarkdownText MarkdownReport(const CheckReport& report);                         // report_text.cc
CommandText GithubReport(const CheckReport& report);                            // report_text.cc
XmlText HtmlReport(const CheckReport& report);                                  // report_html.cc
XmlText JunitReport(const CheckReport& report);                                 // report_html.cc
std::string SarifReport(const CheckReport& report);                             // report_json.cc
std::string GitlabReport(const CheckReport& report);                            // report_json.cc
// "3 errors, 1 warning, 2 waived in 40 files"
std::string TotalsText(const CheckReport& report);

}  // namespace shlo
