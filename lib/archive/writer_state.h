// The state of a writer. Internal to the library.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "archive/journal.h"
#include "archive/pack_writer.h"
#include "archive/state.h"

namespace shlo::archive {

struct WriterState {
  Archive archive;
  WriterOptions options;
  EntryOrigin origin;
  std::unique_ptr<FolderLock> lock;  // null: a bundle
  std::unique_ptr<PackWriter> pack;  // null: nothing was added to it
  uint64_t next_sequence = 1;
  uint64_t next_ordinal = 1;
  PackHash previous = {};
  Encoder encoder;
  uint64_t stored = 0;        // in packs that are complete
  uint64_t catalog_size = 0;  // at the last commit
  std::chrono::steady_clock::time_point last_commit, next_save;

  // Content that the catalog does not have yet.
  std::vector<PackContent> complete;      // packs
  std::vector<PackContent::Line> lines;   // of the open pack
  std::map<uint64_t, PackHash> replaced;  // by the census of the open pack
  std::unordered_set<ContentId, IdHash> ids;
  std::unordered_map<ContentId, std::vector<std::pair<ContentId, std::string>>, IdHash> about;  // by model
  struct Name {
    uint64_t version = 0;                                            // highest
    std::map<ContentId, std::pair<uint64_t, ContentId>> by_content;  // version and entry
  };
  std::map<std::string, Name> names;

  WriterState(const Archive& a, const WriterOptions& o) : archive(a), options(o) {}
  bool is_bundle() const { return !options.bundle.empty(); }
  State& state() const { return archive.state(); }
  size_t threads() const;

  // Returns the open pack, or creates one.
  Result<PackWriter*> Pack();
  // Returns whether the archive, or what was added, has an id. From any thread, if nothing is added
  // meanwhile.
  Result<bool> Has(const ContentId& id);
  // Appends a record, unless the archive has its id.
  Result<void> Put(RecordKind kind, const ContentId& id, uint64_t content_size, const StoredContent& stored,
                   uint64_t ordinal = 0);
  // Appends an entry. The text must be new.
  Result<ContentId> PutEntry(const std::string& text, uint64_t ordinal);
  // Returns the entries about a model, in the archive and added, as the model that they make.
  Result<ArchivedModel> ModelOf(const ContentId& entry);
  // Completes the open pack, if there is one.
  Result<void> Seal();
};

// The size at which a pack is completed.
inline constexpr uint64_t kPackSize = uint64_t(256) << 20;

}  // namespace shlo::archive
