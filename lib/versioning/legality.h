// Which versions can say what: for each type, attribute, location and op of a module the set of versions of
// the line in which it exists, and the reasons why not. Not for rewriting (convert.cc). Sets are bits of
// one word, every node is looked at once, so the whole question costs one pass over the program.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "shlo/convert.h"
#include "shlo/module.h"
#include "versioning/steps.h"

namespace shlo {

// A set of versions: bit 0 is the oldest of the line.
using VersionSet = uint64_t;
static_assert(kCurrentVersion.n - kMinimumVersion.n < 64, "the line outgrew a word");

constexpr VersionSet Since(Version v) {
  return v <= kMinimumVersion ? ~0ull : v.n - kMinimumVersion.n > 63 ? 0 : ~0ull << (v.n - kMinimumVersion.n);
}
constexpr VersionSet Between(Version first, Version last) {
  return Since(first) & ~Since(Version{uint16_t(last.n + 1)});
}
constexpr VersionSet kAllVersions = Between(kMinimumVersion, kCurrentVersion);
constexpr bool Has(VersionSet set, Version v) {
  return (Since(v) & ~Since(Version{uint16_t(v.n + 1)}) & set) != 0;
}

// The first release in which programs may hold ops of other dialects.
inline constexpr Version kOtherDialects{64};

class Legality {
 public:
  Legality(const Module& module, const ConvertOptions& options);

  // Versions that can say a type, or an attribute (not as a location), with everything inside it.
  VersionSet OfType(TypeId type) { return Of(type.v); }
  VersionSet OfAttr(AttrId attr) { return attr ? Of(attr.v + num_types_) : kAllVersions; }
  // Versions that can say an op, but for the types of its operands, results and blocks.
  VersionSet OfOp(const Op& op);
  // Versions that can say the program.
  VersionSet OfModule();

  // Everything about an op that hinders `target`, each reason once: up to `room` of them as diagnostics.
  // Returns how many there are.
  size_t Explain(OpId id, Version target, size_t room, Diagnostics* found);

 private:
  struct Reason {
    VersionSet legal = 0;  // versions that this reason does not hinder
    std::string message;
    std::string hint;
    uint64_t key = 0;  // reasons of one op with the same key are one reason; 0: always its own
  };

  bool HasNoVersion(const Op& op) const;
  bool IsOfOtherDialects(ValueId value) const;
  VersionSet OwnSet(uint32_t node) const;
  VersionSet Of(uint32_t node);
  VersionSet OfRevision(const Op& op, const OpRevision& revision, std::span<const AttrId> inherent_attrs);
  void ExplainOp(const Op& op, Version target);
  void ExplainRevision(const Op& op, const OpDraft& draft, Version target);
  void ExplainNode(uint32_t node, Version target, const std::string& where);
  void ExplainType(TypeId type, Version target, const std::string& where);
  void ExplainAttr(std::string_view name, AttrId attr, Version target);
  void AddReason(VersionSet legal, std::string message, std::string hint = {}, uint64_t key = 0);
  Diagnostic ToDiagnostic(OpId id, Version target, Reason* reason) const;
  std::string NodeName(uint32_t node) const;

  const Module& module_;
  const Source* const source_;
  const bool allow_other_dialects_;
  // Types and attributes are numbered as one: attributes follow the types.
  const uint32_t num_types_;
  std::vector<VersionSet> sets_;  // by node; 0: not looked at yet
  std::vector<uint32_t> stack_;
  std::vector<VersionSet> revision_sets_;  // by RevisionId: the interval, with other dialects considered
  std::vector<Reason> reasons_;
  std::vector<uint32_t> seen_;  // by node: the search that saw it last
  uint32_t search_ = 0;
  OpDraft draft_;
};

// Ops in program order, each before what its regions hold.
std::vector<OpId> ProgramOrder(const Module& module);

}  // namespace shlo
