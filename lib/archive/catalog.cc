#include "archive/catalog.h"

#include <errno.h>
#include <sqlite3.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <unordered_set>

#include "archive/journal.h"
#include "archive/limits.h"
#include "base/format.h"
#include "base/try.h"
#include "shlo/file_io.h"

namespace shlo::archive {
namespace {

// The file of a catalog is an image of SQLite and 64 bytes about it.
struct CatalogTrailer {
  char magic[8];
  ArchiveId archive;
  uint64_t image_size;
  uint64_t image_checksum;
  uint64_t zeros[2];
  uint64_t checksum;  // of the bytes before
};
static_assert(sizeof(CatalogTrailer) == 64);
constexpr std::string_view kCatalogMagic("\x89SHLC\r\n\x1a", 8);
uint64_t OwnChecksum(const CatalogTrailer& trailer) {
  return Checksum(BytesOf(trailer).substr(0, offsetof(CatalogTrailer, checksum)));
}

// The application ID in SQLite's header, "SHLC", and its offset.
constexpr uint32_t kApplication = 0x53484C43;
constexpr size_t kApplicationAt = 68;
// Version of the tables; a catalog with another one is made again.
constexpr uint64_t kLayout = 2;

// Records have all their places, so that the rows do not depend on the order in which packs were seen. A
// model's row has what `ls` prints; `about` lists the entries about it. SQLite keeps these texts as they are,
// and a catalog with others is not used.
constexpr const char* kTables[] = {
    "CREATE TABLE archive(id BLOB PRIMARY KEY) WITHOUT ROWID",
    "CREATE TABLE packs(sequence INTEGER PRIMARY KEY, hash BLOB, size INTEGER, intact INTEGER)",
    "CREATE TABLE replaced(sequence INTEGER, hash BLOB, census INTEGER, PRIMARY KEY(sequence, census)) "
    "WITHOUT ROWID",
    "CREATE TABLE records(id BLOB, sequence INTEGER, offset INTEGER, stored INTEGER, size INTEGER, "
    "kind INTEGER, PRIMARY KEY(id, sequence, offset)) WITHOUT ROWID",
    "CREATE TABLE entries(ordinal INTEGER, id BLOB, text TEXT, PRIMARY KEY(ordinal, id)) WITHOUT ROWID",
    "CREATE INDEX entries_by_id ON entries(id)",
    "CREATE TABLE about(model BLOB, ordinal INTEGER, id BLOB, PRIMARY KEY(model, ordinal, id)) WITHOUT ROWID",
    "CREATE TABLE imported(old BLOB, id BLOB, PRIMARY KEY(old, id)) WITHOUT ROWID",
    "CREATE TABLE models(entry BLOB PRIMARY KEY, name TEXT, version INTEGER, shadowed INTEGER, "
    "ordinal INTEGER, removed INTEGER, content BLOB, tags TEXT, time TEXT, format TEXT, size INTEGER, "
    "program INTEGER, forms INTEGER, goldens INTEGER, total INTEGER, claimed INTEGER) WITHOUT ROWID",
    "CREATE INDEX models_by_name ON models(name, version, shadowed, ordinal)"};

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

// Whether the database is the catalog of this archive, in this layout, with nothing else in it.
bool Fits(Database& db, const ArchiveId& archive) {
  Statement layout(db, "PRAGMA user_version");
  if (!layout.Step() || layout.NumberAt(0) != kLayout) return false;
  layout.Reset();
  Statement schema(db, "SELECT sql FROM sqlite_schema WHERE sql NOT NULL ORDER BY rowid");
  for (const char* const table : kTables)
    if (!schema.Step() || schema.TextAt(0) != table) return false;
  if (schema.Step()) return false;
  Statement id(db, "SELECT id FROM archive");
  return id.Step() && id.BlobAt(0) == View(archive);
}

// Whether a file may be replaced by a catalog: one that is empty, or was one, even if it is damaged.
bool WasCatalog(const std::string& path) {
  const auto file = FileSource::Open(path);
  if (!file) return false;
  const uint64_t size = (*file)->size();
  std::string head(kApplicationAt + 4, '\0'), tail(sizeof(CatalogTrailer), '\0');
  const bool has_head = (*file)->ReadAt(0, head.size(), head.data()) == 0;
  const bool has_tail =
      size >= tail.size() && (*file)->ReadAt(size - tail.size(), tail.size(), tail.data()) == 0;
  return size == 0 || (has_head && head.ends_with("SHLC")) || (has_tail && tail.starts_with(kCatalogMagic));
}

template <typename T>
Result<T> Checked(const Database& db, T value) {
  SHLO_TRY(db.status());
  return value;
}

}  // namespace

std::unique_ptr<Catalog> Catalog::Read(const std::string& path, const ArchiveId& archive) {
  const auto file = FileSource::Open(path);
  CatalogTrailer trailer;
  if (!file || (*file)->size() <= sizeof trailer || (*file)->size() > Database::kMostBytes) return nullptr;
  const uint64_t size = (*file)->size() - sizeof trailer;
  if ((*file)->ReadAt(size, sizeof trailer, reinterpret_cast<char*>(&trailer)) != 0 ||
      trailer.checksum != OwnChecksum(trailer) ||
      std::string_view(trailer.magic, sizeof trailer.magic) != kCatalogMagic || trailer.archive != archive ||
      trailer.image_size != size)
    return nullptr;
  // The checksum is that of the copy: a file may change while it is read.
  auto db = Database::Open(size, [&](char* image) -> Result<void> {
    if ((*file)->ReadAt(0, size, image) == 0 && Checksum({image, size}) == trailer.image_checksum) return {};
    return Error(Code::kChecksum, "the catalog is damaged", {.file = path});
  });
  if (!db || !Fits(**db, archive) || !(*db)->ok()) return nullptr;
  return std::unique_ptr<Catalog>(new Catalog(std::move(*db), archive));
}

Result<std::unique_ptr<Catalog>> Catalog::Create(const ArchiveId& archive) {
  auto db = SHLO_TRY(Database::Open(0));
  Changes changes(*db);
  for (const char* const table : kTables) db->Run(table);
  Statement(*db, "INSERT INTO archive VALUES(?)").Blob(View(archive)).Run();
  db->Run(StrFormat("PRAGMA user_version={}; PRAGMA application_id={}", kLayout, kApplication));
  SHLO_TRY(changes.Commit());
  return std::unique_ptr<Catalog>(new Catalog(std::move(db), archive));
}

Result<void> Catalog::Write(const std::string& path, bool own) {
  struct stat info;
  const bool exists = ::lstat(path.c_str(), &info) == 0;
  if (own && exists && !S_ISREG(info.st_mode)) {
    // A link is not followed: it may lead to a file of somebody else.
    if (::unlink(path.c_str()) != 0)
      return Error(Code::kIo, StrFormat("cannot remove: {}", strerror(errno)), {.file = path});
  } else if (!own && exists && !WasCatalog(path)) {
    return Error(Code::kIo, "the file is not a catalog", {.file = path});
  }
  const std::string_view image = db_->Image();
  if (image.empty()) return Error(Code::kIo, "SQLite returns no image of it", {.file = path});
  CatalogTrailer trailer = {};
  std::memcpy(trailer.magic, kCatalogMagic.data(), sizeof trailer.magic);
  trailer.archive = archive_;
  trailer.image_size = image.size();
  trailer.image_checksum = Checksum(image);
  trailer.checksum = OwnChecksum(trailer);
  // It need not survive the end of the system: its checksum says whether it did.
  OutputFile file(path, Sync::kNever);
  if (own) file.ForArchive();
  SHLO_TRY(file.Open(/*binary=*/true));
  file.Append(image);
  file.Append(BytesOf(trailer));
  return file.Commit();
}

Result<uint64_t> Catalog::Size() {
  Statement row(*db_, "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()");
  const uint64_t size = row.Step() ? row.NumberAt(0) : 0;
  row.Reset();
  return Checked(*db_, size);
}

tl::unexpected<Diagnostics> Catalog::Contradiction() {
  db_->Fail(SQLITE_CORRUPT);
  return tl::unexpected(db_->status().error());
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
  const auto last = SHLO_TRY(LastOrdinal());
  bool newer = true;
  while (true) {
    auto pack = SHLO_TRY(next());
    if (!pack || !db_->ok()) break;
    newer = AddOne(*pack, last) && newer;
  }
  // An older line, of which this catalog did not know, may change what later ones say.
  if (newer)
    ApplyAfter(last);
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
  while (rows.Step()) {
    packs.push_back(
        {rows.NumberAt(0), ArrayOf<PackHash>(rows.BlobAt(1)), rows.NumberAt(2), rows.NumberAt(3) != 0});
    if (packs.back().sequence == 0 || packs.back().sequence > kMaxNumber) return Contradiction();
  }
  return Checked(*db_, std::move(packs));
}

Result<std::map<uint64_t, PackHash>> Catalog::Replaced() {
  std::map<uint64_t, PackHash> replaced;
  Statement rows(*db_, "SELECT sequence, hash FROM replaced");
  while (rows.Step()) {
    if (rows.NumberAt(0) > kMaxNumber) return Contradiction();
    replaced[rows.NumberAt(0)] = ArrayOf<PackHash>(rows.BlobAt(1));
  }
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
        auto model = SHLO_TRY(BuildModel(head->model));
        known[head->model] = model ? model->label() : "";
      }
      if (head->model) line.model = known[head->model];
    }
    visit(std::move(line));
  }
  return db_->status();
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
      *db_, StrFormat("SELECT entry, name, version, shadowed, tags, time, format, size, program, claimed "
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
    Statement rows(*db_, StrFormat("SELECT {} FROM {} ORDER BY {}", list, table, order));
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
