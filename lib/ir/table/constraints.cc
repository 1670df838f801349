#include "ir/table/constraints.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "ir/table/op_rows.h"

namespace shlo {
namespace {

using table::Flaw, table::FlawOf, table::kNumRows, table::WordSet;

// --- The rows: groups of ops with their constraints, or the reason for having none ----------------------

enum class ItemTag : uint8_t { kOf, kConstraint, kNothing, kWrong };
struct Item {
  ItemTag tag = ItemTag::kWrong;
  RowId row{};
  Constraint constraint{};
};
template <size_t N>
struct Group {
  std::array<Item, N> items{};
};

constexpr WordSet kWords = [] {
  WordSet set;
  for (std::string_view word : {"Of", "C", "I", "R", "Nothing", "Checked", "Typed", "Related", "Inferred",
                                "AtRun", "Beyond", "Unchecked"})
    set.Add(word);
  return set;
}();

namespace words {
struct By {
  EnforcedBy enforced{};
  std::string_view why_unchecked;
};
constexpr By operator|(By a, By b) {
  return {a.enforced | b.enforced, a.why_unchecked.empty() ? b.why_unchecked : a.why_unchecked};
}
constexpr By Checked{EnforcedBy::kChecked, {}}, Typed{EnforcedBy::kTyped, {}},
    Related{EnforcedBy::kRelated, {}}, Inferred{EnforcedBy::kInferred, {}}, AtRun{EnforcedBy::kAtRun, {}},
    Beyond{EnforcedBy::kBeyond, {}};
constexpr By Unchecked(std::string_view why) { return {EnforcedBy::kUnchecked, why}; }
template <typename... Name>
constexpr Group<sizeof...(Name)> Of(Name... names) {
  return {{Item{ItemTag::kOf, RowNamed(names), {}}...}};
}
// Accepts any arguments, so that wrong ones can be reported with their row.
constexpr Item Labelled(char series, int number, By by, std::string_view text) {
  if (number < 1 || number > 255) return {};
  return {ItemTag::kConstraint, {}, {series, uint8_t(number), by.enforced, text, by.why_unchecked}};
}
template <typename... A>
constexpr Item Any(char series, A... a) {
  if constexpr (requires { Labelled(series, a...); })
    return Labelled(series, a...);
  else
    return {};
}
constexpr Item C(auto... a) { return Any('C', a...); }
constexpr Item I(auto... a) { return Any('I', a...); }
constexpr Item R(auto... a) { return Any('R', a...); }
constexpr Item Nothing(std::string_view why) { return {ItemTag::kNothing, {}, {'N', 0, {}, why, {}}}; }

template <size_t N>
constexpr auto MakeGroup(const Group<N>& of, auto... items) {
  Group<N + sizeof...(items)> group;
  size_t n = 0;
  for (const Item& item : of.items) group.items[n++] = item;
  ((group.items[n++] = items), ...);
  return group;
}
constexpr Group<1> MakeGroup(auto...) { return {}; }

enum class Wrong : uint8_t { kNothing, kSyntax, kNoOp, kEmpty, kBoth };
constexpr Wrong WrongWith(std::span<const Item> items) {
  size_t ops = 0, constraints = 0, nothing = 0;
  for (const Item& item : items) {
    if (item.tag == ItemTag::kWrong) return Wrong::kSyntax;
    if (item.tag == ItemTag::kOf && !item.row) return Wrong::kNoOp;
    ops += item.tag == ItemTag::kOf;
    constraints += item.tag == ItemTag::kConstraint;
    nothing += item.tag == ItemTag::kNothing;
  }
  if (!ops) return Wrong::kSyntax;
  if (constraints + nothing == 0) return Wrong::kEmpty;
  return constraints && nothing ? Wrong::kBoth : Wrong::kNothing;
}

#define SHLO_CONSTRAINTS(...)                                                                              \
  constexpr Flaw SHLO_AT_LINE(flaw_, __LINE__) = FlawOf(&kWords, #__VA_ARGS__, true);                      \
  static_assert(SHLO_AT_LINE(flaw_, __LINE__) != Flaw::kComma,                                             \
                "a comma is missing in the row " #__VA_ARGS__);                                            \
  static_assert(SHLO_AT_LINE(flaw_, __LINE__) != Flaw::kWord, "unknown word in the row " #__VA_ARGS__);    \
  constexpr auto SHLO_AT_LINE(group_, __LINE__) = MakeGroup(__VA_ARGS__);                                  \
  constexpr Wrong SHLO_AT_LINE(wrong_, __LINE__) = WrongWith(SHLO_AT_LINE(group_, __LINE__).items);        \
  static_assert(                                                                                           \
      SHLO_AT_LINE(wrong_, __LINE__) != Wrong::kSyntax,                                                    \
      "expected Of(ops...), then C, I or R(number, by, text), or Nothing(why), in the row " #__VA_ARGS__); \
  static_assert(SHLO_AT_LINE(wrong_, __LINE__) != Wrong::kNoOp,                                            \
                "no op of this name in the row " #__VA_ARGS__);                                            \
  static_assert(SHLO_AT_LINE(wrong_, __LINE__) != Wrong::kEmpty,                                           \
                "an op has no constraints in the row " #__VA_ARGS__);                                      \
  static_assert(SHLO_AT_LINE(wrong_, __LINE__) != Wrong::kBoth,                                            \
                "Nothing and constraints together in the row " #__VA_ARGS__);
#include "schema/constraints.inc"

constexpr std::span<const Item> kGroups[] = {
#define SHLO_CONSTRAINTS(...) SHLO_AT_LINE(group_, __LINE__).items,
#include "schema/constraints.inc"
};
}  // namespace words

constexpr size_t kNumConstraints = [] {
  size_t n = 0;
  for (std::span<const Item> group : words::kGroups)
    n += size_t(std::ranges::count(group, ItemTag::kConstraint, &Item::tag));
  return n;
}();

// The constraints in table order, and the range of each op.
struct Entry {
  uint8_t listed = 0;  // times
  uint16_t first = 0, count = 0;
  std::string_view nothing;
};
struct ConstraintTables {
  std::array<Constraint, kNumConstraints> constraints{};
  std::array<Entry, kNumRows> entries{};
};
constexpr ConstraintTables kConstraintTables = [] {
  ConstraintTables tables;
  size_t next = 0;
  for (std::span<const Item> group : words::kGroups) {
    Entry entry{0, uint16_t(next), 0, {}};
    for (const Item& item : group) {
      if (item.tag == ItemTag::kConstraint) tables.constraints[next++] = item.constraint;
      if (item.tag == ItemTag::kNothing) entry.nothing = item.constraint.text;
    }
    entry.count = uint16_t(next - entry.first);
    for (const Item& item : group) {
      if (item.tag != ItemTag::kOf) continue;
      entry.listed = uint8_t(tables.entries[item.row.v].listed + 1);
      tables.entries[item.row.v] = entry;
    }
  }
  return tables;
}();

// --- Consistency with the ops ---------------------------------------------------------------------------

// The parts of a rule of rules.inc.
struct RuleParts {
  bool checks = false, infers = false;
};
constexpr bool IsNone(std::string_view function) { return function == "None"; }
constexpr RuleParts kRuleParts[] = {
    {},
#define SHLO_RULE(name, invariant, verify, infer) {!IsNone(#invariant) || !IsNone(#verify), !IsNone(#infer)},
#include "schema/rules.inc"
};

constexpr bool LabelsRunOn(const Entry& entry) {
  constexpr std::string_view kOrder = "CIR";
  const Constraint* previous = nullptr;
  for (size_t i = entry.first; i < size_t(entry.first) + entry.count; ++i) {
    const Constraint& c = kConstraintTables.constraints[i];
    const bool new_series = !previous || previous->series != c.series;
    if (previous && kOrder.find(previous->series) > kOrder.find(c.series)) return false;
    const int last = new_series ? 0 : previous->number;
    // Most inputs have no constraint except their class.
    if (c.series == 'I' ? c.number <= last : c.number != last + 1) return false;
    if (c.text.empty() || c.enforced == EnforcedBy{}) return false;
    if (c.Is(EnforcedBy::kUnchecked) == c.why_unchecked.empty()) return false;
    previous = &c;
  }
  return true;
}

constexpr bool Has(const Entry& entry, EnforcedBy by) {
  for (size_t i = entry.first; i < size_t(entry.first) + entry.count; ++i)
    if (kConstraintTables.constraints[i].Is(by)) return true;
  return false;
}

#define SHLO_CONSTRAINT_MISTAKES(F, found, op)                                                   \
  F(found, op, kMissing, "the op is missing")                                                    \
  F(found, op, kTwice, "the op is listed twice")                                                 \
  F(found, op, kLabels, "labels of an op run C1, C2, ..., then I, then R1, R2, ...")             \
  F(found, op, kNothingChecked, "the op has no constraints, but a rule or relation checks some") \
  F(found, op, kUnstated, "no row states what the rule checks")                                  \
  F(found, op, kRelated, "constraints are Related where the op has relations, and only there")   \
  F(found, op, kNotInferred, "no row states what results are inferred from")
enum class Mistake : uint8_t {
  kFine,
#define SHLO_MISTAKE(found, op, mistake, text) mistake,
  SHLO_CONSTRAINT_MISTAKES(SHLO_MISTAKE, , )
#undef SHLO_MISTAKE
};

// Returns the mistake in the constraints of an op, given the cells of its row.
constexpr Mistake MistakeOf(RowId row) {
  const Entry& entry = kConstraintTables.entries[row.v];
  bool relation = false, compatible = false, rule = false;
  RuleParts parts;
  const std::span<const Cell> cells = table::rows::kRows[row.v - 1];
  for (const Cell& cell : cells) {
    if (cell.tag == CellTag::kTrait && IsRelation(Trait(cell.a))) {
      relation = true;
      compatible |= Trait(cell.a) == Trait::kCompatibleTypes;
    } else if (cell.tag == CellTag::kRule) {
      rule = true;
      parts = kRuleParts[cell.a];
    }
  }
  if (!entry.listed)
    return cells[0].name.starts_with("stablehlo.") || relation || rule ? Mistake::kMissing : Mistake::kFine;
  if (entry.listed > 1) return Mistake::kTwice;
  if (!LabelsRunOn(entry)) return Mistake::kLabels;
  if (!entry.count) return parts.checks || relation ? Mistake::kNothingChecked : Mistake::kFine;
  if (parts.checks && !Has(entry, EnforcedBy::kChecked) && !Has(entry, EnforcedBy::kBeyond))
    return Mistake::kUnstated;
  if (relation != Has(entry, EnforcedBy::kRelated)) return Mistake::kRelated;
  if ((parts.infers || compatible) && !Has(entry, EnforcedBy::kInferred) && !Has(entry, EnforcedBy::kChecked))
    return Mistake::kNotInferred;
  return Mistake::kFine;
}

constexpr int kFirstRow = __COUNTER__ + 1;
#define SHLO_NO_MISTAKE_IN(found, op, no, text) \
  static_assert(found != Mistake::no, "schema/constraints.inc: " op ": " text);
#define SHLO_OP_CONSTRAINED(found, op)                                     \
  constexpr Mistake found = MistakeOf(RowId{__COUNTER__ - kFirstRow + 1}); \
  SHLO_CONSTRAINT_MISTAKES(SHLO_NO_MISTAKE_IN, found, op)
#define SHLO_OP(...) SHLO_OP_CONSTRAINED(SHLO_AT_LINE(found_, __LINE__), SHLO_OP_NAME(__VA_ARGS__))
#include "schema/ops.inc"

}  // namespace

std::span<const Constraint> ConstraintsOf(RowId row) {
  if (row.v >= kNumRows) return {};  // of schema/other_ops.inc
  const Entry& entry = kConstraintTables.entries[row.v];
  return std::span(kConstraintTables.constraints).subspan(entry.first, entry.count);
}

std::string_view WhyUnconstrained(RowId row) { return kConstraintTables.entries[row.v].nothing; }

const Constraint* FindConstraint(RowId row, std::string_view label) {
  for (const Constraint& constraint : ConstraintsOf(row))
    if (constraint.label() == label) return &constraint;
  return nullptr;
}

std::vector<std::string_view> EnforcementNames(EnforcedBy enforced) {
  constexpr std::string_view kNames[] = {"checked",     "types",       "relations",           "inference",
                                         "at run time", "not checked", "beyond the reference"};
  std::vector<std::string_view> names;
  for (size_t bit = 0; bit < std::size(kNames); ++bit)
    if (uint8_t(enforced) >> bit & 1) names.push_back(kNames[bit]);
  if (names.size() > 1 && names.back() == kNames[5]) names.back() = "in part";
  return names;
}

std::string_view ShortName(RowId row) {
  const OpRow& op = RowOf(row);
  return op.dialect == "stablehlo" ? op.mnemonic() : op.name;
}

}  // namespace shlo
