#include "archive/scrub_pack.h"

#include <algorithm>
#include <new>

#include "archive/journal.h"
#include "archive/list_record.h"

namespace shlo::archive {
namespace {

// Returns what is wrong with the content of a record; "" for nothing.
std::string ContentProblem(const RecordHeader& header, const std::string& content) {
  if (header.kind == RecordKind::kList) {
    return ReadList(content) ? "" : "a list is malformed";
  }
  if (IdOf(content) != header.id) return "the content of a record is not the one that its id names";
  if (header.kind == RecordKind::kEntry && !IsWellFormed(header.id, content)) return "an entry is malformed";
  if (header.kind == RecordKind::kCensus && !ReadCensus(content)) return "a census is malformed";
  return "";
}

ScrubbedPack Read(const State& state, uint64_t sequence, bool records, bool content,
                  const std::function<void(uint64_t bytes)>& read) {
  ScrubbedPack out;
  const std::string path = state.PackPath(sequence);
  auto pack = FileSource::Open(path);
  auto index = pack ? ReadPackIndex(**pack, path) : tl::make_unexpected(pack.error());
  if (!index) {
    out.findings.push_back({0, index.error()[0].message, {}, true, true});
    return out;
  }
  out.header = index->header;
  out.hash = index->hash;
  out.bytes = index->size;
  out.readable = Problem(index->header).empty();
  std::vector<ContentId> all;
  for (const PackRecord& record : index->records) all.push_back(record.header.id);
  for (const PackDamage& damage : index->damage) {
    // Records after the place where a walk ended are lost.
    out.findings.push_back({damage.offset, damage.what, all, false, true});
  }
  if (out.readable && (index->header.archive != state.id || index->header.sequence != sequence ||
                       (index->header.flags & kBundle)))
    out.findings.push_back({0, "the pack does not belong here", all, false, true});
  for (const PackRecord& record : index->records) {
    const bool wanted = records || record.header.kind == RecordKind::kCensus;
    if (!wanted) continue;
    ++out.records;
    auto stored = ReadStored(**pack, path, record, /*whole=*/true);
    if (!stored) {
      // The header has a copy in the index, so that the content may be whole.
      const bool whole = ReadStored(**pack, path, record).has_value();
      out.findings.push_back({record.offset, stored.error()[0].message, {record.header.id}, !whole});
    } else if (content || record.header.kind != RecordKind::kData) {
      auto decoded = DecodeRecord(path, record, std::move(*stored));
      const std::string problem =
          decoded ? ContentProblem(record.header, *decoded) : decoded.error()[0].message;
      if (!problem.empty()) out.findings.push_back({record.offset, problem, {record.header.id}, true});
      if (decoded && record.header.kind == RecordKind::kCensus)
        if (auto census = ReadCensus(*decoded)) out.census[sequence] = std::move(*census);
    }
    if (read) read(sizeof(RecordHeader) + record.header.stored);
  }
  std::ranges::stable_sort(out.findings, {}, &PackFinding::offset);
  return out;
}

}  // namespace

ScrubbedPack ScrubPack(const State& state, uint64_t sequence, bool content,
                       const std::function<void(uint64_t bytes)>& read) {
  return Read(state, sequence, /*records=*/true, content, read);
}

ScrubbedPack ReadPackHead(const State& state, uint64_t sequence) {
  return Read(state, sequence, /*records=*/false, /*content=*/false, {});
}

}  // namespace shlo::archive
