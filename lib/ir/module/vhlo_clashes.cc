#include "ir/module/vhlo_clashes.h"

#include <algorithm>

#include "ir/format.h"
#include "shlo/op_table.h"

namespace shlo {
namespace {

// Whether the name has no dialect, like those of inherent attributes.
bool IsPlain(std::string_view name) { return name.find('.') == std::string_view::npos; }

}  // namespace

Diagnostics VhloClashes(const Module& module, const Source* source) {
  // Few programs have such a name on any op.
  const NamedAttr* const all = module.discardable_attrs.data();
  if (std::none_of(all, all + module.discardable_attrs.size(),
                   [&](const NamedAttr& attr) { return IsPlain(module.strings[attr.name]); }))
    return {};
  for (uint32_t i = 1; i < module.ops.size(); ++i) {
    const Op& op = module.ops[i];
    if (!op.revision || VhloName(op.revision).empty()) continue;
    for (const NamedAttr& attr : module.DiscardableAttrsOf(op)) {
      const std::string_view name = module.strings[attr.name];
      if (!IsPlain(name) || RevisionOf(op.revision).FindSlot(name) < 0) continue;
      return Error(Code::kBlocked,
                   StrFormat("discardable attribute '{}' of '{}' has the name of an attribute of '{}'", name,
                             module.NameOf(op), VhloName(op.revision)),
                   PlaceOfAttr(module, OpId(i), name, source),
                   "rename or remove it, or write a .shlo archive")
          .value();
    }
  }
  return {};
}

}  // namespace shlo
