// Repair: replaces what is damaged by what another copy of the archive has.
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "archive/rewrite.h"
#include "archive/scrub_pack.h"
#include "base/format.h"
#include "base/guarded.h"
#include "base/try.h"
#include "shlo/archive_work.h"

namespace shlo::archive {
namespace {

namespace fs = std::filesystem;

// Another copy: an archive, or only a folder with packs.
struct Copy {
  std::string folder;
  std::optional<Archive> archive;
};

class Repairer {
 public:
  Repairer(Writer& writer, std::span<const Copy> copies)
      : w_(writer.state()), state_(w_.state()), copies_(copies) {}

  // Copies packs that are missing or damaged, where a copy has them whole. Returns which.
  Result<std::set<uint64_t>> CopyPacks(RepairReport* report) {
    std::map<uint64_t, PackHash> wanted;
    auto damaged = SHLO_TRY(DamagedPacks(&wanted));
    std::set<uint64_t> copied;
    for (const uint64_t sequence : damaged)
      for (const Copy& copy : copies_) {
        const auto hash = wanted.find(sequence);
        auto done = SHLO_TRY(CopyPack(copy, sequence, hash == wanted.end() ? nullptr : &hash->second));
        if (!done) continue;
        copied.insert(sequence);
        ++report->packs_copied;
        break;
      }
    return copied;
  }

  // Writes the packs again that are still damaged, with records of the copies. Returns whether that was done.
  Result<bool> RewritePacks(RepairReport* report) {
    std::map<uint64_t, PackHash> wanted;
    auto damaged = SHLO_TRY(DamagedPacks(&wanted));
    const auto needed = SHLO_TRY(Needed());
    std::set<uint64_t> replaced;
    std::vector<KeptRecord> kept;
    for (const uint64_t sequence : damaged) {
      if (::access(state_.PackPath(sequence).c_str(), F_OK) != 0) continue;
      auto records = RecordsOf(sequence, needed);
      if (!records) continue;  // something is in no copy: better a damaged pack than none
      replaced.insert(sequence);
      for (const PackRecord& record : *records) kept.push_back({sequence, record});
    }
    if (replaced.empty()) return false;
    uint64_t repaired = 0;
    const Substitute substitute = [&](const RecordHeader& header) {
      ++repaired;
      return FromCopies(header);
    };
    SHLO_TRY(ReplacePacks(w_, replaced, kept, substitute));
    report->records_repaired += repaired;
    replaced_ = std::move(replaced);
    return true;
  }
  const std::set<uint64_t>& replaced() const { return replaced_; }

 private:
  // Returns the packs that are damaged or missing, and which hashes the missing ones must have.
  Result<std::set<uint64_t>> DamagedPacks(std::map<uint64_t, PackHash>* wanted) {
    auto listed = SHLO_TRY(ListPacks(state_.folder));
    std::map<uint64_t, PackHash> replaced;
    std::set<uint64_t> damaged;
    {
      const std::lock_guard lock(state_.mutex);
      auto known = SHLO_TRY(state_.catalog->Packs());
      for (const CatalogPack& pack : known) {
        if (pack.hash != PackHash()) (*wanted)[pack.sequence] = pack.hash;
        if (!listed.contains(pack.sequence)) damaged.insert(pack.sequence);
      }
      replaced = SHLO_TRY(state_.catalog->Replaced());
    }
    uint64_t last = 0;
    for (const uint64_t sequence : listed) {
      if (replaced.contains(sequence)) continue;
      const ScrubbedPack pack = ScrubPack(state_, sequence, /*content=*/true, {});
      if (!pack.findings.empty()) damaged.insert(sequence);
      // The next pack knows the hash of a missing one; a census knows those of all.
      if (pack.readable && pack.header.previous != PackHash() && pack.header.sequence == sequence)
        for (const Copy& copy : copies_)
          for (uint64_t before = last + 1; before < sequence; ++before)
            if (!replaced.contains(before) &&
                ::access((copy.folder + "/" + PackName(before)).c_str(), F_OK) == 0)
              damaged.insert(before);
      for (const auto& [at, census] : pack.census)
        for (const auto& [live, hash] : census.live) {
          wanted->try_emplace(live, hash);
          if (!listed.contains(live) && !replaced.contains(live)) damaged.insert(live);
        }
      last = sequence;
    }
    return damaged;
  }

  Result<bool> CopyPack(const Copy& copy, uint64_t sequence, const PackHash* hash) {
    State there;
    there.folder = copy.folder;
    there.id = state_.id;
    const std::string from = there.PackPath(sequence);
    if (::access(from.c_str(), F_OK) != 0) return false;
    const ScrubbedPack pack = ScrubPack(there, sequence, /*content=*/true, {});
    if (!pack.findings.empty() || (hash && pack.hash != *hash)) return false;
    auto source = FileSource::Open(from);
    if (!source) return false;
    OutputFile file(state_.PackPath(sequence), Sync::kAlways);
    file.ForArchive();
    SHLO_TRY(file.Open(/*binary=*/true));
    std::string piece;
    for (uint64_t at = 0; at < (*source)->size(); at += piece.size()) {
      piece.resize(std::min<uint64_t>((*source)->size() - at, 4 << 20));
      // Another copy may have it.
      if ((*source)->ReadAt(at, piece.size(), piece.data()) != 0) return false;
      file.Append(piece);
    }
    SHLO_TRY(file.Commit());
    const std::lock_guard lock(state_.mutex);
    state_.open_packs.erase(sequence);
    return true;
  }

  // A damaged list does not state what it needs; keeping more loses nothing.
  Result<IdSet> Needed() {
    auto models = SHLO_TRY(w_.archive.Select({}));
    IdSet needed;
    ClosureVisitor visit;
    visit.missing = [](const ContentId&, const Diagnostics&) -> Result<void> { return {}; };
    const Fetch fetch = [&](const ContentId& id) -> Result<Fetched> {
      auto here = FetchRecord(state_, id);
      for (const Copy& copy : copies_)
        if (!here && copy.archive) here = FetchRecord(copy.archive->state(), id);
      return here;
    };
    for (const ArchivedModel& model : models)
      for (const ContentId& id : NeededIds(model)) SHLO_TRY(AddClosure(fetch, id, visit, &needed));
    return needed;
  }

  // Returns the records of a damaged pack that are needed, if all can be had.
  std::optional<std::vector<PackRecord>> RecordsOf(uint64_t sequence, const IdSet& needed) {
    const std::string path = state_.PackPath(sequence);
    auto pack = FileSource::Open(path);
    if (!pack) return std::nullopt;
    auto index = ReadPackIndex(**pack, path);
    if (!index) return std::nullopt;
    std::vector<PackRecord> records;
    IdSet found;
    for (const PackRecord& record : index->records) {
      const RecordHeader& h = record.header;
      if (h.kind == RecordKind::kCensus) continue;
      auto stored = ReadStored(**pack, path, record);
      auto content = stored ? DecodeRecord(path, record, std::move(*stored)) : stored;
      const bool whole = content && (h.kind == RecordKind::kList || IdOf(*content) == h.id);
      if (!whole && (h.kind == RecordKind::kEntry || needed.contains(h.id)) && !FromCopies(h))
        return std::nullopt;
      if (!whole && h.kind != RecordKind::kEntry && !needed.contains(h.id)) continue;
      found.insert(h.id);
      // A place that is nowhere: it is taken from the copy again.
      records.push_back(whole ? record : PackRecord{UINT64_MAX, h});
    }
    // The catalog remembers records that the walk did not reach.
    std::vector<ContentId> known;
    {
      const std::lock_guard lock(state_.mutex);
      auto ids = state_.catalog->IdsIn(sequence);
      if (ids) known = std::move(*ids);
    }
    for (const ContentId& id : known) {
      if (found.contains(id)) continue;
      RecordHeader header;
      header.id = id;
      auto copy = FromCopies(header);
      if (!copy && needed.contains(id)) return std::nullopt;
      if (!copy) continue;
      records.push_back({UINT64_MAX, copy->first});
    }
    return records;
  }

  // Returns a record as a copy stores it.
  Result<std::pair<RecordHeader, std::string>> FromCopies(const RecordHeader& header) {
    for (const Copy& copy : copies_) {
      if (!copy.archive) continue;
      State& there = copy.archive->state();
      Result<std::vector<Location>> places;
      {
        const std::lock_guard lock(there.mutex);
        places = there.catalog->Locate(header.id);
      }
      if (!places) continue;
      for (const Location& place : *places) {
        const std::string path = there.PackPath(place.sequence);
        auto pack = OpenPack(there, place.sequence);
        auto record = pack ? ReadHeaderAt(**pack, path, place, header.id) : tl::make_unexpected(pack.error());
        auto stored = record ? ReadStored(**pack, path, *record) : tl::make_unexpected(record.error());
        auto content = stored ? DecodeRecord(path, *record, *stored) : stored;
        if (!content || (record->header.kind != RecordKind::kList && IdOf(*content) != header.id)) continue;
        return std::pair(record->header, std::move(*stored));
      }
    }
    return Error(Code::kChecksum, StrFormat("no copy has {}", IdText(header.id)), {.file = state_.folder});
  }

  WriterState& w_;
  State& state_;
  std::span<const Copy> copies_;
  std::set<uint64_t> replaced_;
};

}  // namespace

Result<RepairReport> Repair(const Archive& archive, std::span<const std::string> folders,
                            const WriterOptions& options) {
  return Guarded(
      [&]() -> Result<RepairReport> {
        std::vector<Copy> copies;
        for (const std::string& folder : folders) {
          Copy& copy = copies.emplace_back();
          copy.folder = folder;
          std::error_code error;
          if (!fs::is_directory(folder + "/packs", error))
            return Error(Code::kUsage, "the folder has no packs", {.file = folder},
                         "pass an archive, or a folder in which 'packs' is");
          if (!Archive::IsArchive(folder)) continue;
          copy.archive = SHLO_TRY(Archive::Open(folder));
        }
        RepairReport report;
        std::set<uint64_t> replaced;
        {
          auto writer = SHLO_TRY(Writer::Begin(archive, options));
          Repairer repairer(writer, copies);
          auto copied = SHLO_TRY(repairer.CopyPacks(&report));
          // The catalog learns again what they have, and remembers what others had that are missing.
          State& state = archive.state();
          const std::lock_guard lock(state.mutex);
          if (!copied.empty()) SHLO_TRY(state.catalog->RemovePacks(copied));
          SHLO_TRY(UpdateCatalog(state));
          if (!copied.empty()) {
            // The file's rows for them are out of date.
            state.unsaved = true;
            SHLO_TRY(SaveCatalog(state));
          }
        }
        {
          auto writer = SHLO_TRY(Writer::Begin(archive, options));
          Repairer repairer(writer, copies);
          auto rewritten = SHLO_TRY(repairer.RewritePacks(&report));
          if (rewritten) {
            SHLO_TRY(writer.Commit());
            RemoveReplaced(archive.state(), repairer.replaced());
          }
        }
        auto left = SHLO_TRY(Scrub(archive));
        report.left = std::move(left.damage);
        return report;
      },
      archive.folder());
}

}  // namespace shlo::archive
