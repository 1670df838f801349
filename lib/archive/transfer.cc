// Export: models that go to another archive (docs/archive-format.md, section 8).
#include <fmt/format.h>

#include <algorithm>

#include "archive/record_source.h"
#include "archive/writer_state.h"
#include "base/guarded.h"
#include "shlo/archive_work.h"

namespace shlo::archive {

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
          // Acceptance by this archive means nothing to another one.
          if (line.type == "accept") continue;
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

}  // namespace shlo::archive
