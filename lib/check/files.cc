#include "check/files.h"

#include <algorithm>
#include <utility>

#include "base/format.h"
#include "base/try.h"
#include "shlo/file_io.h"
#include "shlo/mhlo.h"

namespace shlo {
namespace {

namespace fs = std::filesystem;

// Of one file. Each evaluates its programs.
constexpr size_t kMostGoldens = 100;

Result<CheckSettings> SettingsOf(const CheckRun& run, const std::string& path) {
  auto settings = SHLO_TRY(SettingsFor(run.policy, path, run.known, run.today));
  settings.defined = run.dialects;
  settings.lenient = run.lenient;
  settings.compare_meaning = run.compare_meaning;
  return settings;
}

std::string RelativePath(const CheckRun& run, const std::string& absolute) {
  return fs::path(absolute).lexically_relative(run.root).generic_string();
}

bool IsExcluded(const CheckRun& run, const std::string& path) {
  const std::string relative = RelativePath(run, AbsolutePath(path));
  return std::ranges::any_of(run.policy.exclude,
                             [&](const std::string& p) { return MatchesPattern(relative, p); });
}

ProgramFile ReadToCheck(InputFile file, const Limits& limits, Diagnostics* errors) {
  ReadOptions options;
  options.source_name = file.name;
  options.limits = limits;
  ProgramFile out = ReadPrograms(std::move(file), options, errors);
  LeaveMhlo(out.programs);
  return out;
}

}  // namespace

void SetRule(CheckRule rule, CheckSeverity severity, CheckPolicy* policy) {
  policy->everywhere.rules.emplace_back(rule, severity);
  for (CheckOverrides& scope : policy->paths) scope.rules.emplace_back(rule, severity);
}

void SetConsumers(const std::vector<std::string>& requirements, CheckPolicy* policy) {
  policy->everywhere.consumers = requirements;
  for (CheckOverrides& scope : policy->paths) scope.consumers.reset();
}

Inputs FilesToCheck(const CheckRun& run, std::vector<std::string>* arguments) {
  // Reports name files from here, as the user would.
  std::error_code error;
  const fs::path current = fs::current_path(error);
  std::vector<std::string> within = {run.root.string()};
  const bool named = !arguments->empty();
  if (!named)
    for (const std::string& file : run.policy.files)
      arguments->push_back((run.root / file).lexically_normal().lexically_relative(current).string());
  const bool of_policy = !named && !arguments->empty();
  if (arguments->empty()) *arguments = {"."};
  if (!of_policy)
    for (const std::string& argument : *arguments) within.push_back(AbsolutePath(FixedPart(argument)));
  Inputs inputs = CollectInputs(*arguments, {}, within);
  for (InputPath& input : inputs.files)
    if (input.path.starts_with("./")) input.path.erase(0, 2);
  std::erase_if(inputs.files,
                [&](const InputPath& input) { return input.problem.empty() && IsExcluded(run, input.path); });
  return inputs;
}

CheckedEntry CheckProgramFile(const CheckRun& run, const InputPath& input, const Baseline& baseline,
                              const LimitsFor& limits_for, std::vector<bool>* used) {
  CheckedEntry entry;
  entry.path = input.path;
  if (!input.problem.empty()) {
    entry.failures = input.problem;
    return entry;
  }
  auto file = OpenProgramInput(input.path);
  if (!file) {
    entry.failures = file.error();
    return entry;
  }
  const Limits limits = limits_for(file->bytes.size());
  file->name = input.path;  // of a SavedModel, the folder
  const ProgramFile now = ReadToCheck(std::move(*file), limits, &entry.failures);
  if (!entry.failures.empty()) return entry;

  const std::string absolute = AbsolutePath(input.path);
  const std::string relative = RelativePath(run, absolute);
  const auto settings = SettingsOf(run, relative);
  if (!settings) {
    entry.failures = settings.error();
    return entry;
  }
  std::string text_before;
  ProgramFile before;
  if (baseline) {
    auto old = baseline(absolute);
    if (!old) {
      entry.failures = old.error();
      return entry;
    }
    if (*old) {
      text_before = std::move((*old)->bytes);
      Diagnostics unreadable;
      before = ReadToCheck({text_before, nullptr, StrFormat("{} ({})", input.path, (*old)->name)}, limits,
                           &unreadable);
      // A file that nobody could read has no users to break.
      entry.compared = unreadable.empty();
    }
  }
  auto findings = CheckFile(now, entry.compared ? &before : nullptr, *settings, limits);
  if (!findings) {
    entry.failures = std::move(findings.error());
    return entry;
  }
  entry.findings = std::move(*findings);
  const CheckRuleRow& rule = *FindCheckRule("golden-differs");
  const bool verifies = std::ranges::none_of(entry.findings, [](const Finding& f) {
    return RowOf(f.rule).id == "invalid" && f.severity == CheckSeverity::kError;
  });
  size_t goldens = 0;
  for (const CheckGolden& golden : run.policy.goldens) {
    if (settings->SeverityOf(rule.rule) == CheckSeverity::kOff || !verifies) break;
    if (std::ranges::none_of(golden.match, [&](const std::string& p) { return MatchesPattern(relative, p); }))
      continue;
    if (++goldens > kMostGoldens) {
      entry.failures.push_back(Error(Code::kUsage,
                                     StrFormat("more than {} goldens match the file", kMostGoldens),
                                     {.file = input.path}, "narrow 'match' of [[golden]]")
                                   .value()[0]);
      break;
    }
    const auto done = run.check_goldens
                          ? run.check_goldens(limits_for, golden, run, relative, now,
                                              settings->SeverityOf(rule.rule), &entry.findings)
                          : Error(Code::kUnsupported, "this build evaluates no goldens", {.file = input.path},
                                  "use the full build, or set the rule golden-differs to off");
    if (!done) entry.failures.insert(entry.failures.end(), done.error().begin(), done.error().end());
  }
  ApplyWaivers(run.policy, relative, run.today, &entry.findings, used);
  return entry;
}

void AddRemoved(const CheckRun& run, const std::string& path, CheckReport* report, std::vector<bool>* used) {
  if (!ClaimsToBeProgram(path)) return;
  const std::string relative = RelativePath(run, path);
  if (relative.starts_with("..")) return;
  const auto settings = SettingsFor(run.policy, relative, run.known, run.today);
  const CheckRuleRow& row = *FindCheckRule("removed");
  const CheckSeverity severity = settings ? settings->SeverityOf(row.rule) : row.severity;
  if (severity == CheckSeverity::kOff) return;
  Diagnostic d;
  d.severity = severity == CheckSeverity::kError ? Severity::kError : Severity::kWarning;
  d.code = Code::kPolicy;
  d.place.file = relative;
  d.message = "the file is gone";
  CheckedEntry entry;
  entry.path = relative;
  entry.findings.push_back({.rule = row.rule, .severity = severity, .diagnostic = std::move(d)});
  ApplyWaivers(run.policy, relative, run.today, &entry.findings, used);
  report->files.push_back(std::move(entry));
}

void AddWaiverFindings(const CheckRun& run, const std::vector<std::vector<bool>>& used, bool is_part,
                       CheckReport* report) {
  std::vector<bool> matched(run.policy.waivers.size(), is_part);
  for (const auto& list : used)
    for (size_t i = 0; i < list.size(); ++i) matched[i] = matched[i] || list[i];
  report->about_policy = CheckWaivers(run.policy, run.today, matched);
}

RequestStatus StatusOf(const CheckReport& report) {
  RequestStatus status = report.Count().errors ? RequestStatus::kNegative : RequestStatus::kDone;
  for (const CheckedEntry& file : report.files)
    for (const Diagnostic& d : file.failures)
      status = std::max({status, RequestStatus::kBadInput, StatusOf(d.code)});
  return status;
}

}  // namespace shlo
