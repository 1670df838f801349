// Export and import: models that go from one archive to another (docs/archive-format.md, section 8).
#include <fmt/format.h>

#include <algorithm>

#include "archive/record_source.h"
#include "archive/writer_state.h"
#include "ir/guarded.h"
#include "shlo/archive_work.h"

namespace shlo::archive {
namespace {

class Importer {
 public:
  Importer(WriterState& writer, RecordSource& source)
      : w_(writer), source_(source), from_source_(FetchFrom(source)) {
    // Pieces that the archive has need not be in the source.
    fetch_ = [this](const ContentId& id) -> Result<Fetched> {
      auto there = from_source_(id);
      if (there) return there;
      auto here = FetchRecord(w_.state(), id);
      return here ? std::move(here) : std::move(there);
    };
  }

  Result<ImportReport> Run() {
    auto lines = source_.Lines();
    if (!lines) return tl::unexpected(std::move(lines.error()));
    std::map<ContentId, ArchivedModel> models;
    for (const PackContent::Line& line : *lines)
      if (const auto head = ReadHead(line.id, line.text); head && head->model)
        ApplyEntry(line.id, line.text, &models[head->model]);
    for (const auto& [entry, model] : models)
      for (const ArchivedForm& form : model.forms)
        if (form.removed) removed_.insert(form.entry);
    for (const PackContent::Line& line : *lines) {
      const auto head = ReadHead(line.id, line.text);
      if (!head || !head->model) continue;
      const ArchivedModel& model = models[head->model];
      // Models that were removed there stay where they are.
      if (model.removed) continue;
      if (head->type == "model" && model.forms.empty()) continue;
      auto done = head->type == "model" ? AddModelLine(line, *head, model) : AddLine(line, *head);
      if (!done) return tl::unexpected(std::move(done.error()));
    }
    return std::move(report_);
  }

 private:
  Result<void> AddModelLine(const PackContent::Line& line, const EntryHead& head,
                            const ArchivedModel& model) {
    ImportedModel& imported = report_.models.emplace_back();
    imported.from = model.label();
    const ContentId content = ContentOf(model.forms[0].files, model.forms[0].format);
    auto known = Here(line.id);
    if (known && !*known && head.imported) known = Here(head.imported);
    if (!known) return tl::unexpected(std::move(known.error()));
    Result<std::optional<ArchivedModel>> same;
    Result<uint64_t> last;
    {
      const std::lock_guard lock(w_.state().mutex);
      same = w_.state().catalog->ModelWith(model.name, content);
      last = w_.state().catalog->LastVersion(model.name);
    }
    if (!same) return tl::unexpected(std::move(same.error()));
    if (!last) return tl::unexpected(std::move(last.error()));
    WriterState::Name& name = w_.names[model.name];
    name.version = std::max(name.version, *last);
    const auto pending = name.by_content.find(content);
    // The same content twice in the source was meant to be two versions.
    const bool twice = !contents_.emplace(model.name, content).second;
    if (*known || (!twice && (*same || pending != name.by_content.end()))) {
      const ContentId entry = *known ? **known : *same ? (*same)->entry : pending->second.second;
      ids_[line.id] = entry;
      imported.existed = true;
      auto here = w_.ModelOf(entry);
      if (!here) return tl::unexpected(std::move(here.error()));
      imported.label = here->label();
      return {};
    }
    if (auto copied = CopyForm(line.id, model.forms[0]); !copied) return copied;
    std::string text = WithEntryIds(line.text, ids_);
    uint64_t version = model.version;
    if (version <= name.version) {
      version = name.version + 1;
      text = WithVersion(text, version, line.id);
    }
    auto entry = w_.PutEntry(text, w_.next_ordinal++);
    if (!entry) return tl::unexpected(std::move(entry.error()));
    name.version = version;
    name.by_content.try_emplace(content, version, *entry);
    ids_[line.id] = *entry;
    imported.label = fmt::format("{}@{}", model.name, version);
    ++report_.entries;
    return {};
  }

  // Adds an entry about a model, unless there is one that says the same.
  Result<void> AddLine(const PackContent::Line& line, const EntryHead& head) {
    // A bundle of migrated forms has only these: the models are here.
    if (!ids_.contains(head.model)) {
      const auto known = Here(head.model);
      if (!known) return tl::unexpected(known.error());
      if (!*known)
        return Error(Code::kMalformed,
                     fmt::format("it has an entry about a model that neither it nor the archive has: {}",
                                 IdText(head.model)),
                     {.file = source_.name()}, "import the model first");
      ids_[head.model] = **known;
    }
    const ContentId entry = ids_[head.model];
    const std::string text = WithEntryIds(line.text, ids_);
    const ContentId id = IdOf(text);
    const auto here = w_.ModelOf(entry);
    if (!here) return tl::unexpected(here.error());
    const auto there = Here(id);
    if (!there) return tl::unexpected(there.error());
    // Later lines may be about it.
    if (*there) ids_[line.id] = **there;
    ArchivedModel with = *here;
    if (here->removed || *there || !ApplyEntry(id, text, &with)) return {};
    if (head.type == "form") {
      const ArchivedForm& form = with.forms.back();
      for (const ArchivedForm& other : here->forms)
        if (other.from == form.from && other.files == form.files) {
          ids_[line.id] = other.entry;
          return {};
        }
      if (auto copied = CopyForm(line.id, form); !copied) return copied;
    } else if (head.type == "golden") {
      const std::string golden = WithoutOrigin(with.goldens.back());
      for (const ArchivedGolden& other : here->goldens)
        if (WithoutOrigin(other) == golden) return {};
      for (const auto* tensors : {&with.goldens.back().inputs, &with.goldens.back().results})
        for (const ArchivedTensor& tensor : *tensors)
          if (auto copied = CopyAll(tensor.id); !copied) return copied;
    } else if (head.type == "annotate" && with.tags == here->tags && with.metadata == here->metadata) {
      return {};
    }
    auto put = w_.PutEntry(text, w_.next_ordinal++);
    if (!put) return tl::unexpected(std::move(put.error()));
    ids_[line.id] = *put;
    ++report_.entries;
    return {};
  }

  // Returns the entry that the archive has for one of the source.
  Result<std::optional<ContentId>> Here(const ContentId& id) {
    const std::lock_guard lock(w_.state().mutex);
    return w_.state().catalog->Imported(id);
  }

  Result<void> CopyForm(const ContentId& entry, const ArchivedForm& form) {
    if (removed_.contains(entry)) return {};
    for (const ContentId& id : IdsOf(form))
      if (auto copied = CopyAll(id); !copied) return copied;
    return {};
  }

  static std::string WithoutOrigin(const ArchivedGolden& golden) { return GoldenEntry({}, golden, {}); }

  // Copies the records of an id that the archive does not have. Each is compared with its id.
  Result<void> CopyAll(const ContentId& id) {
    ClosureVisitor visit;
    visit.name = source_.name();
    visit.record = [&](const ContentId& of, Fetched& record) -> Result<void> {
      if (record.header.kind == RecordKind::kList) {
        const Sink nowhere = [](std::string_view) { return true; };
        if (auto whole = Assemble(fetch_, of, nowhere, source_.name()); !whole)
          return tl::unexpected(std::move(whole.error()));
      } else if (record.header.kind != RecordKind::kData || IdOf(record.content) != of) {
        return Error(Code::kChecksum,
                     fmt::format("the bytes of {} are not those that its id names", IdText(of)),
                     {.file = source_.name()}, "export it again");
      }
      auto raw = source_.Raw(of);
      if (!raw) return tl::unexpected(std::move(raw.error()));
      StoredContent stored;
      stored.encoding = raw->first.encoding;
      stored.planes = raw->first.planes;
      if (stored.encoding == Encoding::kRaw)
        stored.raw = raw->second;
      else
        stored.compressed = raw->second;
      ++report_.records;
      return w_.Put(raw->first.kind, of, raw->first.size, stored);
    };
    // The archive has no part of anything: if it has an id, it has all that the id needs.
    visit.leaf = [&](const ContentId& of) {
      const auto has = w_.Has(of);
      return has && *has;
    };
    return AddClosure(fetch_, id, visit, &seen_);
  }

  WriterState& w_;
  RecordSource& source_;
  const Fetch from_source_;
  Fetch fetch_;
  IdSet seen_, removed_;
  std::set<std::pair<std::string, ContentId>> contents_;  // of models of the source
  std::map<ContentId, ContentId> ids_;                    // of entries, there and here
  ImportReport report_;
};

}  // namespace

Result<ExportReport> Export(const Archive& archive, std::span<const ArchivedModel> models,
                            const std::string& path, const Archive* without) {
  return Guarded(
      [&]() -> Result<ExportReport> {
        State& state = archive.state();
        const auto source = SourceOf(archive);
        PackHeader header;
        header.archive = state.id;
        header.flags = kBundle | (without ? uint32_t(kThin) : 0u);
        auto pack = PackWriter::Create(path, header);
        if (!pack) return tl::unexpected(std::move(pack.error()));
        ExportReport report;
        IdSet seen;
        ClosureVisitor visit;
        visit.name = state.folder;
        visit.record = [&](const ContentId& id, Fetched&) -> Result<void> {
          if (without && without->Has(id)) return {};
          auto raw = source->Raw(id);
          if (!raw) return tl::unexpected(std::move(raw.error()));
          (*pack)->Copy(raw->first, raw->second);
          ++report.records;
          return {};
        };
        const Fetch fetch = FetchFrom(state);
        std::vector<ContentId> entries;
        for (const ArchivedModel& model : models) {
          entries.push_back(model.entry);
          ++report.models;
          for (const ContentId& id : NeededIds(model))
            if (auto done = AddClosure(fetch, id, visit, &seen); !done)
              return tl::unexpected(std::move(done.error()));
        }
        const auto lines = models.empty() ? Result<std::vector<JournalLine>>() : archive.Journal(entries);
        if (!lines) return tl::unexpected(lines.error());
        Encoder encoder;
        for (const JournalLine& line : *lines) {
          const StoredContent stored = encoder.Encode(line.text, {Encoding::kZstd, 1, 9});
          auto added = (*pack)->Add(RecordKind::kEntry, line.id, line.text.size(), stored, line.ordinal);
          if (!added) return tl::unexpected(std::move(added.error()));
        }
        if (auto done = (*pack)->Finish(); !done) return tl::unexpected(std::move(done.error()));
        report.size = (*pack)->size();
        return report;
      },
      path);
}

Result<ImportReport> Import(Writer& writer, const std::string& path) {
  return Guarded(
      [&]() -> Result<ImportReport> {
        auto source = OpenSource(path);
        if (!source) return tl::unexpected(std::move(source.error()));
        return Importer(writer.state(), **source).Run();
      },
      path);
}

}  // namespace shlo::archive
