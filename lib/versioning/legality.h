// Which versions can say what: for each type, attribute, location and op of a module the set of versions of
// the line in which it exists, and the reasons why not. Not for rewriting (convert.cc). Sets are bits of
// one word, every node is looked at once, so the whole question costs one pass over the program.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ir/module/node_versions.h"
#include "shlo/convert.h"
#include "shlo/module.h"
#include "versioning/steps.h"

namespace shlo {

class Legality {
 public:
  Legality(const Module& module, const ConvertOptions& options);

  // Versions that can say a type, or an attribute (not as a location), with everything inside it.
  VersionSet OfType(TypeId type) { return nodes_.OfType(type); }
  VersionSet OfAttr(AttrId attr) { return nodes_.OfAttr(attr); }
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
  VersionSet OfCases(const Op& op);
  VersionSet OfRevision(const Op& op, const OpRevision& revision, std::span<const AttrId> inherent_attrs);
  void ExplainOp(const Op& op, Version target);
  void ExplainRevision(const Op& op, const OpDraft& draft, Version target);
  void ExplainNode(NodeVersions& nodes, uint32_t node, Version target, const std::string& where);
  void ExplainType(TypeId type, Version target, const std::string& where);
  void ExplainAttr(NodeVersions& nodes, std::string_view name, AttrId attr, Version target);
  void ExplainCases(const Op& op, Version target);
  void AddReason(VersionSet legal, std::string message, std::string hint = {}, uint64_t key = 0);
  Diagnostic ToDiagnostic(OpId id, Version target, Reason* reason) const;

  const Module& module_;
  const Source* const source_;
  const bool allow_other_dialects_;
  NodeVersions nodes_;
  // For ops that are let in as they are, whose enum cases are not: only if the module has dated cases.
  std::optional<NodeVersions> cases_;
  std::vector<VersionSet> revision_sets_;  // by RevisionId: the interval, with other dialects considered
  std::vector<Reason> reasons_;
  std::vector<uint32_t> seen_;  // by node: the search that saw it last
  uint32_t search_ = 0;
  OpDraft draft_;
};

// Ops in program order, each before what its regions hold.
std::vector<OpId> ProgramOrder(const Module& module);

}  // namespace shlo
