// Writes frozen data: the facts of new versions, and witnesses.
#include <algorithm>

#include "base/format.h"
#include "base/guarded.h"
#include "base/try.h"
#include "gate/compare.h"
#include "gate/witness.h"
#include "ir/module/sample.h"
#include "serialize/text/program_style.h"
#include "shlo/text_writer.h"

namespace shlo::gate {
namespace {

// Versions from which on programs look different: in bytecode, or in text.
bool IsMilestone(Version version) {
  const VersionRow* row = FindVersion(version);
  for (const VersionRow& before : VersionLine())
    if (before.version.n + 1 == version.n && before.bytecode_format != row->bytecode_format) return true;
  return std::ranges::any_of(text::TextChanges(),
                             [&](const auto& change) { return change.since == version; });
}

class Freezer {
 public:
  Freezer(const Limits& limits, Version newest) : limits_(limits), newest_(newest) {}

  // Samples of all ops, where their revisions begin. At milestones, those of some ops: another eighth of them
  // at each.
  void AddSamples(Version version) {
    const bool milestone = IsMilestone(version);
    for (uint16_t r = 1; r < OpRows().size(); ++r) {
      const RevisionId revision = RevisionAt(RowId{r}, version);
      if (!revision) continue;
      const OpRevision& rev = RevisionOf(revision);
      const bool begins =
          rev.since == version || (rev.since < kFirstRelease && version == kFirstRelease) ||
          std::ranges::any_of(rev.conditions, [&](const Cell& c) { return c.x + 1 == version.n; });
      for (const SampleVariant& variant : SampleVariants(RowId{r}, version)) {
        const bool whole =
            variant.kind == SampleVariant::kDefaults && RowOf(RowId{r}).wire_id % 8 == version.n % 8;
        if (version < kFirstRelease ? variant.kind != SampleVariant::kAbsent || rev.since != version
                                    : !begins && !(milestone && whole))
          continue;
        const Module module = MakeSample(RowId{r}, version, variant);
        Source source;
        source.version_written = true;
        if (const auto text = WriteText(module, {.source = &source}))
          Add(std::string(RowOf(RowId{r}).name), *text, version);
      }
    }
  }

  void Add(const std::string& subject, const std::string& text, Version version) {
    const std::string key = StrFormat("{} {} {}", subject, version.n, HashOf(text));
    if (witnesses.contains(key)) return;
    const WitnessParts parts =
        Replay(text, {.version = version, .newest = newest_, .results = {}, .limits = limits_});
    for (const auto& [part, value] : parts) facts.Add(part, key, value, version, newest_);
    witnesses[key] = {version, newest_, text, 0};
  }

  Facts facts;
  std::map<std::string, Witness> witnesses;

 private:
  Limits limits_;
  Version newest_;
};

Result<std::vector<ReleasedFile>> Freeze(std::span<const ReleasedFile> released,
                                         std::span<const WitnessSource> programs, const Limits& limits) {
  const auto before = SHLO_TRY(StateOf(released));
  if (before.last >= kCurrentVersion)
    return Error(Code::kUsage,
                 StrFormat("every version is frozen already; the newest is {}", VersionName(before.last)), {},
                 "add a row to schema/versions.inc first");
  Freezer freezer(limits, kCurrentVersion);
  AddTableFacts(freezer.facts);
  AddFormatFacts(freezer.facts);
  for (const VersionRow& row : VersionLine())
    if (row.version > before.last) freezer.AddSamples(row.version);
  for (const WitnessSource& program : programs)
    freezer.Add(SubjectOf(program.text, kCurrentVersion), program.text, kCurrentVersion);
  return WriteReleases(StablehloVersions(), before, freezer.facts, freezer.witnesses);
}

}  // namespace

Result<FrozenState> StateOf(std::span<const ReleasedFile> released) {
  FrozenState out;
  if (released.empty()) return out;
  const auto frozen = SHLO_TRY(ReadReleased(released));
  out.last = frozen.newest();
  out.checksum = frozen.last_checksum;
  for (const auto& [name, runs] : frozen.facts.all)
    if (const FactRun* run = frozen.facts.At(name.first, name.second, out.last))
      if (!IsWitnessPart(name.first)) out.facts[name] = run->value;
  return out;
}

std::vector<ReleasedFile> WriteReleases(const Versions& versions, FrozenState state, const Facts& facts,
                                        const std::map<std::string, Witness>& witnesses) {
  std::vector<ReleasedFile> out;
  for (const Versions::Row& row : versions.rows) {
    if (row.version <= state.last) continue;
    ReleasedFile file{FileNameOf(row), {}};
    file.bytes = WriteRelease(row, facts, witnesses, state.checksum, &state.facts);
    state.checksum = ChecksumOf(file.bytes);
    out.push_back(std::move(file));
  }
  return out;
}

}  // namespace shlo::gate

namespace shlo {

Result<std::vector<ReleasedFile>> FreezeReleases(std::span<const ReleasedFile> released,
                                                 std::span<const WitnessSource> programs,
                                                 const Limits& limits) {
  return Guarded(limits, [&] { return gate::Freeze(released, programs, limits); });
}

}  // namespace shlo
