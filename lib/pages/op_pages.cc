#include "pages/op_pages.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "base/format.h"
#include "ir/table/constraints.h"
#include "pages/examples.h"
#include "shlo/evaluate.h"
#include "versioning/op_words.h"

namespace shlo {
namespace {

// Returns the conversion steps of a row, oldest first.
std::vector<const Step*> StepsOf(RowId row) {
  std::vector<const Step*> steps;
  for (const Step& step : Steps()) {
    if (RevisionOf(step.from).row == row || RevisionOf(step.to).row == row) steps.push_back(&step);
  }
  return steps;
}

std::string CellList(std::string_view title, std::span<const Cell> cells) {
  std::string out;
  for (const Cell& cell : cells) {
    out += StrFormat("    {:10} {}{}", out.empty() ? title : "", cell.name, cell.variadic ? "..." : "");
    if (cell.tag != CellTag::kRegion && cell.type_class() != TypeClass{}) {
      out += StrFormat(": {}", TypeClassName(cell.type_class()));
    }
    out += '\n';
  }
  return out;
}

// The revisions of a row are consecutive.
RevisionId RevisionAtIndex(const OpRow& row, uint16_t i) {
  return RevisionId{uint16_t(row.first_revision + i)};
}

std::string_view FormText(const OpRow& row) {
  return row.form == Form{} ? "generic" : AssemblyFormatOf(row.form);
}

// Returns the labels of the constraints from which result types are inferred.
std::vector<std::string> InferredFrom(RowId row) {
  std::vector<std::string> labels;
  for (const Constraint& constraint : ConstraintsOf(row))
    if (constraint.Is(EnforcedBy::kInferred)) labels.push_back(constraint.label());
  return labels;
}

std::string ConstraintsText(RowId row) {
  std::string out;
  for (const Constraint& constraint : ConstraintsOf(row)) {
    if (out.empty())
      out = "  constraints  C: specification, I: its input table, R: reference implementation\n";
    const std::string_view why = constraint.why_unchecked;
    out += StrFormat("    {:4} {}  [{}{}{}]\n", constraint.label(), constraint.text,
                     fmt::join(EnforcementNames(constraint.enforced), ", "), why.empty() ? "" : ": ", why);
  }
  if (const auto why = WhyUnconstrained(row); !why.empty()) out += StrFormat("  constraints none: {}\n", why);
  if (const auto labels = InferredFrom(row); !labels.empty())
    out += StrFormat("  results    inferred from {}\n", fmt::join(labels, ", "));
  return out;
}

}  // namespace

std::string OpText(RowId id) {
  const OpRow& row = RowOf(id);
  std::string out = StrFormat("{}  (wire id {})\n", row.name, row.wire_id);
  out += StrFormat("  form       {}\n", FormText(row));
  const std::string example = ExampleOf(id);
  for (size_t begin = 0; begin < example.size();) {
    const size_t end = std::min(example.find('\n', begin), example.size());
    out += StrFormat("  {:10} {}\n", begin ? "" : "example",
                     std::string_view(example).substr(begin, end - begin));
    begin = end + 1;
  }
  for (unsigned t = 0; t < 32; ++t) {
    if (row.Has(Trait(t))) out += StrFormat("  trait      {}\n", TraitName(Trait(t)));
  }
  if (CanEvaluate(NewestRevision(id))) out += "  evaluated  yes\n";
  for (uint16_t i = 0; i < row.num_revisions; ++i) {
    const RevisionId revision_id = RevisionAtIndex(row, i);
    const OpRevision& revision = RevisionOf(revision_id);
    out += StrFormat("  {}: {}\n", RevisionName(revision_id), Interval(revision.since, revision.until));
    out += CellList("operands", revision.operands);
    bool first = true;
    for (const Cell& attr : revision.attrs) {
      out += StrFormat("    {:10} {}: {}, {}\n", first ? "attributes" : "", attr.name, AttrText(attr),
                       DefaultName(attr.attr_default()));
      first = false;
    }
    for (const Cell& struct_attr : revision.struct_attrs) {
      out += StrFormat("    {:10} {} groups the fields of {}\n", "in text", struct_attr.name,
                       RowOf(struct_attr.attr_kind()).mnemonic);
    }
    out += CellList("results", revision.results);
    out += CellList("regions", revision.regions);
    for (const Cell& cond : revision.conditions) {
      out += StrFormat("    {:10} up to {}: {}\n", "condition", VersionName(Version{cond.x}),
                       CondName(Cond(cond.a)));
    }
  }
  out += ConstraintsText(id);
  for (const Step* step : StepsOf(id)) {
    out += StrFormat("  step       at {}: {} -> {}: {}\n", VersionName(step->boundary),
                     RevisionName(step->from), RevisionName(step->to), ChangeNames(step->changes));
  }
  return out;
}

namespace {

Json CellsToJson(std::span<const Cell> cells) {
  Json list = Json::array();
  for (const Cell& cell : cells) {
    Json c = Json::object();
    c["name"] = std::string(cell.name);
    c["variadic"] = cell.variadic;
    if (cell.tag != CellTag::kRegion) c["types"] = std::string(TypeClassName(cell.type_class()));
    list.push_back(std::move(c));
  }
  return list;
}

}  // namespace

Json OpJson(RowId id) {
  const OpRow& row = RowOf(id);
  Json j = Json::object();
  j["name"] = std::string(row.name);
  j["wire_id"] = row.wire_id;
  j["form"] = std::string(AssemblyFormatOf(row.form));
  const std::string example = ExampleOf(id);
  j["example"] = example.empty() ? Json(nullptr) : Json(example);
  Json traits = Json::array(), revisions = Json::array(), steps = Json::array();
  for (unsigned t = 0; t < 32; ++t) {
    if (row.Has(Trait(t))) traits.push_back(std::string(TraitName(Trait(t))));
  }
  j["traits"] = std::move(traits);
  j["evaluated"] = CanEvaluate(NewestRevision(id));
  for (uint16_t i = 0; i < row.num_revisions; ++i) {
    const RevisionId revision_id = RevisionAtIndex(row, i);
    const OpRevision& revision = RevisionOf(revision_id);
    Json s = Json::object();
    const std::string_view vhlo = VhloName(revision_id);
    s["vhlo"] = vhlo.empty() ? Json(nullptr) : Json(std::string(vhlo));
    s["since"] = ToJson(revision.since);
    s["until"] = VersionJson(revision.until, kCurrentVersion);
    s["operands"] = CellsToJson(revision.operands);
    Json attrs = Json::array(), struct_attrs = Json::array(), conditions = Json::array();
    for (const Cell& attr : revision.attrs) {
      Json a = {{"name", std::string(attr.name)},
                {"type", AttrText(attr)},
                {"default", std::string(DefaultName(attr.attr_default()))}};
      for (const EnumCase& c : DatedCases(attr))
        a["cases"].push_back({{"name", std::string(c.name)},
                              {"since", ToJson(c.since)},
                              {"until", VersionJson(c.until, kCurrentVersion)}});
      attrs.push_back(std::move(a));
    }
    for (const Cell& struct_attr : revision.struct_attrs) {
      struct_attrs.push_back({{"name", std::string(struct_attr.name)},
                              {"kind", std::string(RowOf(struct_attr.attr_kind()).mnemonic)}});
    }
    for (const Cell& cond : revision.conditions) {
      conditions.push_back(
          {{"until", ToJson(Version{cond.x})}, {"condition", std::string(CondName(Cond(cond.a)))}});
    }
    s["attributes"] = std::move(attrs);
    s["struct_attributes"] = std::move(struct_attrs);
    s["results"] = CellsToJson(revision.results);
    s["regions"] = CellsToJson(revision.regions);
    s["conditions"] = std::move(conditions);
    revisions.push_back(std::move(s));
  }
  j["revisions"] = std::move(revisions);
  Json constraints = Json::array();
  for (const Constraint& constraint : ConstraintsOf(id)) {
    Json row = {{"label", constraint.label()},
                {"text", std::string(constraint.text)},
                {"enforced_by", EnforcementNames(constraint.enforced)}};
    if (!constraint.why_unchecked.empty()) row["why_unchecked"] = std::string(constraint.why_unchecked);
    constraints.push_back(std::move(row));
  }
  j["constraints"] = std::move(constraints);
  j["inferred_from"] = InferredFrom(id);
  for (const Step* step : StepsOf(id)) {
    steps.push_back(StepJson(*step));
  }
  j["steps"] = std::move(steps);
  return j;
}

std::vector<RowId> FindOps(std::string_view name) {
  std::vector<RowId> rows;
  if (RowId row = FindOp(name)) {
    rows.push_back(row);
  } else if (RevisionId revision = FindVhlo(name)) {
    rows.push_back(RevisionOf(revision).row);
  } else {
    for (uint16_t i = 1; i < OpRows().size(); ++i) {
      if (OpRows()[i].mnemonic() == name) rows.push_back(RowId{i});
    }
  }
  return rows;
}

std::string OpLine(RowId id) {
  const OpRow& row = RowOf(id);
  const Version since = RevisionOf(RevisionAtIndex(row, 0)).since;
  const Version until = RevisionOf(RevisionAtIndex(row, row.num_revisions - 1)).until;
  return StrFormat("{:40} {:24} {}\n", row.name, Interval(since, until),
                   row.num_revisions > 1 ? Count(row.num_revisions, "op version") : "");
}

Json OpsJson(std::span<const RowId> rows) {
  Json list = Json::array();
  for (const RowId row : rows) list.push_back(OpJson(row));
  return {{"ops", std::move(list)}};
}

}  // namespace shlo
