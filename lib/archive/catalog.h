// The catalog: what the packs say, in SQLite, so that questions are answered at once. It is a function of the
// packs (docs/archive-format.md, section 9). It is in memory: what other processes do with its file changes
// nothing, so that whoever has one sees one moment of the archive. Not for several threads.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "archive/pack_reader.h"
#include "archive/sqlite.h"

namespace shlo::archive {

// Where a record is.
struct Location {
  uint64_t sequence = 0;  // of the pack
  uint64_t offset = 0;    // of the record in it
  uint64_t stored = 0;    // bytes after the header
  RecordKind kind{};
};

// A pack, as the catalog has it.
struct CatalogPack {
  uint64_t sequence = 0;
  PackHash hash = {};
  uint64_t size = 0;
  bool intact = true;  // its header, index and trailer
};

// The rows that a pack adds to the catalog.
struct PackContent {
  uint64_t sequence = 0;
  PackHash hash = {};
  uint64_t size = 0;
  bool intact = true;
  std::vector<PackRecord> records;
  struct Line {
    uint64_t ordinal;
    ContentId id;
    std::string text;
  };
  std::vector<Line> lines;                 // of entries that can be read
  std::map<uint64_t, PackHash> replaced;   // packs that its census replaces
  std::optional<std::set<uint64_t>> live;  // packs that its census counts; none: it has no census
};

class Catalog {
 public:
  // Reads the file of a catalog. Returns null if it is not the catalog of this archive, whole and undamaged.
  static std::unique_ptr<Catalog> Read(const std::string& path, const ArchiveId& archive);
  // Returns an empty one.
  static Result<std::unique_ptr<Catalog>> Create(const ArchiveId& archive);
  // Replaces the file, in one step. With `own`, whatever has this name is replaced; otherwise only a catalog
  // or an empty file is. Fails with kIo.
  Result<void> Write(const std::string& path, bool own);

  // --- Changes, each all or nothing ---------------------------------------------------------------------
  // Adds the packs that `next` returns, until it returns nothing, and removes those that they replace.
  using NextPack = std::function<Result<std::optional<PackContent>>()>;
  Result<void> Add(const NextPack& next);
  // Removes packs, whose records are elsewhere or lost.
  Result<void> RemovePacks(const std::set<uint64_t>& sequences);

  // --- Questions ----------------------------------------------------------------------------------------
  Result<std::vector<CatalogPack>> Packs();
  // Packs that were replaced: their files do not count.
  Result<std::map<uint64_t, PackHash>> Replaced();
  // Returns the places of an id, the first one first; none: the archive does not have it.
  Result<std::vector<Location>> Locate(const ContentId& id);
  Result<bool> Has(const ContentId& id);
  // Returns the size of the content of a data record; 0 for other ids.
  Result<uint64_t> DataSize(const ContentId& id);
  // Returns the ids of the records in a pack.
  Result<std::vector<ContentId>> IdsIn(uint64_t sequence);
  // Returns the first place of each list.
  Result<std::vector<std::pair<ContentId, Location>>> Lists();
  // Returns the entries of all models, also of removed ones, and those about one.
  Result<std::vector<ContentId>> ModelEntries();
  Result<std::vector<ContentId>> EntriesAbout(const ContentId& model);
  // Returns the highest ordinal.
  Result<uint64_t> LastOrdinal();
  // Calls visit for each line of the journal, in order; of the models, if there are any.
  Result<void> Journal(std::span<const ContentId> models, const std::function<void(JournalLine)>& visit);

  // Return models by entry, by name and version (0: the newest that counts), and by name and content.
  Result<std::optional<ArchivedModel>> Model(const ContentId& entry);
  Result<std::optional<ArchivedModel>> ModelNamed(const std::string& name, uint64_t version);
  Result<std::optional<ArchivedModel>> ModelWith(const std::string& name, const ContentId& content);
  // Returns the entry that was imported from this one, or has this id itself.
  Result<std::optional<ContentId>> Imported(const ContentId& id);
  // Returns the highest version of a name, counting removed ones; 0: there is none.
  Result<uint64_t> LastVersion(const std::string& name);
  // Calls visit with a row of each model that counts, or of those with a name, by name and version. Only
  // name, version, tags, and the newest form's time, format, size and version are filled in.
  Result<void> Rows(const std::string* name, const std::function<void(ArchivedModel)>& visit);
  // Returns names of models, for "did you mean".
  Result<std::vector<std::string>> Names();
  Result<ArchiveStats> Stats();

  // Returns the SHA-256 of the rows of each table, by its name.
  Result<std::map<std::string, std::string>> Digests();
  // Returns the size of its file, in bytes.
  Result<uint64_t> Size();
  // Returns whether it cannot be used: then all questions fail, and it must be made again.
  bool failed() const { return !db_->ok(); }
  // Notes that its rows cannot all be right, and returns that as a failure.
  tl::unexpected<Diagnostics> Contradiction();

 private:
  Catalog(std::unique_ptr<Database> db, const ArchiveId& archive) : archive_(archive), db_(std::move(db)) {}
  // Returns whether all of its lines that are new are newer than `last`.
  bool AddOne(const PackContent& pack, uint64_t last);
  void RemoveRows(uint64_t sequence);
  // Applies all lines that are newer than `last`; those up to it have been applied.
  void ApplyAfter(uint64_t last);
  // Makes the models again from all lines.
  void ApplyAll();
  void PutModel(const ArchivedModel& model, uint64_t ordinal, bool shadowed);
  Result<std::optional<ArchivedModel>> BuildModel(const ContentId& entry);

  ArchiveId archive_;
  std::unique_ptr<Database> db_;
  std::unique_ptr<Statement> has_;  // asked for each chunk
};

}  // namespace shlo::archive
