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
