// Computes the set of versions that can represent each type, attribute, location and op of a module, and the
// reasons why a target cannot. Convert() does the rewriting. A set is one word of bits and every node is
// visited once, so this takes one pass over the program.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ir/blocker_list.h"
#include "ir/module/op_nodes.h"
#include "shlo/convert.h"
#include "shlo/module.h"
#include "versioning/steps.h"

namespace shlo {

// Answers questions about the versions that can represent a module, which must outlive it.
class Legality {
 public:
  Legality(const Module& module, const ConvertOptions& options);

  // Returns the versions that can represent a type, with everything inside it.
  VersionSet OfType(TypeId type) { return nodes_.OfType(type); }
  // The same for an attribute (not as a location) outside of the attributes of ops, such as metadata of a
  // location.
  VersionSet OfAttr(AttrId attr) { return nodes_.OfAttr(attr); }
  // Returns the versions that can represent an op, ignoring the types of its operands, results and blocks.
  VersionSet OfOp(const Op& op);
  // Returns the versions that can represent the program.
  VersionSet OfModule();
  // Returns whether OfModule() has `target`, in less time.
  bool ModuleHas(Version target);

  // Explains why `target` cannot represent an op, without duplicates.
  void Explain(OpId id, Version target, BlockerList* found);
  // Lets the reasons of these ops suggest --expand, unless they are about types.
  void SuggestExpansion(std::span<const OpId> ops);

 private:
  struct Reason {
    VersionSet legal = 0;  // versions that this reason does not block
    std::string message;
    std::string hint;
    std::string cause;  // what other ops may have, too; empty: the message
    uint64_t key = 0;   // reasons of one op with the same key are merged; 0: never merged
    bool of_type = false;
  };

  bool HasNoVersion(const Op& op) const;
  VersionSet OfCases(const Op& op);
  VersionSet OfTypes(const Op& op);
  template <typename VisitT>
  bool VisitOps(VisitT&& visit);
  // Returns the table for the attributes of an op.
  NodeVersions& AttrsOf(const Op& op);
  VersionSet OfAttrs(const Op& op, std::span<const AttrId> inherent_attrs);
  VersionSet OfRevision(const Op& op, RevisionId revision, std::span<const AttrId> inherent_attrs);
  bool OpHas(const Op& op, Version target, bool all_nodes);
  void ExplainOp(const Op& op, Version target);
  void ExplainRevision(const Op& op, const OpDraft& draft, Version target);
  void ExplainNode(NodeVersions& nodes, uint32_t node, Version target, const std::string& where);
  void ExplainType(TypeId type, Version target, const std::string& where);
  void ExplainAttr(NodeVersions& nodes, std::string_view name, AttrId attr, Version target);
  void ExplainCases(const Op& op, Version target);
  void AddReason(VersionSet legal, std::string message, std::string hint = {}, std::string cause = {},
                 uint64_t key = 0);
  Diagnostic ToDiagnostic(OpId id, Version target, Reason* reason) const;
  // Returns whether --expand helps.
  bool Suggests(OpId id, const Reason& reason) const;

  const Module& module_;
  const Source* const source_;
  const bool allow_other_dialects_;
  NodeVersions nodes_;
  // For the attributes of VHLO ops in portable artifacts. Set only if that is wanted.
  std::optional<NodeVersions> portable_;
  // For the attributes of builtin.module. Set when first asked for.
  std::optional<NodeVersions> of_module_;
  // The enum cases of ops that --allow-other-dialects exempts otherwise. Set only if the module has dated
  // cases.
  std::optional<NodeVersions> cases_;
  std::vector<VersionSet> revision_sets_;  // by RevisionId: the interval, with other dialects considered
  std::vector<bool> depends_;              // by RevisionId: whether more than its interval decides
  std::vector<Reason> reasons_;
  std::vector<bool> expandable_;  // by op; empty: none
  std::vector<uint32_t> seen_;    // by node: the search that saw it last
  uint32_t search_ = 0;
  OpDraft draft_;
};

}  // namespace shlo
