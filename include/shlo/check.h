// The gate: rules about programs for other readers, and a policy that assigns rules to paths.
// `shlo-compat check` applies them to files and folders; this header is about a single file.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "shlo/consumers.h"
#include "shlo/diagnostics.h"
#include "shlo/dialect.h"
#include "shlo/limits.h"
#include "shlo/program_io.h"
#include "shlo/version.h"
#include "shlo/window.h"

namespace shlo {

// A rule: a row of schema/check_rules.inc. lib/check/rules.h defines the enumerators for code that names
// some.
enum class CheckRule : uint8_t;

// Effect of a finding: errors fail the gate.
enum class CheckSeverity : uint8_t { kOff, kNote, kWarning, kError };
// Returns "off", "note", "warning" or "error", and the severity of such a name.
std::string_view CheckSeverityName(CheckSeverity severity);
std::optional<CheckSeverity> CheckSeverityOfName(std::string_view name);

// Other side of the comparison that a rule makes.
enum class CheckComparison : uint8_t {
  kNone,      // nothing: a finding is about one file
  kBaseline,  // the file as it was
  kReleases,  // frozen releases: the rules of `gate` (shlo/gate.h), which no file breaks
};

// A row of the rules.
struct CheckRuleRow {
  CheckRule rule;            // which
  std::string_view id;       // permanent: "consumer-blocked"
  CheckSeverity severity;    // by default
  CheckComparison compares;  // what with
  std::string_view summary;  // what a finding says, as the end of "reports ..."
  std::string_view page;     // why it matters and what to do
};
// Returns all rows, in the order of the rules.
std::span<const CheckRuleRow> CheckRules();
// Returns the row of a rule.
const CheckRuleRow& RowOf(CheckRule rule);
// Returns the row of an id, or null.
const CheckRuleRow* FindCheckRule(std::string_view id);

// A finding of a rule.
struct Finding {
  CheckRule rule;                                  // that found it
  CheckSeverity severity = CheckSeverity::kError;  // under the policy
  Diagnostic diagnostic;                           // place, op, version, message and remedy
  std::string program;                             // name of the program in a container
  uint64_t count = 1;  // places in the program with the same message; this is the first
  std::string waived;  // the reason, if a waiver holds
};
// Findings in the order of the rules.
using Findings = std::vector<Finding>;

// A public function that may compute something else than before.
struct MeaningChange {
  std::string function;  // symbol name; "": about the module
  CheckRule rule;        // kMeaningChanged, kContractChanged or kMeaningUnknown
  std::string detail;    // the difference, or why none is known
};
// Compares the public functions of two programs that verify: CompareMeaning of shlo/evidence.h.
using MeaningComparison = std::function<Result<std::vector<MeaningChange>>(
    const Program& before, const Program& now, const Limits& limits)>;

// Rules and limits for one file.
struct CheckSettings {
  std::map<CheckRule, CheckSeverity> severities;         // other than the default
  std::vector<NamedConsumer> consumers;                  // that must read the programs
  std::optional<std::vector<std::string>> custom_calls;  // allowed targets, as patterns; none: any
  std::vector<std::string> dialects;                     // unknown dialects that are allowed
  std::shared_ptr<const std::vector<Dialect>> defined;   // dialects that files define; null: none
  std::optional<std::vector<std::string>> producers;     // allowed producers, as patterns; none: any
  std::optional<uint64_t> max_size;                      // budget of a file, in bytes
  std::optional<uint64_t> max_ops;                       // budget of a program
  std::optional<uint64_t> max_constants;                 // budget of a program, in bytes
  CompatibilityWindow window;                            // how old a program, and a consumer, may be
  int64_t forecast_days = 180;                           // how long before it leaves the window to say so
  Date today;                                            // for the window
  bool lenient = false;  // a violated constraint of the specification is at most a warning
  // With a baseline. Null: a program that is not the same as before has the finding kMeaningUnknown.
  MeaningComparison compare_meaning;

  // Returns the severity of a rule.
  CheckSeverity SeverityOf(CheckRule rule) const;
};

// Applies the rules to a file, whose name is in places. `baseline` is the same file as it was before, or
// null. Findings are in the order of the rules, and within a rule in program order. Fails if something could
// not be checked, for instance because a limit was exceeded: that is never a pass.
Result<Findings> CheckFile(const ProgramFile& file, const ProgramFile* baseline,
                           const CheckSettings& settings, const Limits& limits = {});

// Returns whether a pattern matches a whole text: `*` any characters but '/', `**` any, `?` one but '/',
// `[...]` one of several.
bool MatchesPattern(std::string_view text, std::string_view pattern);

}  // namespace shlo
