// The gate of programs: files, folders and patterns against the rules of a policy.
#include <algorithm>
#include <filesystem>
#include <optional>

#include "base/deadline.h"
#include "base/format.h"
#include "base/nearest.h"
#include "base/try.h"
#include "base/workers.h"
#include "capi/internal.h"
#include "check/files.h"
#include "check/policy_paths.h"
#include "shlo/file_io.h"
#include "versioning/consumers_json.h"

namespace shlo::capi {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFormats[] = {"json", "text", "sarif", "junit", "github", "gitlab", "markdown", "html"};

std::vector<std::string> Texts(const char* const* texts, size_t count, const char* name) {
  std::vector<std::string> out;
  if (count) Require(texts, name);
  for (size_t i = 0; i < count; ++i) out.push_back(Text(texts[i]));
  return out;
}

shlo::CheckRun RunOf(const shlo_check_options& options) {
  shlo::CheckRun run;
  std::error_code error;
  run.root = fs::current_path(error);
  if (options.policy) {
    const std::string path = FilePath(options.policy);
    const InputFile file = Take(OpenInput(path));
    run.policy = Take(ParseCheckPolicy(file.bytes, path));
    run.root = shlo::FolderOfPolicy(path);
  }
  for (const std::string& text : Texts(options.rules, options.rule_count, "rules")) {
    const size_t equal = std::min(text.find('='), text.size());
    if (equal == text.size())
      Fail(Code::kUsage, shlo::StrFormat("rule '{}' is not ID=SEVERITY", text),
           "severities are off, note, warning and error");
    const std::string id = text.substr(0, equal), name = text.substr(equal + 1);
    const CheckRuleRow* row = FindCheckRule(id);
    if (!row) {
      Nearest nearest(id);
      for (const CheckRuleRow& known : CheckRules()) nearest.Try(known.id);
      Fail(Code::kUsage, shlo::StrFormat("unknown rule '{}'", id),
           DidYouMean(nearest.best(), "shlo_rules_json lists the rules"));
    }
    const auto severity = CheckSeverityOfName(name);
    if (!severity)
      Fail(Code::kUsage, shlo::StrFormat("unknown severity '{}' of the rule '{}'", name, id),
           "severities are off, note, warning and error");
    shlo::SetRule(row->rule, *severity, &run.policy);
  }
  if (options.requirement_count)
    shlo::SetConsumers(Texts(options.requirements, options.requirement_count, "requirements"), &run.policy);
  run.known = options.consumers ? options.consumers->packages : KnownConsumers();
  for (const std::string& file : run.policy.consumer_files) {
    const InputFile own =
        Take(OpenInput(Take(shlo::PathInPolicy(run, file, "pass these consumers")), kNoStream));
    const std::vector<Consumer> consumers = Take(shlo::ParseConsumers(own.bytes, own.name));
    run.known.insert(run.known.begin(), consumers.begin(), consumers.end());
  }
  std::vector<Dialect> dialects = DialectsOf(options.dialects, options.dialect_count);
  for (const std::string& file : run.policy.dialect_files) {
    const std::string path = Take(shlo::PathInPolicy(run, file, "pass this dialect"));
    dialects.push_back(Take(ParseDialect(Take(OpenInput(path, kNoStream)).bytes, path)));
  }
  if (!dialects.empty()) run.dialects = std::make_shared<const std::vector<Dialect>>(std::move(dialects));
  run.today = TodayOf(options.today);
  run.lenient = options.lenient != 0;
  AddEvaluation(&run);
  Take(shlo::ResolveConsumers(&run.policy, run.known, run.today));
  return run;
}

// Returns the files of a folder that has them as they were.
shlo::Baseline BaselineOf(const shlo::CheckRun& run, const char* folder) {
  if (!folder) return {};
  const std::string name = folder;
  return [&run, name](const std::string& absolute) -> Result<std::optional<shlo::BaselineFile>> {
    const fs::path relative = fs::path(absolute).lexically_relative(run.root);
    const fs::path old = fs::path(name) / relative;
    std::error_code error;
    if (relative.empty() || *relative.begin() == ".." || !fs::is_regular_file(old, error) ||
        !IsWithin(AbsolutePath(old.string()), {{AbsolutePath(name)}}))
      return std::nullopt;
    const auto before = SHLO_TRY(OpenInput(old.string()));
    const auto now = OpenInput(absolute);
    if (now && now->bytes == before.bytes) return std::nullopt;
    return shlo::BaselineFile{name, std::string(before.bytes)};
  };
}

// Lists the files of the baseline that are gone, by the paths that they had.
std::vector<std::string> Removed(const shlo::CheckRun& run, const char* folder) {
  std::vector<std::string> paths;
  std::error_code error;
  if (!folder) return paths;
  if (!fs::is_directory(folder, error))
    throw Failed{Error(Code::kIo, "the baseline is not a folder", {.file = folder}).value()};
  for (auto it = fs::recursive_directory_iterator(folder, error);
       !error && it != fs::recursive_directory_iterator(); it.increment(error)) {
    const fs::path here = run.root / it->path().lexically_relative(folder);
    std::error_code ignored;
    if (it->is_regular_file(ignored) && !fs::exists(here, ignored)) paths.push_back(here.string());
  }
  std::ranges::sort(paths);
  return paths;
}

// Checks files, folders and patterns.
shlo::CheckReport Checked(const char* const* paths, size_t path_count, const shlo_check_options& options) {
  // The deadline is that of each file.
  const DeadlineScope scope({.cancellation = LimitsOf(options.limits, 0).cancellation});
  const shlo::CheckRun run = RunOf(options);
  const std::vector<std::string> removed = Removed(run, options.baseline);
  std::vector<std::string> arguments = Texts(paths, path_count, "paths");
  const Inputs inputs = shlo::FilesToCheck(run, &arguments);
  // A check of nothing must not pass.
  if (inputs.files.empty())
    Fail(Code::kUsage, "found no programs",
         inputs.not_programs ? Count(inputs.not_programs, "file") + " of other kinds found" : "");
  shlo::CheckReport out;
  out.policy = run.policy.name;
  out.today = run.today;
  out.baseline = Text(options.baseline);
  const size_t count = inputs.files.size();
  std::vector<std::vector<bool>> used(count + 1);
  out.files.resize(count);
  const shlo::Baseline baseline = BaselineOf(run, options.baseline);
  const auto limits_for = [&](uint64_t bytes) { return LimitsOf(options.limits, bytes); };
  RunInOrder(
      count, NumThreads(options.jobs), count,
      [&](size_t i) {
        out.files[i] = shlo::CheckProgramFile(run, inputs.files[i], baseline, limits_for, &used[i]);
      },
      [](size_t) { return !IsCanceled(); });
  if (IsCanceled()) throw Canceled();
  for (const std::string& path : removed) shlo::AddRemoved(run, path, &out, &used[count]);
  shlo::AddWaiverFindings(run, used, path_count != 0, &out);
  return out;
}

std::string Rendered(const shlo::CheckReport& report, shlo_report_format format) {
  if (format < 0 || format > SHLO_REPORT_HTML) Fail(Code::kUsage, StrFormat("unknown format {}", format));
  if (format != SHLO_REPORT_JSON) return shlo::RenderReport(report, kFormats[format]);
  Diagnostics failures;
  for (const shlo::CheckedEntry& file : report.files)
    failures.insert(failures.end(), file.failures.begin(), file.failures.end());
  return shlo::JsonText(report.command, shlo::ReportJson(report), int(shlo::StatusOf(report)), failures);
}

}  // namespace
}  // namespace shlo::capi

struct shlo_report {
  shlo::CheckReport report;
};

using namespace shlo::capi;

extern "C" {

shlo_error* shlo_check(const char* const* paths, size_t path_count, const shlo_check_options* given,
                       int* exit_code, shlo_buffer** report) {
  return Try([&] {
    if (exit_code) *exit_code = 0;
    if (report) *report = nullptr;
    const shlo_check_options options = OptionsOf(given, "shlo_check_options");
    if (options.format < 0 || options.format > SHLO_REPORT_HTML)
      Fail(shlo::Code::kUsage, shlo::StrFormat("unknown format {}", options.format));
    const shlo::CheckReport checked = Checked(paths, path_count, options);
    if (report) *report = NewBuffer(Rendered(checked, options.format));
    if (exit_code) *exit_code = int(shlo::StatusOf(checked));
  });
}

shlo_error* shlo_report_create(const char* const* paths, size_t path_count, const shlo_check_options* given,
                               shlo_report** out) {
  return Make(out, [&] {
    return new shlo_report{Checked(paths, path_count, OptionsOf(given, "shlo_check_options"))};
  });
}

shlo_error* shlo_report_read(const char* json, size_t size, shlo_report** out) {
  return Make(out, [&] {
    Require(json, "json");
    return new shlo_report{Take(shlo::ReadReport({json, size}, LimitsOf(nullptr, size)))};
  });
}

int shlo_report_exit_code(const shlo_report* report) {
  return report ? int(shlo::StatusOf(report->report)) : SHLO_STATUS_DONE;
}

shlo_error* shlo_report_render(const shlo_report* report, shlo_report_format format, shlo_buffer** out) {
  return Make(out, [&] {
    Require(report, "report");
    return NewBuffer(Rendered(report->report, format));
  });
}

void shlo_report_free(shlo_report* report) { delete report; }

shlo_error* shlo_rules_json(const char* rule, shlo_buffer** out) {
  return Make(out, [&] {
    const shlo::CheckRuleRow* only = rule ? shlo::FindCheckRule(rule) : nullptr;
    if (rule && !only) Fail(shlo::Code::kUsage, shlo::StrFormat("unknown rule '{}'", rule));
    return NewBuffer(shlo::JsonText("rules", shlo::RulesJson(only), SHLO_STATUS_DONE, {}));
  });
}

}  // extern "C"
