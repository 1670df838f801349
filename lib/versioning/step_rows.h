// Which revision follows which, for code that uses it at compile time: versioning/steps.h has it as data.
#pragma once

#include <array>
#include <iterator>

#include "ir/table/newest_version.h"
#include "ir/table/op_rows.h"

namespace shlo::step_rows {

// The cells of a revision in the op table.
struct CellRun {
  RowId row;
  std::string_view op;
  uint16_t revision = 0;  // RevisionId
  uint16_t since = 0, until = 0;
  size_t begin = 0;  // cells after the revision's own cell
  size_t end = 0;
  int ordinal = 0;  // as in OpRevision
};
inline constexpr auto kRevisions = [] {
  std::array<CellRun, table::kNumRevisions> runs{};
  uint16_t row = 0, revision = 0;
  std::string_view op;
  int ordinal = 0;
  for (size_t i = 0; i < std::size(table::kCells); ++i) {
    if (table::kCells[i].tag == CellTag::kOp) {
      ++row;
      op = table::kCells[i].name;
      ordinal = 0;
    }
    const bool opens = table::kCells[i].tag == CellTag::kRevision;
    if (opens || table::kCells[i].tag == CellTag::kOp)
      if (revision && !runs[revision].end) runs[revision].end = i;
    if (!opens) continue;
    ++revision;
    const uint16_t until = table::kCells[i].y ? table::kCells[i].y : table::kNewestVersion.n;
    const bool named = table::HasVhloName(op.substr(0, op.find('.')), Version{until});
    ordinal += named;
    runs[revision] = {RowId{row}, op, revision, table::kCells[i].x, until, i + 1, 0, named ? ordinal : 0};
  }
  runs[revision].end = std::size(table::kCells);
  return runs;
}();

// The revisions of a row are ordered and adjacent.
constexpr const CellRun* FirstOf(RowId row) {
  for (const CellRun& run : kRevisions)
    if (run.row == row) return &run;
  return nullptr;
}
constexpr const CellRun* LastOf(RowId row) {
  const CellRun* run = FirstOf(row);
  while (run && run + 1 != kRevisions.data() + table::kNumRevisions && run[1].row == row) ++run;
  return run;
}

struct Renaming {
  RowId from, to;
};
inline constexpr Renaming kRenames[] = {
#define SHLO_RENAME(from, to) {RowNamed(from), RowNamed(to)},
#include "versioning/steps.inc"
};
constexpr RowId NewNameOf(RowId row) {
  for (const Renaming& renaming : kRenames)
    if (renaming.from == row) return renaming.to;
  return {};
}
// Returns the revision after `run`, of the same op or of its new name; nullptr if there is none.
constexpr const CellRun* After(const CellRun& run) {
  if (&run != LastOf(run.row)) return &run + 1;
  const RowId renamed = NewNameOf(run.row);
  return renamed ? FirstOf(renamed) : nullptr;
}

}  // namespace shlo::step_rows
