#include "archive/state.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>

#include "base/deadline.h"
#include "base/format.h"
#include "base/try.h"

namespace shlo::archive {
namespace {

namespace fs = std::filesystem;

// Files that are kept open.
constexpr size_t kOpenPacks = 64;

Result<std::set<uint64_t>> ListOnce(const std::string& folder) {
  std::set<uint64_t> packs;
  std::error_code error;
  for (auto it = fs::directory_iterator(folder + "/packs", error); !error && it != fs::directory_iterator();
       it.increment(error))
    if (const uint64_t sequence = SequenceOf(it->path().filename().string())) packs.insert(sequence);
  if (error)
    return Error(Code::kIo, StrFormat("cannot list the packs: {}", error.message()),
                 {.file = folder + "/packs"});
  return packs;
}

// Adds packs to the catalog. `live` becomes the packs of the newest census among them, by the number of the
// pack that has it.
Result<void> AddPacks(State& state, const std::set<uint64_t>& fresh,
                      std::pair<uint64_t, std::set<uint64_t>>* live) {
  auto at = fresh.begin();
  return state.catalog->Add([&]() -> Result<std::optional<PackContent>> {
    for (; at != fresh.end(); ++at) {
      const DeadlineScope scope(state.limits);
      Tick(1000);
      auto content = ReadPackContent(state, *at);
      if (!content) {
        // Prune replaced it since it was listed.
        if (IsGone(state, *at)) continue;
        state.unreadable.insert(*at);
        for (Diagnostic d : content.error()) {
          d.severity = Severity::kWarning;
          if (d.hint.empty()) d.hint = "run 'shlo-compat archive verify'";
          state.warnings.push_back(std::move(d));
        }
        continue;
      }
      if (content->live && *at > live->first) *live = {*at, *content->live};
      ++at;
      return std::optional(std::move(*content));
    }
    return std::nullopt;
  });
}

}  // namespace

bool IsGone(const State& state, uint64_t sequence) {
  struct stat info;
  return ::lstat(state.PackPath(sequence).c_str(), &info) != 0 && errno == ENOENT;
}

Result<std::set<uint64_t>> ListPacks(const std::string& folder) {
  // While a folder is listed, packs appear and go. A list that is that of the one before is right for the
  // moment between them. A pack goes after its census has appeared, so that the list has one or the other.
  auto packs = ListOnce(folder);
  while (packs) {
    auto again = ListOnce(folder);
    if (!again || *again == *packs) return again;
    Tick(1000);
    packs = std::move(again);
  }
  return packs;
}

Result<PackContent> ReadPackContent(const State& state, uint64_t sequence) {
  const std::string path = state.PackPath(sequence);
  auto pack = SHLO_TRY(FileSource::Open(path));
  auto index = SHLO_TRY(ReadPackIndex(*pack, path));
  PackContent content;
  content.sequence = sequence;
  content.size = index.size;
  content.hash = index.hash;
  content.intact = index.damage.empty();
  // A damaged header states nothing.
  if (Problem(index.header).empty()) {
    if (index.header.flags & kBundle)
      return Error(Code::kMalformed, "the pack is a bundle", {.file = path}, "add it with 'archive import'");
    if (index.header.archive != state.id)
      return Error(Code::kMalformed, "the pack is of another archive", {.file = path},
                   "take it out of the folder, and add that archive with 'archive import'");
    if (index.header.sequence != sequence)
      return Error(
          Code::kMalformed,
          StrFormat("the pack has sequence number {}, which is not in its name", index.header.sequence),
          {.file = path}, "give it the name that it had");
  }
  for (const PackRecord& record : index.records) {
    if (record.header.kind != RecordKind::kEntry && record.header.kind != RecordKind::kCensus) continue;
    auto stored = ReadStored(*pack, path, record);
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
      content.live.emplace();
      for (const auto& [live, hash] : census->live) content.live->insert(live);
    }
  }
  content.records = std::move(index.records);
  return content;
}

Result<void> UpdateCatalog(State& state) {
  state.unreadable.clear();
  std::pair<uint64_t, std::set<uint64_t>> live;  // of the newest census that was added
  std::optional<std::set<uint64_t>> missing;
  while (true) {
    auto listed = SHLO_TRY(ListPacks(state.folder));
    const auto packs = SHLO_TRY(state.catalog->Packs());
    const auto replaced = SHLO_TRY(state.catalog->Replaced());
    std::set<uint64_t> fresh = listed, gone, superseded;
    for (const uint64_t sequence : state.unreadable) fresh.erase(sequence);
    for (const auto& [sequence, hash] : replaced) fresh.erase(sequence);
    for (const CatalogPack& pack : packs) {
      fresh.erase(pack.sequence);
      if (listed.contains(pack.sequence)) continue;
      // A census of which this catalog never knew replaced it, and was replaced itself.
      const bool counts = pack.sequence > live.first || live.second.contains(pack.sequence);
      (counts ? gone : superseded).insert(pack.sequence);
    }
    if (!fresh.empty()) {
      SHLO_TRY(AddPacks(state, fresh, &live));
      // Those that cannot be read are read again each time.
      state.unsaved = state.unsaved || !std::ranges::includes(state.unreadable, fresh);
      continue;
    }
    // One that went since the list before this one has a census by now.
    if (gone.empty() || gone == missing) {
      state.listed = std::move(listed);
      state.missing = std::move(gone);
      if (superseded.empty()) return {};
      state.unsaved = true;
      return state.catalog->RemovePacks(superseded);
    }
    missing = std::move(gone);
  }
}

Result<void> OpenCatalog(State& state, bool use_file) {
  ++state.moment;
  state.warnings.clear();
  state.unsaved = false;
  // It is only a cache: what it would say is in the packs, too.
  state.catalog = use_file ? Catalog::Read(state.catalog_path, state.id) : nullptr;
  const bool from_file = state.catalog != nullptr;
  if (!from_file) {
    state.catalog = SHLO_TRY(Catalog::Create(state.id));
    state.unsaved = true;
  }
  auto updated = UpdateCatalog(state);
  if (!updated && from_file && state.catalog->failed()) return OpenCatalog(state, /*use_file=*/false);
  if (!updated) return updated;
  for (const uint64_t sequence : state.missing)
    state.warnings.push_back(Warning(Code::kIo, "the pack is missing", {.file = state.PackPath(sequence)},
                                     "run 'shlo-compat archive verify' to see which models need it"));
  return {};
}

Result<void> SaveCatalog(State& state) {
  if (!state.unsaved || state.catalog_path.empty()) return {};
  SHLO_TRY(state.catalog->Write(state.catalog_path, state.own_catalog));
  state.unsaved = false;
  return {};
}

void KeepCatalog(State& state, bool locked) {
  if (!state.unsaved || state.catalog_path.empty()) return;
  const std::unique_ptr<FolderLock> lock = locked ? nullptr : FolderLock::Try(state.folder, "catalog");
  if (!locked && !lock) return;
  // A writer may have written a newer one before this process had the lock.
  const auto listed = locked ? Result<std::set<uint64_t>>(state.listed) : ListPacks(state.folder);
  if (!listed || *listed != state.listed) return;
  if (const auto saved = SaveCatalog(state); !saved)
    state.warnings.push_back(
        Warning(Code::kIo, StrFormat("the catalog cannot be kept: {}", saved.error()[0].message),
                {.file = state.catalog_path}, "pass --catalog=FILE to put it elsewhere"));
}

Result<bool> ReadAgain(State& state, uint64_t moment) {
  const std::lock_guard lock(state.mutex);
  if (state.moment != moment) return true;
  const auto listed = SHLO_TRY(ListPacks(state.folder));
  if (std::ranges::includes(listed, state.listed)) return false;
  SHLO_TRY(OpenCatalog(state));
  return true;
}

Result<std::shared_ptr<FileSource>> OpenPack(State& state, uint64_t sequence, int* error) {
  {
    const std::lock_guard lock(state.mutex);
    const auto found = state.open_packs.find(sequence);
    if (found != state.open_packs.end()) return found->second;
  }
  auto opened = SHLO_TRY(FileSource::Open(state.PackPath(sequence), error));
  const std::lock_guard lock(state.mutex);
  if (state.open_packs.size() >= kOpenPacks) state.open_packs.erase(state.open_packs.begin());
  state.open_packs[sequence] = opened;
  return opened;
}

Result<PackRecord> ReadHeaderAt(const ByteSource& pack, const std::string& name, const Location& place,
                                const ContentId& id) {
  PackRecord record;
  record.offset = place.offset;
  const int error = pack.ReadAt(place.offset, sizeof record.header, reinterpret_cast<char*>(&record.header));
  if (error == 0 && Problem(record.header).empty() && record.header.id == id) return record;
  // The index has a copy.
  auto index = SHLO_TRY(ReadPackIndex(pack, name));
  for (const PackRecord& other : index.records)
    if (other.offset == place.offset && other.header.id == id) return other;
  return Error(Code::kChecksum, "the header of a record is damaged", {.file = name, .offset = place.offset});
}

namespace {

// Reads the record at a place.
Result<Fetched> FetchAt(State& state, const ContentId& id, const Location& place, bool decode, bool* gone) {
  const std::string path = state.PackPath(place.sequence);
  auto pack = OpenPack(state, place.sequence);
  if (!pack) {
    *gone = *gone || IsGone(state, place.sequence);
    return tl::unexpected(std::move(pack.error()));
  }
  auto record = SHLO_TRY(ReadHeaderAt(**pack, path, place, id));
  auto bytes = SHLO_TRY(ReadStored(**pack, path, record));
  if (decode) bytes = SHLO_TRY(DecodeRecord(path, record, std::move(bytes)));
  return Fetched{record.header, std::move(bytes)};
}

Result<Fetched> FetchAny(State& state, const ContentId& id, bool decode) {
  while (true) {
    std::vector<Location> places;
    std::set<uint64_t> missing;
    uint64_t moment = 0;
    {
      const std::lock_guard lock(state.mutex);
      places = SHLO_TRY(state.catalog->Locate(id));
      missing = state.missing;
      moment = state.moment;
    }
    Diagnostics why;
    bool gone = false;
    for (const Location& place : places) {
      bool is_gone = false;
      auto fetched = FetchAt(state, id, place, decode, &is_gone);
      if (fetched) return fetched;
      gone = gone || (is_gone && !missing.contains(place.sequence));
      if (why.empty()) why = std::move(fetched.error());
    }
    // Prune has replaced the pack since the catalog was opened.
    if (gone) {
      Tick(1000);
      const std::lock_guard lock(state.mutex);
      if (state.moment == moment) SHLO_TRY(OpenCatalog(state));
      continue;
    }
    if (why.empty())
      return Error(Code::kMalformed, StrFormat("the archive does not have the bytes of {}", IdText(id)),
                   {.file = state.folder},
                   "run 'shlo-compat archive verify', and 'repair' with another copy");
    why[0].hint = "run 'shlo-compat archive repair --from=COPY'";
    return tl::unexpected(std::move(why));
  }
}

}  // namespace

Result<Fetched> FetchRecord(State& state, const ContentId& id) {
  return FetchAny(state, id, /*decode=*/true);
}
Result<Fetched> FetchStored(State& state, const ContentId& id) {
  return FetchAny(state, id, /*decode=*/false);
}

}  // namespace shlo::archive
