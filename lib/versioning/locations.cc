#include "versioning/locations.h"

#include <fmt/format.h>

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
    FieldWriter fields;
    std::vector<AttrId> parts;
    for (uint32_t i = 1; i < count; ++i) {
      const AttrId id(i);
      lowered[i] = id;
      const AttrKind kind = m.attrs.KindOf(id);
      if (!IsLocation(kind) || Has(legality.OfAttr(id), target)) continue;
      FieldReader in(m.attrs[id].words);
      fields.clear();
      AttrKind as = kind;
      if (kind == AttrKind::kFileRangeLoc) {
        const StringId file = in.String();
        const int64_t line = in.Int();
        fields.String(file).Int(line).Int(in.Int());
        as = AttrKind::kFileLineColLoc;
      } else if (kind == AttrKind::kNameLoc) {
        const StringId name = in.String();
        fields.String(name).Attr(lowered[in.Attr().v]);
      } else if (kind == AttrKind::kCallSiteLoc) {
        const AttrId callee = in.Attr();
        fields.Attr(lowered[callee.v]).Attr(lowered[in.Attr().v]);
      } else if (kind == AttrKind::kFusedLoc) {
        const AttrId metadata = in.Attr();
        parts.clear();
        for (uint64_t part : in.List()) parts.push_back(lowered[part]);
        fields.Attr(Has(legality.OfAttr(metadata), target) ? metadata : AttrId());
        fields.Ids<AttrId>(parts);
      } else {
        continue;
      }
      lowered[i] = m.attrs.Intern(as, fields);
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
  Diagnostic warning;
  warning.severity = Severity::kWarning;
  warning.code = Code::kBlocked;
  warning.version = RowOf(AttrKind::kFileRangeLoc).since;
  warning.message = fmt::format("{} {} simplified for version {}", Count(changed, "location"),
                                changed == 1 ? "was" : "were", VersionName(target));
  warning.hint = "file ranges are replaced by their start";
  warnings->push_back(std::move(warning));
}

}  // namespace shlo
