#include "versioning/op_words.h"

#include "base/format.h"
#include "ir/table/attr_class.h"

namespace shlo {

std::string Interval(Version since, Version until) {
  if (until >= kCurrentVersion) return StrFormat("{} and later", VersionName(since));
  return StrFormat("{} to {}", VersionName(since), VersionName(until));
}

std::vector<EnumCase> DatedCases(const Cell& attr) {
  std::vector<EnumCase> dated;
  const AttrKind kind =
      attr.attr_class() == AttrClass::kApiVersion ? AttrKind::kCustomCallApiVersion : attr.attr_kind();
  for (const EnumCase& c : CasesOf(kind))
    if (c.since != RowOf(kind).since || c.until != RowOf(kind).until) dated.push_back(c);
  return dated;
}

std::string ChangeNames(ChangeSet changes) {
  std::string out;
  const auto add = [&](ChangeSet bit, std::string_view name) {
    if (changes & bit) out += StrFormat("{}{}", out.empty() ? "" : ", ", name);
  };
  add(kRename, "renamed");
  add(kAttributes, "attributes added or removed");
  add(kLists, "operands and results become variadic");
  add(kRegions, "variadic regions added");
  return out;
}

std::string AttrText(const Cell& attr) {
  std::string type(AttrClassName(attr.attr_class()));
  if (attr.attr_kind() != AttrKind::kInvalid) type += StrFormat(" {}", RowOf(attr.attr_kind()).mnemonic);
  for (const EnumCase& c : DatedCases(attr))
    type += StrFormat(" ({}: {})", c.name, Interval(c.since, c.until));
  if (attr.confined() == Confined::kNonNegative) type += " >= 0";
  if (attr.confined() == Confined::kPositive) type += " > 0";
  return type;
}

std::string_view RevisionName(RevisionId revision) {
  const std::string_view vhlo = VhloName(revision);
  return vhlo.empty() ? RowOf(revision).name : vhlo;
}

Json StepJson(const Step& step) {
  return {{"boundary", ToJson(step.boundary)},
          {"from", std::string(RevisionName(step.from))},
          {"to", std::string(RevisionName(step.to))},
          {"changes", ChangeNames(step.changes)}};
}

}  // namespace shlo
