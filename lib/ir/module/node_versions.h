// Versions of types and attributes: for each node of a module, the set of versions in which it exists, with
// everything inside it. A set is one word of bits, and every node is visited once. For what ops hold see
// op_nodes.h.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ir/module/node_words.h"
#include "shlo/module.h"

namespace shlo {

// A set of versions: bit 0 is the oldest known version.
using VersionSet = uint64_t;

constexpr VersionSet Since(Version v) {
  return v <= kMinimumVersion ? ~0ull : v.n - kMinimumVersion.n > 63 ? 0 : ~0ull << (v.n - kMinimumVersion.n);
}
constexpr VersionSet Between(Version first, Version last) {
  return Since(first) & ~Since(Version{uint16_t(last.n + 1)});
}
extern const VersionSet kAllVersions;
constexpr bool Has(VersionSet set, Version v) {
  return (Since(v) & ~Since(Version{uint16_t(v.n + 1)}) & set) != 0;
}
// Return the oldest and the newest version of a non-empty set.
Version Oldest(VersionSet set);
Version Newest(VersionSet set);

// The first release in which programs may hold ops of other dialects.
inline constexpr Version kOtherDialects{64};

// Returns whether VHLO has an equivalent of an attribute, ignoring its contents. Others are let
// into VHLO ops from kOtherDialects on, or on request.
bool HasVhlo(const Module& module, AttrId attr);

// Computes the versions of the types and attributes of a module, which must outlive it.
class NodeVersions {
 public:
  // The rows to consider. kAllowOtherDialects ignores the versions of kinds that occur only with other
  // dialects. kPortable restricts attributes to those that VHLO ops may hold in portable artifacts. kCases
  // considers only enum cases that do not exist in all versions of their enum. kModule is for the attributes
  // of builtin.module, which artifacts hold in MLIR's own encoding: i2 is newer in VHLO than in MLIR.
  enum class Rows : uint8_t {
    kAll,
    kAllowOtherDialects,
    kPortable,
    kCases,
    kModule,
    kModuleAllowOtherDialects,
  };

  NodeVersions(const Module& module, Rows rows);

  // Returns the versions of a kind.
  static VersionSet OfKind(const KindRow& row, Rows rows);
  // Returns the versions that have a type or an attribute (not as a location), with everything inside it.
  VersionSet OfType(TypeId type) { return Of(type.v); }
  VersionSet OfAttr(AttrId attr) { return attr ? Of(attr.v + num_types_) : kAllVersions; }

  // Nodes number types and attributes together: attributes follow the types.
  uint32_t NodeOf(TypeId type) const { return type.v; }
  uint32_t NodeOf(AttrId attr) const { return attr.v + num_types_; }
  bool IsType(uint32_t node) const { return node < num_types_; }
  size_t size() const { return sets_.size(); }
  VersionSet Of(uint32_t node);
  // Returns whether all nodes exist in `version`.
  bool AllHave(Version version) const;
  // Returns the versions that have the node, ignoring its contents.
  VersionSet Own(uint32_t node) const;
  // Calls visit(node) for the types and attributes of a node.
  template <typename VisitT>
  void VisitChildren(uint32_t node, VisitT&& visit) const {
    const auto types = [&](TypeId id) { id ? visit(NodeOf(id)) : void(); };
    const auto attrs = [&](AttrId id) { id && !(IsType(node) && IsBounds(id)) ? visit(NodeOf(id)) : void(); };
    if (IsType(node)) {
      const auto view = module_.types[TypeId(node)];
      ForEachChild(RowOf(view.kind), view.words, types, attrs);
    } else {
      const auto view = module_.attrs[AttrId(node - num_types_)];
      ForEachChild(RowOf(view.kind), view.words, types, attrs);
    }
  }
  // Returns the case of an enum attribute that does not exist in all versions of the enum; nullptr for other
  // nodes.
  const EnumCase* CaseOf(uint32_t node) const;
  // Returns an innermost node of `root` that does not exist in `version`.
  uint32_t InnermostNotIn(uint32_t root, Version version);
  // Returns "type 'f4E2M1FN'", "attribute kind 'stablehlo.mesh'", "comparison_type 'WEAKORDER'".
  std::string Describe(uint32_t node) const;

 private:
  // Bounds belong to a tensor type and exist in all its versions. As an attribute on their own, they have no
  // equivalent in VHLO.
  bool IsBounds(AttrId attr) const { return module_.attrs.KindOf(attr) == AttrKind::kTypeExtensions; }

  const Module& module_;
  const Rows rows_;
  const uint32_t num_types_;
  std::vector<VersionSet> sets_;  // by node; 0: not computed yet
  std::vector<uint32_t> stack_;
};

// A dated case is an enum case that does not exist in all versions of its enum.

// Returns the dated case of an enum attribute, or nullptr.
const EnumCase* DatedCase(AttrKind kind, std::span<const uint64_t> words);
// Returns whether the attribute in a cell is an integer of class kApiVersion.
bool HasDatedApiVersions(const Cell& cell);
// Returns the dated case of such an attribute, or nullptr, also for others.
const EnumCase* DatedApiVersion(const Module& module, const Cell& cell, AttrId attr);
// Returns the versions that have all dated cases of a module.
VersionSet VersionsOfCases(const Module& module);
// Returns "comparison_type 'WEAKORDER'".
std::string DescribeCase(AttrKind kind, const EnumCase& c);

}  // namespace shlo
