// Export: models that go to another archive (docs/archive-format.md, section 8).
#include <fmt/format.h>

#include <algorithm>

#include "archive/record_source.h"
#include "archive/writer_state.h"
#include "base/guarded.h"
#include "base/try.h"
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
        auto pack = SHLO_TRY(PackWriter::Create(path, header));
        ExportReport report;
        IdSet seen;
        ClosureVisitor visit;
        visit.name = state.folder;
        visit.record = [&](const ContentId& id, Fetched&) -> Result<void> {
          if (without && without->Has(id)) return {};
          auto raw = SHLO_TRY(source->Raw(id));
          pack->Copy(raw.first, raw.second);
          ++report.records;
          return {};
        };
        const Fetch fetch = FetchFrom(state);
        std::vector<ContentId> entries;
        for (const ArchivedModel& model : models) {
          entries.push_back(model.entry);
          ++report.models;
          for (const ContentId& id : NeededIds(model)) SHLO_TRY(AddClosure(fetch, id, visit, &seen));
        }
        const auto lines =
            SHLO_TRY(models.empty() ? Result<std::vector<JournalLine>>() : archive.Journal(entries));
        Encoder encoder;
        for (const JournalLine& line : lines) {
          // Acceptance by this archive means nothing to another one.
          if (line.type == "accept") continue;
          const StoredContent stored = encoder.Encode(line.text, {Encoding::kZstd, 1, 9});
          SHLO_TRY(pack->Add(RecordKind::kEntry, line.id, line.text.size(), stored, line.ordinal));
        }
        SHLO_TRY(pack->Finish());
        report.size = pack->size();
        return report;
      },
      path);
}

}  // namespace shlo::archive
