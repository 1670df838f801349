// `archive prune`, `export`, `import`, `repair`, `rebuild`: work on an archive as a whole.
#include <algorithm>
#include <filesystem>
#include <map>

#include "archive.h"
#include "base/format.h"
#include "proofs.h"

namespace shlo::tool {
namespace {

using archive::Archive;
using archive::ArchivedModel;

struct MaintainFlags : ArchiveFlags {
  std::vector<std::string> models, from;
  std::string out, without;
  bool dry_run = false, superseded = false, keep_original = false, check = false;
  uint64_t keep = 0;
  std::string at_least = "laws";
};

// --- prune --------------------------------------------------------------------------------------------

// A model to remove, or forms of one that stays.
struct Removal {
  ArchivedModel model;
  std::vector<archive::ContentId> forms;  // empty: all of the model
};

// Finds the forms that the newest one replaces. Deleting needs more than a record that somebody wrote: the
// checker runs again.
int Superseded(Context& ctx, const Archive& archive, const MaintainFlags& flags, const ArchivedModel& model,
               std::vector<archive::ContentId>* out) {
  const size_t newest = model.newest();
  int code = kDone;
  for (size_t f = flags.keep_original ? 1 : 0; f < model.forms.size(); ++f) {
    const archive::ArchivedForm& form = model.forms[f];
    if (f == newest || !form.usable() || !model.forms[newest].usable() || model.forms[newest].proofs.empty())
      continue;
    ctx.progress.Step("checking {}", NameText(model.label()));
    const auto found =
        archive::CheckSuperseded(archive, model, f, ctx.LimitsFor(form.size() + model.forms[newest].size()));
    if (found && found->empty()) {
      out->push_back(form.entry);
      continue;
    }
    code = std::max(code, ctx.Fail(found ? *found : found.error()));
    Note(ctx, StrFormat("{} keeps its form at {}: the newest one is not proved to be the same", model.label(),
                        ArchivedVersion(form.version())));
  }
  return code;
}

// Finds what to remove. `checked` receives the exit code of models that keep forms which are not proved.
int Removals(Context& ctx, const Archive& archive, const MaintainFlags& flags, std::vector<Removal>* out,
             int* checked) {
  for (const std::string& model : flags.models)
    if (flags.keep != 0 && archive::SplitSelector(model).second.empty())
      return ctx.Fail(Code::kUsage, StrFormat("'{}' is one version, of which --keep removes none", model), {},
                      StrFormat("pass '{}@*' for all versions", model));
  auto models = SHLO_TAKE(ctx, archive.Select(flags.models));
  if (!flags.models.empty() && !flags.superseded && flags.keep == 0) {
    for (ArchivedModel& model : models) out->push_back({std::move(model), {}});
    return kDone;
  }
  std::map<std::string, std::vector<ArchivedModel*>> by_name;
  for (ArchivedModel& model : models) by_name[model.name].push_back(&model);
  for (auto& [name, versions] : by_name)
    for (size_t i = 0; i < versions.size(); ++i) {
      ArchivedModel& model = *versions[i];
      if (flags.keep != 0 && i + flags.keep < versions.size()) {
        out->push_back({std::move(model), {}});
        continue;
      }
      if (!flags.superseded) continue;
      Removal removal{model, {}};
      *checked = std::max(*checked, Superseded(ctx, archive, flags, model, &removal.forms));
      if (!removal.forms.empty()) out->push_back(std::move(removal));
    }
  return kDone;
}

int RunPrune(Context& ctx, const MaintainFlags& flags, Answer* out) {
  Archive archive = SHLO_TAKE(ctx, OpenArchive(ctx, flags));
  std::vector<Removal> removals;
  int checked = kDone;
  if (const int code = Removals(ctx, archive, flags, &removals, &checked); code != kDone) return code;
  out->json["removed"] = Json::array();
  const char* const verb = flags.dry_run ? "would be removed" : "removed";
  for (const Removal& removal : removals) {
    out->json["removed"].push_back({{"model", removal.model.label()}, {"forms", removal.forms.size()}});
    const std::string what = removal.forms.empty() ? "" : Count(removal.forms.size(), "form") + " ";
    out->text.Add("{}  {}{}\n", NameText(removal.model.label()), what, verb);
  }
  if (!flags.dry_run && !removals.empty()) {
    auto writer = SHLO_TAKE(ctx, archive::Writer::Begin(archive, WriterOptionsFor(ctx, flags)));
    for (const Removal& removal : removals) {
      if (removal.forms.empty()) SHLO_TAKE(ctx, writer.Remove(removal.model));
      for (const archive::ContentId& form : removal.forms) SHLO_TAKE(ctx, writer.Remove(removal.model, form));
    }
    SHLO_TAKE(ctx, writer.Commit());
  }
  ctx.progress.Step("pruning");
  archive::PruneOptions options;
  options.work_done = ctx.progress.Counted("record");
  options.dry_run = flags.dry_run;
  const auto report = SHLO_TAKE(ctx, archive::Prune(archive, WriterOptionsFor(ctx, flags), options));
  out->json["dry_run"] = flags.dry_run;
  out->json["packs_before"] = report.packs_before;
  out->json["packs_after"] = report.packs_after;
  out->json["size_before"] = report.size_before;
  out->json["size_after"] = report.size_after;
  out->json["rewritten"] = report.rewritten;
  out->json["removed_records"] = report.removed_records;
  out->text.Add(
      "{}: {} of {} before, {} of {} {}\n", flags.dry_run ? "would prune" : "pruned",
      SizeText(report.size_before), Count(report.packs_before, "pack"), SizeText(report.size_after),
      Count(report.packs_after, "pack"),
      flags.dry_run && !removals.empty() ? "after, and less without what would be removed" : "after");
  return checked;
}

// --- export and import ---------------------------------------------------------------------------------

int RunExport(Context& ctx, const MaintainFlags& flags, Answer* out) {
  const Archive archive = SHLO_TAKE(ctx, OpenArchive(ctx, flags));
  std::optional<Archive> without;
  if (!flags.without.empty()) without = SHLO_TAKE(ctx, Archive::Open(flags.without));
  ctx.progress.Step("writing {}", NameText(flags.out));
  Result<std::vector<ArchivedModel>> models;
  Result<archive::ExportReport> report;
  do {
    models = archive.Select(flags.models);
    if (!models) return ctx.Fail(models.error());
    report = archive::Export(archive, *models, flags.out, without ? &*without : nullptr);
    // Of models that were removed meanwhile, the next selection has none.
  } while (!report && std::ranges::any_of(*models, [&](const auto& m) { return IsRemoved(archive, m); }));
  if (!report) return ctx.Fail(report.error());
  out->json["output"] = flags.out;
  out->json["models"] = Json::array();
  for (const ArchivedModel& model : *models) out->json["models"].push_back(model.label());
  out->json["records"] = report->records;
  out->json["size"] = report->size;
  out->text.Add("exported {} in {}\n", Count(report->models, "model"), SizeText(report->size));
  return kDone;
}

int RunImport(Context& ctx, const MaintainFlags& flags, Answer* out) {
  Archive archive = SHLO_TAKE(ctx, OpenArchive(ctx, flags));
  auto writer = SHLO_TAKE(ctx, archive::Writer::Begin(archive, WriterOptionsFor(ctx, flags)));
  out->json["sources"] = Json::array();
  int worst = kDone;
  for (const std::string& source : flags.from) {
    ctx.progress.Step("importing {}", NameText(source));
    std::error_code error;
    const uint64_t size = std::filesystem::file_size(source, error);
    archive::ImportOptions options;
    options.at_least = *EvidenceOfName(flags.at_least);
    options.limits = ctx.LimitsFor(error ? 0 : size);
    options.limits.work_done = ctx.progress.Counted("model");
    options.lenient = ctx.lenient;
    if (ctx.max_memory != Settings::kBySize) options.max_memory = options.limits.max_memory;
    const auto report = archive::Import(writer, source, options);
    Json s;
    s["file"] = source;
    s["models"] = Json::array();
    if (!report) {
      const int code = ctx.Fail(report.error());
      NoteLenient(ctx, report.error());
      worst = std::max(worst, code);
      s["exit"] = code;
      out->json["sources"].push_back(std::move(s));
      // Nothing of a source that cannot be read to its end may be left.
      break;
    }
    SHLO_TAKE(ctx, writer.Commit());
    for (const archive::ImportedModel& model : report->models) {
      s["models"].push_back({{"from", model.from}, {"model", model.label}, {"existed", model.existed}});
      out->text.Add("{}  {}{}\n", NameText(model.label), model.existed ? "is there already" : "imported",
                    model.from == model.label ? "" : StrFormat(", was {}", NameText(model.from)));
    }
    for (const std::string& note : report->notes) Note(ctx, note);
    s["records"] = report->records;
    s["entries"] = report->entries;
    s["notes"] = report->notes;
    s["exit"] = int(kDone);
    out->text.Add("{}: {} and {} added\n", NameText(source), Count(report->entries, "line"),
                  Count(report->records, "record"));
    out->json["sources"].push_back(std::move(s));
  }
  return worst;
}

// --- repair and rebuild ---------------------------------------------------------------------------------

int RunRepair(Context& ctx, const MaintainFlags& flags, Answer* out) {
  Archive archive = SHLO_TAKE(ctx, OpenArchive(ctx, flags));
  ctx.progress.Step("repairing");
  const auto report = SHLO_TAKE(ctx, archive::Repair(archive, flags.from, WriterOptionsFor(ctx, flags)));
  out->json["packs_copied"] = report.packs_copied;
  out->json["records_repaired"] = report.records_repaired;
  out->json["damage"] = Json::array();
  for (const archive::ArchiveDamage& damage : report.left) out->json["damage"].push_back(ToJson(damage));
  out->text.Add("{} copied, {} repaired\n", Count(report.packs_copied, "pack"),
                Count(report.records_repaired, "record"));
  if (report.left.empty()) return kDone;
  out->text += DamageText(report.left);
  return kFinding;
}

int RunRebuild(Context& ctx, const MaintainFlags& flags, Answer* out) {
  Archive archive = SHLO_TAKE(ctx, OpenArchive(ctx, flags));
  out->json["differences"] = Json::array();
  if (flags.check) {
    const auto tables = SHLO_TAKE(ctx, archive::CompareCatalog(archive));
    for (const std::string& table : tables) {
      out->json["differences"].push_back(table);
      out->text.Add("the catalog is not what the packs say, in its table '{}'\n", table);
    }
    if (tables.empty()) out->text += "the catalog is what the packs say\n";
    return tables.empty() ? kDone : kFinding;
  }
  ctx.progress.Step("reading the packs");
  SHLO_TAKE(ctx, archive::RebuildCatalog(archive, WriterOptionsFor(ctx, flags)));
  // The catalog was made, and could not be kept.
  if (Diagnostics unkept = archive.warnings(); !unkept.empty()) {
    for (Diagnostic& d : unkept) d.severity = Severity::kError;
    return ctx.Fail(unkept);
  }
  const auto stats = SHLO_TAKE(ctx, archive.Stats());
  out->json["models"] = stats.models;
  out->json["packs"] = stats.packs;
  out->text.Add("rebuilt the catalog: {} in {}\n", Count(stats.models, "model"), Count(stats.packs, "pack"));
  return kDone;
}

}  // namespace

void AddArchivePrune(Options& options, Context& ctx) {
  auto flags = AddAnswer<MaintainFlags>(options, ctx, RunPrune);
  options.Arguments("MODEL", &flags->models,
                    "models to remove (NAME@*: all versions); with --superseded or --keep, those to look at",
                    false);
  options.Flag("--superseded", &flags->superseded,
               "remove the files of forms that a newer one with a certificate replaces");
  options.Flag("--keep-original", &flags->keep_original, "with --superseded, keep models as they were added");
  options.Number("--keep", &flags->keep, uint64_t(1) << 40,
                 "remove all but the newest N versions of each name");
  options.Flag("--dry-run", &flags->dry_run, "print what would be removed");
  AddArchiveFlags(options, flags.get());
  AddWaitFlag(options, flags.get());
  AddLimitFlags(options, ctx,
                "memory limit for reading and proving a form again, in MiB (default: 160, and 64 times the "
                "forms)");
  AddEvaluationFlags(options, ctx);
}

void AddArchiveExport(Options& options, Context& ctx) {
  auto flags = AddAnswer<MaintainFlags>(options, ctx, RunExport);
  options.Arguments("MODEL", &flags->models, "models to export");
  options.Option("-o,--output", &flags->out, "FILE", "the bundle");
  options.Required("--output");
  options.Option("--without", &flags->without, "DIR", "leave out what this archive has");
  AddArchiveFlags(options, flags.get());
}

void AddArchiveImport(Options& options, Context& ctx) {
  auto flags = AddAnswer<MaintainFlags>(options, ctx, RunImport);
  options.Arguments("FILE", &flags->from, "bundles, or folders of other archives");
  options.Choice("--at-least", &flags->at_least, {"sampled", "exhaustive", "laws", "congruence"},
                 "evidence of a form that 'get' may use; others are claimed (default: laws)");
  AddLenientFlag(options, ctx);
  AddArchiveFlags(options, flags.get());
  AddWaitFlag(options, flags.get());
  AddLimitFlags(
      options, ctx,
      "memory limit for what a file of the source is unpacked to, in MiB (default: 16, and 256 times "
      "the source)");
  AddEvaluationFlags(options, ctx);
}

void AddArchiveRepair(Options& options, Context& ctx) {
  auto flags = AddAnswer<MaintainFlags>(options, ctx, RunRepair);
  options.Repeated("--from", &flags->from, "DIR", "another copy of the archive");
  AddArchiveFlags(options, flags.get());
  AddWaitFlag(options, flags.get());
}

void AddArchiveRebuild(Options& options, Context& ctx) {
  auto flags = AddAnswer<MaintainFlags>(options, ctx, RunRebuild);
  options.Flag("--check", &flags->check, "only compare the catalog with the packs");
  AddArchiveFlags(options, flags.get());
  AddWaitFlag(options, flags.get());
}

}  // namespace shlo::tool
