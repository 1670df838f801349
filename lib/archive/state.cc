#include "archive/state.h"

#include <errno.h>
#include <fmt/format.h>
#include <string.h>

#include <algorithm>
#include <filesystem>

#include "ir/deadline.h"

namespace shlo::archive {
namespace {

namespace fs = std::filesystem;

// Files that are kept open.
constexpr size_t kOpenPacks = 64;

// The differences between the folder and the catalog.
struct Drift {
  std::set<uint64_t> fresh, missing;
};

Result<Drift> FindDrift(State& state) {
  auto listed = ListPacks(state.folder);
  if (!listed) return tl::unexpected(std::move(listed.error()));
  const auto packs = state.catalog->Packs();
  if (!packs) return tl::unexpected(packs.error());
  const auto replaced = state.catalog->Replaced();
  if (!replaced) return tl::unexpected(replaced.error());
  Drift drift;
  std::set<uint64_t> known;
  for (const CatalogPack& pack : *packs) {
    known.insert(pack.sequence);
    if (!listed->contains(pack.sequence)) drift.missing.insert(pack.sequence);
  }
  for (const uint64_t sequence : *listed)
    if (!known.contains(sequence) && !replaced->contains(sequence)) drift.fresh.insert(sequence);
  return drift;
}

Result<void> AddPacks(State& state, const std::set<uint64_t>& fresh) {
  // A census replaces packs that are older than itself, which then need not be read.
  std::set<uint64_t> wanted = fresh;
  auto at = wanted.begin();
  return state.catalog->Add([&]() -> Result<std::optional<PackContent>> {
    for (; at != wanted.end(); ++at) {
      const DeadlineScope scope(state.limits);
      Tick(1000);
      auto content = ReadPackContent(state, *at);
      if (!content) {
        for (Diagnostic d : content.error()) {
          d.severity = Severity::kWarning;
          if (d.hint.empty()) d.hint = "run 'shlo-compat archive verify'";
          state.warnings.push_back(std::move(d));
        }
        continue;
      }
      ++at;
      return std::optional(std::move(*content));
    }
    return std::nullopt;
  });
}

// Uses the catalog's file, which is brought up to date if nobody else writes. Fails with the reason why that
// is not possible, or without one if another process writes.
Result<void> UseCatalogFile(State& state, bool locked) {
  if (!locked) {
    auto opened = Catalog::Open(state.catalog_path, state.id, /*read_only=*/true);
    if (opened) {
      state.catalog = std::move(*opened);
      const auto drift = FindDrift(state);
      if (drift && drift->fresh.empty()) return {};
    }
  }
  state.catalog.reset();
  const std::unique_ptr<FolderLock> lock = locked ? nullptr : FolderLock::Try(state.folder, "catalog");
  if (!locked && !lock) return tl::unexpected(Diagnostics());
  for (int attempt = 0;; ++attempt) {
    auto opened = Catalog::Open(state.catalog_path, state.id, /*read_only=*/false);
    if (!opened) return tl::unexpected(std::move(opened.error()));
    state.catalog = std::move(*opened);
    auto updated = UpdateCatalog(state);
    const bool damaged = state.catalog->damaged();
    if (updated || attempt > 0 || !damaged) return updated;
    state.catalog.reset();
    Catalog::Delete(state.catalog_path);
  }
}

// Returns a catalog in memory that has what the file has, if that can be read.
Result<std::unique_ptr<Catalog>> MemoryCatalog(const State& state) {
  auto file = Catalog::Open(state.catalog_path, state.id, /*read_only=*/true);
  if (file) {
    auto copy = (*file)->CopyInMemory();
    if (copy) return copy;
  }
  return Catalog::Open("", state.id, /*read_only=*/false);
}

}  // namespace

Result<std::set<uint64_t>> ListPacks(const std::string& folder) {
  std::set<uint64_t> packs;
  std::error_code error;
  for (auto it = fs::directory_iterator(folder + "/packs", error); !error && it != fs::directory_iterator();
       it.increment(error))
    if (const uint64_t sequence = SequenceOf(it->path().filename().string())) packs.insert(sequence);
  if (error)
    return Error(Code::kIo, fmt::format("cannot list the packs: {}", error.message()),
                 {.file = folder + "/packs"});
  return packs;
}

Result<PackContent> ReadPackContent(const State& state, uint64_t sequence) {
  const std::string path = state.PackPath(sequence);
  auto pack = FileSource::Open(path);
  if (!pack) return tl::unexpected(std::move(pack.error()));
  auto index = ReadPackIndex(**pack, path);
  if (!index) return tl::unexpected(std::move(index.error()));
  PackContent content;
  content.sequence = sequence;
  content.size = index->size;
  content.hash = index->hash;
  content.intact = index->damage.empty();
  // A damaged header states nothing.
  if (Problem(index->header).empty()) {
    if (index->header.flags & kBundle)
      return Error(Code::kMalformed, "the pack is a bundle", {.file = path}, "add it with 'archive import'");
    if (index->header.archive != state.id)
      return Error(Code::kMalformed, "the pack is of another archive", {.file = path},
                   "take it out of the folder, and add that archive with 'archive import'");
    if (index->header.sequence != sequence)
      return Error(
          Code::kMalformed,
          fmt::format("the pack has sequence number {}, which is not in its name", index->header.sequence),
          {.file = path}, "give it the name that it had");
  }
  for (const PackRecord& record : index->records) {
    if (record.header.kind != RecordKind::kEntry && record.header.kind != RecordKind::kCensus) continue;
    auto stored = ReadStored(**pack, path, record);
    auto text = stored ? DecodeRecord(path, record, std::move(*stored)) : stored;
    // Verify reports it; the rest of the pack is useful.
    if (!text || IdOf(*text) != record.header.id) {
      content.intact = false;
      continue;
    }
    if (record.header.kind == RecordKind::kEntry) {
      content.lines.push_back({record.header.ordinal, record.header.id, std::move(*text)});
    } else if (const auto census = ReadCensus(*text)) {
      for (const auto& [replaced, hash] : census->replaced)
        if (replaced < sequence) content.replaced[replaced] = hash;
    }
  }
  content.records = std::move(index->records);
  return content;
}

Result<void> UpdateCatalog(State& state) {
  auto drift = FindDrift(state);
  if (!drift) return tl::unexpected(std::move(drift.error()));
  if (drift->fresh.empty()) return {};
  return AddPacks(state, drift->fresh);
}

Result<void> OpenCatalog(State& state, bool locked) {
  state.warnings.clear();
  state.in_memory = false;
  if (auto ready = UseCatalogFile(state, locked); !ready) {
    // It is only a cache: what it would say is in the packs, too.
    Diagnostics why = std::move(ready.error());
    auto memory = MemoryCatalog(state);
    if (!memory) return tl::unexpected(std::move(memory.error()));
    state.catalog = std::move(*memory);
    state.in_memory = true;
    if (auto done = UpdateCatalog(state); !done) return done;
    if (!why.empty())
      state.warnings.push_back(Warning(Code::kIo, why[0].message, {.file = state.catalog_path},
                                       "delete it, or pass --catalog=FILE to put it elsewhere"));
  }
  auto drift = FindDrift(state);
  if (!drift) return tl::unexpected(std::move(drift.error()));
  for (const uint64_t sequence : drift->missing)
    state.warnings.push_back(Warning(Code::kIo, "the pack is missing", {.file = state.PackPath(sequence)},
                                     "run 'shlo-compat archive verify' to see which models need it"));
  return {};
}

Result<std::shared_ptr<FileSource>> OpenPack(State& state, uint64_t sequence, int* error) {
  {
    const std::lock_guard lock(state.mutex);
    const auto found = state.open_packs.find(sequence);
    if (found != state.open_packs.end()) return found->second;
  }
  auto opened = FileSource::Open(state.PackPath(sequence), error);
  if (!opened) return opened;
  const std::lock_guard lock(state.mutex);
  if (state.open_packs.size() >= kOpenPacks) state.open_packs.erase(state.open_packs.begin());
  state.open_packs[sequence] = *opened;
  return opened;
}

Result<PackRecord> ReadHeaderAt(const ByteSource& pack, const std::string& name, const Location& place,
                                const ContentId& id) {
  PackRecord record;
  record.offset = place.offset;
  const int error = pack.ReadAt(place.offset, sizeof record.header, reinterpret_cast<char*>(&record.header));
  if (error == 0 && Problem(record.header).empty() && record.header.id == id) return record;
  // The index has a copy.
  auto index = ReadPackIndex(pack, name);
  if (!index) return tl::unexpected(std::move(index.error()));
  for (const PackRecord& other : index->records)
    if (other.offset == place.offset && other.header.id == id) return other;
  return Error(Code::kChecksum, "the header of a record is damaged", {.file = name, .offset = place.offset});
}

Result<Fetched> FetchRecord(State& state, const ContentId& id) {
  Diagnostics why;
  for (int attempt = 0; attempt < 2; ++attempt) {
    Result<std::vector<Location>> places;
    {
      const std::lock_guard lock(state.mutex);
      places = state.catalog->Locate(id);
    }
    if (!places) return tl::unexpected(std::move(places.error()));
    bool gone = false;
    for (const Location& place : *places) {
      int error = 0;
      auto pack = OpenPack(state, place.sequence, &error);
      gone = gone || error == ENOENT;
      const std::string path = state.PackPath(place.sequence);
      auto record = pack ? ReadHeaderAt(**pack, path, place, id) : tl::make_unexpected(pack.error());
      auto stored = record ? ReadStored(**pack, path, *record) : tl::make_unexpected(record.error());
      auto content = stored ? DecodeRecord(path, *record, std::move(*stored)) : stored;
      if (content) return Fetched{record->header, std::move(*content)};
      if (why.empty()) why = std::move(content.error());
    }
    // Prune may have replaced the pack since the catalog was read.
    if (!gone) break;
    const std::lock_guard lock(state.mutex);
    if (auto again = OpenCatalog(state, /*locked=*/false); !again)
      return tl::unexpected(std::move(again.error()));
  }
  if (why.empty())
    return Error(Code::kMalformed, fmt::format("the archive does not have the bytes of {}", IdText(id)),
                 {.file = state.folder}, "run 'shlo-compat archive verify', and 'repair' with another copy");
  why[0].hint = "run 'shlo-compat archive repair --from=COPY'";
  return tl::unexpected(std::move(why));
}

}  // namespace shlo::archive
