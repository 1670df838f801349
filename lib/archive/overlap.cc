// Which content two models share.
#include <unordered_map>

#include "archive/assemble.h"
#include "archive/journal.h"
#include "base/guarded.h"
#include "base/try.h"
#include "shlo/archive_work.h"

namespace shlo::archive {
namespace {

using Sizes = std::unordered_map<ContentId, uint64_t, IdHash>;

// Returns the data records that a model needs, with the sizes of their contents.
Result<Sizes> PiecesOf(const Archive& archive, const ArchivedModel& model) {
  State& state = archive.state();
  IdSet ids;
  ClosureVisitor visit;
  visit.name = state.folder;
  visit.leaf = [&](const ContentId& id) { return IsData(state, id); };
  for (const ArchivedForm& form : model.forms)
    for (const ArchivedFile& file : form.files) {
      if (form.removed) continue;
      SHLO_TRY(AddClosure(FetchFrom(state), file.id, visit, &ids));
    }
  Sizes sizes;
  const std::lock_guard lock(state.mutex);
  for (const ContentId& id : ids) {
    const auto size = SHLO_TRY(state.catalog->DataSize(id));
    if (size) sizes[id] = size;
  }
  return sizes;
}

}  // namespace

Result<ContentOverlap> CompareContent(const Archive& archive, const ArchivedModel& a,
                                      const ArchivedModel& b) {
  return Guarded([&]() -> Result<ContentOverlap> {
    const auto of_a = SHLO_TRY(PiecesOf(archive, a));
    const auto of_b = SHLO_TRY(PiecesOf(archive, b));
    ContentOverlap out;
    for (const auto& [id, size] : of_a) {
      out.a += size;
      if (of_b.contains(id)) out.shared += size;
    }
    for (const auto& [id, size] : of_b) out.b += size;
    return out;
  });
}

}  // namespace shlo::archive
