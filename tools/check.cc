// `check`: applies the rules of the gate to files and folders, and reports what they find.
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "base/format.h"
#include "base/try.h"
#include "base/workers.h"
#include "check/files.h"
#include "check/policy_paths.h"
#include "check_report.h"
#include "commands.h"
#include "dialects.h"
#include "git.h"
#include "many.h"
#include "parts.h"
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
struct Run : CheckRun {
  std::optional<GitRevision> baseline;
  std::vector<ReportTarget> reports;
};

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
    return ctx.Fail(Code::kUsage, StrFormat("'{}' is there already", kPolicyName), {},
                    "edit it, or delete it first");
  const int code = WriteOut(ctx, kPolicyName, CheckPolicyTemplate(), /*binary=*/false);
  if (code == kDone) Note(ctx, StrFormat("'{}' is written", kPolicyName));
  return code;
}

int ReadPolicy(Context& ctx, const CheckFlags& flags, Run* run) {
  std::error_code error;
  run->root = fs::current_path(error);
  const std::string path = flags.no_policy ? "" : flags.policy.empty() ? FindPolicy() : flags.policy;
  if (!path.empty()) {
    // A policy that nobody named may not be a link to what is elsewhere.
    if (flags.policy.empty() && !IsWithin(AbsolutePath(path), {{FolderOfPolicy(path).string()}}))
      return ctx.Fail(Code::kUsage, "the policy is a link to another folder", {.file = path},
                      "pass --policy=FILE");
    const auto file = SHLO_TAKE(ctx, OpenInput(path));
    const fs::path relative = fs::path(path).lexically_relative(run->root);
    auto policy = ParseCheckPolicy(file.bytes,
                                   relative.empty() || *relative.begin() == ".." ? path : relative.string());
    if (!policy) {
      ctx.Report(policy.error());
      return kUsage;
    }
    run->policy = std::move(*policy);
    run->root = FolderOfPolicy(path);
  }
  for (const std::string& rule : flags.rules) {
    CheckRule which{};
    CheckSeverity severity{};
    if (!GetRuleSeverity(ctx, rule, &which, &severity)) return kUsage;
    SetRule(which, severity, &run->policy);
  }
  if (!ctx.consumers.requirements.empty()) SetConsumers(ctx.consumers.requirements, &run->policy);
  run->known = KnownConsumers();
  std::vector<std::string> files = ctx.consumers.files;
  for (const std::string& file : run->policy.consumer_files) {
    const auto own = SHLO_TAKE(ctx, PathInPolicy(*run, file, "pass --consumers=FILE"));
    files.push_back(own);
  }
  for (const std::string& file : files) {
    auto own = SHLO_TAKE(ctx, ReadConsumers(file));
    run->known.insert(run->known.begin(), own.begin(), own.end());
  }
  std::vector<std::string> dialects;
  for (const std::string& file : run->policy.dialect_files) {
    const auto own = SHLO_TAKE(ctx, PathInPolicy(*run, file, "pass --dialect=FILE"));
    dialects.push_back(own);
  }
  if (const int code = LoadDialects(ctx, dialects); code != kDone) return code;
  if (!GetToday(ctx, &run->today)) return kUsage;
  run->dialects = ctx.dialects;
  run->lenient = ctx.lenient;
  AddResultRules(run);
  if (const auto known = shlo::ResolveConsumers(&run->policy, run->known, run->today); !known) {
    ctx.Report(known.error());
    return kUsage;
  }
  for (const auto& [name, consumer] : run->policy.resolved)
    if (consumer.package && !consumer.package->assumed_as.empty())
      ctx.Report(AssumedWarning(*consumer.package));
  return kDone;
}

int OpenBaseline(Context& ctx, const CheckFlags& flags, Run* run) {
  const std::string& name = !flags.against.empty()         ? flags.against
                            : !flags.changed_since.empty() ? flags.changed_since
                                                           : run->policy.baseline;
  if (name.empty()) return kDone;
  run->baseline = SHLO_TAKE(ctx, GitRevision::Open(run->root.string(), name));
  return kDone;
}

// Returns the files of the baseline.
Baseline BaselineOf(const Run& run) {
  if (!run.baseline) return {};
  return [&run](const std::string& absolute) -> Result<std::optional<BaselineFile>> {
    const auto change = SHLO_TRY(run.baseline->ChangeOf(absolute));
    if (change != GitRevision::Change::kChanged) return std::nullopt;
    auto old = SHLO_TRY(run.baseline->Read(absolute));
    if (!old) return std::nullopt;
    return BaselineFile{run.baseline->name(), std::move(*old)};
  };
}

int RunCheck(Context& ctx, const CheckFlags& flags, Answer* out) {
  if (flags.init) return WriteTemplate(ctx);
  Run run;
  if (const int code = ReadPolicy(ctx, flags, &run); code != kDone) return code;
  if (const int code = ParseReports(ctx, flags.reports, &run.reports); code != kDone) return code;
  if (const int code = OpenBaseline(ctx, flags, &run); code != kDone) return code;

  std::vector<std::string> arguments = ctx.files;
  ctx.progress.Step("looking for programs");
  Inputs inputs = FilesToCheck(run, &arguments);
  if (!flags.changed_since.empty())
    std::erase_if(inputs.files, [&](const InputPath& input) {
      if (!input.problem.empty()) return false;
      const auto change = run.baseline->ChangeOf(AbsolutePath(input.path));
      return change && *change == GitRevision::Change::kNone;  // what cannot be read is not left out
    });
  // With --changed-since nothing may have changed; otherwise a check of nothing must not pass.
  if (inputs.files.empty() && flags.changed_since.empty())
    if (const int code = CheckInputs(ctx, inputs, arguments); code != kDone) return code;

  CheckReport report;
  report.policy = run.policy.name;
  report.today = run.today;
  for (const auto& [name, consumer] : run.policy.resolved) report.consumers.push_back(name);
  if (run.baseline) {
    report.baseline = run.baseline->name();
    report.commit = run.baseline->commit();
  }
  const size_t count = inputs.files.size();
  std::vector<std::vector<bool>> used(count + 1);
  report.files.resize(count);
  const Baseline baseline = BaselineOf(run);
  const auto limits_for = [&](uint64_t bytes) { return ctx.LimitsFor(bytes); };
  ctx.progress.Step("checking 1 of {}", count);
  RunInOrder(
      count, NumThreads(uint32_t(flags.jobs)), count,
      [&](size_t i) {
        report.files[i] = CheckProgramFile(run, inputs.files[i], baseline, limits_for, &used[i]);
      },
      [&](size_t i) {
        ctx.progress.Step("checking {} of {}", std::min(i + 2, count), count);
        return true;
      });
  ctx.progress.Clear();
  // Files of the baseline that are gone are findings, too.
  if (run.baseline)
    for (const std::string& path : run.baseline->Removed()) AddRemoved(run, path, &report, &used[count]);
  AddWaiverFindings(run, used, !ctx.files.empty() || !flags.changed_since.empty(), &report);
  // Failures are on stderr, too, whatever the reports are.
  for (const CheckedEntry& file : report.files) ctx.Report(file.failures);
  // A check that passes must not be taken for one that asked what consumers read.
  if (run.policy.name.empty() && !flags.no_policy && ctx.consumers.requirements.empty())
    Note(ctx, "no policy and no consumers: whether anything can load these programs was not checked",
         "run 'shlo-compat check --init' to write a policy, or pass --for=CONSUMER");
  out->json = ReportJson(report);
  return WriteReports(ctx, run.reports, report, out->json, ExitCodeOf(report));
}

}  // namespace

void AddCheck(Options& options, Context& ctx) {
  auto flags = AddAnswer<CheckFlags>(options, ctx, RunCheck);
  options.Arguments("PATH", &ctx.files, "files, folders and patterns to check (default: the policy's)",
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
  AddConsumerFlags(options, ctx,
                   "consumer that must read the programs, such as jaxlib==0.9.0 or WEEK_12; repeat it for "
                   "several (default: the policy's)");
  AddEvaluationFlags(options, ctx);
  AddReadFlags(options, ctx);
}

}  // namespace shlo::tool
