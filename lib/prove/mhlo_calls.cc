#include "prove/mhlo_calls.h"

#include <string>
#include <vector>

#include "ir/table/ops.h"

namespace shlo::prove {
namespace {

constexpr std::string_view kAttributes = "mhlo.attributes", kVersion = "mhlo.version";

// Returns whether an op is such a custom call: all that it states besides is what an op without a row has.
bool IsMhloCall(const Module& m, const Op& op) {
  std::string_view target;
  if (!m.Is(op, ops::kCustomCall) || op.regions.count ||
      !m.AsString(m.InherentAttrOf(op, "call_target_name"), &target) || !target.starts_with("mhlo."))
    return false;
  const auto cells = RevisionOf(m.RevisionIdOf(op)).attrs;
  const auto inherent = m.InherentAttrsOf(op);
  for (size_t i = 0; i < cells.size(); ++i)
    if (inherent[i] && cells[i].name != "call_target_name" && !m.IsDefaultValue(cells[i], inherent[i]))
      return false;
  int64_t version = 0;
  const AttrId attributes = m.AttributeOf(op, kAttributes);
  return attributes && m.attrs.KindOf(attributes) == AttrKind::kDict &&
         m.AsInteger(m.AttributeOf(op, kVersion), &version) && version == 1;
}

void Restore(Module* m, OpId id) {
  std::string_view target;
  m->AsString(m->InherentAttrOf(m->ops[id.v], "call_target_name"), &target);
  const AttrId dict = m->AttributeOf(m->ops[id.v], kAttributes);
  m->EditSignature(id, [&](EditedSignature& s) {
    s.revision = {};
    s.name = m->strings.Intern(std::string(target));
    s.inherent_attrs.clear();
    std::erase_if(s.discardable_attrs, [&](const NamedAttr& attr) {
      return m->strings[attr.name] == kAttributes || m->strings[attr.name] == kVersion;
    });
    for (const NamedAttr attr : m->Get<DictionaryAttr>(dict).entries) s.discardable_attrs.push_back(attr);
    m->SortByName(s.discardable_attrs);
  });
}

}  // namespace

Module RestoreMhloOps(const Module& module, uint64_t* count) {
  std::vector<OpId> calls;
  for (uint32_t i = 1; i < module.ops.size(); ++i)
    if (IsMhloCall(module, module.ops[i])) calls.emplace_back(i);
  *count = calls.size();
  Module restored = module;
  for (const OpId call : calls) Restore(&restored, call);
  return restored;
}

}  // namespace shlo::prove
