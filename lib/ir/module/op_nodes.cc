#include "ir/module/op_nodes.h"

#include <algorithm>
#include <array>

#include "base/format.h"

namespace shlo {

bool IsOfOtherDialect(const OpRow& row) { return !row.vhlo && row.name != "builtin.module"; }

bool IsOfOtherDialect(RevisionId revision) { return !revision || IsOfOtherDialect(RowOf(revision)); }

bool IsOfOtherDialect(const Module& m, ValueId id) {
  const Value& value = m.values[id.v];
  OpId owner = value.op;
  if (!owner && value.block) owner = m.regions[m.blocks[value.block.v].parent.v].parent;
  return owner && IsOfOtherDialect(m.RevisionIdOf(m.ops[owner.v]));
}

// Calls visit(nodes, node, what, index) for a type, visit(nodes, node, name) for an attribute, and
// visit(case, name) for an integer that is an enum case in VHLO.
template <typename VisitT>
void OpNodes::Visit(const Op& op, VisitT&& visit) {
  const RevisionId revision = module_.RevisionIdOf(op);
  const bool other = IsOfOtherDialect(revision);
  if (other && !cases_) cases_.emplace(module_, NodeVersions::Rows::kCases);
  const bool builtin = !other && !RowOf(revision).vhlo;
  if (builtin && !of_module_) of_module_.emplace(module_, NodeVersions::Rows::kModuleAllowOtherDialects);
  NodeVersions& nodes = other ? *cases_ : builtin ? *of_module_ : nodes_;
  if (revision) {
    const auto values = module_.InherentAttrsOf(op);
    const auto cells = RevisionOf(revision).attrs;
    for (size_t i = 0; i < values.size(); ++i) {
      if (!values[i]) continue;
      visit(nodes, nodes.NodeOf(values[i]), cells[i].name);
      if (const EnumCase* dated = DatedApiVersion(module_, cells[i], values[i])) visit(*dated, cells[i].name);
    }
  }
  for (const NamedAttr& attr : module_.DiscardableAttrsOf(op))
    if (attr.value) visit(nodes, nodes.NodeOf(attr.value), module_.strings[attr.name]);
  const auto value = [&](ValueId id, std::string_view what, size_t i) {
    if (const TypeId type = module_.TypeOf(id)) visit(nodes, nodes.NodeOf(type), what, i);
  };
  // Other operands are results and block arguments of ops that are visited as well.
  const auto operands = module_.OperandsOf(op);
  for (size_t i = 0; !other && i < operands.size(); ++i)
    if (IsOfOtherDialect(module_, operands[i])) value(operands[i], "operand", i);
  for (uint32_t i = 0; i < module_.NumResults(op); ++i) value(module_.ResultOf(op, i), "result", i);
  for (RegionId region : module_.RegionsOf(op))
    for (BlockId block : module_.BlocksOf(region))
      for (uint32_t i = 0; i < module_.blocks[block.v].args.count; ++i)
        value(module_.ArgOf(block, i), "block argument", i);
}

namespace {

template <typename... Ts>
struct Overloaded : Ts... {
  using Ts::operator()...;
};
template <typename... Ts>
Overloaded(Ts...) -> Overloaded<Ts...>;

}  // namespace

VersionSet OpNodes::Of(const Op& op) {
  VersionSet set = kAllVersions;
  Visit(op, Overloaded{
                [&](NodeVersions& nodes, uint32_t node, std::string_view) { set &= nodes.Of(node); },
                [&](NodeVersions& nodes, uint32_t node, std::string_view, size_t) { set &= nodes.Of(node); },
                [&](const EnumCase& c, std::string_view) { set &= Between(c.since, c.until); }});
  return set;
}

std::vector<MissingNode> OpNodes::NotIn(const Op& op, Version version) {
  std::vector<MissingNode> found;
  const auto check = [&](NodeVersions& nodes, uint32_t node, std::string_view attribute, auto&& where) {
    if (Has(nodes.Of(node), version)) return;
    const uint32_t inner = nodes.InnermostNotIn(node, version);
    const VersionSet own = nodes.Own(inner);
    found.push_back({nodes.Describe(inner), where(), attribute, Oldest(own), Newest(own)});
  };
  const auto in_attribute = [](std::string_view name) { return StrFormat("in attribute '{}'", name); };
  Visit(op, Overloaded{[&](NodeVersions& nodes, uint32_t node, std::string_view name) {
                         check(nodes, node, name, [&] { return in_attribute(name); });
                       },
                       [&](NodeVersions& nodes, uint32_t node, std::string_view what, size_t i) {
                         check(nodes, node, {}, [&] { return StrFormat("in the type of {} {}", what, i); });
                       },
                       [&](const EnumCase& c, std::string_view name) {
                         if (!Has(Between(c.since, c.until), version))
                           found.push_back({DescribeCase(AttrKind::kCustomCallApiVersion, c),
                                            in_attribute(name), name, c.since, c.until});
                       }});
  return found;
}

VersionSet VersionsOfNodes(const Module& m) {
  OpNodes nodes(m);
  VersionSet set = kAllVersions;
  for (size_t i = 1; i < m.ops.size(); ++i) set &= nodes.Of(m.ops[i]);
  return set;
}

std::string NodeNotIn(const Module& m, Version version) {
  if (AllNodesIn(m, version)) return {};
  OpNodes nodes(m);
  for (size_t i = 1; i < m.ops.size(); ++i)
    if (!Has(nodes.Of(m.ops[i]), version)) return nodes.NotIn(m.ops[i], version).front().name;
  return {};
}

bool AllNodesIn(const Module& m, Version version) {
  const auto in_version = [&](const EnumCase& c) { return c.since <= version && version <= c.until; };
  // By kind, because a module has many nodes.
  std::array<bool, kMaxKind> types{}, attrs{};
  constexpr auto kRows = NodeVersions::Rows::kAllowOtherDialects;
  for (const KindRow& row : TypeKinds()) types[row.id] = Has(NodeVersions::OfKind(row, kRows), version);
  for (const KindRow& row : AttrKinds()) attrs[row.id] = Has(NodeVersions::OfKind(row, kRows), version);
  for (uint32_t id = 1; id < m.types.size(); ++id)
    if (!types[size_t(m.types.KindOf(TypeId(id)))]) return false;
  for (uint32_t id = 1; id < m.attrs.size(); ++id) {
    const AttrKind kind = m.attrs.KindOf(AttrId(id));
    if (!attrs[size_t(kind)]) return false;
    if (!IsEnum(kind)) continue;
    if (const EnumCase* dated = DatedCase(kind, m.attrs[AttrId(id)].words); dated && !in_version(*dated))
      return false;
  }
  // In memory these are integers.
  return std::ranges::all_of(CasesOf(AttrKind::kCustomCallApiVersion), in_version);
}

}  // namespace shlo
