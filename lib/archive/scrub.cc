// Verification of an archive: every byte of every pack, the chain of packs, what models need, the catalog.
#include <algorithm>
#include <atomic>

#include "archive/assemble.h"
#include "archive/catalog.h"
#include "archive/journal.h"
#include "archive/scrub_pack.h"
#include "archive/state.h"
#include "base/format.h"
#include "base/guarded.h"
#include "base/try.h"
#include "base/workers.h"
#include "shlo/archive_work.h"

namespace shlo::archive {
namespace {

class Scrubber {
 public:
  Scrubber(const Archive& archive, const ScrubOptions& options)
      : archive_(archive), state_(archive.state()), options_(options) {}

  Result<ScrubReport> Run() {
    SHLO_TRY(ReadPacks());
    // One machine of many looks at what is about the archive as a whole.
    if (options_.part.index == 1) {
      CheckChain();
      SHLO_TRY(CheckCatalog());
    }
    SHLO_TRY(CheckModels());
    SHLO_TRY(NameModels());
    return std::move(report_);
  }

 private:
  void Add(const std::string& file, uint64_t offset, std::string what, std::vector<ContentId> ids) {
    ArchiveDamage damage;
    damage.place.file = file;
    damage.place.offset = offset;
    damage.what = std::move(what);
    if (ids.size() == 1) damage.id = ids[0];
    touched_.push_back(std::move(ids));
    report_.damage.push_back(std::move(damage));
  }

  // Takes what the archive has at one moment, which all later steps are about.
  Result<void> TakeMoment() {
    const std::lock_guard lock(state_.mutex);
    const auto known = SHLO_TRY(state_.catalog->Packs());
    const auto replaced = SHLO_TRY(state_.catalog->Replaced());
    lost_ = state_.missing;
    all_packs_ = state_.listed;
    for (const auto& [sequence, hash] : replaced) all_packs_.erase(sequence);
    all_bytes_ = 0;
    for (const CatalogPack& pack : known)
      if (options_.part.Has(pack.sequence)) all_bytes_ += pack.size;
    return {};
  }

  Result<void> ReadPacks() {
    // Packs never change: what was read stays, if the archive is looked at again because prune replaced packs
    // before they were read.
    std::map<uint64_t, ScrubbedPack> scrubbed;
    while (true) {
      const uint64_t moment = state_.moment;
      SHLO_TRY(TakeMoment());
      if (ScrubNew(&scrubbed)) break;
      SHLO_TRY(ReadAgain(state_, moment));
    }
    for (const uint64_t sequence : lost_) {
      if (!options_.part.Has(sequence)) continue;
      auto ids = SHLO_TRY(IdsIn(sequence));
      Add(state_.PackPath(sequence), Place::kNone, "the pack is missing", std::move(ids));
    }
    for (auto& [sequence, pack] : scrubbed)
      if (all_packs_.contains(sequence)) SHLO_TRY(Take(sequence, std::move(pack)));
    return {};
  }

  // Reads the packs of this part that were not read. Returns false if some have no file any more.
  bool ScrubNew(std::map<uint64_t, ScrubbedPack>* scrubbed) {
    std::vector<uint64_t> packs;
    for (const uint64_t sequence : all_packs_)
      if (options_.part.Has(sequence) && !scrubbed->contains(sequence)) packs.push_back(sequence);
    std::vector<ScrubbedPack> read(packs.size());
    std::atomic<uint64_t> bytes = 0;
    bool all_there = true;
    const auto work = [&](size_t i) {
      read[i] = ScrubPack(state_, packs[i], options_.content, [&](uint64_t size) { bytes += size; });
    };
    const auto take = [&](size_t i) {
      const bool gone = !read[i].findings.empty() && IsGone(state_, packs[i]);
      all_there = all_there && !gone;
      if (!gone) scrubbed->emplace(packs[i], std::move(read[i]));
      read[i] = {};
      if (options_.progress) options_.progress(bytes, std::max<uint64_t>(bytes, all_bytes_));
      return true;
    };
    const size_t threads = NumThreads(options_.threads);
    RunInOrder(packs.size(), threads, 2 * threads, work, take);
    return all_there;
  }

  Result<std::vector<ContentId>> IdsIn(uint64_t sequence) {
    const std::lock_guard lock(state_.mutex);
    return state_.catalog->IdsIn(sequence);
  }

  Result<void> Take(uint64_t sequence, ScrubbedPack pack) {
    ++report_.packs;
    report_.records += pack.records;
    report_.bytes += pack.bytes;
    for (PackFinding& finding : pack.findings) {
      // The catalog knows what a pack had of which a part cannot be read.
      if (finding.ids.size() != 1) {
        const auto known = SHLO_TRY(IdsIn(sequence));
        finding.ids.insert(finding.ids.end(), known.begin(), known.end());
      }
      if (finding.of_pack) altered_.insert(sequence);
      for (const ContentId& id : finding.ids)
        if (finding.lost) bad_.insert(id);
      Add(state_.PackPath(sequence), finding.offset, std::move(finding.what), std::move(finding.ids));
    }
    if (pack.readable) headers_[sequence] = {pack.header, pack.hash};
    census_.merge(pack.census);
    return {};
  }

  // Finds packs that are missing or were exchanged.
  void CheckChain() {
    if (options_.part.count > 1) {
      // The other packs were read elsewhere; headers are enough.
      for (const uint64_t sequence : all_packs_) {
        if (headers_.contains(sequence)) continue;
        const ScrubbedPack pack = ReadPackHead(state_, sequence);
        if (pack.readable) headers_[sequence] = {pack.header, pack.hash};
        if (std::ranges::any_of(pack.findings, &PackFinding::of_pack)) altered_.insert(sequence);
        for (const auto& [at, census] : pack.census) census_.try_emplace(at, census);
      }
    }
    uint64_t begin = 0;
    PackHash previous = {};
    if (!census_.empty()) {
      const auto& [sequence, census] = *census_.rbegin();
      begin = sequence;
      for (const auto& [live, hash] : census.live) {
        const auto found = headers_.find(live);
        if (found == headers_.end()) {
          if (!lost_.contains(live) && !all_packs_.contains(live))
            Add(state_.PackPath(live), Place::kNone, "the pack is missing", {});
        } else if (found->second.hash != hash) {
          Add(state_.PackPath(live), 0, "the pack is not the one that the census lists", {});
        }
      }
      if (const auto found = headers_.find(begin); found != headers_.end()) previous = found->second.hash;
    }
    for (const auto& [sequence, head] : headers_) {
      if (sequence <= begin && begin != 0) continue;
      const auto before = all_packs_.find(sequence);
      const bool broken = head.header.previous != previous;
      // Packs that are missing, or not what they were, have been reported.
      const auto is_known = [&](uint64_t pack) {
        return headers_.contains(pack) && !altered_.contains(pack);
      };
      const bool reported = (!lost_.empty() && *lost_.begin() < sequence) || !is_known(sequence) ||
                            (before != all_packs_.begin() && !is_known(*std::prev(before)));
      if (broken && !reported)
        Add(state_.PackPath(sequence), offsetof(PackHeader, previous),
            "the pack does not follow the one before it: packs are missing, or were exchanged", {});
      previous = head.hash;
    }
  }

  Result<void> CheckCatalog() {
    // A catalog that is made from damaged packs lacks what they lack.
    if (!report_.damage.empty()) return {};
    auto differences = SHLO_TRY(CompareCatalog(archive_));
    for (const std::string& table : differences)
      Add(state_.catalog_path, Place::kNone,
          StrFormat("the catalog is not what the packs say, in its table '{}'", table), {});
    return {};
  }

  // Checks that the archive has everything that models need.
  Result<void> CheckModels() {
    auto models = SHLO_TRY(archive_.Select({}));
    IdSet seen;
    std::vector<std::pair<ContentId, std::string>> missing;  // with the reason
    ClosureVisitor visit;
    visit.leaf = [&](const ContentId& id) { return IsData(state_, id); };
    visit.missing = [&](const ContentId& id, const Diagnostics& why) -> Result<void> {
      missing.emplace_back(id, why[0].message);
      return {};
    };
    const Fetch fetch = FetchFrom(state_);
    for (ArchivedModel& model : models) {
      if (!options_.part.Has(model.entry)) continue;
      for (const ContentId& id : NeededIds(model)) {
        missing.clear();
        SHLO_TRY(AddClosure(fetch, id, visit, &seen));
        if (missing.empty()) continue;
        if (StillNeeds(archive_, model.entry, id))
          for (const auto& [lost, why] : missing) AddMissing(lost, why);
        else
          seen.clear();  // others may need what is missing
      }
      for (const ArchivedForm& form : model.forms)
        for (const ArchivedFile& file : form.files)
          if (!form.removed && !model.removed) CheckFile(model, file);
    }
    return {};
  }

  void AddMissing(const ContentId& id, const std::string& why) {
    // Records that are damaged have been reported, and so has each once.
    const auto has = [&](const std::vector<ContentId>& ids) {
      return std::ranges::find(ids, id) != ids.end();
    };
    if (bad_.contains(id) || std::ranges::any_of(touched_, has)) return;
    bad_.insert(id);
    Add(state_.folder, Place::kNone, why, {id});
  }

  void CheckFile(const ArchivedModel& model, const ArchivedFile& file) {
    // Records that are missing or damaged have been reported.
    const auto size = StatedSize(state_, file.id);
    if (size && *size != file.size)
      Add(state_.folder, Place::kNone,
          StrFormat("'{}' does not have the size that its entry states", file.path), {file.id});
    if (!options_.assemble) return;
    const auto read = archive_.Read(file.id, [](std::string_view) { return true; });
    ++report_.files;
    if (!read && StillNeeds(archive_, model.entry, file.id) && bad_.insert(file.id).second)
      Add(state_.folder, Place::kNone, read.error()[0].message, {file.id});
  }

  // Finds the models that need what is damaged.
  Result<void> NameModels() {
    if (report_.damage.empty()) return {};
    // By id, the damage that it suffers from.
    std::unordered_map<ContentId, std::set<size_t>, IdHash> suffers;
    for (size_t i = 0; i < touched_.size(); ++i)
      for (const ContentId& id : touched_[i]) suffers[id].insert(i);
    const std::lock_guard lock(state_.mutex);
    auto lists = SHLO_TRY(state_.catalog->Lists());
    std::vector<std::pair<ContentId, std::vector<ContentId>>> parts;
    for (const auto& [id, place] : lists) {
      const std::string path = state_.PackPath(place.sequence);
      auto pack = FileSource::Open(path);
      auto record = pack ? ReadHeaderAt(**pack, path, place, id) : tl::make_unexpected(pack.error());
      auto stored = record ? ReadStored(**pack, path, *record) : tl::make_unexpected(record.error());
      auto content = stored ? DecodeRecord(path, *record, std::move(*stored)) : stored;
      const auto list = content ? ReadList(*content) : std::nullopt;
      if (!list) continue;
      auto& of_list = parts.emplace_back(id, std::vector<ContentId>()).second;
      for (const ListPart& part : list->parts)
        if (part.code != PartCode::kLiteral) of_list.push_back(part.id);
    }
    for (int depth = 0; depth < kMaxListDepth; ++depth)
      for (const auto& [id, of_list] : parts)
        for (const ContentId& part : of_list)
          if (const auto found = suffers.find(part); found != suffers.end()) {
            const std::set<size_t> from = found->second;
            suffers[id].insert(from.begin(), from.end());
          }
    std::vector<std::set<std::string>> names(report_.damage.size());
    const auto touch = [&](const ContentId& id, const std::string& label) {
      if (const auto found = suffers.find(id); found != suffers.end())
        for (const size_t i : found->second) names[i].insert(label);
    };
    auto entries = SHLO_TRY(state_.catalog->ModelEntries());
    for (const ContentId& entry : entries) {
      const auto model = state_.catalog->Model(entry);
      if (!model || !*model) continue;
      for (const ContentId& id : NeededIds(**model)) touch(id, (*model)->label());
      auto about = SHLO_TRY(state_.catalog->EntriesAbout(entry));
      for (const ContentId& id : about) touch(id, (*model)->label());
    }
    for (size_t i = 0; i < names.size(); ++i)
      report_.damage[i].models.assign(names[i].begin(), names[i].end());
    return {};
  }

  struct Head {
    PackHeader header;
    PackHash hash;
  };
  const Archive& archive_;
  State& state_;
  const ScrubOptions& options_;
  ScrubReport report_;
  std::vector<std::vector<ContentId>> touched_;  // by damage
  IdSet bad_;                                    // ids of records that cannot be read
  uint64_t all_bytes_ = 0;
  std::set<uint64_t> all_packs_, lost_, altered_;
  std::map<uint64_t, Head> headers_;
  std::map<uint64_t, Census> census_;
};

}  // namespace

bool WorkPart::Has(const ContentId& id) const { return count <= 1 || IdHash()(id) % count == index - 1; }
bool WorkPart::Has(uint64_t number) const { return count <= 1 || number % count == index - 1; }

Result<ScrubReport> Scrub(const Archive& archive, const ScrubOptions& options) {
  return Guarded([&] { return Scrubber(archive, options).Run(); }, archive.folder());
}

Result<std::vector<std::string>> CompareCatalog(const Archive& archive) {
  return Guarded(
      [&]() -> Result<std::vector<std::string>> {
        State& state = archive.state();
        State fresh;
        fresh.folder = state.folder;
        fresh.id = state.id;
        fresh.catalog = SHLO_TRY(Catalog::Create(state.id));
        // Both must be of one moment. Each time, only what changed is read.
        while (true) {
          SHLO_TRY(UpdateCatalog(fresh));
          const std::lock_guard lock(state.mutex);
          if (fresh.listed != state.listed) SHLO_TRY(OpenCatalog(state));
          if (fresh.listed != state.listed) continue;
          auto made = SHLO_TRY(fresh.catalog->Digests());
          const auto kept = SHLO_TRY(state.catalog->Digests());
          std::vector<std::string> tables;
          for (const auto& [table, digest] : kept)
            if (made[table] != digest) tables.push_back(table);
          return tables;
        }
      },
      archive.folder());
}

Result<void> RebuildCatalog(const Archive& archive, const WriterOptions& options) {
  return Guarded(
      [&]() -> Result<void> {
        State& state = archive.state();
        Diagnostics warnings;
        const auto lock = SHLO_TRY(FolderLock::Acquire(state.folder, options.command, options.wait_seconds,
                                                       options.waiting, &warnings));
        for (const Diagnostic& d : warnings)
          if (options.warn) options.warn(d);
        const std::lock_guard guard(state.mutex);
        SHLO_TRY(OpenCatalog(state, /*use_file=*/false));
        return SaveCatalog(state);
      },
      archive.folder());
}

}  // namespace shlo::archive
