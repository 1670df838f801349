// Versions of the types and attributes that ops hold. One rule for readers and the verifier: what an op holds
// exists in the version of the program. For conversions see versioning/legality.h.
//
// Ops of other dialects, and kinds that occur only with them, do not depend on the version of VHLO, as for a
// conversion with --allow-other-dialects. Enum cases do wherever they are, because older readers fail on
// them. Locations do not: the reference implementation writes newer ones for older targets.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ir/module/node_versions.h"

namespace shlo {

// Returns whether the versions of VHLO do not apply to an op: a different dialect, and not builtin.module.
bool IsOfOtherDialect(const OpRow& row);
bool IsOfOtherDialect(RevisionId revision);
bool IsOfOtherDialect(const Module& module, ValueId value);

// A type, an attribute or an enum case in an op that does not exist in a version.
struct MissingNode {
  std::string name;            // "type 'f4E2M1FN'", "comparison_type 'WEAKORDER'"
  std::string where;           // "in attribute 'a'", "in the type of result 0"
  std::string_view attribute;  // "a"; "" for a type
  Version since, until;        // the versions in which it exists
};

// Computes the versions of what ops hold, for a module that must outlive it.
class OpNodes {
 public:
  explicit OpNodes(const Module& module)
      : module_(module), nodes_(module, NodeVersions::Rows::kAllowOtherDialects) {}

  // Returns the versions that have all types and attributes of an op.
  VersionSet Of(const Op& op);
  // Returns the types and attributes of an op that do not exist in `version`.
  std::vector<MissingNode> NotIn(const Op& op, Version version);

 private:
  template <typename VisitT>
  void Visit(const Op& op, VisitT&& visit);

  const Module& module_;
  NodeVersions nodes_;
  std::optional<NodeVersions> cases_;      // for ops of other dialects
  std::optional<NodeVersions> of_module_;  // for builtin.module
};

// Returns the versions that have all types and attributes of the ops of a module.
VersionSet VersionsOfNodes(const Module& module);
// Returns the name of a type or attribute in an op of the module that does not exist in `version`, or "".
std::string NodeNotIn(const Module& module, Version version);
// Returns whether all types and attributes of a module exist in `version`, whether an op holds them or not.
// Looks at each once, and not at the ops.
bool AllNodesIn(const Module& module, Version version);

}  // namespace shlo
