#include "check/rules.h"

#include <algorithm>
#include <array>

namespace shlo {
namespace {

constexpr std::array kSeverityNames = {"off", "note", "warning", "error"};

constexpr auto Off = CheckSeverity::kOff, Note = CheckSeverity::kNote, Warning = CheckSeverity::kWarning,
               Error = CheckSeverity::kError;
constexpr auto Alone = CheckComparison::kNone, Baseline = CheckComparison::kBaseline,
               Released = CheckComparison::kReleases;

constexpr CheckRuleRow kRules[] = {
#define SHLO_CHECK_RULE(name, id, severity, compares, summary, page) \
  {CheckRule::name, id, severity, compares, summary, page},
#include "schema/check_rules.inc"
};

// Ids are written as every other name on the command line, and no two are the same.
consteval bool IdsAreSound() {
  for (const CheckRuleRow& row : kRules) {
    if (row.id.empty() || row.summary.empty() || row.page.empty()) return false;
    for (const char c : row.id)
      if ((c < 'a' || c > 'z') && c != '-') return false;
    for (const CheckRuleRow& other : kRules)
      if (&other != &row && other.id == row.id) return false;
  }
  return true;
}
static_assert(IdsAreSound());

}  // namespace

std::string_view CheckSeverityName(CheckSeverity severity) { return kSeverityNames[size_t(severity)]; }

std::optional<CheckSeverity> CheckSeverityOfName(std::string_view name) {
  const auto found = std::find(kSeverityNames.begin(), kSeverityNames.end(), name);
  if (found == kSeverityNames.end()) return std::nullopt;
  return CheckSeverity(found - kSeverityNames.begin());
}

std::span<const CheckRuleRow> CheckRules() { return kRules; }

const CheckRuleRow& RowOf(CheckRule rule) { return kRules[size_t(rule)]; }

const CheckRuleRow* FindCheckRule(std::string_view id) {
  const auto* row = std::find_if(std::begin(kRules), std::end(kRules), [&](auto& r) { return r.id == id; });
  return row == std::end(kRules) ? nullptr : row;
}

CheckSeverity CheckSettings::SeverityOf(CheckRule rule) const {
  const auto found = severities.find(rule);
  return found == severities.end() ? RowOf(rule).severity : found->second;
}

}  // namespace shlo
