#include "archive/catalog.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <unordered_set>

#include "archive/journal.h"

namespace shlo::archive {
namespace {

// Version of the tables; a catalog with another one is made again.
constexpr uint64_t kLayout = 2;

// Records have all their places, so that the rows do not depend on the order in which packs were seen. A
// model's row has what `ls` prints; `about` lists the entries about it.
constexpr const char* kTables = R"(
  CREATE TABLE archive(id BLOB PRIMARY KEY) WITHOUT ROWID;
  CREATE TABLE packs(sequence INTEGER PRIMARY KEY, hash BLOB, size INTEGER, intact INTEGER);
  CREATE TABLE replaced(sequence INTEGER, hash BLOB, census INTEGER, PRIMARY KEY(sequence, census)) WITHOUT ROWID;
  CREATE TABLE records(id BLOB, sequence INTEGER, offset INTEGER, stored INTEGER, size INTEGER, kind INTEGER,
                       PRIMARY KEY(id, sequence, offset)) WITHOUT ROWID;
  CREATE TABLE entries(ordinal INTEGER, id BLOB, text TEXT, PRIMARY KEY(ordinal, id)) WITHOUT ROWID;
  CREATE INDEX entries_by_id ON entries(id);
  CREATE TABLE about(model BLOB, ordinal INTEGER, id BLOB, PRIMARY KEY(model, ordinal, id)) WITHOUT ROWID;
  CREATE TABLE imported(old BLOB, id BLOB, PRIMARY KEY(old, id)) WITHOUT ROWID;
  CREATE TABLE models(entry BLOB PRIMARY KEY, name TEXT, version INTEGER, shadowed INTEGER, ordinal INTEGER,
                      removed INTEGER, content BLOB, tags TEXT, time TEXT, format TEXT, size INTEGER,
                      program INTEGER, forms INTEGER, goldens INTEGER, total INTEGER, claimed INTEGER) WITHOUT ROWID;
  CREATE INDEX models_by_name ON models(name, version, shadowed, ordinal);
)";

constexpr const char* kTableNames[] = {"archive", "packs", "replaced", "records",
                                       "entries", "about", "imported", "models"};

template <size_t N>
std::string_view View(const std::array<uint8_t, N>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), N};
}

template <typename ArrayT>
ArrayT ArrayOf(std::string_view bytes) {
  ArrayT out = {};
  if (bytes.size() == out.size()) std::memcpy(out.data(), bytes.data(), out.size());
  return out;
}

ContentId IdFrom(std::string_view bytes) { return {ArrayOf<decltype(ContentId::bytes)>(bytes)}; }

std::string Joined(const std::vector<std::string>& tags) {
  std::string out;
  for (const std::string& tag : tags) out += (out.empty() ? "" : " ") + tag;
  return out;
}

std::vector<std::string> Words(std::string_view text) {
  std::vector<std::string> out;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find(' ', at), text.size());
    out.emplace_back(text.substr(at, end - at));
    at = end + 1;
  }
  return out;
}

// Whether the database is the catalog of this archive, in this layout.
bool Fits(Database& db, const ArchiveId& archive) {
  Statement layout(db, "PRAGMA user_version");
  if (!layout.Step() || layout.NumberAt(0) != kLayout) return false;
  layout.Reset();
  Statement id(db, "SELECT id FROM archive");
  return id.Step() && id.BlobAt(0) == View(archive);
}

void Configure(Database& db) {
  db.Run("PRAGMA journal_mode=DELETE; PRAGMA cache_size=-32768; PRAGMA temp_store=MEMORY;");
}

void CreateTables(Database& db, const ArchiveId& archive) {
  db.Run(kTables);
  Statement(db, "INSERT INTO archive VALUES(?)").Blob(View(archive)).Run();
  db.Run("PRAGMA user_version=" + std::to_string(kLayout));
}

template <typename T>
Result<T> Checked(const Database& db, T value) {
  if (auto status = db.status(); !status) return tl::unexpected(std::move(status.error()));
  return value;
}

}  // namespace

Result<std::unique_ptr<Catalog>> Catalog::Open(const std::string& path, const ArchiveId& archive,
                                               bool read_only) {
  if (!path.empty()) {
    auto db = Database::Open(path, /*create=*/false, read_only);
    if (db) {
      Configure(**db);
      if (Fits(**db, archive) && (*db)->ok()) return std::unique_ptr<Catalog>(new Catalog(std::move(*db)));
      // It is busy, or the disk fails: making it again would not help.
      if (!(*db)->ok() && !(*db)->damaged()) return tl::unexpected((*db)->status().error());
    }
    if (read_only) return Error(Code::kIo, "there is no catalog", {.file = path});
    db = Result<std::unique_ptr<Database>>();  // closed
    Delete(path);
  }
  auto db = Database::Open(path, /*create=*/true, /*read_only=*/false);
  if (!db) return tl::unexpected(std::move(db.error()));
  Configure(**db);
  {
    Changes changes(**db);
    CreateTables(**db, archive);
    if (auto done = changes.Commit(); !done) return tl::unexpected(std::move(done.error()));
  }
  return std::unique_ptr<Catalog>(new Catalog(std::move(*db)));
}

void Catalog::Delete(const std::string& path) {
  for (const char* ending : {"", "-journal"}) ::unlink((path + ending).c_str());
}

Result<std::unique_ptr<Catalog>> Catalog::CopyInMemory() {
  auto db = Database::Open("", true, false);
  if (!db) return tl::unexpected(std::move(db.error()));
  (*db)->CopyFrom(*db_);
  if (auto status = (*db)->status(); !status) return tl::unexpected(std::move(status.error()));
  return std::unique_ptr<Catalog>(new Catalog(std::move(*db)));
}

// --- Changes --------------------------------------------------------------------------------------------

void Catalog::RemoveRows(uint64_t sequence) {
  Statement(*db_, "DELETE FROM records WHERE sequence=?").Number(sequence).Run();
  Statement(*db_, "DELETE FROM packs WHERE sequence=?").Number(sequence).Run();
  Statement(*db_, "DELETE FROM replaced WHERE census=?").Number(sequence).Run();
}

bool Catalog::AddOne(const PackContent& pack, uint64_t last) {
  Statement(*db_, "INSERT OR REPLACE INTO packs VALUES(?,?,?,?)")
      .Number(pack.sequence)
      .Blob(View(pack.hash))
      .Number(pack.size)
      .Number(pack.intact)
      .Run();
  Statement insert(*db_, "INSERT OR REPLACE INTO records VALUES(?,?,?,?,?,?)");
  for (const PackRecord& record : pack.records)
    insert.Blob(IdBytes(record.header.id))
        .Number(pack.sequence)
        .Number(record.offset)
        .Number(record.header.stored)
        .Number(record.header.size)
        .Number(uint64_t(record.header.kind))
        .Run();
  Statement replaced(*db_, "INSERT OR REPLACE INTO replaced VALUES(?,?,?)");
  for (const auto& [sequence, hash] : pack.replaced) {
    replaced.Number(sequence).Blob(View(hash)).Number(pack.sequence).Run();
    RemoveRows(sequence);
  }
  bool newer = true;
  Statement known(*db_, "SELECT 1 FROM entries WHERE ordinal=? AND id=?");
  Statement line_row(*db_, "INSERT INTO entries VALUES(?,?,?)");
  for (const PackContent::Line& line : pack.lines) {
    const bool there = known.Number(line.ordinal).Blob(IdBytes(line.id)).Step();
    known.Reset();
    if (there) continue;
    line_row.Number(line.ordinal).Blob(IdBytes(line.id)).Text(line.text).Run();
    newer = newer && line.ordinal > last;
  }
  return newer;
}

Result<void> Catalog::Add(const NextPack& next) {
  Changes changes(*db_);
  const auto last = LastOrdinal();
  if (!last) return tl::unexpected(last.error());
  bool newer = true;
  while (true) {
    auto pack = next();
    if (!pack) return tl::unexpected(std::move(pack.error()));
    if (!*pack || !db_->ok()) break;
    newer = AddOne(**pack, *last) && newer;
  }
  // An older line, of which this catalog did not know, may change what later ones say.
  if (newer)
    ApplyAfter(*last);
  else
    ApplyAll();
  return changes.Commit();
}

Result<void> Catalog::RemovePacks(const std::set<uint64_t>& sequences) {
  Changes changes(*db_);
  for (const uint64_t sequence : sequences) RemoveRows(sequence);
  db_->Run("DELETE FROM entries WHERE id NOT IN (SELECT id FROM records WHERE kind=3)");
  ApplyAll();
  return changes.Commit();
}

void Catalog::ApplyAll() {
  db_->Run("DELETE FROM about; DELETE FROM models; DELETE FROM imported");
  ApplyAfter(0);
}

void Catalog::ApplyAfter(uint64_t last) {
  // The models that the lines are about, by their first line, so that each is built once.
  std::map<std::pair<uint64_t, ContentId>, bool> touched;
  std::unordered_set<ContentId, IdHash> seen;
  Statement lines(*db_, "SELECT ordinal, id, text FROM entries WHERE ordinal>? ORDER BY ordinal, id");
  Statement about(*db_, "INSERT OR IGNORE INTO about VALUES(?,?,?)");
  Statement imported(*db_, "INSERT OR IGNORE INTO imported VALUES(?,?)");
  Statement known(*db_, "SELECT ordinal, shadowed FROM models WHERE entry=?");
  lines.Number(last);
  while (lines.Step()) {
    const uint64_t ordinal = lines.NumberAt(0);
    const ContentId id = IdFrom(lines.BlobAt(1));
    const auto head = ReadHead(id, lines.TextAt(2));
    if (!head || !head->model) continue;
    about.Blob(IdBytes(head->model)).Number(ordinal).Blob(IdBytes(id)).Run();
    if (head->imported) imported.Blob(IdBytes(head->imported)).Blob(IdBytes(id)).Run();
    if (!seen.insert(head->model).second) continue;
    uint64_t first = ordinal;
    bool shadowed = false;
    if (known.Blob(IdBytes(head->model)).Step()) {
      first = known.NumberAt(0);
      shadowed = known.NumberAt(1) != 0;
    }
    known.Reset();
    touched[{first, head->model}] = shadowed;
  }
  Statement same(*db_, "SELECT 1 FROM models WHERE name=? AND version=? AND entry<>?");
  for (const auto& [key, was_shadowed] : touched) {
    const auto& [ordinal, entry] = key;
    const auto model = BuildModel(entry);
    if (!model || !*model) continue;
    // The first of two with the same name and version has them.
    const bool taken = same.Text((*model)->name).Number((*model)->version).Blob(IdBytes(entry)).Step();
    same.Reset();
    const bool is_new = ordinal > last;
    PutModel(**model, ordinal, is_new ? taken : was_shadowed);
  }
}

void Catalog::PutModel(const ArchivedModel& model, uint64_t ordinal, bool shadowed) {
  const ArchivedForm& form = model.forms[model.newest()];
  uint64_t total = 0, forms = 0;
  for (const ArchivedForm& f : model.forms)
    if (!f.removed) {
      total += f.size();
      ++forms;
    }
  const std::string tags = Joined(model.tags);
  const ContentId content = ContentOf(model.forms[0].files, model.forms[0].format);
  Statement(*db_, "INSERT OR REPLACE INTO models VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)")
      .Blob(IdBytes(model.entry))
      .Text(model.name)
      .Number(model.version)
      .Number(shadowed)
      .Number(ordinal)
      .Number(model.removed)
      .Blob(IdBytes(content))
      .Text(tags)
      .Text(model.forms[0].time)
      .Text(FormatName(form.format))
      .Number(form.size())
      .Number(form.version().n)
      .Number(forms)
      .Number(model.goldens.size())
      .Number(total)
      .Number(model.claimed)
      .Run();
}

Result<std::optional<ArchivedModel>> Catalog::BuildModel(const ContentId& entry) {
  std::optional<ArchivedModel> model;
  Statement lines(*db_,
                  "SELECT entries.id, entries.text FROM about JOIN entries USING(ordinal, id) "
                  "WHERE about.model=? ORDER BY about.ordinal, about.id");
  lines.Blob(IdBytes(entry));
  while (lines.Step()) {
    if (!model) model.emplace();
    ApplyEntry(IdFrom(lines.BlobAt(0)), lines.TextAt(1), &*model);
  }
  if (model && model->forms.empty()) model.reset();
  return Checked(*db_, std::move(model));
}

// --- Questions ------------------------------------------------------------------------------------------

Result<std::vector<CatalogPack>> Catalog::Packs() {
  std::vector<CatalogPack> packs;
  Statement rows(*db_, "SELECT sequence, hash, size, intact FROM packs ORDER BY sequence");
  while (rows.Step())
    packs.push_back(
        {rows.NumberAt(0), ArrayOf<PackHash>(rows.BlobAt(1)), rows.NumberAt(2), rows.NumberAt(3) != 0});
  return Checked(*db_, std::move(packs));
}

Result<std::map<uint64_t, PackHash>> Catalog::Replaced() {
  std::map<uint64_t, PackHash> replaced;
  Statement rows(*db_, "SELECT sequence, hash FROM replaced");
  while (rows.Step()) replaced[rows.NumberAt(0)] = ArrayOf<PackHash>(rows.BlobAt(1));
  return Checked(*db_, std::move(replaced));
}

Result<std::vector<Location>> Catalog::Locate(const ContentId& id) {
  std::vector<Location> places;
  Statement rows(*db_,
                 "SELECT sequence, offset, stored, kind FROM records WHERE id=? ORDER BY sequence, offset");
  rows.Blob(IdBytes(id));
  while (rows.Step())
    places.push_back({rows.NumberAt(0), rows.NumberAt(1), rows.NumberAt(2), RecordKind(rows.NumberAt(3))});
  return Checked(*db_, std::move(places));
}

Result<bool> Catalog::Has(const ContentId& id) {
  if (!has_) has_ = std::make_unique<Statement>(*db_, "SELECT 1 FROM records WHERE id=? LIMIT 1");
  const bool has = has_->Blob(IdBytes(id)).Step();
  has_->Reset();
  return Checked(*db_, has);
}

Result<uint64_t> Catalog::DataSize(const ContentId& id) {
  Statement row(*db_, "SELECT size FROM records WHERE id=? AND kind=1 LIMIT 1");
  row.Blob(IdBytes(id));
  const uint64_t size = row.Step() ? row.NumberAt(0) : 0;
  row.Reset();
  return Checked(*db_, size);
}

Result<std::vector<ContentId>> Catalog::IdsIn(uint64_t sequence) {
  std::vector<ContentId> ids;
  Statement rows(*db_, "SELECT id FROM records WHERE sequence=? ORDER BY offset");
  rows.Number(sequence);
  while (rows.Step()) ids.push_back(IdFrom(rows.BlobAt(0)));
  return Checked(*db_, std::move(ids));
}

Result<std::vector<std::pair<ContentId, Location>>> Catalog::Lists() {
  std::vector<std::pair<ContentId, Location>> lists;
  Statement rows(
      *db_, "SELECT id, sequence, offset, stored FROM records WHERE kind=2 ORDER BY id, sequence, offset");
  while (rows.Step()) {
    const ContentId id = IdFrom(rows.BlobAt(0));
    if (lists.empty() || lists.back().first != id)
      lists.push_back({id, {rows.NumberAt(1), rows.NumberAt(2), rows.NumberAt(3), RecordKind::kList}});
  }
  return Checked(*db_, std::move(lists));
}

Result<std::vector<ContentId>> Catalog::ModelEntries() {
  std::vector<ContentId> ids;
  Statement rows(*db_, "SELECT entry FROM models ORDER BY name, version, shadowed, ordinal");
  while (rows.Step()) ids.push_back(IdFrom(rows.BlobAt(0)));
  return Checked(*db_, std::move(ids));
}

Result<std::vector<ContentId>> Catalog::EntriesAbout(const ContentId& model) {
  std::vector<ContentId> ids;
  Statement rows(*db_, "SELECT id FROM about WHERE model=? ORDER BY ordinal, id");
  rows.Blob(IdBytes(model));
  while (rows.Step()) ids.push_back(IdFrom(rows.BlobAt(0)));
  return Checked(*db_, std::move(ids));
}

Result<uint64_t> Catalog::LastOrdinal() {
  Statement row(*db_, "SELECT max(ordinal) FROM entries");
  const uint64_t last = row.Step() ? row.NumberAt(0) : 0;
  row.Reset();
  return Checked(*db_, last);
}

Result<void> Catalog::Journal(std::span<const ContentId> models,
                              const std::function<void(JournalLine)>& visit) {
  // By line, because a line may be about several of the models.
  std::map<std::pair<uint64_t, ContentId>, std::string> labels;
  Statement about(*db_, "SELECT ordinal, id FROM about WHERE model=?");
  for (const ContentId& entry : models) {
    about.Blob(IdBytes(entry));
    while (about.Step()) labels[{about.NumberAt(0), IdFrom(about.BlobAt(1))}];
  }
  Statement rows(*db_, "SELECT ordinal, id, text FROM entries ORDER BY ordinal, id");
  std::map<ContentId, std::string> known;
  while (rows.Step()) {
    JournalLine line;
    line.ordinal = rows.NumberAt(0);
    line.id = IdFrom(rows.BlobAt(1));
    if (!models.empty() && !labels.contains({line.ordinal, line.id})) continue;
    line.text = rows.TextAt(2);
    if (const auto head = ReadHead(line.id, line.text)) {
      line.type = head->type;
      line.time = head->time;
      if (head->model && !known.contains(head->model)) {
        auto model = BuildModel(head->model);
        if (!model) return tl::unexpected(std::move(model.error()));
        known[head->model] = *model ? (*model)->label() : "";
      }
      if (head->model) line.model = known[head->model];
    }
    visit(std::move(line));
  }
  return db_->status();
}

Result<std::optional<std::string>> Catalog::EntryText(const ContentId& id) {
  std::optional<std::string> text;
  Statement row(*db_, "SELECT text FROM entries WHERE id=? LIMIT 1");
  row.Blob(IdBytes(id));
  if (row.Step()) text = row.TextAt(0);
  row.Reset();
  return Checked(*db_, std::move(text));
}

Result<std::optional<ArchivedModel>> Catalog::Model(const ContentId& entry) {
  auto model = BuildModel(entry);
  if (!model || !*model) return model;
  Statement row(*db_, "SELECT shadowed FROM models WHERE entry=?");
  row.Blob(IdBytes(entry));
  if (row.Step()) (*model)->shadowed = row.NumberAt(0) != 0;
  row.Reset();
  return model;
}

Result<std::optional<ArchivedModel>> Catalog::ModelNamed(const std::string& name, uint64_t version) {
  std::optional<ContentId> entry;
  Statement row(*db_,
                version != 0
                    ? "SELECT entry FROM models WHERE name=? AND version=? AND removed=0 ORDER BY shadowed, "
                      "ordinal LIMIT 1"
                    : "SELECT entry FROM models WHERE name=? AND removed=0 ORDER BY version DESC, shadowed, "
                      "ordinal LIMIT 1");
  row.Text(name);
  if (version != 0) row.Number(version);
  if (row.Step()) entry = IdFrom(row.BlobAt(0));
  row.Reset();
  if (!entry) return Checked(*db_, std::optional<ArchivedModel>());
  return Model(*entry);
}

Result<std::optional<ArchivedModel>> Catalog::ModelWith(const std::string& name, const ContentId& content) {
  std::optional<ContentId> entry;
  Statement row(*db_,
                "SELECT entry FROM models WHERE name=? AND content=? AND removed=0 ORDER BY version LIMIT 1");
  row.Text(name).Blob(IdBytes(content));
  if (row.Step()) entry = IdFrom(row.BlobAt(0));
  row.Reset();
  if (!entry) return Checked(*db_, std::optional<ArchivedModel>());
  return Model(*entry);
}

Result<std::optional<ContentId>> Catalog::Imported(const ContentId& id) {
  std::optional<ContentId> found;
  Statement own(*db_,
                "SELECT id FROM entries WHERE id=? UNION ALL SELECT id FROM imported WHERE old=? LIMIT 1");
  own.Blob(IdBytes(id)).Blob(IdBytes(id));
  if (own.Step()) found = IdFrom(own.BlobAt(0));
  own.Reset();
  return Checked(*db_, found);
}

Result<uint64_t> Catalog::LastVersion(const std::string& name) {
  Statement row(*db_, "SELECT max(version) FROM models WHERE name=?");
  row.Text(name);
  const uint64_t last = row.Step() ? row.NumberAt(0) : 0;
  row.Reset();
  return Checked(*db_, last);
}

Result<void> Catalog::Rows(const std::string* name, const std::function<void(ArchivedModel)>& visit) {
  Statement rows(
      *db_, fmt::format("SELECT entry, name, version, shadowed, tags, time, format, size, program, claimed "
                        "FROM models WHERE removed=0 {} ORDER BY name, version, shadowed, ordinal",
                        name ? "AND name=?" : ""));
  if (name) rows.Text(*name);
  while (rows.Step()) {
    ArchivedModel model;
    model.entry = IdFrom(rows.BlobAt(0));
    model.name = rows.TextAt(1);
    model.version = rows.NumberAt(2);
    model.shadowed = rows.NumberAt(3) != 0;
    model.tags = Words(rows.TextAt(4));
    ArchivedForm& form = model.forms.emplace_back();
    form.time = rows.TextAt(5);
    form.format = FormatOfName(rows.TextAt(6)).value_or(Format::kText);
    form.files.push_back({.size = rows.NumberAt(7)});
    form.programs.push_back({.version = Version{uint16_t(rows.NumberAt(8))}});
    model.claimed = rows.NumberAt(9);
    visit(std::move(model));
  }
  return db_->status();
}

Result<std::vector<std::string>> Catalog::Names() {
  std::vector<std::string> names;
  Statement rows(*db_, "SELECT DISTINCT name FROM models WHERE removed=0 ORDER BY name");
  while (rows.Step()) names.emplace_back(rows.TextAt(0));
  return Checked(*db_, std::move(names));
}

Result<ArchiveStats> Catalog::Stats() {
  ArchiveStats s;
  Statement models(
      *db_,
      "SELECT count(*), count(DISTINCT name), sum(forms), sum(goldens), total(total) FROM models "
      "WHERE removed=0");
  if (models.Step()) {
    s.models = models.NumberAt(0);
    s.names = models.NumberAt(1);
    s.forms = models.NumberAt(2);
    s.goldens = models.NumberAt(3);
    s.files_size = models.NumberAt(4);  // a float, which cannot overflow, in SQLite
  }
  models.Reset();
  Statement entries(*db_, "SELECT count(*) FROM entries");
  if (entries.Step()) s.entries = entries.NumberAt(0);
  entries.Reset();
  Statement packs(*db_, "SELECT count(*), sum(size) FROM packs");
  if (packs.Step()) {
    s.packs = packs.NumberAt(0);
    s.packs_size = packs.NumberAt(1);
  }
  packs.Reset();
  Statement records(
      *db_,
      "SELECT count(*), sum(CASE kind WHEN 1 THEN size END), sum(CASE kind WHEN 1 THEN stored END) "
      "FROM records");
  if (records.Step()) {
    s.records = records.NumberAt(0);
    s.content_size = records.NumberAt(1);
    s.stored_size = records.NumberAt(2);
  }
  records.Reset();
  s.overhead_size = s.packs_size - std::min(s.packs_size, s.stored_size);
  return Checked(*db_, s);
}

Result<std::map<std::string, std::string>> Catalog::Digests() {
  std::map<std::string, std::string> digests;
  for (const char* table : kTableNames) {
    IdHasher hasher;
    std::vector<std::string> columns;
    {
      Statement info(*db_, std::string("SELECT name FROM pragma_table_info('") + table + "')");
      while (info.Step()) columns.emplace_back(info.TextAt(0));
    }
    std::string list, order;
    for (size_t i = 0; i < columns.size(); ++i) {
      list += (i ? "," : "") + ("quote(" + columns[i] + ")");
      order += (i ? "," : "") + std::to_string(i + 1);
    }
    Statement rows(*db_, fmt::format("SELECT {} FROM {} ORDER BY {}", list, table, order));
    while (rows.Step()) {
      for (size_t i = 0; i < columns.size(); ++i) {
        hasher.Add(rows.TextAt(int(i)));
        hasher.Add(i + 1 < columns.size() ? "," : "\n");
      }
    }
    digests[table] = IdText(hasher.Finish());
  }
  return Checked(*db_, std::move(digests));
}

}  // namespace shlo::archive
