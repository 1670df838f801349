// `check`: applies the rules of the gate to files and folders, and reports what they find.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <thread>

#include "check_goldens.h"
#include "check_report.h"
#include "commands.h"
#include "dialects.h"
#include "git.h"
#include "many.h"
#include "shlo/check_policy.h"

namespace shlo::tool {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPolicyName = "shlo-compat.toml";

struct CheckFlags {
  std::string policy;                // --policy
  bool no_policy = false;            // --no-policy
  bool init = false;                 // --init
  std::string against;               // --against
  std::string changed_since;         // --changed-since
  std::vector<std::string> reports;  // --report
  std::vector<std::string> rules;    // --rule
  uint64_t jobs = 0;                 // -j
};

// Everything that holds for the whole run.
struct Run {
  CheckPolicy policy;
  fs::path root;  // of the policy's paths
  std::vector<Consumer> known;
  Date today;
  std::optional<GitRevision> baseline;
  std::map<std::string, GitRevision::Change> changes;  // since the baseline, by absolute path
  std::vector<ReportTarget> reports;
};

std::string Absolute(const std::string& path) {
  std::error_code error;
  const fs::path out = fs::weakly_canonical(path, error);
  return (error ? fs::absolute(path) : out).string();
}

// Returns the policy of the nearest folder upwards, or "".
std::string FindPolicy() {
  std::error_code error;
  for (fs::path folder = fs::current_path(error); !folder.empty(); folder = folder.parent_path()) {
    if (fs::is_regular_file(folder / kPolicyName, error)) return (folder / kPolicyName).string();
    if (folder == folder.root_path()) break;
  }
  return "";
}

int WriteTemplate(Context& ctx) {
  if (::access(kPolicyName, F_OK) == 0)
    return ctx.Fail(Code::kUsage, fmt::format("'{}' is there already", kPolicyName), {},
                    "edit it, or delete it first");
  const int code = WriteOut(ctx, kPolicyName, CheckPolicyTemplate(), /*binary=*/false);
  if (code == kDone) Note(ctx, fmt::format("'{}' is written", kPolicyName));
  return code;
}

int ReadPolicy(Context& ctx, const CheckFlags& flags, Run* run) {
  std::error_code error;
  run->root = fs::current_path(error);
  const std::string path = flags.no_policy ? "" : flags.policy.empty() ? FindPolicy() : flags.policy;
  if (!path.empty()) {
    const auto file = OpenInput(path);
    if (!file) return ctx.Fail(file.error());
    const fs::path relative = fs::path(path).lexically_relative(run->root);
    auto policy = ParseCheckPolicy(file->bytes,
                                   relative.empty() || *relative.begin() == ".." ? path : relative.string());
    if (!policy) {
      ctx.Report(policy.error());
      return kUsage;
    }
    run->policy = std::move(*policy);
    run->root = fs::path(Absolute(path)).parent_path();
  }
  for (const std::string& rule : flags.rules) {
    CheckRule which{};
    CheckSeverity severity{};
    if (!GetRuleSeverity(ctx, rule, &which, &severity)) return kUsage;
    run->policy.everywhere.rules.emplace_back(which, severity);
    for (CheckOverrides& scope : run->policy.paths) scope.rules.emplace_back(which, severity);
  }
  if (!ctx.consumers.requirements.empty()) {
    run->policy.everywhere.consumers = ctx.consumers.requirements;
    for (CheckOverrides& scope : run->policy.paths) scope.consumers.reset();
  }
  run->known = KnownConsumers();
  std::vector<std::string> files = ctx.consumers.files;
  for (const std::string& file : run->policy.consumer_files) files.push_back((run->root / file).string());
  for (const std::string& file : files) {
    auto own = ReadConsumers(file);
    if (!own) return ctx.Fail(own.error());
    run->known.insert(run->known.begin(), own->begin(), own->end());
  }
  std::vector<std::string> dialects;
  for (const std::string& file : run->policy.dialect_files) dialects.push_back((run->root / file).string());
  if (const int code = LoadDialects(ctx, dialects); code != kDone) return code;
  if (!GetToday(ctx, &run->today)) return kUsage;
  // A consumer that is not known is a mistake of the policy, not of each file.
  std::vector<CheckOverrides> scopes = run->policy.paths;
  scopes.push_back(run->policy.everywhere);
  for (const CheckOverrides& scope : scopes) {
    CheckPolicy part;
    part.name = run->policy.name;
    part.everywhere.consumers = scope.consumers;
    if (const auto settings = SettingsFor(part, "", run->known, run->today); !settings) {
      ctx.Report(settings.error());
      return kUsage;
    }
  }
  return kDone;
}

int OpenBaseline(Context& ctx, const CheckFlags& flags, Run* run) {
  const std::string& name = !flags.against.empty()         ? flags.against
                            : !flags.changed_since.empty() ? flags.changed_since
                                                           : run->policy.baseline;
  if (name.empty()) return kDone;
  auto revision = GitRevision::Open(run->root.string(), name);
  if (!revision) return ctx.Fail(revision.error());
  auto changes = revision->Changes();
  if (!changes) return ctx.Fail(changes.error());
  run->baseline = std::move(*revision);
  run->changes = std::move(*changes);
  return kDone;
}

Result<CheckSettings> SettingsOf(const Context& ctx, const Run& run, const std::string& path) {
  auto settings = SettingsFor(run.policy, path, run.known, run.today);
  if (settings) settings->defined = ctx.dialects;
  return settings;
}

// A file as it was read.
struct Loaded {
  InputFile file;
  std::string text;  // of a baseline
  std::vector<Program> programs;
  CheckedFile checked;
};

void Read(std::string_view bytes, Buffer owner, const std::string& path, const Limits& limits, Loaded* out,
          Diagnostics* errors) {
  ReadOptions options;
  options.source_name = path;
  options.limits = limits;
  out->programs = ReadPrograms(bytes, std::move(owner), options, errors);
  out->checked = {path, DetectFormat(bytes), bytes, out->programs};
}

CheckedEntry CheckOne(Context& ctx, const Run& run, const InputPath& input, std::vector<bool>* used) {
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
  const Limits limits = ctx.LimitsFor(file->bytes.size());
  Loaded now, before;
  now.file = std::move(*file);
  Read(now.file.bytes, now.file.owner, input.path, limits, &now, &entry.failures);
  if (!entry.failures.empty()) return entry;

  const std::string absolute = Absolute(input.path);
  const std::string relative = fs::path(absolute).lexically_relative(run.root).generic_string();
  const auto settings = SettingsOf(ctx, run, relative);
  if (!settings) {
    entry.failures = settings.error();
    return entry;
  }
  const auto change = run.changes.find(absolute);
  if (run.baseline && change != run.changes.end() && change->second == GitRevision::Change::kChanged) {
    auto old = run.baseline->Read(absolute);
    if (!old) {
      entry.failures = old.error();
      return entry;
    }
    if (*old) {
      before.text = std::move(**old);
      const std::string name = fmt::format("{} ({})", input.path, run.baseline->name());
      Diagnostics unreadable;
      Read(before.text, nullptr, name, limits, &before, &unreadable);
      entry.compared = unreadable.empty();
      // A file that nobody could read has no users to break.
      if (!unreadable.empty()) before = Loaded();
    }
  }
  auto findings = CheckFile(now.checked, entry.compared ? &before.checked : nullptr, *settings, limits);
  if (!findings) {
    entry.failures = std::move(findings.error());
    return entry;
  }
  entry.findings = std::move(*findings);
  const CheckRuleRow& rule = *FindCheckRule("golden-differs");
  const bool verifies = std::ranges::none_of(entry.findings, [](const Finding& f) {
    return RowOf(f.rule).id == "invalid" && f.severity == CheckSeverity::kError;
  });
  for (const CheckGolden& golden : run.policy.goldens) {
    if (settings->SeverityOf(rule.rule) == CheckSeverity::kOff || !verifies) break;
    if (std::ranges::none_of(golden.match, [&](const std::string& p) { return MatchesPattern(relative, p); }))
      continue;
    const auto done = CheckGoldens(ctx, golden, run.root, relative, now.checked,
                                   settings->SeverityOf(rule.rule), &entry.findings);
    if (!done) entry.failures.insert(entry.failures.end(), done.error().begin(), done.error().end());
  }
  ApplyWaivers(run.policy, relative, run.today, &entry.findings, used);
  return entry;
}

// Files of the baseline that are gone are findings, too.
void AddRemoved(const Run& run, CheckReport* report, std::vector<bool>* used) {
  for (const auto& [path, change] : run.changes) {
    if (change != GitRevision::Change::kRemoved || !ClaimsToBeProgram(path)) continue;
    const std::string relative = fs::path(path).lexically_relative(run.root).generic_string();
    if (relative.starts_with("..")) continue;
    const auto settings = SettingsFor(run.policy, relative, run.known, run.today);
    const CheckRuleRow& row = *FindCheckRule("removed");
    const CheckSeverity severity = settings ? settings->SeverityOf(row.rule) : row.severity;
    if (severity == CheckSeverity::kOff) continue;
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
}

bool Excluded(const Run& run, const std::string& path) {
  const std::string relative = fs::path(Absolute(path)).lexically_relative(run.root).generic_string();
  return std::ranges::any_of(run.policy.exclude,
                             [&](const std::string& p) { return MatchesPattern(relative, p); });
}

int RunCheck(Context& ctx, const CheckFlags& flags) {
  const auto finish = [&](int code) { return ctx.json ? PrintJson(ctx, Json::object(), code) : code; };
  if (flags.init) return finish(WriteTemplate(ctx));
  Run run;
  if (const int code = ReadPolicy(ctx, flags, &run); code != kDone) return finish(code);
  if (const int code = ParseReports(ctx, flags.reports, &run.reports); code != kDone) return finish(code);
  if (const int code = OpenBaseline(ctx, flags, &run); code != kDone) return finish(code);

  // Reports name files from here, as the user would.
  std::error_code error;
  const fs::path current = fs::current_path(error);
  std::vector<std::string> arguments = ctx.files;
  if (arguments.empty())
    for (const std::string& file : run.policy.files)
      arguments.push_back((run.root / file).lexically_normal().lexically_relative(current).string());
  if (arguments.empty()) arguments = {"."};
  Inputs inputs = CollectInputs(arguments);
  for (InputPath& input : inputs.files)
    if (input.path.starts_with("./")) input.path.erase(0, 2);
  std::erase_if(inputs.files, [&](const InputPath& input) {
    if (!input.problem.empty()) return false;
    if (Excluded(run, input.path)) return true;
    return !flags.changed_since.empty() && !run.changes.contains(Absolute(input.path));
  });
  // With --changed-since nothing may have changed; otherwise a check of nothing must not pass.
  if (inputs.files.empty() && flags.changed_since.empty())
    if (const int code = CheckInputs(ctx, inputs, arguments); code != kDone) return finish(code);

  CheckReport report;
  report.policy = run.policy.name;
  report.today = run.today;
  if (run.baseline) {
    report.baseline = run.baseline->name();
    report.commit = run.baseline->commit();
  }
  const size_t count = inputs.files.size();
  std::vector<std::vector<bool>> used(count + 1);
  report.files.resize(count);
  RunInOrder(
      count, flags.jobs ? size_t(flags.jobs) : std::thread::hardware_concurrency(),
      [&](size_t i) { report.files[i] = CheckOne(ctx, run, inputs.files[i], &used[i]); },
      [&](size_t i) {
        ctx.progress.Step(fmt::format("checking {} of {}", i + 1, count));
        return true;
      });
  ctx.progress.Clear();
  AddRemoved(run, &report, &used[count]);
  std::vector<bool> matched(run.policy.waivers.size());
  for (const auto& list : used)
    for (size_t i = 0; i < list.size(); ++i) matched[i] = matched[i] || list[i];
  // A part of the files says nothing about waivers of the others.
  if (!ctx.files.empty() || !flags.changed_since.empty()) matched.assign(matched.size(), true);
  report.about_policy = CheckWaivers(run.policy, run.today, matched);

  const auto totals = report.Count();
  int code = totals.errors ? kFinding : kDone;
  for (const CheckedEntry& file : report.files)
    for (const Diagnostic& d : file.failures) {
      code = std::max(code, std::max<int>(kBadInput, ExitCodeOf(d.code)));
      ctx.Report(d);  // also on stderr, whatever the reports are
    }
  code = WriteReports(ctx, run.reports, report, ReportJson(report), code);
  if (!ctx.json) return code;
  return PrintJson(ctx, ReportJson(report), code);
}

}  // namespace

void AddCheck(Options& options, Context& ctx) {
  auto flags = std::make_shared<CheckFlags>();
  options.Arguments("PATH", &ctx.files, "files, folders and patterns to check (default: those of the policy)",
                    /*required=*/false);
  AddJobsFlag(options, &flags->jobs);
  options.Option("--policy", &flags->policy, "FILE",
                 "policy (default: shlo-compat.toml of the nearest folder upwards)");
  options.Flag("--no-policy", &flags->no_policy, "use no policy");
  options.Flag("--init", &flags->init, "write a commented policy into this folder");
  options.Option("--against", &flags->against, "REV", "compare with the files of a git revision");
  options.Option("--changed-since", &flags->changed_since, "REV",
                 "check only the files that differ from a git revision, and compare with it");
  options.Repeated("--rule", &flags->rules, "ID=SEVERITY",
                   "set the severity of a rule: off, note, warning or error");
  options.Repeated("--report", &flags->reports, "FORMAT[=FILE]",
                   "text, json, sarif, junit, github, gitlab, markdown or html (default: text)");
  AddConsumerFlags(options, ctx);
  AddEvaluationFlags(options, ctx);
  AddReadFlags(options, ctx);
  AddCommonFlags(options, ctx);
  options.OnChosen([&ctx, flags] { ctx.run = [&ctx, flags] { return RunCheck(ctx, *flags); }; });
}

}  // namespace shlo::tool
