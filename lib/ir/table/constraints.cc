#include "ir/table/constraints.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace shlo {
namespace {

// The vocabulary of schema/constraints.inc: a cell opens an op, is one of its constraints, or says why there
// are none.
enum class ItemTag : uint8_t { kOf, kConstraint, kNothing };
struct Item {
  ItemTag tag;
  RowId row;
  Constraint constraint;
};

namespace words {
constexpr EnforcedBy Checked = EnforcedBy::kChecked, Typed = EnforcedBy::kTyped,
                     Related = EnforcedBy::kRelated, Inferred = EnforcedBy::kInferred,
                     AtRun = EnforcedBy::kAtRun, Unchecked = EnforcedBy::kUnchecked;
consteval Item Of(std::string_view op) { return {ItemTag::kOf, OpNamed(op), {}}; }
consteval Item C(uint8_t number, EnforcedBy held, std::string_view text) {
  return {ItemTag::kConstraint, {}, {'C', number, held, text}};
}
consteval Item I(uint8_t number, EnforcedBy held, std::string_view text) {
  return {ItemTag::kConstraint, {}, {'I', number, held, text}};
}
consteval Item R(uint8_t number, EnforcedBy held, std::string_view text) {
  return {ItemTag::kConstraint, {}, {'R', number, held, text}};
}
consteval Item Nothing(std::string_view why) { return {ItemTag::kNothing, {}, {'N', 0, {}, why}}; }

constexpr Item kItems[] = {
#include "schema/constraints.inc"
};
}  // namespace words
using words::kItems;

constexpr size_t kNumConstraints = std::ranges::count(kItems, ItemTag::kConstraint, &Item::tag) + 0u;
constexpr size_t kNumRows = 1 + size_t(std::ranges::count(table::kCells, CellTag::kOp, &Cell::tag));

// The constraints in table order, and which of them each op has.
struct Entry {
  bool listed = false;
  uint16_t first = 0, count = 0;
  std::string_view nothing;
};
struct Tables {
  std::array<Constraint, kNumConstraints> constraints{};
  std::array<Entry, kNumRows> entries{};
};
consteval Tables Build() {
  Tables tables;
  size_t next = 0, i = 0;
  while (i < std::size(kItems)) {
    const size_t ops = i;
    while (i < std::size(kItems) && kItems[i].tag == ItemTag::kOf) ++i;
    if (i == ops) throw "constraints.inc: a row stands under no op";
    const size_t rows = i;
    Entry entry{true, uint16_t(next), 0, {}};
    for (; i < std::size(kItems) && kItems[i].tag != ItemTag::kOf; ++i) {
      if (kItems[i].tag == ItemTag::kNothing)
        entry.nothing = kItems[i].constraint.text;
      else
        tables.constraints[next++] = kItems[i].constraint;
    }
    entry.count = uint16_t(next - entry.first);
    if (i == rows) throw "constraints.inc: an op has no rows";
    if (entry.count && !entry.nothing.empty()) throw "constraints.inc: nothing is demanded, and something is";
    for (size_t op = ops; op < rows; ++op) {
      Entry& of = tables.entries[kItems[op].row.v];
      if (of.listed) throw "constraints.inc: an op stands twice";
      of = entry;
    }
  }
  return tables;
}
constexpr Tables kTables = Build();

// What a rule of rules.inc consists of.
struct RuleParts {
  bool checks = false, infers = false;
};
constexpr bool IsNone(std::string_view function) { return function == "None"; }
constexpr RuleParts kRuleParts[] = {
    {},
#define SHLO_RULE(name, invariant, verify, infer) {!IsNone(#invariant) || !IsNone(#verify), !IsNone(#infer)},
#include "schema/rules.inc"
};

consteval bool LabelsRunOn(const Entry& entry) {
  constexpr std::string_view kOrder = "CIR";
  const Constraint* previous = nullptr;
  for (size_t i = entry.first; i < size_t(entry.first) + entry.count; ++i) {
    const Constraint& c = kTables.constraints[i];
    const bool new_series = !previous || previous->series != c.series;
    if (previous && kOrder.find(previous->series) > kOrder.find(c.series)) return false;
    const int last = new_series ? 0 : previous->number;
    // Most inputs have nothing to them but their class.
    if (c.series == 'I' ? c.number <= last : c.number != last + 1) return false;
    if (c.text.empty() || c.held == EnforcedBy{}) return false;
    previous = &c;
  }
  return true;
}

consteval bool Has(const Entry& entry, EnforcedBy held) {
  for (size_t i = entry.first; i < size_t(entry.first) + entry.count; ++i)
    if (kTables.constraints[i].Is(held)) return true;
  return false;
}

// What the cells of an op say of its constraints, against its rows.
struct Demands {
  bool stablehlo = false, relation = false, compatible = false, rule = false;
  RuleParts parts;
};
consteval void CheckOp(const Demands& demands, const Entry& entry) {
  if (!entry.listed) {
    if (demands.stablehlo || demands.relation || demands.rule) throw "constraints.inc: an op is missing";
    return;
  }
  if (!LabelsRunOn(entry)) throw "constraints.inc: labels of an op run C1, C2, ..., then I, then R1, R2, ...";
  const bool infers = demands.parts.infers || demands.compatible;
  if (!entry.count) {
    if (demands.parts.checks || demands.relation)
      throw "constraints.inc: nothing is demanded, and a rule checks it";
    return;
  }
  if (demands.parts.checks && !Has(entry, EnforcedBy::kChecked))
    throw "constraints.inc: no row says what a rule checks";
  if (demands.relation != Has(entry, EnforcedBy::kRelated))
    throw "constraints.inc: rows are Related where the op has relations, and only there";
  if (infers && !Has(entry, EnforcedBy::kInferred) && !Has(entry, EnforcedBy::kChecked))
    throw "constraints.inc: no row says what results are inferred from";
}

consteval bool Check() {
  uint16_t row = 0;
  Demands demands;
  for (const Cell& cell : table::kCells) {
    if (cell.tag == CellTag::kOp) {
      if (row) CheckOp(demands, kTables.entries[row]);
      ++row;
      demands = {};
      demands.stablehlo = cell.name.starts_with("stablehlo.");
    } else if (cell.tag == CellTag::kTrait && IsRelation(Trait(cell.a))) {
      demands.relation = true;
      demands.compatible |= Trait(cell.a) == Trait::kCompatibleTypes;
    } else if (cell.tag == CellTag::kRule) {
      demands.rule = true;
      demands.parts = kRuleParts[cell.a];
    }
  }
  CheckOp(demands, kTables.entries[row]);
  return true;
}
static_assert(Check());

}  // namespace

std::span<const Constraint> ConstraintsOf(RowId row) {
  const Entry& entry = kTables.entries[row.v];
  return std::span(kTables.constraints).subspan(entry.first, entry.count);
}

std::string_view WhyUnconstrained(RowId row) { return kTables.entries[row.v].nothing; }

const Constraint* FindConstraint(RowId row, std::string_view label) {
  for (const Constraint& constraint : ConstraintsOf(row))
    if (constraint.label() == label) return &constraint;
  return nullptr;
}

std::vector<std::string_view> EnforcementNames(EnforcedBy held) {
  constexpr std::string_view kNames[] = {"checked",   "types",       "relations",
                                         "inference", "at run time", "not checked"};
  std::vector<std::string_view> names;
  for (size_t bit = 0; bit < std::size(kNames); ++bit)
    if (uint8_t(held) >> bit & 1) names.push_back(kNames[bit]);
  if (names.size() > 1 && names.back() == kNames[5]) names.back() = "in part";
  return names;
}

std::string_view ShortName(RowId row) {
  const OpRow& op = RowOf(row);
  return op.dialect == "stablehlo" ? op.mnemonic() : op.name;
}

}  // namespace shlo
