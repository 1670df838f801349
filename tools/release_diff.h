// Lists what changed between two releases, from the rows of the tables.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common.h"
#include "shlo/op_table.h"

namespace shlo::tool {

// Two versions, in either order.
struct VersionRange {
  Version from, to;
};
// Parses "A..B"; a bound that is left out is the oldest or the newest version. Returns false for other words,
// and reports bad versions, which sets *code.
bool GetRange(Context& ctx, std::string_view flag, const std::string& text, VersionRange* out, int* code);

// A part of the table that one of two versions lacks, or that is different in them.
struct TableChange {
  enum Kind : uint8_t { kAdded, kRemoved, kChanged } kind{};
  std::string name;                // "stablehlo.gather", "f8E4M3", "operand_batching_dims"
  Version at;                      // the newest version in which it changed
  std::string before, after;       // as text, for what changed
  std::vector<TableChange> parts;  // operands, attributes, results and regions of an op
};

// The changes of ops.
struct OpChange : TableChange {
  RowId row;  // at the version that has it, the second one if both do
};
std::vector<OpChange> OpChanges(const VersionRange& range);

// All changes as text, and as the keys of a document. `only_ops`: as `ops --diff` prints them.
std::string ChangesText(const VersionRange& range, bool only_ops);
Json ChangesJson(const VersionRange& range, bool only_ops);

}  // namespace shlo::tool
