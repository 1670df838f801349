#include "prove/mhlo_calls.h"

#include <algorithm>

#include "ir/module/rebuild.h"
#include "ir/table/ops.h"

namespace shlo::prove {
namespace {

constexpr std::string_view kAttributes = "mhlo.attributes", kVersion = "mhlo.version";

class Restorer : public Rebuilder {
 public:
  explicit Restorer(const Module& module) : Rebuilder(module) {}
  using Rebuilder::Rebuild;

  // Returns whether an op is such a custom call: all that it states besides is what an op without a row has.
  static bool IsCall(const Module& m, const Op& op) {
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

 private:
  void Visit(OpId id) override {
    const Op& op = m_.ops[id.v];
    if (!IsCall(m_, op)) {
      Copy(id);
      return;
    }
    std::string_view target;
    m_.AsString(m_.InherentAttrOf(op, "call_target_name"), &target);
    const auto dict = m_.Get<DictionaryAttr>(m_.AttributeOf(op, kAttributes));
    std::vector<NamedAttr> attributes(dict.entries.begin(), dict.entries.end());
    for (const NamedAttr& attr : m_.DiscardableAttrsOf(op))
      if (m_.strings[attr.name] != kAttributes && m_.strings[attr.name] != kVersion)
        attributes.push_back(attr);
    std::vector<ValueId> operands;
    for (ValueId operand : m_.OperandsOf(op)) operands.push_back(values_[operand.v]);
    std::vector<TypeId> results;
    for (uint32_t i = 0; i < m_.NumResults(op); ++i) results.push_back(m_.TypeOf(m_.ResultOf(op, i)));
    OpSpec spec;
    spec.name = out_.strings.Intern(target);
    spec.operands = operands;
    spec.results = results;
    spec.discardable_attrs = attributes;
    spec.loc = op.loc;
    const OpId added = Add(spec, id);
    for (uint32_t i = 0; i < m_.NumResults(op); ++i)
      values_[m_.ResultOf(op, i).v] = out_.ResultOf(out_.ops[added.v], i);
  }
};

}  // namespace

Module RestoreMhloOps(const Module& module, uint64_t* count) {
  *count = uint64_t(std::ranges::count_if(module.ops.span().subspan(1),
                                          [&](const Op& op) { return Restorer::IsCall(module, op); }));
  return *count ? Restorer(module).Rebuild() : module;
}

}  // namespace shlo::prove
