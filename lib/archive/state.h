// The state of an open archive, and how its catalog is brought up to date. Internal to the library.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>

#include "archive/catalog.h"
#include "archive/census.h"
#include "archive/list_record.h"
#include "archive/lock.h"
#include "base/try.h"
#include "shlo/archive.h"

namespace shlo::archive {

struct State {
  std::string folder;                            // as given
  std::string catalog_path;                      // of the catalog's file; empty: it has none
  uint64_t most_catalog = uint64_t(1536) << 20;  // bytes of the catalog, after which nothing is added
  bool own_catalog = true;  // the file is in the folder, where nothing else may have its name
  ArchiveId id = {};
  std::string id_text;
  Limits limits;
  Diagnostics warnings;

  // For all that follows.
  std::mutex mutex;
  // The archive at one moment: writers change it only when the catalog is opened again.
  std::unique_ptr<Catalog> catalog;
  std::set<uint64_t> listed;         // packs in the folder
  std::set<uint64_t> missing;        // packs that count, and are not there
  std::set<uint64_t> unreadable;     // packs of which the catalog has nothing; `warnings` say why
  std::atomic<uint64_t> moment = 0;  // changes when the catalog is opened again
  bool unsaved = false;              // the catalog is newer than its file
  std::map<uint64_t, std::shared_ptr<FileSource>> open_packs;

  std::string PackPath(uint64_t sequence) const { return folder + "/" + PackName(sequence); }
};

// Returns the numbers of the packs in the folder, at one moment. Fails with kIo.
Result<std::set<uint64_t>> ListPacks(const std::string& folder);

// Reads what a pack adds to the catalog. Fails with kIo, and with kMalformed for a pack of another archive.
Result<PackContent> ReadPackContent(const State& state, uint64_t sequence);

// Opens the catalog and brings it up to date, in memory. Anything but the whole and undamaged catalog
// of this archive is made again from the packs; without `use_file` in any case. Fails with kIo.
Result<void> OpenCatalog(State& state, bool use_file = true);
// Makes it what the packs of the folder say, at one moment.
Result<void> UpdateCatalog(State& state);
// Writes the file, if the catalog is newer. The caller holds the lock. Fails with kIo.
Result<void> SaveCatalog(State& state);
// Likewise, if nobody else holds the lock; with `locked` the caller does. A failure is a warning.
void KeepCatalog(State& state, bool locked);
// Opens the catalog again if writers removed packs since `moment`. Returns whether that was so: then what
// failed may have failed because of it. The caller does not hold the mutex.
Result<bool> ReadAgain(State& state, uint64_t moment);
// Returns whether a model still needs bytes, as far as the catalog knows by now: they may have been removed
// since the model was read.
bool StillNeeds(const Archive& archive, const ContentId& model, const ContentId& id);
// Returns whether a pack has no file any more.
bool IsGone(const State& state, uint64_t sequence);

// Asks the catalog. A file whose checksum is right, but that SQLite cannot use, is made again.
template <typename Question>
auto Ask(State& state, Question&& question) -> decltype(question(*state.catalog)) {
  const std::lock_guard lock(state.mutex);
  auto answer = question(*state.catalog);
  if (answer || !state.catalog->failed()) return answer;
  SHLO_TRY(OpenCatalog(state, /*use_file=*/false));
  return question(*state.catalog);
}

// Returns an open pack. `error`, if given, receives the errno of a failure.
Result<std::shared_ptr<FileSource>> OpenPack(State& state, uint64_t sequence, int* error = nullptr);
// Reads the record of an id, in any of its places. Fails with kChecksum if all are damaged, and with
// kMalformed if there is none.
struct Fetched {
  RecordHeader header;
  std::string content;
};
Result<Fetched> FetchRecord(State& state, const ContentId& id);
// Likewise, with the bytes as they are stored, whose checksum is right.
Result<Fetched> FetchStored(State& state, const ContentId& id);
// Reads the record at a place, whose header may be damaged.
Result<PackRecord> ReadHeaderAt(const ByteSource& pack, const std::string& name, const Location& place,
                                const ContentId& id);

}  // namespace shlo::archive
