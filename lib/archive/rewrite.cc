#include "archive/rewrite.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>

#include "archive/journal.h"
#include "base/try.h"

namespace shlo::archive {
namespace {

void SyncFolder(const std::string& path) {
  const int folder = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return;
  ::fsync(folder);
  ::close(folder);
}

// Whether the file of a pack is still there.
bool Exists(const State& state, uint64_t sequence) {
  return ::access(state.PackPath(sequence).c_str(), F_OK) == 0;
}

}  // namespace

Result<void> ReplacePacks(WriterState& w, const std::set<uint64_t>& packs, std::span<const KeptRecord> kept,
                          const Substitute& substitute, WorkDone* work_done) {
  State& state = w.state();
  Census census;
  {
    const std::lock_guard lock(state.mutex);
    const auto known = SHLO_TRY(state.catalog->Packs());
    const auto replaced = SHLO_TRY(state.catalog->Replaced());
    for (const CatalogPack& pack : known)
      (packs.contains(pack.sequence) ? census.replaced : census.live)[pack.sequence] = pack.hash;
    // Those of an earlier census whose pack goes now, and whose files could not be removed.
    for (const auto& [sequence, hash] : replaced)
      if (Exists(state, sequence)) census.replaced[sequence] = hash;
  }
  const auto fail = [&](Diagnostics why) {
    // The open pack has no name yet; those that have one hold copies, which the next prune removes.
    w.pack.reset();
    return tl::unexpected(std::move(why));
  };
  if (work_done) work_done->all = kept.size();
  for (const KeptRecord& keep : kept) {
    if (work_done) ++work_done->done;
    if (w.pack && w.pack->size() >= kPackSize) SHLO_TRY(w.Seal());
    const std::string path = state.PackPath(keep.sequence);
    auto pack = OpenPack(state, keep.sequence);
    auto stored = pack ? ReadStored(**pack, path, keep.record) : tl::make_unexpected(pack.error());
    RecordHeader header = keep.record.header;
    if (!stored && substitute) {
      auto other = substitute(header);
      if (!other) return fail(std::move(other.error()));
      header = other->first;
      stored = std::move(other->second);
    }
    if (!stored) return fail(std::move(stored.error()));
    auto open = w.Pack();
    if (!open) return fail(std::move(open.error()));
    (*open)->Copy(header, *stored);
    if (header.kind == RecordKind::kEntry) {
      auto text = DecodeRecord(path, {0, header}, std::move(*stored));
      if (!text) return fail(std::move(text.error()));
      w.lines.push_back({header.ordinal, header.id, std::move(*text)});
    }
  }
  for (const PackContent& content : w.complete) census.live[content.sequence] = content.hash;
  const std::string content = WriteCensus(census);
  StoredContent stored = w.encoder.Encode(content, {Encoding::kZstd, 1, 9});
  if (auto put = w.Put(RecordKind::kCensus, IdOf(content), content.size(), stored); !put)
    return fail(std::move(put.error()));
  w.replaced = census.replaced;
  SHLO_TRY(w.Seal());
  return {};
}

void RemoveReplaced(State& state, const std::set<uint64_t>& packs) {
  {
    const std::lock_guard lock(state.mutex);
    for (const uint64_t sequence : packs) {
      state.open_packs.erase(sequence);
      state.listed.erase(sequence);
    }
  }
  // If one cannot be removed, the next writer tries again.
  for (const uint64_t sequence : packs) ::unlink(state.PackPath(sequence).c_str());
  SyncFolder(state.folder + "/packs");
}

Result<std::map<uint64_t, PackIndex>> ReadIndexes(State& state) {
  std::vector<CatalogPack> packs;
  {
    const std::lock_guard lock(state.mutex);
    packs = SHLO_TRY(state.catalog->Packs());
  }
  std::map<uint64_t, PackIndex> indexes;
  for (const CatalogPack& pack : packs) {
    const std::string path = state.PackPath(pack.sequence);
    auto source = SHLO_TRY(FileSource::Open(path));
    indexes[pack.sequence] = SHLO_TRY(ReadPackIndex(*source, path));
  }
  return indexes;
}

Result<IdSet> AllNeeded(State& state, const Archive& archive) {
  auto models = SHLO_TRY(archive.Select({}));
  IdSet needed;
  ClosureVisitor visit;
  visit.name = state.folder;
  visit.leaf = [&](const ContentId& id) { return IsData(state, id); };
  const Fetch fetch = FetchFrom(state);
  for (const ArchivedModel& model : models)
    for (const ContentId& id : NeededIds(model)) SHLO_TRY(AddClosure(fetch, id, visit, &needed));
  return needed;
}

}  // namespace shlo::archive
