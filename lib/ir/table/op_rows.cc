// Checks schema/ops.inc: a wrong row does not compile, and the first lines of the error name the row and the
// mistake. Words and commas come first, because a row with a wrong one is not even an expression.
#include "ir/table/row_text.h"

namespace shlo::table {

// Every word that a row may use.
constexpr WordSet kRowWords = [] {
  WordSet set;
  for (std::string_view word :
       {"Is",         "By",   "EndsWith", "Rev",     "In",       "Ins",    "Out",         "Outs",
        "Reg",        "Regs", "AnyReg",   "AnyRegs", "At",       "Filled", "NonNegative", "Positive",
        "StructAttr", "If",   "Infer",    "Add",     "AddAfter", "Drop",   "Rename",      "MakeList"})
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
#define SHLO_RUN(name, ...) set.Add(#name);
#include "schema/other_ops.inc"
  return set;
}();

namespace row_flaws {

#define SHLO_RUN(name, ...)                                                                           \
  constexpr Flaw flaw_##name = FlawOf(&kRowWords, #__VA_ARGS__);                                      \
  static_assert(flaw_##name != Flaw::kComma, "schema/ops.inc: a comma is missing in the run " #name); \
  static_assert(flaw_##name != Flaw::kWord, "schema/ops.inc: unknown word in the run " #name);
#define SHLO_OP(...)                                                               \
  constexpr Flaw SHLO_AT_LINE(flaw_, __LINE__) = FlawOf(&kRowWords, #__VA_ARGS__); \
  static_assert(SHLO_AT_LINE(flaw_, __LINE__) != Flaw::kComma,                     \
                "a comma is missing, or one too many, in the row " #__VA_ARGS__);  \
  static_assert(SHLO_AT_LINE(flaw_, __LINE__) != Flaw::kWord, "unknown word in the row " #__VA_ARGS__);
#include "schema/ops.inc"

namespace of_others {
#define SHLO_RUN(name, ...)                                                                                 \
  constexpr Flaw flaw_##name = FlawOf(&kRowWords, #__VA_ARGS__);                                            \
  static_assert(flaw_##name != Flaw::kComma, "schema/other_ops.inc: a comma is missing in the run " #name); \
  static_assert(flaw_##name != Flaw::kWord, "schema/other_ops.inc: unknown word in the run " #name);
#define SHLO_OTHER_OP(...)                                                         \
  constexpr Flaw SHLO_AT_LINE(flaw_, __LINE__) = FlawOf(&kRowWords, #__VA_ARGS__); \
  static_assert(SHLO_AT_LINE(flaw_, __LINE__) != Flaw::kComma,                     \
                "a comma is missing, or one too many, in the row " #__VA_ARGS__);  \
  static_assert(SHLO_AT_LINE(flaw_, __LINE__) != Flaw::kWord, "unknown word in the row " #__VA_ARGS__);
#include "schema/other_ops.inc"
}  // namespace of_others

}  // namespace row_flaws
}  // namespace shlo::table

#include "ir/table/op_rows.h"

namespace shlo::table {
namespace rows {

#define SHLO_NO_MISTAKE(row, op, no, text) static_assert(row.mistake != Mistake::no, op ": " text);
#define SHLO_OP(...) \
  SHLO_OP_MISTAKES(SHLO_NO_MISTAKE, SHLO_AT_LINE(row_, __LINE__), SHLO_OP_NAME(__VA_ARGS__))
#include "schema/ops.inc"

namespace other {
#define SHLO_OTHER_OP(name, ...) SHLO_OP_MISTAKES(SHLO_NO_MISTAKE, SHLO_AT_LINE(row_, __LINE__), name)
#include "schema/other_ops.inc"
}  // namespace other
#undef SHLO_NO_MISTAKE

template <size_t N>
constexpr bool HasTerminator(const std::span<const Cell> (&list)[N], std::string_view name) {
  for (std::span<const Cell> row : list)
    if (!row.empty() && row[0].name == name)
      for (const Cell& cell : row)
        if (cell.tag == CellTag::kTrait && Trait(cell.a) == Trait::kTerminator) return true;
  return false;
}
constexpr bool IsTerminator(std::string_view name) {
  return HasTerminator(kRows, name) || HasTerminator(other::kRows, name);
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

namespace other {
constexpr Mistake AmongAll(size_t row) {
  const Cell& op = kRows[row][0];
  for (size_t i = 0; i < std::size(kRows); ++i)
    if (i != row && kRows[i][0].name == op.name) return Mistake::kSameName;
  for (std::span<const Cell> listed : rows::kRows)
    if (!listed.empty() && listed[0].name == op.name) return Mistake::kSameName;
  for (const Cell& cell : kRows[row])
    if (cell.tag == CellTag::kEnd && !IsTerminator(cell.name)) return Mistake::kNoTerminator;
  return Mistake::kFine;
}
constexpr size_t kFirstRow = __COUNTER__ + 1;
#define SHLO_OTHER_UNIQUE(same, op)                                                             \
  constexpr Mistake same = AmongAll(__COUNTER__ - kFirstRow);                                   \
  static_assert(same != Mistake::kSameName, op ": the op is listed twice, here or in ops.inc"); \
  static_assert(same != Mistake::kNoTerminator,                                                 \
                op ": EndsWith names an op that is not in the tables, or not a terminator");
#define SHLO_OTHER_OP(name, ...) SHLO_OTHER_UNIQUE(SHLO_AT_LINE(same_, __LINE__), name)
#include "schema/other_ops.inc"
}  // namespace other

}  // namespace rows
}  // namespace shlo::table
