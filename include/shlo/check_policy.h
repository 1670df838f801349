// The policy of the gate: a TOML file with consumers, rules for paths, and waivers with owners and dates.
// docs/check.md describes its keys.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "shlo/check.h"

namespace shlo {

// Keys of one table of the policy; absent keys keep what holds without it.
struct CheckOverrides {
  std::vector<std::string> match;  // patterns of paths, relative to the policy; of [[path]] tables only
  std::optional<std::vector<std::string>> consumers;       // as they are written
  std::optional<std::vector<std::string>> custom_calls;    // patterns of allowed targets
  std::optional<std::vector<std::string>> dialects;        // patterns of allowed unknown dialects
  std::optional<std::vector<std::string>> producers;       // patterns of allowed producers
  std::vector<std::pair<CheckRule, CheckSeverity>> rules;  // severities; later ones win
  std::optional<uint64_t> max_size;                        // as in CheckSettings
  std::optional<uint64_t> max_ops;                         // as in CheckSettings
  std::optional<uint64_t> max_constants;                   // as in CheckSettings
};

// A finding that somebody accepts until a date.
struct CheckWaiver {
  CheckRule rule;        // that is waived
  std::string path;      // pattern, relative to the policy
  std::string contains;  // words of the message or the op; "": any
  std::string reason;    // why it is accepted
  std::string owner;     // by whom
  Date expires;          // the last day
  uint32_t line = 0;     // in the policy
};

// Inputs and results that were kept. `{dir}` and `{stem}` in their names are the folder of a program and its
// name without the ending; paths are relative to the policy.
struct CheckGolden {
  std::vector<std::string> match;  // patterns of programs
  std::string inputs;              // tensor file, as `eval --inputs` reads
  std::string outputs;             // tensor file, as `eval --outputs` writes
  std::string entry;               // function; "": main, or the only one
  double tolerance = 0;            // see GoldenDifference
};

// A policy file.
struct CheckPolicy {
  std::string name;                         // of the file, for places; "" without a file
  std::vector<std::string> files;           // what to check without arguments
  std::vector<std::string> exclude;         // patterns of what never to check
  std::vector<std::string> consumer_files;  // as --consumers
  std::vector<std::string> dialect_files;   // as --dialect
  std::string baseline;                     // a git revision; "": none
  CompatibilityWindow window;               // how old a program, and a consumer, may be
  int64_t forecast_days = 180;              // how long before the end of the window to say so
  CheckOverrides everywhere;                // keys of the root
  std::vector<CheckOverrides> paths;        // later ones win
  std::vector<CheckGolden> goldens;         // results to compare with
  std::vector<CheckWaiver> waivers;         // in the order of the file
  std::map<std::string, NamedConsumer, std::less<>>
      resolved;  // consumers by what names them (ResolveConsumers)
};

// Reads a policy. Fails with kUsage and the line; a misspelled key gets the nearest one.
Result<CheckPolicy> ParseCheckPolicy(std::string_view text, std::string name);

// Returns a commented policy to begin with.
std::string_view CheckPolicyTemplate();

// Looks up all consumers that a policy names, so that SettingsFor need not do it for each path. Fails if one
// is not known, or there are more than 100.
Result<void> ResolveConsumers(CheckPolicy* policy, std::span<const Consumer> known, Date today);

// Returns what holds for a path. Consumers are named as for ResolveConsumer. Fails if one is not known.
Result<CheckSettings> SettingsFor(const CheckPolicy& policy, std::string_view path,
                                  std::span<const Consumer> known, Date today);

// Marks the findings of a path that are waived on a day, and sets used[i] for each waiver that matches one,
// also an expired waiver, which waives nothing.
void ApplyWaivers(const CheckPolicy& policy, std::string_view path, Date today, Findings* findings,
                  std::vector<bool>* used);

// Returns findings about the waivers themselves, with the line of the policy.
Findings CheckWaivers(const CheckPolicy& policy, Date today, const std::vector<bool>& used);

}  // namespace shlo
