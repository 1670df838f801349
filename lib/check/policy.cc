#include <algorithm>
#include <set>

#include "base/format.h"
#include "base/try.h"
#include "check/rules.h"
#include "shlo/check_policy.h"

namespace shlo {
namespace {

bool MatchesAny(std::string_view path, const std::vector<std::string>& patterns) {
  return std::ranges::any_of(patterns, [&](const std::string& p) { return MatchesPattern(path, p); });
}

template <typename T>
void Replace(const std::optional<T>& from, std::optional<T>* to) {
  if (from) *to = from;
}

// Each is checked with each program.
constexpr size_t kMostConsumers = 100;

Result<NamedConsumer> Resolve(const CheckPolicy& policy, std::string_view text,
                              std::span<const Consumer> known, Date today) {
  if (const auto found = policy.resolved.find(text); found != policy.resolved.end()) return found->second;
  auto consumer = ResolveConsumer(text, known, today);
  if (!consumer)
    for (Diagnostic& d : consumer.error())
      if (d.place.file.empty()) d.place.file = policy.name;
  return consumer;
}

constexpr std::string_view kTemplate =
    R"(# The policy of 'shlo-compat check' for this folder and those below it. All keys are optional.

# Who must be able to read the programs: packages, releases, or ages.
consumers = ["WEEK_12"]  # "jaxlib==0.4.30", "1.9.0", "MAX"

# What to check without arguments, and what never to check.
files = ["."]
# exclude = ["third_party/**"]

# With what to compare: a revision of git. --against=REV overrides it.
# baseline = "origin/main"

# How old a program and a consumer may be, and how long before the end of a program to warn.
# window = "backward=5y,forward=2y"
# forecast = "180d"

# What is allowed; without a list, everything is.
# custom-calls = ["Sharding", "lapack_*"]
# producers = ["StableHLO_v1.*"]
# dialects = ["mydialect"]

# Files that define dialects, which are verified and converted as StableHLO is (docs/dialect.md).
# dialect-files = ["acme.toml"]

# Budgets of a file and its programs.
# [budget]
# size = "100 MB"
# ops = 200000
# constants = "1 MiB"

# Severities: off, note, warning or error. 'shlo-compat rules' lists the rules.
[rules]
# random-op = "error"

# Other rules for some paths; later tables win.
# [[path]]
# match = "experimental/**"
# consumers = ["current"]
# rules = { deprecated-op = "off" }

# Results that programs must keep.
# [[golden]]
# match = "models/**/*.mlir"
# inputs = "{dir}/{stem}.in.npz"
# outputs = "{dir}/{stem}.out.npz"
# tolerance = 1e-6

# Findings that somebody accepts until a date.
# [[waiver]]
# rule = "consumer-blocked"
# path = "models/vision/**"
# contains = "stablehlo.composite"
# reason = "the edge runtime is updated in May"
# owner = "vision@example.org"
# expires = 2027-05-31
)";

}  // namespace

std::string_view CheckPolicyTemplate() { return kTemplate; }

Result<void> ResolveConsumers(CheckPolicy* policy, std::span<const Consumer> known, Date today) {
  std::vector<const CheckOverrides*> scopes;
  for (const CheckOverrides& scope : policy->paths) scopes.push_back(&scope);
  scopes.push_back(&policy->everywhere);
  for (const CheckOverrides* scope : scopes) {
    if (!scope->consumers) continue;
    for (const std::string& text : *scope->consumers) {
      if (policy->resolved.contains(text)) continue;
      auto consumer = SHLO_TRY(Resolve(*policy, text, known, today));
      if (policy->resolved.size() >= kMostConsumers)
        return Error(Code::kUsage, StrFormat("the policy names more than {} consumers", kMostConsumers),
                     {.file = policy->name}, "name the oldest ones: newer ones read what these do");
      policy->resolved.emplace(text, std::move(consumer));
    }
  }
  return {};
}

Result<CheckSettings> SettingsFor(const CheckPolicy& policy, std::string_view path,
                                  std::span<const Consumer> known, Date today) {
  CheckOverrides sum = policy.everywhere;
  CheckSettings settings;
  for (const auto& [rule, severity] : sum.rules) settings.severities[rule] = severity;
  for (const CheckOverrides& scope : policy.paths) {
    if (!MatchesAny(path, scope.match)) continue;
    Replace(scope.consumers, &sum.consumers);
    Replace(scope.custom_calls, &sum.custom_calls);
    Replace(scope.dialects, &sum.dialects);
    Replace(scope.producers, &sum.producers);
    Replace(scope.max_size, &sum.max_size);
    Replace(scope.max_ops, &sum.max_ops);
    Replace(scope.max_constants, &sum.max_constants);
    for (const auto& [rule, severity] : scope.rules) settings.severities[rule] = severity;
  }
  std::set<std::string_view> seen;
  const std::vector<std::string> consumers = std::move(sum.consumers).value_or(std::vector<std::string>());
  for (const std::string& text : consumers) {
    if (!seen.insert(text).second) continue;
    auto consumer = SHLO_TRY(Resolve(policy, text, known, today));
    settings.consumers.push_back(std::move(consumer));
  }
  settings.custom_calls = std::move(sum.custom_calls);
  if (sum.dialects) settings.dialects = std::move(*sum.dialects);
  settings.producers = std::move(sum.producers);
  settings.max_size = sum.max_size;
  settings.max_ops = sum.max_ops;
  settings.max_constants = sum.max_constants;
  // A budget that is stated holds, unless the policy says otherwise.
  if (sum.max_constants) settings.severities.try_emplace(CheckRule::kInlineWeights, CheckSeverity::kWarning);
  settings.window = policy.window;
  settings.forecast_days = policy.forecast_days;
  settings.today = today;
  return settings;
}

void ApplyWaivers(const CheckPolicy& policy, std::string_view path, Date today, Findings* findings,
                  std::vector<bool>* used) {
  used->resize(policy.waivers.size());
  for (size_t i = 0; i < policy.waivers.size(); ++i) {
    const CheckWaiver& waiver = policy.waivers[i];
    if (!MatchesPattern(path, waiver.path)) continue;
    for (Finding& finding : *findings) {
      const Diagnostic& d = finding.diagnostic;
      if (finding.rule != waiver.rule) continue;
      if (!waiver.contains.empty() && d.message.find(waiver.contains) == std::string::npos &&
          d.op.find(waiver.contains) == std::string::npos)
        continue;
      (*used)[i] = true;
      if (today <= waiver.expires && finding.waived.empty()) finding.waived = waiver.reason;
    }
  }
}

Findings CheckWaivers(const CheckPolicy& policy, Date today, const std::vector<bool>& used) {
  Findings out;
  CheckSettings settings;
  for (const auto& [rule, severity] : policy.everywhere.rules) settings.severities[rule] = severity;
  const auto add = [&](CheckRule rule, const CheckWaiver& waiver, std::string message, const char* hint) {
    const CheckSeverity severity = settings.SeverityOf(rule);
    if (severity == CheckSeverity::kOff) return;
    Diagnostic d;
    d.severity = severity == CheckSeverity::kError ? Severity::kError : Severity::kWarning;
    d.code = Code::kPolicy;
    d.place.file = policy.name;
    d.place.line = waiver.line;
    d.message = std::move(message);
    d.hint = hint;
    out.push_back({.rule = rule, .severity = severity, .diagnostic = std::move(d)});
  };
  for (size_t i = 0; i < policy.waivers.size(); ++i) {
    const CheckWaiver& waiver = policy.waivers[i];
    const std::string_view id = RowOf(waiver.rule).id;
    if (today > waiver.expires)
      add(CheckRule::kWaiverExpired, waiver,
          StrFormat("the waiver of {} for '{}' expired on {} (owner: {})", id, waiver.path,
                    DateString(waiver.expires), waiver.owner),
          "mend what it waived, and delete it");
    else if (i >= used.size() || !used[i])
      add(CheckRule::kWaiverUnused, waiver,
          StrFormat("the waiver of {} for '{}' waives nothing", id, waiver.path), "delete it");
  }
  return out;
}

}  // namespace shlo
