// Replaces packs: writes the records of them that are needed into new packs, with a census, and then removes
// the old ones. Shared by prune and repair.
#pragma once

#include <functional>
#include <set>

#include "archive/assemble.h"
#include "archive/writer_state.h"

namespace shlo::archive {

// A record to keep, and where it is.
struct KeptRecord {
  uint64_t sequence = 0;
  PackRecord record;
};

// Returns the stored bytes of a record that its pack does not have any more, with the header that goes with
// them.
using Substitute = std::function<Result<std::pair<RecordHeader, std::string>>(const RecordHeader& header)>;

// Replaces packs. `kept` lists the records to write, in order. A record that is damaged comes from
// `substitute`, if given; else the rewrite fails before anything is replaced. The writer must have added
// nothing. `work_done`, if given, receives the number of records that were written.
Result<void> ReplacePacks(WriterState& writer, const std::set<uint64_t>& packs,
                          std::span<const KeptRecord> kept, const Substitute& substitute,
                          WorkDone* work_done = nullptr);

// Removes the files of packs that were replaced.
void RemoveReplaced(State& state, const std::set<uint64_t>& packs);

// Returns the tables of contents of the packs that count.
Result<std::map<uint64_t, PackIndex>> ReadIndexes(State& state);

// Returns the ids that models need, and all that these need.
Result<IdSet> AllNeeded(State& state, const Archive& archive);

}  // namespace shlo::archive
