// What every op demands: schema/constraints.inc as data, found by the row of the op. For diagnostics and
// documentation; rules_*.cc check the constraints, and name them by these labels.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "shlo/op_table.h"

namespace shlo {

// Who holds a constraint, one bit each; see schema/constraints.inc.
enum class EnforcedBy : uint8_t {
  kChecked = 1,
  kTyped = 2,
  kRelated = 4,
  kInferred = 8,
  kAtRun = 16,
  kUnchecked = 32,
};
constexpr EnforcedBy operator|(EnforcedBy a, EnforcedBy b) { return EnforcedBy(uint8_t(a) | uint8_t(b)); }

// A row of the table: one constraint of an op.
struct Constraint {
  // 'C': a constraint of the specification. 'I': on one of its inputs. 'R': of the reference tool.
  char series = 'C';
  uint8_t number = 0;
  EnforcedBy held{};
  std::string_view text;

  constexpr bool Is(EnforcedBy h) const { return uint8_t(held) & uint8_t(h); }
  std::string label() const { return series + std::to_string(number); }  // "C5"
};

// All constraints of an op: the specification's, those on inputs, the reference tool's. Empty where nothing
// is demanded beyond the cells of the row.
std::span<const Constraint> ConstraintsOf(RowId row);
// Why nothing is demanded; "" where something is, or where nobody says.
std::string_view WhyUnconstrained(RowId row);
// The constraint of an op by its label; null when it has none of this label.
const Constraint* FindConstraint(RowId row, std::string_view label);

// Who holds a constraint, in words: "checked", "inference".
std::vector<std::string_view> EnforcementNames(EnforcedBy held);
// What hints call an op: "gather", "chlo.top_k".
std::string_view ShortName(RowId row);

}  // namespace shlo
