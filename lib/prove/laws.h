// Laws: the rewrites that keep the meaning of a program. `prove` applies them, `convert` and `--expand`
// consist of them. docs/proof.md, "Laws and rungs", describes how they are checked.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "prove/law_record.h"
#include "shlo/op_table.h"
#include "shlo/version.h"

namespace shlo {

// The target of the rewrite.
enum class LawKind : uint8_t {
  kUpgrade,    // an op of a revision into the next one
  kDowngrade,  // and back
  kExpansion,  // an op into others
  kProgram,    // any op: written defaults, calls
};
// Returns "upgrade".
std::string_view LawKindName(LawKind kind);

// A law.
struct LawRow {
  std::string name;  // as in a Law of a Proof
  LawKind kind{};
  bool exact = true;    // keeps every bit; otherwise the error is in docs/expansion.md
  RevisionId from, to;  // of steps, as the law goes
  RowId op;             // what is rewritten; none for kProgram
};

// Returns all laws: steps in both directions, expansions, and those about programs. Derived from
// schema/ops.inc, schema/expansions.inc and lib/prove/laws.inc.
std::vector<LawRow> Laws();

// Returns the largest errors of an expansion that approximates, by class of elements, as docs/expansion.md
// states them: "real operands from -1 to 1: 2 ULP (f64), ..."; none for exact laws.
std::vector<std::string> StatedErrors(const LawRow& law);

namespace prove {

// Names of laws, as reports of `prove` state them: "vhlo.gather_v1 -> vhlo.gather_v2", "expansion of
// chlo.erf".
std::string StepLawName(RevisionId from, RevisionId to);
std::string ExpansionLawName(std::string_view op);
// Returns whether an expansion keeps every bit.
bool IsExactExpansion(std::string_view op);

}  // namespace prove

}  // namespace shlo
