// The state of an open archive, and how its catalog is brought up to date. Internal to the library.
#pragma once

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
#include "shlo/archive.h"

namespace shlo::archive {

struct State {
  std::string folder;        // as given
  std::string catalog_path;  // of the database
  ArchiveId id = {};
  std::string id_text;
  Limits limits;
  Diagnostics warnings;

  // For the catalog and the open packs.
  std::mutex mutex;
  std::unique_ptr<Catalog> catalog;
  bool in_memory = false;  // the catalog is a copy that is newer than the file
  std::map<uint64_t, std::shared_ptr<FileSource>> open_packs;

  std::string PackPath(uint64_t sequence) const { return folder + "/" + PackName(sequence); }
};

// Returns the numbers of the packs in the folder. Fails with kIo.
Result<std::set<uint64_t>> ListPacks(const std::string& folder);

// Reads what a pack adds to the catalog. Fails with kIo, and with kMalformed for a pack of another archive.
Result<PackContent> ReadPackContent(const State& state, uint64_t sequence);

// Opens the catalog and brings it up to date: in its file if nobody writes and it can be written, or in
// memory. With `locked`, the caller holds the lock.
Result<void> OpenCatalog(State& state, bool locked);
// Adds the packs of the folder that the catalog does not have.
Result<void> UpdateCatalog(State& state);

// Returns an open pack. `error`, if given, receives the errno of a failure.
Result<std::shared_ptr<FileSource>> OpenPack(State& state, uint64_t sequence, int* error = nullptr);
// Reads the record of an id, in any of its places. Fails with kChecksum if all are damaged, and with
// kMalformed if there is none.
struct Fetched {
  RecordHeader header;
  std::string content;
};
Result<Fetched> FetchRecord(State& state, const ContentId& id);
// Reads the record at a place, whose header may be damaged.
Result<PackRecord> ReadHeaderAt(const ByteSource& pack, const std::string& name, const Location& place,
                                const ContentId& id);

}  // namespace shlo::archive
