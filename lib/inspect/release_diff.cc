#include "inspect/release_diff.h"

#include <algorithm>

#include "base/format.h"
#include "serialize/text/program_style.h"
#include "shlo/kinds.h"
#include "shlo/version.h"
#include "versioning/op_words.h"

namespace shlo {
namespace {

// A range in the order of versions. A change is stated as it is on the way up, and turned around at the end.
struct Ascending {
  explicit Ascending(const VersionRange& range)
      : low(std::min(range.from, range.to)),
        high(std::max(range.from, range.to)),
        down(range.to < range.from) {}
  bool Has(Version boundary) const { return low < boundary && boundary <= high; }
  Version low, high;
  bool down;
};

template <typename ChangeT>
void TurnAround(std::vector<ChangeT>* changes) {
  for (TableChange& change : *changes) {
    if (change.kind != TableChange::kChanged)
      change.kind = change.kind == TableChange::kAdded ? TableChange::kRemoved : TableChange::kAdded;
    std::swap(change.before, change.after);
    TurnAround(&change.parts);
  }
}

// Adds a thing that exists in an interval of versions, if only one of two versions has it.
void AddInterval(const Ascending& range, std::string name, Version since, Version until,
                 std::vector<TableChange>* out) {
  const bool before = since <= range.low && range.low <= until,
             after = since <= range.high && range.high <= until;
  if (before == after) return;
  out->push_back({.kind = after ? TableChange::kAdded : TableChange::kRemoved,
                  .name = std::move(name),
                  .at = after ? since : Version{uint16_t(until.n + 1)}});
}

// --- Ops ----------------------------------------------------------------------------------------------

std::string CellText(const Cell& cell) {
  if (cell.tag == CellTag::kAttr)
    return StrFormat("{}, {}", AttrText(cell), DefaultName(cell.attr_default()));
  const bool typed = cell.tag != CellTag::kRegion && cell.type_class() != TypeClass{};
  return StrFormat("{}{}{}", cell.variadic ? "any number" : "one", typed ? ", " : "",
                   typed ? TypeClassName(cell.type_class()) : "");
}

void AddCells(std::string_view what, std::span<const Cell> before, std::span<const Cell> after,
              std::vector<TableChange>* out) {
  const auto has = [](std::span<const Cell> cells, const Cell& cell) {
    return std::ranges::find(cells, cell.name, &Cell::name) != cells.end();
  };
  // An operand or a result that got a different name, because it became a list.
  const auto renamed = [&](size_t i) {
    return before.size() == after.size() && before[i].tag != CellTag::kAttr && !has(after, before[i]) &&
           !has(before, after[i]) && before[i].type_class() == after[i].type_class();
  };
  const auto name = [](const Cell& cell) { return std::string(cell.name) + (cell.variadic ? "..." : ""); };
  for (size_t i = 0; i < before.size(); ++i) {
    const Cell& cell = before[i];
    const auto now = std::ranges::find(after, cell.name, &Cell::name);
    const std::string title = StrFormat("{} {}", what, cell.name), text = CellText(cell);
    if (now != after.end() && CellText(*now) != text)
      out->push_back({.kind = TableChange::kChanged, .name = title, .before = text, .after = CellText(*now)});
    else if (now == after.end() && renamed(i))
      out->push_back({.kind = TableChange::kChanged,
                      .name = std::string(what),
                      .before = name(cell),
                      .after = name(after[i])});
    else if (now == after.end())
      out->push_back({.kind = TableChange::kRemoved, .name = title, .before = text});
  }
  for (size_t i = 0; i < after.size(); ++i)
    if (!has(before, after[i]) && !(before.size() == after.size() && renamed(i)))
      out->push_back({.kind = TableChange::kAdded,
                      .name = StrFormat("{} {}", what, after[i].name),
                      .after = CellText(after[i])});
}

// A condition that ends: what it forbade is permitted afterwards.
void AddConditions(const Ascending& range, RevisionId id, OpChange* change) {
  for (const Cell& cell : RevisionOf(id).conditions) {
    const Version end{uint16_t(cell.x + 1)};
    if (!range.Has(end)) continue;
    change->parts.push_back({.kind = TableChange::kRemoved,
                             .name = "condition",
                             .at = end,
                             .before = std::string(CondName(Cond(cell.a)))});
    change->at = std::max(change->at, end);
  }
}

OpChange Changed(const Ascending& range, RevisionId before, RevisionId after) {
  OpChange change;
  change.kind = TableChange::kChanged;
  change.row = range.down ? RevisionOf(before).row : RevisionOf(after).row;
  change.name = RowOf(change.row).name;
  const OpRevision &x = RevisionOf(before), &y = RevisionOf(after);
  if (before != after) {
    change.at = y.since;
    change.before = RevisionName(before);
    change.after = RevisionName(after);
    AddCells("operand", x.operands, y.operands, &change.parts);
    AddCells("attribute", x.attrs, y.attrs, &change.parts);
    AddCells("result", x.results, y.results, &change.parts);
    AddCells("region", x.regions, y.regions, &change.parts);
  }
  // Revisions of a row are consecutive, and state a condition as long as it holds.
  const RevisionId first = x.row == y.row ? before : after;
  for (uint16_t i = first.v; i <= after.v; ++i) AddConditions(range, RevisionId{i}, &change);
  return change;
}

// Returns what an op that ceased to exist became: a revision of another row at the newer version.
RevisionId Renamed(const Ascending& range, RowId row) {
  for (const Step& step : Steps())
    if (step.changes & kRename && RevisionOf(step.from).row == row && range.Has(step.boundary))
      return RevisionAt(RevisionOf(step.to).row, range.high);
  return {};
}

// --- Text ---------------------------------------------------------------------------------------------

constexpr char kSigns[] = {'+', '-', '~'};

std::string ChangeText(const TableChange& change, std::string_view indent) {
  std::string out = StrFormat("{}{} {}", indent, kSigns[change.kind], change.name);
  if (change.kind == TableChange::kChanged && !change.before.empty())
    out += StrFormat(": {} -> {}", change.before, change.after);
  else if (change.kind != TableChange::kChanged && !(change.before + change.after).empty())
    out += ": " + change.before + change.after;
  if (change.at.valid()) out += StrFormat("  [{}]", VersionName(change.at));
  out += '\n';
  for (const TableChange& part : change.parts) out += ChangeText(part, std::string(indent) + "    ");
  return out;
}

template <typename ChangeT>
std::string SectionText(std::string_view title, const std::vector<ChangeT>& changes) {
  std::string out;
  for (const ChangeT& change : changes) out += ChangeText(change, "  ");
  return out.empty() ? out : StrFormat("{}\n{}", title, out);
}

Json ChangeJson(const TableChange& change) {
  constexpr const char* kNames[] = {"added", "removed", "changed"};
  Json j = Json::object();
  j["change"] = kNames[change.kind];
  j["name"] = change.name;
  if (change.at.valid()) j["at"] = ToJson(change.at);
  if (!change.before.empty()) j["before"] = change.before;
  if (!change.after.empty()) j["after"] = change.after;
  if (!change.parts.empty())
    for (const TableChange& part : change.parts) j["parts"].push_back(ChangeJson(part));
  return j;
}

// --- Types, attributes, enum cases, texts, steps --------------------------------------------------------

// The sections beyond ops, by the name of their key.
struct Section {
  const char* key;
  std::vector<TableChange> changes;
};
std::vector<Section> OtherChanges(const VersionRange& wanted) {
  const Ascending range(wanted);
  std::vector<TableChange> element_types, types, attributes, cases, texts;
  const auto name = [](const KindRow& row) {
    return row.dialect.empty() ? std::string(row.mnemonic) : StrFormat("{}.{}", row.dialect, row.mnemonic);
  };
  for (const KindRow& row : TypeKinds())
    AddInterval(range, name(row), row.since, row.until, row.width ? &element_types : &types);
  for (const KindRow& row : AttrKinds()) {
    AddInterval(range, name(row), row.since, row.until, &attributes);
    for (const EnumCase& c : CasesOf(AttrKind(row.id)))
      if (c.since != row.since || c.until != row.until)
        AddInterval(range, StrFormat("{} {}", name(row), c.name), c.since, c.until, &cases);
  }
  for (const text::TextChange& change : text::TextChanges())
    if (range.Has(change.since))
      texts.push_back({.kind = TableChange::kChanged,
                       .name = std::string(change.op.empty() ? "all ops" : change.op),
                       .at = change.since,
                       .before = std::string(change.before),
                       .after = std::string(change.after)});
  std::vector<TableChange> bytecode;
  std::string before;
  for (const VersionRow& row : VersionLine()) {
    const std::string after =
        row.bytecode_format < 0 ? std::string("none") : StrFormat("format {}", row.bytecode_format);
    if (range.Has(row.version) && after != before)
      bytecode.push_back({.kind = TableChange::kChanged,
                          .name = "MLIR bytecode",
                          .at = row.version,
                          .before = before,
                          .after = after});
    before = after;
  }
  std::vector<Section> sections;
  sections.push_back({"element_types", std::move(element_types)});
  sections.push_back({"types", std::move(types)});
  sections.push_back({"attributes", std::move(attributes)});
  sections.push_back({"enum_cases", std::move(cases)});
  sections.push_back({"texts", std::move(texts)});
  sections.push_back({"bytecode", std::move(bytecode)});
  if (range.down)
    for (Section& section : sections) TurnAround(&section.changes);
  return sections;
}

// The conversion steps on the way, in its order.
std::vector<const Step*> StepsIn(const VersionRange& wanted) {
  const Ascending range(wanted);
  std::vector<const Step*> steps;
  for (const Step& step : Steps())
    if (range.Has(step.boundary)) steps.push_back(&step);
  std::ranges::stable_sort(steps, {}, [](const Step* step) { return step->boundary; });
  if (range.down) std::ranges::reverse(steps);
  return steps;
}

}  // namespace

std::vector<OpChange> OpChanges(const VersionRange& wanted) {
  const Ascending range(wanted);
  std::vector<OpChange> changes;
  std::vector<RowId> renamed;
  for (uint16_t i = 1; i < OpRows().size(); ++i) {
    const RowId row{i};
    const RevisionId before = RevisionAt(row, range.low), after = RevisionAt(row, range.high);
    if (before && after) {
      OpChange change = Changed(range, before, after);
      if (before != after || !change.parts.empty()) changes.push_back(std::move(change));
    } else if (const RevisionId other = before ? Renamed(range, row) : RevisionId()) {
      changes.push_back(Changed(range, before, other));
      renamed.push_back(RevisionOf(other).row);
    } else if (before || after) {
      OpChange change;
      change.row = row;
      change.kind = after ? TableChange::kAdded : TableChange::kRemoved;
      change.name = RowOf(row).name;
      change.at = after ? RevisionOf(RevisionId{RowOf(row).first_revision}).since
                        : Version{uint16_t(RevisionOf(NewestRevision(row)).until.n + 1)};
      changes.push_back(std::move(change));
    }
  }
  std::erase_if(changes, [&](const OpChange& change) {
    return change.kind == TableChange::kAdded && std::ranges::find(renamed, change.row) != renamed.end();
  });
  if (range.down) TurnAround(&changes);
  return changes;
}

std::string ChangesText(const VersionRange& range, bool only_ops) {
  std::string out = SectionText("ops", OpChanges(range));
  if (only_ops) return out;
  for (const Section& section : OtherChanges(range)) {
    std::string title = section.key;
    std::ranges::replace(title, '_', ' ');
    out += SectionText(title, section.changes);
  }
  std::string steps;
  for (const Step* step : StepsIn(range)) {
    const bool down = range.to < range.from;
    steps += StrFormat("  {} -> {}: {}  [{}]\n", RevisionName(down ? step->to : step->from),
                       RevisionName(down ? step->from : step->to), ChangeNames(step->changes),
                       VersionName(step->boundary));
  }
  return steps.empty() ? out : out + "conversion steps\n" + steps;
}

Json ChangesJson(const VersionRange& range, bool only_ops) {
  Json j = Json::object();
  j["from"] = ToJson(range.from);
  j["to"] = ToJson(range.to);
  Json changes = Json::object();
  const auto put = [&](const char* key, const auto& list) {
    changes[key] = Json::array();
    for (const TableChange& change : list) changes[key].push_back(ChangeJson(change));
  };
  put("ops", OpChanges(range));
  if (!only_ops) {
    for (const Section& section : OtherChanges(range)) put(section.key, section.changes);
    changes["steps"] = Json::array();
    for (const Step* step : StepsIn(range)) changes["steps"].push_back(StepJson(*step));
  }
  j["changes"] = std::move(changes);
  return j;
}

Json VersionsJson(Version only, const std::optional<VersionRange>& range) {
  Json list = Json::array();
  for (const VersionRow& row : VersionLine()) {
    if (!IsListed(row.version, only, range)) continue;
    Json j = ToJson(row.version);
    j["mlir_bytecode"] = row.bytecode_format < 0 ? Json(nullptr) : Json(int(row.bytecode_format));
    j["date_is_bound"] = row.date_is_bound;
    j["change"] = std::string(row.change);
    list.push_back(std::move(j));
  }
  Json j = Json::object();
  j["minimum"] = ToJson(kMinimumVersion);
  j["current"] = ToJson(kCurrentVersion);
  j["versions"] = std::move(list);
  if (range) j.update(ChangesJson(*range, /*only_ops=*/false));
  return j;
}

bool IsListed(Version version, Version only, const std::optional<VersionRange>& range) {
  if (range) return std::min(range->from, range->to) < version && version <= std::max(range->from, range->to);
  return !only.valid() || version == only;
}

}  // namespace shlo
