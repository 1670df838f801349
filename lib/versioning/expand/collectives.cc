// Collectives of newer versions: replica groups by mesh axes become lists, and ops of several operands become
// several ops. Composites become calls of their decompositions.
#include "ir/module/replica_groups.h"
#include "versioning/expand/expander.h"

namespace shlo {

std::string_view ExpandCollective(Expander& e, const Op& op, OpId id) {
  const Values operands = e.OperandsOf(op);
  const OpRevision& revision = RevisionOf(e.from().RevisionIdOf(op));
  const auto attrs = e.from().InherentAttrsOf(op);
  std::vector<AttrId> changed(attrs.begin(), attrs.end());
  bool can_change = false;
  if (const int slot = revision.FindSlot("replica_groups");
      slot >= 0 && e.from().attrs.KindOf(changed[size_t(slot)]) == AttrKind::kReplicaGroupMeshAxes) {
    const auto groups = GroupsOfMesh(e.from(), changed[size_t(slot)]);
    if (!groups) return groups.error();
    Dims ids;
    for (const std::vector<int64_t>& group : *groups) ids.insert(ids.end(), group.begin(), group.end());
    const int64_t shape[] = {int64_t(groups->size()), groups->empty() ? 0 : int64_t(groups->front().size())};
    changed[size_t(slot)] = e.out().I64Elements(shape, ids);
    can_change = true;
  }
  if (operands.size() > 1 && e.from().NumResults(op) == operands.size() && e.TakesOneOperand(op)) {
    e.Divide(id, changed);
    return {};
  }
  if (!can_change) return "it has other properties that the target lacks";
  e.Change(id, operands, changed);
  return {};
}

std::string_view ExpandComposite(Expander& e, const Op& op, OpId) {
  if (op.regions.count > 0) return "it has regions";
  std::vector<TypeId> types;
  for (uint32_t i = 0; i < e.from().NumResults(op); ++i) types.push_back(e.ResultTypeOf(op, i));
  const AttrId callee = e.from().InherentAttrOf(op, "decomposition");
  const Values results = e.EmitAll("func.call", e.OperandsOf(op), types, {{"callee", callee}});
  for (uint32_t i = 0; i < e.from().NumResults(op); ++i) e.Replace(op, i, results[i]);
  return {};
}

}  // namespace shlo
