// Puts together the bytes of an id, and walks the records that it needs.
#pragma once

#include <functional>
#include <string>
#include <unordered_set>

#include "archive/list_record.h"
#include "archive/state.h"

namespace shlo::archive {

// Returns the record of an id.
using Fetch = std::function<Result<Fetched>(const ContentId& id)>;
// Returns the records of an archive, which must outlive it.
Fetch FetchFrom(State& state);

// Returns the size of the bytes of an id, as its record states it.
Result<uint64_t> StatedSize(State& state, const ContentId& id);

// Returns the size of the bytes of an id, as the record that `fetch` returns states it.
Result<uint64_t> SizeOf(const Fetch& fetch, const ContentId& id, const std::string& name);

// Returns the bytes of an id: in memory, or in a temporary file if they are many. `name` is that of the
// result, `where` that of what has the records.
Result<InputFile> AssembleFile(const Fetch& fetch, const ContentId& id, const std::string& name,
                               const std::string& where);

// Passes the bytes of an id to a sink, in pieces, and compares them with the id at the end. `name` is for
// diagnostics. Returns their number.
Result<uint64_t> Assemble(const Fetch& fetch, const ContentId& id, const Sink& sink, const std::string& name);

using IdSet = std::unordered_set<ContentId, IdHash>;

// Adds an id to a set, and all that it needs, each after what it needs. Calls visit for those that are new,
// with their record; or missing, with why there is none.
struct ClosureVisitor {
  std::string name;  // of what has the records, for diagnostics
  std::function<Result<void>(const ContentId& id, Fetched& record)> record;
  std::function<Result<void>(const ContentId& id, const Diagnostics& why)> missing;
  // Returns whether an id needs nothing else, as far as is known: its record is not read then.
  std::function<bool(const ContentId& id)> leaf;
};
// Returns whether the catalog has an id as data.
bool IsData(State& state, const ContentId& id);
Result<void> AddClosure(const Fetch& fetch, const ContentId& id, const ClosureVisitor& visit, IdSet* ids);

}  // namespace shlo::archive
