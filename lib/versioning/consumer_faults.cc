// Ops that consumers read and cannot compile, and ops that they should read and refuse.
#include "versioning/consumer_faults.h"

#include <algorithm>

#include "base/deadline.h"
#include "base/format.h"
#include "base/guarded.h"
#include "base/try.h"
#include "ir/blocker_list.h"
#include "ir/table/release.h"
#include "shlo/consumers.h"
#include "shlo/op_table.h"

namespace shlo {
namespace {

// An op that a consumer cannot compile if it needs a version or a newer one.
struct UncompiledOp {
  std::string_view name;
  Version since;
};

// Returns the ops among what a consumer cannot compile: "NAME@RELEASE".
Result<std::vector<UncompiledOp>> UncompiledOpsOf(const Consumer& consumer) {
  std::vector<UncompiledOp> ops;
  for (const std::string& text : consumer.uncompiled) {
    const size_t at = text.find('@');
    if (at == text.npos) continue;
    const auto release = ParseReleaseNumber(std::string_view(text).substr(at + 1));
    const Version since = release ? VersionOfRelease(*release) : Version();
    if (!since.valid() || since <= kFirstRelease)
      return Error(Code::kUsage,
                   StrFormat("'{}' has no release after {} and '@'", text, VersionName(kFirstRelease)));
    ops.push_back({std::string_view(text).substr(0, at), since});
  }
  return ops;
}

Version Before(Version version) { return Version{uint16_t(version.n - 1)}; }

class FaultFinder {
 public:
  FaultFinder(const Module& module, Version reader, const ConvertOptions& options)
      : m_(module), options_(options), found_(options.every_place, options.max_blockers) {
    for (const OpRevision& revision : OpRevisions())
      old_.push_back(!VhloName(RevisionId{uint16_t(old_.size())}).empty() && revision.until < reader);
  }

  Diagnostics Run() {
    for (uint32_t i = 1; i < m_.ops.size(); ++i) {
      Tick();
      if (!IsOld(m_.ops[i])) continue;
      if (const OpId around = OldOpAround(m_.ops[i])) Report(around, m_.ops[i]);
    }
    return found_.Finish();
  }

 private:
  bool IsOld(const Op& op) const { return m_.RevisionIdOf(op) && old_[m_.RevisionIdOf(op).v]; }

  // Returns the innermost op of an older revision around an op, if there is one.
  OpId OldOpAround(const Op& op) const {
    for (BlockId block = op.parent; block;) {
      const OpId around = m_.regions[m_.blocks[block.v].parent.v].parent;
      if (!around) return {};
      if (IsOld(m_.ops[around.v])) return around;
      block = m_.ops[around.v].parent;
    }
    return {};
  }

  void Report(OpId around, const Op& op) {
    const Op& outer = m_.ops[around.v];
    const Version last =
        std::max(RevisionOf(m_.RevisionIdOf(outer)).until, RevisionOf(m_.RevisionIdOf(op)).until);
    const std::string_view name = m_.NameOf(op), outside = m_.NameOf(outer);
    found_.Add(StrFormat("{}\n{}", name, outside), [&] {
      Diagnostic d;
      d.severity = Severity::kWarning;
      d.code = Code::kBlocked;
      d.place = PlaceOf(m_, around, options_.source);
      d.op = outside;
      d.version = Version{uint16_t(RevisionOf(m_.RevisionIdOf(outer)).until.n + 1)};
      d.message = StrFormat("StableHLO {} and later cannot read '{}' in the region of this op at version {}",
                            ShortVersionName(Version{uint16_t(last.n + 1)}), VhloName(m_.RevisionIdOf(op)),
                            VersionName(m_.version));
      d.hint =
          StrFormat("target {} or newer, or write another artifact for old readers", VersionName(d.version));
      return d;
    });
  }

  const Module& m_;
  const ConvertOptions& options_;
  BlockerList found_;
  std::vector<bool> old_;  // by RevisionId: whether the reader upgrades it
};

}  // namespace

Result<Version> CompiledVersionFor(const Consumer& consumer) {
  return Guarded([&]() -> Result<Version> {
    Version version = SHLO_TRY(VersionFor(consumer));
    const auto ops = SHLO_TRY(UncompiledOpsOf(consumer));
    for (const UncompiledOp& op : ops) version = std::min(version, Before(op.since));
    return version;
  });
}

Diagnostics UncompiledOps(const Module& module, const Consumer& consumer, const ConvertOptions& options) {
  const auto ops = UncompiledOpsOf(consumer);
  if (!ops) return ops.error();
  Diagnostics found;
  for (const UncompiledOp& op : *ops) {
    if (op.since > module.version) continue;
    for (Diagnostic& d : Blockers(module, Before(op.since), options)) {
      // Older versions lack more, which the consumer compiles.
      if (d.severity == Severity::kNote || d.op != op.name || d.version != op.since) continue;
      d.severity = Severity::kWarning;
      d.message = StrFormat("{} reads this, but cannot compile it: {}", NameOf(consumer), d.message);
      const size_t remedy = d.hint.find("pass ");
      d.hint = remedy == d.hint.npos ? "" : d.hint.substr(remedy);
      found.push_back(std::move(d));
      // An op may need the release for several of its attributes.
      if (!options.every_place) break;
    }
  }
  return found;
}

Diagnostics ReaderFaults(const Module& module, Version reader, const ConvertOptions& options) {
  return Guarded(options.limits, [&] { return FaultFinder(module, reader, options).Run(); });
}

}  // namespace shlo
