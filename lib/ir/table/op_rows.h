// The rows of schema/ops.inc as cells, for code that uses the table at compile time. A wrong row does not
// compile, and the first lines of the error name the row and the mistake. Other code includes shlo/op_table.h
// and ir/table/ops.h, which do not change with a row.
#pragma once

#include "ir/table/op_checks.h"
#include "ir/table/row_text.h"

// The name of an op in the arguments of its row, as a literal.
#define SHLO_SECOND(first, second, ...) second
#define SHLO_OP_NAME(...) SHLO_SECOND(__VA_ARGS__, "a row without a name", )

namespace shlo::table {

// Every word that a row may use.
constexpr WordSet kRowWords = [] {
  WordSet set;
  for (std::string_view word :
       {"Is",         "By",   "EndsWith", "Rev",      "In",   "Ins",    "Out",         "Outs",
        "Reg",        "Regs", "AnyReg",   "AnyRegs",  "At",   "Filled", "NonNegative", "Positive",
        "StructAttr", "If",   "Add",      "AddAfter", "Drop", "Rename", "MakeList"})
    set.Add(word);
#define SHLO_FORM(name, ...) set.Add("Form::" #name);
#include "schema/forms.inc"
#define SHLO_TYPE_CLASS(name, ...) set.Add(#name);
#include "schema/type_classes.inc"
#define SHLO_RULE(name, ...) set.Add("Rule::" #name);
#include "schema/rules.inc"
#define SHLO_TRAIT(name, ...) set.Add("Trait::" #name);
#define SHLO_COND(name, ...) set.Add("Cond::" #name);
#include "schema/traits.inc"
#define SHLO_ATTR_CLASS(name, ...) set.Add(#name);
#define SHLO_DEFAULT(name, ...) set.Add(#name);
#include "schema/attr_classes.inc"
#define SHLO_ATTR(id, name, ...) set.Add("AttrKind::" #name);
#include "schema/kinds.inc"
#define SHLO_ENUM(name, ...) set.Add("AttrKind::" #name);
#include "schema/enums.inc"
#define SHLO_RUN(name, ...) set.Add(#name);
#include "schema/ops.inc"
  return set;
}();

namespace rows {
using namespace words;

#define SHLO_RUN(name, ...)                                                                           \
  constexpr Flaw flaw_##name = FlawOf(&kRowWords, #__VA_ARGS__);                                      \
  static_assert(flaw_##name != Flaw::kComma, "schema/ops.inc: a comma is missing in the run " #name); \
  static_assert(flaw_##name != Flaw::kWord, "schema/ops.inc: unknown word in the run " #name);        \
  constexpr auto name = Join(__VA_ARGS__);
#define SHLO_NO_MISTAKE(row, op, no, text) static_assert(row.mistake != Mistake::no, op ": " text);
#define SHLO_OP(...)                                                                                    \
  constexpr Flaw SHLO_AT_LINE(flaw_, __LINE__) = FlawOf(&kRowWords, #__VA_ARGS__);                      \
  static_assert(SHLO_AT_LINE(flaw_, __LINE__) != Flaw::kComma,                                          \
                "a comma is missing, or one too many, in the row " #__VA_ARGS__);                       \
  static_assert(SHLO_AT_LINE(flaw_, __LINE__) != Flaw::kWord, "unknown word in the row " #__VA_ARGS__); \
  constexpr auto SHLO_AT_LINE(row_, __LINE__) = MakeRow(__VA_ARGS__);                                   \
  SHLO_OP_MISTAKES(SHLO_NO_MISTAKE, SHLO_AT_LINE(row_, __LINE__), SHLO_OP_NAME(__VA_ARGS__))
#include "schema/ops.inc"

constexpr std::span<const Cell> kRows[] = {
#define SHLO_OP(...) {SHLO_AT_LINE(row_, __LINE__).cells.data(), SHLO_AT_LINE(row_, __LINE__).count},
#include "schema/ops.inc"
};

constexpr bool IsTerminator(std::string_view name) {
  for (std::span<const Cell> row : kRows)
    if (!row.empty() && row[0].name == name)
      for (const Cell& cell : row)
        if (cell.tag == CellTag::kTrait && Trait(cell.a) == Trait::kTerminator) return true;
  return false;
}

// Compares a row with the others. Both of two rows with the same id are reported, because a message can name
// only its own row.
constexpr Mistake AmongOthers(size_t row) {
  if (kRows[row].empty()) return Mistake::kFine;
  const Cell& op = kRows[row][0];
  for (size_t i = 0; i < std::size(kRows); ++i) {
    if (i == row || kRows[i].empty()) continue;
    if (kRows[i][0].name == op.name) return Mistake::kSameName;
    if (kRows[i][0].x == op.x) return Mistake::kSameId;
  }
  for (const Cell& cell : kRows[row])
    if (cell.tag == CellTag::kEnd && !IsTerminator(cell.name)) return Mistake::kNoTerminator;
  return Mistake::kFine;
}
constexpr size_t kFirstRow = __COUNTER__ + 1;
#define SHLO_OP_UNIQUE(same, op)                                             \
  constexpr Mistake same = AmongOthers(__COUNTER__ - kFirstRow);             \
  static_assert(same != Mistake::kSameName, op ": the op is listed twice");  \
  static_assert(same != Mistake::kSameId, op ": the wire id is used twice"); \
  static_assert(same != Mistake::kNoTerminator,                              \
                op ": EndsWith names an op that is not in the table, or not a terminator");
#define SHLO_OP(...) SHLO_OP_UNIQUE(SHLO_AT_LINE(same_, __LINE__), SHLO_OP_NAME(__VA_ARGS__))
#include "schema/ops.inc"

constexpr size_t kNumCells = [] {
  size_t n = 0;
  for (std::span<const Cell> row : kRows) n += row.size();
  return n;
}();
constexpr auto kAll = [] {
  std::array<Cell, kNumCells> all{};
  size_t n = 0;
  for (std::span<const Cell> row : kRows)
    for (const Cell& cell : row) all[n++] = cell;
  return all;
}();
}  // namespace rows

// The table as one array of cells: for each row the op, its traits and rule, and its complete revisions.
inline constexpr auto& kCells = rows::kAll;

constexpr size_t CountCells(CellTag tag) {
  size_t n = 0;
  for (const Cell& cell : kCells) n += cell.tag == tag;
  return n;
}
inline constexpr size_t kNumRows = std::size(rows::kRows) + 1;               // row 0 is empty
inline constexpr size_t kNumRevisions = CountCells(CellTag::kRevision) + 1;  // revision 0 is empty

// Returns whether a revision has a VHLO name, by the dialect of its op and its last version.
constexpr bool HasVhloName(std::string_view dialect, Version until) {
  return (dialect == "stablehlo" || dialect == "func") && until >= kFirstRelease;
}

// Returns the cells with one tag in [begin, end), where they are adjacent.
constexpr std::span<const Cell> CellsWith(CellTag tag, size_t begin, size_t end) {
  while (begin < end && kCells[begin].tag != tag) ++begin;
  size_t last = begin;
  while (last < end && kCells[last].tag == tag) ++last;
  return std::span<const Cell>(kCells).subspan(begin, last - begin);
}

}  // namespace shlo::table

namespace shlo {

// Returns the row with this name; 0 if there is none.
constexpr RowId RowNamed(std::string_view name) {
  for (size_t i = 0; i + 1 < table::kNumRows; ++i)
    if (table::rows::kRows[i][0].name == name) return RowId{uint16_t(i + 1)};
  return {};
}
// As above, but a name that is not in the table does not compile.
consteval RowId OpNamed(std::string_view name) {
  const RowId row = RowNamed(name);
  if (!row) throw "no op of this name in schema/ops.inc";
  return row;
}

}  // namespace shlo
