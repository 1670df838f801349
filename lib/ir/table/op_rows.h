// The rows of schema/ops.inc as cells, for code that uses the table at compile time. op_rows.cc checks them.
// Other code includes shlo/op_table.h and ir/table/ops.h, which do not change with a row.
#pragma once

#include "ir/table/op_checks.h"
#include "ir/table/row_text.h"

// The name of an op in the arguments of its row, as a literal.
#define SHLO_SECOND(first, second, ...) second
#define SHLO_OP_NAME(...) SHLO_SECOND(__VA_ARGS__, "a row without a name", )

namespace shlo::table {

namespace rows {
using namespace words;

#define SHLO_RUN(name, ...) constexpr auto name = Join(__VA_ARGS__);
#define SHLO_OP(...) constexpr auto SHLO_AT_LINE(row_, __LINE__) = MakeRow(__VA_ARGS__);
#include "schema/ops.inc"

constexpr std::span<const Cell> kRows[] = {
#define SHLO_OP(...) {SHLO_AT_LINE(row_, __LINE__).cells.data(), SHLO_AT_LINE(row_, __LINE__).count},
#include "schema/ops.inc"
};

namespace other {
#define SHLO_RUN(name, ...) constexpr auto name = Join(__VA_ARGS__);
#define SHLO_OTHER_OP(...) constexpr auto SHLO_AT_LINE(row_, __LINE__) = MakeOtherRow(__VA_ARGS__);
#include "schema/other_ops.inc"

constexpr std::span<const Cell> kRows[] = {
#define SHLO_OTHER_OP(...) {SHLO_AT_LINE(row_, __LINE__).cells.data(), SHLO_AT_LINE(row_, __LINE__).count},
#include "schema/other_ops.inc"
};
}  // namespace other

template <size_t N>
constexpr size_t CountAll(const std::span<const Cell> (&list)[N]) {
  size_t n = 0;
  for (std::span<const Cell> row : list) n += row.size();
  return n;
}
template <size_t N, size_t M>
constexpr auto Concatenated(const std::span<const Cell> (&list)[M]) {
  std::array<Cell, N> all{};
  size_t n = 0;
  for (std::span<const Cell> row : list)
    for (const Cell& cell : row) all[n++] = cell;
  return all;
}
constexpr auto kAll = Concatenated<CountAll(kRows)>(kRows);
constexpr auto kAllOthers = Concatenated<CountAll(other::kRows)>(other::kRows);
}  // namespace rows

// The table as one array of cells: for each row the op, its traits and rule, and its complete revisions.
inline constexpr auto& kCells = rows::kAll;
// The same for schema/other_ops.inc. Its rows have ids after those of the table, and one revision each.
inline constexpr auto& kOtherCells = rows::kAllOthers;

constexpr size_t CountCells(CellTag tag) {
  size_t n = 0;
  for (const Cell& cell : kCells) n += cell.tag == tag;
  return n;
}
inline constexpr size_t kNumRows = std::size(rows::kRows) + 1;               // row 0 is empty
inline constexpr size_t kNumRevisions = CountCells(CellTag::kRevision) + 1;  // revision 0 is empty
inline constexpr size_t kNumOthers = std::size(rows::other::kRows);

// Returns whether a revision has a VHLO name, by the dialect of its op and its last version.
constexpr bool HasVhloName(std::string_view dialect, Version until) {
  return (dialect == "stablehlo" || dialect == "func") && until >= kFirstRelease;
}

// Returns the cells with one tag in [begin, end), where they are adjacent.
constexpr std::span<const Cell> CellsWith(std::span<const Cell> cells, CellTag tag, size_t begin,
                                          size_t end) {
  while (begin < end && cells[begin].tag != tag) ++begin;
  size_t last = begin;
  while (last < end && cells[last].tag == tag) ++last;
  return cells.subspan(begin, last - begin);
}

}  // namespace shlo::table

namespace shlo {

// Returns the row with this name; 0 if there is none.
constexpr RowId RowNamed(std::string_view name) {
  for (size_t i = 0; i + 1 < table::kNumRows; ++i)
    if (table::rows::kRows[i][0].name == name) return RowId{uint16_t(i + 1)};
  return {};
}
// As above, in schema/other_ops.inc.
constexpr RowId OtherNamed(std::string_view name) {
  for (size_t i = 0; i < table::kNumOthers; ++i)
    if (table::rows::other::kRows[i][0].name == name) return RowId{uint16_t(table::kNumRows + i)};
  return {};
}
// As above, but a name that is not in the table does not compile.
consteval RowId OpNamed(std::string_view name) {
  const RowId row = RowNamed(name);
  if (!row) throw "no op of this name in schema/ops.inc";
  return row;
}

}  // namespace shlo
