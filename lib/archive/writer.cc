// The writer of an archive: locks it, fills packs, and makes them durable (docs/archive-format.md, section
// 7).
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "archive/limits.h"
#include "archive/writer_state.h"
#include "base/format.h"
#include "base/guarded.h"
#include "base/try.h"
#include "base/workers.h"

namespace shlo::archive {
namespace {

namespace fs = std::filesystem;

// How long and how much may be lost if the process dies.
constexpr auto kCommitAfter = std::chrono::seconds(2);
constexpr uint64_t kCommitSize = uint64_t(64) << 20;
// A catalog is saved again after this many times the time that saving it took, or at the end.
constexpr int kTimesWithoutSave = 20;

// Removes what writers that died have left: temporary files, and packs that a census has replaced.
void RemoveLeftovers(State& state) {
  std::error_code ignored;
  for (const std::string& folder : {state.folder + "/packs", state.folder})
    for (auto it = fs::directory_iterator(folder, ignored); !ignored && it != fs::directory_iterator();
         it.increment(ignored))
      if (it->path().filename().string().starts_with(".shlo-")) fs::remove(it->path(), ignored);
  const auto replaced = state.catalog->Replaced();
  if (!replaced) return;
  for (const auto& [sequence, hash] : *replaced) {
    const std::string path = state.PackPath(sequence);
    auto pack = FileSource::Open(path);
    const auto index = pack ? ReadPackIndex(**pack, path) : tl::make_unexpected(Diagnostics());
    // A damaged one that was replaced has no hash to compare.
    if (index && (index->hash == hash || !index->damage.empty()) && ::unlink(path.c_str()) == 0)
      state.listed.erase(sequence);
  }
}

}  // namespace

size_t WriterState::threads() const { return NumThreads(options.threads); }

Result<PackWriter*> WriterState::Pack() {
  if (pack) return pack.get();
  PackHeader header;
  header.archive = state().id;
  if (is_bundle()) {
    header.flags = kBundle | kThin;
  } else {
    header.sequence = next_sequence;
    header.previous = previous;
  }
  pack = SHLO_TRY(PackWriter::Create(is_bundle() ? options.bundle : state().PackPath(next_sequence), header));
  return pack.get();
}

Result<bool> WriterState::Has(const ContentId& id) {
  if (ids.contains(id)) return true;
  const std::lock_guard lock(state().mutex);
  return state().catalog->Has(id);
}

Result<void> WriterState::Put(RecordKind kind, const ContentId& id, uint64_t content_size,
                              const StoredContent& content, uint64_t ordinal) {
  if (kind != RecordKind::kEntry && kind != RecordKind::kCensus) {
    const auto has = SHLO_TRY(Has(id));
    if (has) return {};
    // Long before there is no room in memory: what was acknowledged must stay readable.
    if (!is_bundle() && catalog_size > state().most_catalog)
      return Error(
          Code::kLimit,
          StrFormat("the archive has as many pieces as fit a catalog of {} MiB", state().most_catalog >> 20),
          {.file = state().folder}, "remove unneeded models with 'archive prune', or begin another archive");
  }
  // A bundle is one file; a pack has a size that copies and prunes well.
  if (pack && !is_bundle() && pack->size() >= kPackSize && kind != RecordKind::kCensus) SHLO_TRY(Seal());
  auto open = SHLO_TRY(Pack());
  SHLO_TRY(open->Add(kind, id, content_size, content, ordinal));
  ids.insert(id);
  return {};
}

Result<ContentId> WriterState::PutEntry(const std::string& text, uint64_t ordinal) {
  const ContentId id = IdOf(text);
  // An acknowledged entry can be read.
  if (const std::string why = EntryProblem(id, text); !why.empty())
    return Error(Code::kLimit, StrFormat("the entry could not be read again: {}", why),
                 {.file = archive.folder()});
  const StoredContent stored = encoder.Encode(text, {Encoding::kZstd, 1, 9});
  SHLO_TRY(Put(RecordKind::kEntry, id, text.size(), stored, ordinal));
  lines.push_back({ordinal, id, text});
  if (const auto head = ReadHead(id, text); head && head->model) about[head->model].emplace_back(id, text);
  return id;
}

Result<ArchivedModel> WriterState::ModelOf(const ContentId& entry) {
  std::optional<ArchivedModel> known;
  {
    const std::lock_guard lock(state().mutex);
    known = SHLO_TRY(state().catalog->Model(entry));
  }
  ArchivedModel model = known ? std::move(*known) : ArchivedModel();
  if (const auto added = about.find(entry); added != about.end())
    for (const auto& [id, text] : added->second) ApplyEntry(id, text, &model);
  if (model.forms.empty())
    return Error(Code::kUsage, StrFormat("the archive has no model {}", IdText(entry)),
                 {.file = archive.folder()});
  return model;
}

Result<void> WriterState::Seal() {
  if (!pack) return {};
  if (auto done = pack->Finish(); !done) {
    Diagnostics why = std::move(done.error());
    pack.reset();
    if (!is_bundle() && ::access(state().PackPath(next_sequence).c_str(), F_OK) == 0)
      why[0].hint = "another process wrote to the archive although it is locked; run the command again";
    return tl::unexpected(std::move(why));
  }
  stored += pack->size();
  if (!is_bundle()) {
    PackContent& content = complete.emplace_back();
    content.sequence = next_sequence++;
    content.hash = previous = pack->hash();
    content.size = pack->size();
    content.records = pack->records();
    content.lines = std::move(lines);
    content.replaced = std::move(replaced);
  }
  lines.clear();
  replaced.clear();
  pack.reset();
  return {};
}

Writer::Writer(std::unique_ptr<WriterState> state) : state_(std::move(state)) {}
Writer::Writer(Writer&&) noexcept = default;
Writer& Writer::operator=(Writer&&) noexcept = default;
Writer::~Writer() {
  if (!state_ || !state_->lock) return;
  (void)Guarded([&]() -> Result<void> {
    State& state = state_->state();
    const std::lock_guard lock(state.mutex);
    KeepCatalog(state, /*locked=*/true);
    return {};
  });
}

Result<Writer> Writer::Begin(const Archive& archive, const WriterOptions& options) {
  return Guarded(
      [&]() -> Result<Writer> {
        auto writer = std::make_unique<WriterState>(archive, options);
        State& state = archive.state();
        writer->origin = {options.time.empty() ? TimeNow() : options.time, options.tool};
        if (!IsTime(writer->origin.time))
          return Error(Code::kUsage, "SOURCE_DATE_EPOCH is not a time of the years 1970 to 9999", {},
                       "unset it, or set it to seconds since 1970");
        Diagnostics warnings;
        if (options.bundle.empty()) {
          writer->lock = SHLO_TRY(FolderLock::Acquire(state.folder, options.command, options.wait_seconds,
                                                      options.waiting, &warnings));
        }
        const std::lock_guard lock(state.mutex);
        if (writer->lock) {
          SHLO_TRY(OpenCatalog(state));
          if (warnings.empty()) RemoveLeftovers(state);
        }
        state.warnings.insert(state.warnings.end(), warnings.begin(), warnings.end());
        for (const Diagnostic& d : warnings)
          if (options.warn) options.warn(d);
        const auto last = SHLO_TRY(state.catalog->LastOrdinal());
        const auto packs = SHLO_TRY(state.catalog->Packs());
        const auto replaced = SHLO_TRY(state.catalog->Replaced());
        const auto listed = SHLO_TRY(ListPacks(state.folder));
        const auto size = SHLO_TRY(state.catalog->Size());
        writer->catalog_size = size;
        writer->next_ordinal = last + 1;
        uint64_t newest = 0;
        if (!packs.empty()) {
          writer->previous = packs.back().hash;
          newest = packs.back().sequence;
        }
        if (!replaced.empty()) newest = std::max(newest, replaced.rbegin()->first);
        if (!listed.empty()) newest = std::max(newest, *listed.rbegin());
        if (newest >= kMaxNumber)
          return Error(Code::kLimit, StrFormat("the archive has pack {}, and can have no other", newest),
                       {.file = archive.folder()}, "export its models, and import them into a new archive");
        writer->next_sequence = newest + 1;
        writer->last_commit = std::chrono::steady_clock::now();
        return Writer(std::move(writer));
      },
      archive.folder());
}

uint64_t Writer::stored() const { return state_->stored + (state_->pack ? state_->pack->size() : 0); }

bool Writer::full() const {
  const WriterState& w = *state_;
  if (w.is_bundle()) return false;
  uint64_t size = w.pack ? w.pack->size() : 0;
  for (const PackContent& content : w.complete) size += content.size;
  return size >= kCommitSize ||
         (size > 0 && std::chrono::steady_clock::now() - w.last_commit >= kCommitAfter);
}

Result<void> Writer::Commit() {
  return Guarded(
      [&]() -> Result<void> {
        WriterState& w = *state_;
        // A bundle is complete even if there is nothing to add: whoever imports it expects the file.
        if (w.is_bundle()) SHLO_TRY(w.Pack());
        SHLO_TRY(w.Seal());
        w.last_commit = std::chrono::steady_clock::now();
        if (w.is_bundle()) return {};
        State& state = w.state();
        const std::lock_guard lock(state.mutex);
        size_t next = 0;
        auto added = state.catalog->Add([&]() -> Result<std::optional<PackContent>> {
          if (next == w.complete.size()) return std::nullopt;
          state.listed.insert(w.complete[next].sequence);
          return std::optional(std::move(w.complete[next++]));
        });
        state.unsaved = state.unsaved || next > 0;
        // The packs are durable. If the catalog cannot be used, it is opened again, and updated.
        w.complete.clear();
        w.ids.clear();
        w.about.clear();
        w.names.clear();
        if (!added) SHLO_TRY(OpenCatalog(state));
        if (const auto size = state.catalog->Size()) w.catalog_size = *size;
        // Readers can do without the file; writing it takes as long as it is large.
        const auto start = std::chrono::steady_clock::now();
        if (start < w.next_save) return {};
        KeepCatalog(state, /*locked=*/true);
        const auto end = std::chrono::steady_clock::now();
        w.next_save = end + kTimesWithoutSave * (end - start);
        return {};
      },
      state_->archive.folder());
}

}  // namespace shlo::archive
