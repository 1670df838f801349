// `archive`: keeps models for years (docs/archive.md). This file lists its commands, and has what they share.
#include "archive.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>

#include "base/format.h"
#include "base/try.h"
#include "commands.h"

namespace shlo::tool {
namespace {

namespace fs = std::filesystem;
using archive::Archive;

struct ArchiveRow {
  const char* name;
  void (*add)(Options&, Context&);
  const char* help;
};
constexpr ArchiveRow kArchiveRows[] = {
    {"init", AddArchiveInit, "create an archive"},
    {"add", AddArchiveAdd, "add files, folders or SavedModels as models"},
    {"ls", AddArchiveLs, "list models"},
    {"show", AddArchiveShow, "print the facts of a model"},
    {"get", AddArchiveGet, "write a model, for any release, format or consumer"},
    {"log", AddArchiveLog, "print the history of models"},
    {"diff", AddArchiveDiff, "compare two models op by op"},
    {"tag", AddArchiveTag, "change tags and metadata of models"},
    {"verify", AddArchiveVerify, "compare all bytes with their checksums, and more"},
    {"migrate", AddArchiveMigrate, "convert models to a newer version, with proofs"},
    {"prune", AddArchivePrune, "remove models, old forms, and what nothing needs"},
    {"export", AddArchiveExport, "write models to a bundle"},
    {"import", AddArchiveImport, "add the models of bundles and other archives"},
    {"stats", AddArchiveStats, "print sizes"},
    {"repair", AddArchiveRepair, "replace damaged data from another copy"},
    {"rebuild", AddArchiveRebuild, "make the catalog again from the packs"},
};

// Returns the archive that the current folder is in, or "".
std::string ArchiveAround() {
  std::error_code error;
  for (fs::path at = fs::current_path(error); !error && !at.empty(); at = at.parent_path()) {
    if (Archive::IsArchive(at.string())) return at.string();
    if (at == at.parent_path()) break;
  }
  return {};
}

std::string ArchiveFolder(const ArchiveFlags& flags) {
  if (!flags.folder.empty()) return flags.folder;
  const char* const named = std::getenv("SHLO_ARCHIVE");
  return named && *named ? named : ArchiveAround();
}

archive::OpenOptions OpenOptionsFor(const Context& ctx, const std::string& catalog) {
  archive::OpenOptions options;
  options.catalog = catalog;
  if (const char* named = std::getenv("SHLO_ARCHIVE_CATALOG"); catalog.empty() && named)
    options.catalog = named;
  options.limits.deadline = ctx.deadline;
  return options;
}

Json ArchivedFilesJson(const archive::ArchivedForm& form) {
  Json files = Json::array();
  for (const archive::ArchivedFile& file : form.files)
    files.push_back({{"path", file.path}, {"id", IdText(file.id)}, {"size", file.size}});
  return files;
}

Json ArchivedProgramsJson(const archive::ArchivedForm& form) {
  Json programs = Json::array();
  for (const archive::ArchivedProgram& program : form.programs) {
    Json j;
    j["name"] = program.name.empty() ? Json(nullptr) : Json(program.name);
    j["version"] = ToJson(program.version);
    j["op_count"] = program.ops;
    j["constants"] = program.constants;
    j["constant_bytes"] = program.constant_bytes;
    j["functions"] = Json::array();
    for (const archive::ArchivedFunction& f : program.functions)
      j["functions"].push_back({{"name", f.name}, {"type", f.type}});
    j["custom_call_targets"] = program.custom_calls;
    j["dialects"] = program.dialects;
    programs.push_back(std::move(j));
  }
  return programs;
}

Json TensorsJson(const std::vector<archive::ArchivedTensor>& tensors) {
  Json list = Json::array();
  for (const archive::ArchivedTensor& tensor : tensors)
    list.push_back(
        {{"name", tensor.name}, {"type", tensor.type}, {"id", IdText(tensor.id)}, {"size", tensor.size}});
  return list;
}

}  // namespace

void AddArchive(Options& options, Context& ctx) {
  options.Remark(
      "Commands work on the archive of --archive=DIR, of the variable SHLO_ARCHIVE,\n"
      "or on the one that the current folder is in. A MODEL is NAME (the newest\n"
      "version), NAME@VERSION or NAME@TAG; where several are taken, also a quoted\n"
      "pattern with *, ?, [...] and **: 'vision/*' is the newest version of each\n"
      "name, NAME@* all versions of one, and '**@*' everything.");
  for (const ArchiveRow& row : kArchiveRows) {
    Options sub = options.Subcommand(row.name, row.help);
    row.add(sub, ctx);
    AddCommonFlags(sub, ctx);
  }
}

bool IsArchiveCommand(std::string_view word) {
  return std::ranges::any_of(kArchiveRows, [&](const ArchiveRow& row) { return row.name == word; });
}

void AddArchiveFlags(Options& of_command, ArchiveFlags* flags) {
  Options options = of_command.Below(kArchiveFlags);
  options.Option("--archive", &flags->folder, "DIR",
                 "the archive (default: SHLO_ARCHIVE, or the one around the current folder)");
  options.Option("--catalog", &flags->catalog, "FILE",
                 "the catalog, a cache (default: SHLO_ARCHIVE_CATALOG, or in the archive)");
}

void AddWaitFlag(Options& options, ArchiveFlags* flags) {
  options.Below(kArchiveFlags)
      .Number("--wait", &flags->wait, 1'000'000'000, "wait for another writer, in seconds (default: 60)");
}

void AddPartFlag(Options& options, std::string* part) {
  options.Option("--part", part, "I/N",
                 "do the I-th of N parts of the work, which are the same on all machines");
}

int ParsePart(Context& ctx, const std::string& text, archive::WorkPart* part) {
  if (text.empty()) return kDone;
  const char* const end = text.data() + text.size();
  const auto index = std::from_chars(text.data(), end, part->index);
  const bool slash = index.ec == std::errc() && index.ptr != end && *index.ptr == '/';
  const auto count = slash ? std::from_chars(index.ptr + 1, end, part->count) : index;
  if (slash && count.ec == std::errc() && count.ptr == end && part->index >= 1 && part->index <= part->count)
    return kDone;
  return ctx.Fail(Code::kUsage, StrFormat("--part={} is not a part", text), {}, "write it as 1/4");
}

Result<Archive> OpenArchive(Context& ctx, const ArchiveFlags& flags) {
  const std::string folder = ArchiveFolder(flags);
  if (folder.empty())
    return Error(Code::kUsage, "the current folder is not in an archive", {},
                 "pass --archive=DIR, or make one with 'shlo-compat archive init'");
  ctx.progress.Step("opening {}", NameText(folder));
  auto opened = Archive::Open(folder, OpenOptionsFor(ctx, flags.catalog));
  if (opened) ctx.Report(opened->warnings());
  return opened;
}

bool IsRemoved(const Archive& archive, const archive::ArchivedModel& model) {
  const auto now = archive.FindEntry(model.entry);
  if (!now || !*now) return false;
  const auto removed = [](const archive::ArchivedModel& m) {
    return std::ranges::count(m.forms, true, &archive::ArchivedForm::removed);
  };
  return (*now)->removed || removed(**now) > removed(model);
}

archive::WriterOptions WriterOptionsFor(Context& ctx, const ArchiveFlags& flags) {
  archive::WriterOptions options;
  options.command = ctx.command;
  options.wait_seconds = flags.wait;
  options.tool = ToolName();
  options.threads = uint32_t(ctx.threads);
  options.waiting = [&ctx](const std::string& holder) {
    Note(ctx, StrFormat("waiting for another writer: {}", holder));
  };
  options.warn = [&ctx](const Diagnostic& warning) { ctx.Report({warning}); };
  return options;
}

std::optional<std::pair<std::string, std::string>> SplitModelPath(const std::string& path) {
  std::error_code error;
  const size_t colon = path.rfind(':');
  if (colon == path.npos || colon == 0 || fs::exists(path, error)) return std::nullopt;
  std::string folder = path.substr(0, colon);
  if (!Archive::IsArchive(folder)) return std::nullopt;
  return std::pair(std::move(folder), path.substr(colon + 1));
}

Result<InputFile> OpenModelOrFile(const Context& ctx, const std::string& path) {
  if (ctx.provided) return *ctx.provided;
  std::optional<Archive> archive;
  std::string selector = path;
  if (ctx.archive) {
    archive = *ctx.archive;
  } else {
    const auto split = SplitModelPath(path);
    if (!split) return OpenProgramInput(path, ctx.copy_below, ctx.MaxStream());
    archive = SHLO_TRY(Archive::Open(split->first, OpenOptionsFor(ctx, {})));
    selector = split->second;
  }
  const auto model = SHLO_TRY(archive->Find(selector));
  const auto newest = SHLO_TRY(archive::NewestForm(model));
  auto file = archive->LoadForm(model, newest);
  if (file) file->name = path;
  return file;
}

std::string SizeText(uint64_t bytes) {
  constexpr const char* kUnits[] = {"KiB", "MiB", "GiB", "TiB"};
  if (bytes < 1024) return Count(bytes, "byte");
  double size = double(bytes) / 1024;
  size_t unit = 0;
  for (; size >= 1024 && unit + 1 < std::size(kUnits); ++unit) size /= 1024;
  return StrFormat("{:.1f} {}", size, kUnits[unit]);
}

std::string ArchivedVersion(Version version) {
  return FindVersion(version) ? VersionName(version) : StrFormat("version {}", version.n);
}

Json FormJson(const archive::ArchivedModel& model, size_t form) {
  const archive::ArchivedForm& f = model.forms[form];
  Json j;
  j["entry"] = IdText(f.entry);
  j["from"] = f.from ? Json(IdText(f.from)) : Json(nullptr);
  j["time"] = f.time;
  j["tool"] = f.tool;
  j["format"] = std::string(FormatName(f.format));
  j["version"] = ToJson(f.version());
  j["size"] = f.size();
  j["accepted"] = f.accepted;
  j["removed"] = f.removed;
  j["files"] = ArchivedFilesJson(f);
  j["programs"] = ArchivedProgramsJson(f);
  j["proofs"] = Json::array();
  for (const archive::ArchivedProof& proof : f.proofs)
    j["proofs"].push_back({{"program", proof.program.empty() ? Json(nullptr) : Json(proof.program)},
                           {"certificate", IdText(proof.certificate)},
                           {"evidence", std::string(EvidenceName(proof.evidence))}});
  return j;
}

Json ToJson(const archive::ArchivedModel& model, bool details) {
  const archive::ArchivedForm& newest = model.forms[model.newest()];
  Json j;
  j["model"] = model.label();
  j["name"] = model.name;
  j["model_version"] = model.version;
  j["entry"] = IdText(model.entry);
  j["time"] = model.forms[0].time;
  j["format"] = std::string(FormatName(newest.format));
  j["version"] = ToJson(newest.version());
  j["size"] = newest.size();
  j["tags"] = model.tags;
  j["claimed_forms"] = model.claimed;
  if (!details) return j;
  j["producer"] = model.producer.empty() ? Json(nullptr) : Json(model.producer);
  j["metadata"] = Json::object();
  for (const auto& [key, value] : model.metadata) j["metadata"][key] = value;
  j["parents"] = Json::array();
  for (const archive::ContentId& parent : model.parents) j["parents"].push_back(IdText(parent));
  j["forms"] = Json::array();
  for (size_t i = 0; i < model.forms.size(); ++i) j["forms"].push_back(FormJson(model, i));
  j["goldens"] = Json::array();
  for (const archive::ArchivedGolden& golden : model.goldens) {
    Json g;
    g["entry"] = IdText(golden.entry);
    g["time"] = golden.time;
    g["tool"] = golden.tool;
    g["program"] = golden.program.empty() ? Json(nullptr) : Json(golden.program);
    g["function"] = golden.function.empty() ? Json(nullptr) : Json(golden.function);
    g["inputs"] = TensorsJson(golden.inputs);
    g["results"] = TensorsJson(golden.results);
    g["tolerance"] = golden.tolerance;
    g["reason"] = golden.reason;
    j["goldens"].push_back(std::move(g));
  }
  return j;
}

Json ToJson(const archive::ArchiveDamage& damage) {
  Json j;
  j["file"] = damage.place.file;
  j["offset"] = damage.place.offset == Place::kNone ? Json(nullptr) : Json(damage.place.offset);
  j["what"] = damage.what;
  j["id"] = damage.id ? Json(IdText(damage.id)) : Json(nullptr);
  j["models"] = damage.models;
  return j;
}

TerminalText DamageText(const std::vector<archive::ArchiveDamage>& damage) {
  TerminalText out;
  for (const archive::ArchiveDamage& d : damage) {
    out.Add("{}", NameText(d.place.file));
    if (d.place.offset != Place::kNone) out.Add(":{}", d.place.offset);
    out.Add(": {}\n", d.what);
    if (d.models.empty()) out += "  no model needs it\n";
    for (const std::string& model : d.models) out.Add("  needed by {}\n", NameText(model));
  }
  return out;
}

}  // namespace shlo::tool
