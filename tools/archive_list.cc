// `archive init`, `ls`, `show`, `log`, `stats`, `tag`: what an archive holds.
#include <fmt/ranges.h>

#include <algorithm>

#include "archive.h"
#include "base/format.h"

namespace shlo::tool {
namespace {

using archive::Archive;
using archive::ArchivedForm;
using archive::ArchivedModel;

struct ListFlags : ArchiveFlags {
  std::vector<std::string> models;
  std::string id;
  std::vector<std::string> add, remove, metadata;
};

// Names in a row.
std::string Names(const std::vector<std::string>& names, std::string_view separator = " ") {
  std::string out;
  for (const std::string& name : names) out += std::string(out.empty() ? "" : separator) + NameText(name);
  return out;
}

// --- init ---------------------------------------------------------------------------------------------

int RunInit(Context& ctx, const ListFlags& flags, Answer* out) {
  const std::string folder = flags.folder.empty() ? "." : flags.folder;
  // A command that is repeated after a failure finds what it made.
  const bool existed = Archive::IsArchive(folder);
  if (!existed) SHLO_TAKE(ctx, Archive::Create(folder, flags.id));
  const auto opened = Archive::Open(folder);
  out->json["archive"] = folder;
  out->json["id"] = opened ? Json(opened->id()) : Json(nullptr);
  out->json["existed"] = existed;
  out->text.Add("{} {}\n", existed ? "there already:" : "created", NameText(folder));
  if (!opened) return ctx.Fail(opened.error());
  if (!existed || flags.id.empty() || flags.id == opened->id()) return kDone;
  return ctx.Fail(Code::kUsage, StrFormat("the folder is an archive already, with id {}", opened->id()),
                  {.file = folder}, "pass a new folder");
}

// --- ls -----------------------------------------------------------------------------------------------

int RunLs(Context& ctx, const ListFlags& flags, Answer* out) {
  const Archive archive = SHLO_TAKE(ctx, OpenArchive(ctx, flags));
  const auto models = SHLO_TAKE(ctx, archive.Select(flags.models, /*details=*/false));
  out->json["models"] = Json::array();
  size_t width = 0;
  for (const ArchivedModel& model : models) width = std::max(width, NameText(model.label()).size());
  for (const ArchivedModel& model : models) {
    if (ctx.json) {
      out->json["models"].push_back(ToJson(model, false));
      continue;
    }
    const ArchivedForm& form = model.forms[0];
    out->text.Add("{:{}}  {:12}  {:11}  {:>10}  {}{}{}{}\n", NameText(model.label()),
                  std::min<size_t>(width, 60), ArchivedVersion(form.version()), FormatName(form.format),
                  SizeText(form.size()), NameText(form.time.substr(0, 10)), model.tags.empty() ? "" : "  ",
                  Names(model.tags), model.claimed ? "  (" + Count(model.claimed, "form") + " claimed)" : "");
  }
  return kDone;
}

// --- show ---------------------------------------------------------------------------------------------

TerminalText FormText(const ArchivedModel& model, size_t i) {
  const ArchivedForm& form = model.forms[i];
  TerminalText out = TerminalText::Of("form       {}, {}, {}", ArchivedVersion(form.version()),
                                      FormatName(form.format), SizeText(form.size()));
  if (i == 0) out += ", as it was added";
  for (const ArchivedForm& other : model.forms)
    if (form.from && other.entry == form.from) out.Add(", from {}", ArchivedVersion(other.version()));
  for (const archive::ArchivedProof& proof : form.proofs) {
    const std::string_view evidence = EvidenceName(proof.evidence);
    if (form.accepted)
      out.Add(", proved by {}", evidence);
    else
      out.Add(", claimed to be equal by {}: not accepted here", evidence);
    break;
  }
  if (form.removed) out += ", removed";
  out += "\n";
  for (const archive::ArchivedFile& file : form.files)
    out.Add("  {}  {}, sha256 {}\n", NameText(file.path), SizeText(file.size), IdText(file.id));
  return out;
}

TerminalText ProgramText(const archive::ArchivedProgram& program) {
  TerminalText out("program    ");
  if (!program.name.empty()) out.Add("{}: ", NameText(program.name));
  out.Add("{}, {} of {}\n", Count(program.ops, "op"), Count(program.constants, "constant"),
          SizeText(program.constant_bytes));
  for (const archive::ArchivedFunction& f : program.functions)
    out.Add("  {}  {}\n", SymbolText(f.name), f.type);
  if (!program.custom_calls.empty()) out.Add("  custom calls: {}\n", Names(program.custom_calls, ", "));
  return out;
}

TerminalText ShowText(const Archive& archive, const ArchivedModel& model) {
  TerminalText out = TerminalText::Of("{}\nadded      {} by {}\n", NameText(model.label()),
                                      NameText(model.forms[0].time), NameText(model.forms[0].tool));
  if (!model.producer.empty()) out.Add("producer   {}\n", NameText(model.producer));
  if (!model.tags.empty()) out.Add("tags       {}\n", Names(model.tags));
  for (const auto& [key, value] : model.metadata)
    out.Add("metadata   {} = {}\n", NameText(key), NameText(value));
  for (const archive::ContentId& parent : model.parents) {
    const auto known = archive.FindEntry(parent);
    out.Add("made from  {}\n", known && *known ? NameText((*known)->label()) : IdText(parent));
  }
  for (size_t i = 0; i < model.forms.size(); ++i) out += FormText(model, i);
  for (const archive::ArchivedProgram& program : model.forms[model.newest()].programs)
    out += ProgramText(program);
  for (const archive::ArchivedGolden& golden : model.goldens)
    out.Add("golden     {}, {}, {}, tolerance {}: {}\n",
            SymbolText(golden.function.empty() ? "main" : golden.function),
            Count(golden.inputs.size(), "input"), Count(golden.results.size(), "result"), golden.tolerance,
            golden.reason);
  return out;
}

int RunShow(Context& ctx, const ListFlags& flags, Answer* out) {
  const Archive archive = SHLO_TAKE(ctx, OpenArchive(ctx, flags));
  int code = kDone;
  out->json["models"] = Json::array();
  for (const std::string& selector : flags.models) {
    const auto model = archive.Find(selector);
    if (!model) {
      code = std::max(code, ctx.Fail(model.error()));
    } else if (ctx.json) {
      out->json["models"].push_back(ToJson(*model, true));
    } else {
      if (!out->text.empty()) out->text += "\n";
      out->text += ShowText(archive, *model);
    }
  }
  return code;
}

// --- log ----------------------------------------------------------------------------------------------

// Returns what a line of the journal says, for people.
TerminalText LineText(const archive::JournalLine& line) {
  const Json entry = Json::parse(line.text, nullptr, /*allow_exceptions=*/false);
  const auto text = [&](const char* key) {
    const auto found = entry.find(key);
    return found != entry.end() && found->is_string() ? found->get<std::string>() : std::string();
  };
  const auto version = [&] {
    Version lowest;
    for (const Json& program : entry.value("programs", Json::array()))
      if (const auto n = program.value("version", 0u); !lowest.valid() || n < lowest.n)
        lowest.n = uint16_t(n);
    return ArchivedVersion(lowest);
  };
  std::string what = line.type;
  if (line.type == "model") what = StrFormat("added, {}, {}", text("format"), version());
  if (line.type == "form") what = StrFormat("converted to {}", version());
  if (line.type == "accept") what = "certificates of a form accepted";
  if (line.type == "golden")
    what = StrFormat("golden of {}", SymbolText(text("entry").empty() ? "main" : text("entry")));
  if (line.type == "remove") what = text("form").empty() ? "removed" : "a form was removed";
  if (line.type == "annotate") {
    what = "annotated:";
    for (const Json& tag : entry.value("add", Json::array())) what += " +" + NameText(tag.get<std::string>());
    for (const Json& tag : entry.value("remove", Json::array()))
      what += " -" + NameText(tag.get<std::string>());
    const Json metadata = entry.value("metadata", Json::object());
    for (const auto& [key, value] : metadata.items())
      what += StrFormat(" {}={}", NameText(key), value.is_string() ? NameText(value.get<std::string>()) : "");
  }
  return TerminalText::Of("{:>6}  {}  {}  {}\n", line.ordinal, NameText(line.time),
                          line.model.empty() ? "" : NameText(line.model), what);
}

int RunLog(Context& ctx, const ListFlags& flags, Answer* out) {
  const Archive archive = SHLO_TAKE(ctx, OpenArchive(ctx, flags));
  std::vector<archive::ContentId> entries;
  if (!flags.models.empty()) {
    const auto models = SHLO_TAKE(ctx, archive.Select(flags.models, false));
    for (const ArchivedModel& model : models) entries.push_back(model.entry);
  }
  const auto lines = SHLO_TAKE(ctx, archive.Journal(entries));
  out->json["lines"] = Json::array();
  for (const archive::JournalLine& line : lines) {
    if (!ctx.json) {
      out->text += LineText(line);
      continue;
    }
    Json entry = Json::parse(line.text, nullptr, /*allow_exceptions=*/false);
    out->json["lines"].push_back({{"ordinal", line.ordinal},
                                  {"id", IdText(line.id)},
                                  {"type", line.type},
                                  {"time", line.time},
                                  {"model", line.model.empty() ? Json(nullptr) : Json(line.model)},
                                  {"entry", entry.is_discarded() ? Json(nullptr) : std::move(entry)}});
  }
  return kDone;
}

// --- stats --------------------------------------------------------------------------------------------

int RunStats(Context& ctx, const ListFlags& flags, Answer* out) {
  const Archive archive = SHLO_TAKE(ctx, OpenArchive(ctx, flags));
  const archive::ArchiveStats s = SHLO_TAKE(ctx, archive.Stats());
  Json& j = out->json;
  j["archive"] = archive.folder();
  j["id"] = archive.id();
  j["models"] = s.models;
  j["names"] = s.names;
  j["forms"] = s.forms;
  j["goldens"] = s.goldens;
  j["entries"] = s.entries;
  j["files_size"] = s.files_size;
  j["content_size"] = s.content_size;
  j["stored_size"] = s.stored_size;
  j["packs"] = s.packs;
  j["records"] = s.records;
  j["packs_size"] = s.packs_size;
  TerminalText& text = out->text;
  text.Add("models      {} of {}, {}, {}\n", Count(s.models, "version"), Count(s.names, "name"),
           Count(s.forms, "form"), Count(s.goldens, "golden"));
  text.Add("files       {:>12}  if each was stored apart\n", SizeText(s.files_size));
  text.Add("content     {:>12}  with equal pieces stored once\n", SizeText(s.content_size));
  text.Add("stored      {:>12}  after compression\n", SizeText(s.stored_size));
  text.Add("packs       {:>12}  on disk: {}, {}\n", SizeText(s.packs_size), Count(s.packs, "pack"),
           Count(s.records, "record"));
  return kDone;
}

// --- tag ----------------------------------------------------------------------------------------------

int RunTag(Context& ctx, const ListFlags& flags, Answer* out) {
  archive::Annotation change;
  change.add = flags.add;
  change.remove = flags.remove;
  for (const std::string& pair : flags.metadata) {
    const size_t equals = pair.find('=');
    if (equals == 0 || equals == pair.npos)
      return ctx.Fail(Code::kUsage, StrFormat("--meta={} is not KEY=VALUE", pair), {},
                      "write KEY= to remove a key");
    const std::string value = pair.substr(equals + 1);
    change.metadata[pair.substr(0, equals)] = value.empty() ? std::nullopt : std::optional(value);
  }
  if (change.add.empty() && change.remove.empty() && change.metadata.empty())
    return ctx.Fail(Code::kUsage, "there is nothing to change", {}, "pass --add, --remove or --meta");
  Archive archive = SHLO_TAKE(ctx, OpenArchive(ctx, flags));
  auto writer = SHLO_TAKE(ctx, archive::Writer::Begin(archive, WriterOptionsFor(ctx, flags)));
  const auto models = SHLO_TAKE(ctx, archive.Select(flags.models));
  for (const ArchivedModel& model : models) SHLO_TAKE(ctx, writer.Annotate(model, change));
  SHLO_TAKE(ctx, writer.Commit());
  out->json["models"] = Json::array();
  for (const ArchivedModel& model : models) {
    const auto now = archive.FindEntry(model.entry);
    if (!now || !*now) continue;
    out->json["models"].push_back(ToJson(**now, false));
    out->text.Add("{}  {}\n", NameText((*now)->label()), Names((*now)->tags));
  }
  return kDone;
}

}  // namespace

void AddArchiveInit(Options& options, Context& ctx) {
  auto flags = AddAnswer<ListFlags>(options, ctx, RunInit);
  options.Argument("DIR", &flags->folder, "folder of the archive, new or empty (default: the current one)",
                   false);
  options.Option("--id", &flags->id, "HEX", "id of the archive, 32 digits (default: a random one)");
}

void AddArchiveLs(Options& options, Context& ctx) {
  auto flags = AddAnswer<ListFlags>(options, ctx, RunLs);
  options.Arguments("MODEL", &flags->models, "models to list (default: all)", false);
  AddArchiveFlags(options, flags.get());
}

void AddArchiveShow(Options& options, Context& ctx) {
  auto flags = AddAnswer<ListFlags>(options, ctx, RunShow);
  options.Arguments("MODEL", &flags->models, "models to print", true);
  AddArchiveFlags(options, flags.get());
}

void AddArchiveLog(Options& options, Context& ctx) {
  auto flags = AddAnswer<ListFlags>(options, ctx, RunLog);
  options.Arguments("MODEL", &flags->models, "models whose lines to print (default: all lines)", false);
  AddArchiveFlags(options, flags.get());
}

void AddArchiveStats(Options& options, Context& ctx) {
  auto flags = AddAnswer<ListFlags>(options, ctx, RunStats);
  AddArchiveFlags(options, flags.get());
}

void AddArchiveTag(Options& options, Context& ctx) {
  auto flags = AddAnswer<ListFlags>(options, ctx, RunTag);
  options.Arguments("MODEL", &flags->models, "models to change", true);
  options.Repeated("--add", &flags->add, "TAG", "tag to add");
  options.Repeated("--remove", &flags->remove, "TAG", "tag to remove");
  options.Repeated("--meta", &flags->metadata, "KEY=VALUE", "metadata to set; KEY= removes the key");
  AddArchiveFlags(options, flags.get());
  AddWaitFlag(options, flags.get());
}

}  // namespace shlo::tool
