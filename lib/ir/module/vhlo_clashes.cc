#include "ir/module/vhlo_clashes.h"

#include <algorithm>

#include "base/format.h"
#include "shlo/op_table.h"

namespace shlo {
namespace {

// Whether the name has no dialect, like those of inherent attributes.
bool IsPlain(std::string_view name) { return name.find('.') == std::string_view::npos; }

}  // namespace

Diagnostics VhloClashes(const Module& module, const Source* source) {
  for (uint32_t i = 1; i < module.ops.size(); ++i) {
    const Op& op = module.ops[i];
    const OpSignature signature = module.SignatureOf(op);
    if (signature.discardable_attrs.empty() || VhloName(signature.revision).empty()) continue;
    for (const NamedAttr& attr : signature.discardable_attrs) {
      const std::string_view name = module.strings[attr.name];
      if (!IsPlain(name) || RevisionOf(signature.revision).FindSlot(name) < 0) continue;
      return Error(Code::kBlocked,
                   StrFormat("discardable attribute '{}' of '{}' has the name of an attribute of '{}'", name,
                             module.NameOf(op), VhloName(module.RevisionIdOf(op))),
                   PlaceOfAttr(module, OpId(i), name, source),
                   "rename or remove it, or write a .shlo archive")
          .value();
    }
  }
  return {};
}

}  // namespace shlo
