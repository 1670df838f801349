// Lists what changed between two releases, from the rows of the tables.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ir/json.h"
#include "shlo/op_table.h"

namespace shlo {

// Two versions, in either order.
struct VersionRange {
  Version from, to;
};

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

// Returns whether the version history of a range, or of one version, lists a version: of two versions, those
// after the older one; all of them by default.
bool IsListed(Version version, Version only, const std::optional<VersionRange>& range);
// Returns the keys of the document of `versions`.
Json VersionsJson(Version only, const std::optional<VersionRange>& range);

}  // namespace shlo
