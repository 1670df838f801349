#include "versioning/locations.h"

#include "base/format.h"
#include "versioning/legality.h"

namespace shlo {

// Locations are interned after their children, so one walk in id order sees every child first. `lowered` maps
// old locations to new ones. The warning counts only locations that are in use.
void LowerLocations(Module* module, Version target, const ConvertOptions& options, Diagnostics* warnings) {
  Module& m = *module;
  const uint32_t count = m.attrs.size();
  std::vector<AttrId> lowered;
  {
    Legality legality(m, options);
    bool any = false;
    for (uint32_t i = 1; i < count && !any; ++i)
      any = IsLocation(m.attrs.KindOf(AttrId(i))) && !Has(legality.OfAttr(AttrId(i)), target);
    if (!any) return;
    lowered.resize(count);
    std::vector<AttrId> parts;
    for (uint32_t i = 1; i < count; ++i) {
      const AttrId id(i);
      lowered[i] = id;
      const auto node = m.attrs[id];
      if (!IsLocation(node.kind) || Has(legality.OfAttr(id), target)) continue;
      if (const auto range = node.As<FileRangeLoc>()) {
        lowered[i] = m.Make(
            FileLineColLoc{.file = range->file, .line = range->start_line, .column = range->start_column});
      } else if (const auto named = node.As<NameLoc>()) {
        lowered[i] = m.Make(NameLoc{.name = named->name, .child = lowered[named->child.v]});
      } else if (const auto call = node.As<CallSiteLoc>()) {
        lowered[i] =
            m.Make(CallSiteLoc{.callee = lowered[call->callee.v], .caller = lowered[call->caller.v]});
      } else if (const auto fused = node.As<FusedLoc>()) {
        parts.clear();
        for (const AttrId part : fused->locations) parts.push_back(lowered[part.v]);
        const bool keep = Has(legality.OfAttr(fused->metadata), target);
        lowered[i] = m.Make(FusedLoc{.metadata = keep ? fused->metadata : AttrId(), .locations = parts});
      }
    }
  }

  uint64_t changed = 0;
  const auto lower = [&](AttrId* loc) {
    if (loc->v == 0 || loc->v >= count || lowered[loc->v] == *loc) return;
    *loc = lowered[loc->v];
    ++changed;
  };
  for (Op& op : m.ops) lower(&op.loc);
  for (Value& value : m.values) lower(&value.loc);
  if (!changed) return;
  Diagnostic warning =
      Warning(Code::kBlocked,
              StrFormat("version {} has no file ranges: {} became {}", VersionName(target),
                        Count(changed, "location"), changed == 1 ? "its start" : "their starts"),
              {}, "pass --strip-debuginfo to leave locations out");
  warning.version = RowOf(AttrKind::kFileRangeLoc).since;
  warnings->push_back(std::move(warning));
}

}  // namespace shlo
