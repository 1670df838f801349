// Constraints of every op: schema/constraints.inc as data, by the row of the op. For diagnostics and
// documentation; ir/verify/rules/ checks the constraints and names them by these labels.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "shlo/op_table.h"

namespace shlo {

// Where a constraint is enforced, as a bit set; see schema/constraints.inc.
enum class EnforcedBy : uint8_t {
  kChecked = 1,
  kTyped = 2,
  kRelated = 4,
  kInferred = 8,
  kAtRun = 16,
  kUnchecked = 32,
  kBeyond = 64,
};
constexpr EnforcedBy operator|(EnforcedBy a, EnforcedBy b) { return EnforcedBy(uint8_t(a) | uint8_t(b)); }

// A row of the table: one constraint of an op.
struct Constraint {
  // 'C': a constraint of the specification. 'I': on one of its inputs. 'R': of the reference tool.
  char series = 'C';
  uint8_t number = 0;
  EnforcedBy enforced{};
  std::string_view text;
  std::string_view why_unchecked;  // with kUnchecked

  constexpr bool Is(EnforcedBy by) const { return uint8_t(enforced) & uint8_t(by); }
  std::string label() const { return series + std::to_string(number); }  // "C5"
};

// Returns the constraints of an op: the specification's, those on inputs, the reference tool's. Empty if the
// cells of the row are the only constraints.
std::span<const Constraint> ConstraintsOf(RowId row);
// Returns why an op has no constraints; "" if it has some, or if no reason is given.
std::string_view WhyUnconstrained(RowId row);
// Returns the constraint of an op by label, or nullptr.
const Constraint* FindConstraint(RowId row, std::string_view label);

// Returns where a constraint is enforced, in words: "checked", "inference".
std::vector<std::string_view> EnforcementNames(EnforcedBy enforced);
// Returns the short name of an op for hints: "gather", "chlo.top_k".
std::string_view ShortName(RowId row);

}  // namespace shlo
