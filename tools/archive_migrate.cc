// `archive migrate`: gives models forms at newer versions, proved equal to those that they have.
#include <algorithm>
#include <map>

#include "archive.h"
#include "base/format.h"
#include "base/workers.h"
#include "many.h"
#include "proofs.h"
#include "shlo/check.h"

namespace shlo::tool {
namespace {

using archive::Archive;
using archive::ArchivedModel;
using archive::MigrateOutcome;

struct MigrateFlags : ArchiveFlags {
  std::vector<std::string> models;
  std::string target, policy, window, at_least = "laws", part, bundle;
  bool allow_outside_window = false, expand = false, dry_run = false;
  uint64_t jobs = 0;
};

// A model, and what to do with it.
struct Task {
  ArchivedModel model;
  archive::MigrateOptions options;
  bool migrated = false, removed = false;
};

class MigrateCommand {
 public:
  MigrateCommand(Context& ctx, const MigrateFlags& flags) : ctx_(ctx), flags_(flags) {}

  int Run(Answer* out) {
    const int code = RunAll();
    writer_.reset();
    out->text = std::move(text_);
    out->json["models"] = std::move(models_);
    out->json["summary"] = Json::object();
    for (const auto& [name, count] : counts_) out->json["summary"][name] = count;
    out->json["leaving"] = std::move(leaving_);
    return code;
  }

 private:
  int RunAll() {
    if (flags_.target.empty() == flags_.policy.empty())
      return ctx_.Fail(Code::kUsage, "either --target or --policy says what to migrate to", {},
                       "pass one of them");
    if (const int code = ParsePart(ctx_, flags_.part, &part_); code != kDone) return code;
    if (!flags_.window.empty()) {
      window_ = SHLO_TAKE(ctx_, ParseCompatibilityWindow(flags_.window));
    }
    std::vector<archive::MigrateRule> rules;
    if (const int code = ReadRules(&rules); code != kDone) return code;
    const Archive archive = SHLO_TAKE(ctx_, OpenArchive(ctx_, flags_));
    ctx_.StopTimer();
    // The lock first: without it, models may be removed before they are read.
    if (!flags_.dry_run) {
      archive::WriterOptions options = WriterOptionsFor(ctx_, flags_);
      options.bundle = flags_.bundle;
      writer_ = SHLO_TAKE(ctx_, archive::Writer::Begin(archive, options));
    }
    auto models = SHLO_TAKE(ctx_, archive.Select(flags_.models));
    if (const int code = MakeTasks(rules, std::move(models)); code != kDone) return code;
    std::vector<archive::Migration> done(tasks_.size());
    const size_t threads = NumThreads(uint32_t(flags_.jobs));
    ctx_.progress.Step("migrating 1 of {}", tasks_.size());
    RunInOrder(
        tasks_.size(), threads, 2 * threads,
        [&](size_t i) { done[i] = archive::Migrate(archive, tasks_[i].model, tasks_[i].options); },
        [&](size_t i) {
          archive::Migration migration = std::move(done[i]);
          done[i] = {};
          // Without the lock, it may have been removed meanwhile.
          if (migration.outcome == MigrateOutcome::kFailed && IsRemoved(archive, tasks_[i].model)) {
            tasks_[i].removed = true;
            return true;
          }
          return Take(tasks_[i], std::move(migration));
        });
    if (writer_ && !stopped_ && (!pending_.empty() || !flags_.bundle.empty())) Commit();
    List();
    return code_;
  }

  int ReadRules(std::vector<archive::MigrateRule>* rules) {
    const auto evidence = EvidenceOfName(flags_.at_least);
    if (flags_.policy.empty()) {
      rules->push_back(
          {.match = {"**"}, .target = flags_.target, .at_least = *evidence, .expand = flags_.expand});
      return kDone;
    }
    const auto file = SHLO_TAKE(ctx_, OpenInput(flags_.policy));
    *rules = SHLO_TAKE(ctx_, archive::ParseMigratePolicy(file.bytes, flags_.policy));
    return kDone;
  }

  int MakeTasks(const std::vector<archive::MigrateRule>& rules, std::vector<ArchivedModel> models) {
    std::vector<Version> targets(rules.size());
    for (size_t i = 0; i < rules.size(); ++i)
      if (!rules[i].skip && !GetVersion(ctx_, "--target", rules[i].target, &targets[i])) return kUsage;
    for (ArchivedModel& model : models) {
      if (!part_.Has(model.entry)) continue;
      for (size_t i = 0; i < rules.size(); ++i) {
        const bool matches = std::ranges::any_of(
            rules[i].match, [&](const std::string& pattern) { return MatchesPattern(model.name, pattern); });
        if (!matches) continue;
        if (rules[i].skip) break;
        archive::MigrateOptions options;
        options.target = targets[i];
        options.window = window_;
        options.allow_outside_window = flags_.allow_outside_window;
        options.allow_other_dialects = ctx_.allow_other_dialects;
        options.lenient = ctx_.lenient;
        options.expand = rules[i].expand;
        options.at_least = rules[i].at_least;
        options.tool = ToolName();
        options.limits = LimitsOf(model);
        tasks_.push_back({std::move(model), std::move(options)});
        break;
      }
    }
    return kDone;
  }

  Limits LimitsOf(const ArchivedModel& model) const {
    Limits limits = ctx_.LimitsFor(model.forms[model.newest()].size());
    if (ctx_.max_steps == Settings::kBySize) limits.max_steps = Limits().max_steps;
    limits.threads = 1;
    return limits;
  }

  bool Take(Task& task, archive::Migration migration) {
    const std::string label = task.model.label();
    MigrateOutcome outcome = migration.outcome;
    ctx_.Report(migration.diagnostics);
    Json j;
    j["model"] = label;
    j["from"] = ToJson(migration.from);
    j["to"] = ToJson(migration.to);
    j["evidence"] = outcome == MigrateOutcome::kMigrated ? Json(std::string(EvidenceName(migration.evidence)))
                                                         : Json(nullptr);
    j["laws"] = Json::array();
    for (const Law& law : migration.laws)
      j["laws"].push_back({{"name", law.name}, {"op_count", law.count}, {"approximate", law.approximate}});
    TerminalText line;
    if (outcome == MigrateOutcome::kMigrated)
      line.Add("{}  {} -> {}, by {}\n", NameText(label), ArchivedVersion(migration.from),
               ArchivedVersion(migration.to), EvidenceName(migration.evidence));
    const bool failed = outcome == MigrateOutcome::kFailed && !migration.diagnostics.empty();
    if (failed)
      code_ = std::max(code_, ExitCodeOf(migration.diagnostics[0].code));
    else if (outcome != MigrateOutcome::kMigrated && outcome != MigrateOutcome::kUpToDate)
      code_ = std::max(code_, int(kFinding));
    if (outcome == MigrateOutcome::kMigrated && writer_) {
      const auto added = archive::AddMigration(*writer_, task.model, std::move(migration));
      if (!added) {
        code_ = std::max(code_, ctx_.Fail(added.error()));
        stopped_ = added.error()[0].code == Code::kIo;
        outcome = MigrateOutcome::kFailed;
        j["evidence"] = nullptr;
      } else {
        pending_.emplace_back(&task, models_.size());
      }
    }
    j["outcome"] = std::string(archive::OutcomeName(outcome));
    ++counts_[std::string(archive::OutcomeName(outcome))];
    models_.push_back(std::move(j));
    task.migrated = outcome == MigrateOutcome::kMigrated;
    if (task.migrated) waiting_ += line;
    ctx_.progress.Step("migrated {} of {}: {}", models_.size(), tasks_.size(), NameText(label));
    if (writer_ && !stopped_ && writer_->full()) Commit();
    return !stopped_;
  }

  // Makes what was migrated durable, and only then says so.
  void Commit() {
    auto done = writer_->Commit();
    if (!done) {
      code_ = std::max(code_, ctx_.Fail(done.error()));
      stopped_ = true;
      for (const auto& [task, index] : pending_) {
        task->migrated = false;
        models_[index]["evidence"] = nullptr;
        models_[index]["outcome"] = std::string(archive::OutcomeName(MigrateOutcome::kFailed));
        --counts_[std::string(archive::OutcomeName(MigrateOutcome::kMigrated))];
        ++counts_[std::string(archive::OutcomeName(MigrateOutcome::kFailed))];
      }
    } else if (!ctx_.json) {
      code_ = std::max(code_, Print(ctx_, waiting_));
    }
    waiting_ = {};
    pending_.clear();
  }

  // Ends the report: what was done, and what leaves the window, and when.
  void List() {
    std::map<std::pair<Date, Version>, std::vector<std::string>> leaving;
    for (const Task& task : tasks_) {
      if (task.removed) continue;
      const archive::ArchivedForm& form = task.model.forms[task.model.newest()];
      // A model that was migrated is as old as its target.
      const Version version = task.migrated ? task.options.target : form.version();
      if (version >= kCurrentVersion || !FindVersion(version)) continue;
      leaving[{archive::LastDayInWindow(version, window_), version}].push_back(task.model.label());
    }
    if (flags_.dry_run) text_ += waiting_;
    std::string summary;
    for (const auto& [name, count] : counts_)
      summary += StrFormat("{}{} {}", summary.empty() ? "" : ", ", count, name);
    text_.Add("{}\n", summary.empty() ? "no models" : summary);
    for (const auto& [when, models] : leaving) {
      Json j;
      j["last_day"] = DateString(when.first);
      j["version"] = ToJson(when.second);
      j["models"] = models;
      leaving_.push_back(std::move(j));
      text_.Add("last day in the window: {}, for {} at {}\n", DateString(when.first),
                Count(models.size(), "model"), ArchivedVersion(when.second));
      constexpr size_t kShown = 20;
      for (size_t i = 0; i < std::min(models.size(), kShown); ++i) text_.Add("  {}\n", NameText(models[i]));
      if (models.size() > kShown) text_.Add("  ... {} more\n", models.size() - kShown);
    }
  }

  Context& ctx_;
  const MigrateFlags& flags_;
  archive::WorkPart part_;
  CompatibilityWindow window_;
  std::vector<Task> tasks_;
  std::optional<archive::Writer> writer_;
  std::map<std::string, uint64_t> counts_;
  Json models_ = Json::array(), leaving_ = Json::array();
  TerminalText text_, waiting_;
  std::vector<std::pair<Task*, size_t>> pending_;  // migrated, not committed; with the index in models_
  int code_ = kDone;
  bool stopped_ = false;
};

}  // namespace

void AddArchiveMigrate(Options& options, Context& ctx) {
  auto flags = AddAnswer<MigrateFlags>(options, ctx, [](Context& of, const MigrateFlags& given, Answer* out) {
    return MigrateCommand(of, given).Run(out);
  });
  options.Arguments("MODEL", &flags->models, "models to migrate (default: all)", false);
  options.Option("--target", &flags->target, "V", "version to convert to");
  options.Option("--policy", &flags->policy, "FILE", "TOML file that states versions for patterns of names");
  AddAtLeastFlag(options, &flags->at_least, "evidence that a form needs");
  AddWindowFlags(options, ctx, &flags->window, &flags->allow_outside_window);
  options.Flag("--expand", &flags->expand, "rewrite ops that the target lacks, and all of CHLO");
  options.Flag("--dry-run", &flags->dry_run, "convert and prove, but write nothing");
  options.Option("--bundle", &flags->bundle, "FILE", "write a bundle instead, which 'archive import' adds");
  options.Below(kWindowFlags)
      .Option("--today", &ctx.today, "DATE", "day that WEEK_4 and WEEK_12 count back from (default: today)");
  AddPartFlag(options, &flags->part);
  AddJobsFlag(options, &flags->jobs);
  AddArchiveFlags(options, flags.get());
  AddWaitFlag(options, flags.get());
  AddReadFlags(options, ctx);
  AddEvaluationFlags(options, ctx);
}

}  // namespace shlo::tool
