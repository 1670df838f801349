// Prune: frees the space of what nothing needs.
#include <algorithm>

#include "archive/rewrite.h"
#include "base/guarded.h"
#include "base/try.h"
#include "shlo/archive_work.h"

namespace shlo::archive {
namespace {

// The plan for one pack.
struct PackPlan {
  uint64_t size = 0, needed = 0;  // bytes
  std::vector<PackRecord> kept;
  uint64_t dropped = 0;  // records
};

// Prunes with a writer, or only plans without one.
Result<PruneReport> PruneWith(const Archive& archive, Writer* writer, const PruneOptions& options) {
  State& state = archive.state();
  auto indexes = SHLO_TRY(ReadIndexes(state));
  const auto needed = SHLO_TRY(AllNeeded(state, archive));
  PruneReport report;
  IdSet seen;
  std::map<uint64_t, PackPlan> plans;
  for (const auto& [sequence, index] : indexes) {
    PackPlan& plan = plans[sequence];
    plan.size = index.size;
    ++report.packs_before;
    report.size_before += index.size;
    for (const PackRecord& record : index.records) {
      const RecordHeader& h = record.header;
      const bool wanted =
          h.kind == RecordKind::kEntry || (h.kind != RecordKind::kCensus && needed.contains(h.id));
      // A record that is there twice is needed once.
      if (!wanted || !seen.insert(h.id).second) {
        plan.dropped += h.kind != RecordKind::kCensus;
        continue;
      }
      plan.needed += sizeof h + h.stored;
      plan.kept.push_back(record);
    }
  }
  std::set<uint64_t> replaced;
  size_t small = 0;
  for (const auto& [sequence, plan] : plans) {
    const bool is_small = plan.size < options.small;
    small += is_small;
    const double garbage = double(plan.size - std::min(plan.size, plan.needed)) / double(plan.size);
    if (is_small || plan.kept.empty() || (plan.dropped > 0 && garbage >= options.garbage))
      replaced.insert(sequence);
  }
  // A single small pack without garbage would become what it is.
  if (replaced.size() == 1 && small == 1 && plans[*replaced.begin()].dropped == 0) replaced.clear();
  std::vector<KeptRecord> kept;
  uint64_t size_after = report.size_before;
  for (const uint64_t sequence : replaced) {
    const PackPlan& plan = plans[sequence];
    size_after -= plan.size - std::min(plan.size, plan.needed);
    report.removed_records += plan.dropped;
    for (const PackRecord& record : plan.kept) kept.push_back({sequence, record});
  }
  report.rewritten = replaced.size();
  report.size_after = size_after;
  report.packs_after = report.packs_before - replaced.size() + (kept.empty() ? 0 : 1);
  if (replaced.empty()) report.packs_after = report.packs_before;
  if (!writer || replaced.empty()) return report;
  SHLO_TRY(ReplacePacks(writer->state(), replaced, kept, {}, options.work_done));
  SHLO_TRY(writer->Commit());
  RemoveReplaced(state, replaced);
  const auto stats = SHLO_TRY(archive.Stats());
  report.packs_after = stats.packs;
  report.size_after = stats.packs_size;
  return report;
}

}  // namespace

Result<PruneReport> Prune(const Archive& archive, const WriterOptions& writer_options,
                          const PruneOptions& options) {
  return Guarded(
      [&]() -> Result<PruneReport> {
        if (!options.dry_run) {
          auto writer = SHLO_TRY(Writer::Begin(archive, writer_options));
          return PruneWith(archive, &writer, options);
        }
        // Without the lock, writers may remove packs before they are read.
        while (true) {
          const uint64_t moment = archive.state().moment;
          auto report = PruneWith(archive, nullptr, options);
          if (report) return report;
          const auto again = ReadAgain(archive.state(), moment);
          if (!again || !*again) return report;
        }
      },
      archive.folder());
}

}  // namespace shlo::archive
