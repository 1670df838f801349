// The table of laws, derived from the tables of steps and expansions.
#include "tests/proof/laws.h"

#include <fmt/format.h>

#include <algorithm>

#include "tests/proof/law_names.h"
#include "versioning/steps.h"

namespace shlo {
namespace {

constexpr std::string_view kExpanded[] = {
#define SHLO_REWRITE(op, ...) op,
#define SHLO_RECIPE(op, ...) op,
#include "schema/expansions.inc"
};
constexpr std::string_view kProgramLaws[] = {
#define SHLO_PROGRAM_LAW(name) name,
#include "prove/laws.inc"
};

}  // namespace

namespace prove {

std::string RevisionName(RevisionId revision) {
  const std::string_view vhlo = VhloName(revision);
  return std::string(vhlo.empty() ? RowOf(revision).name : vhlo);
}

std::string StepLawName(RevisionId from, RevisionId to) {
  return fmt::format("{} -> {}", RevisionName(from), RevisionName(to));
}

std::string ExpansionLawName(std::string_view op) { return fmt::format("expansion of {}", op); }

bool IsExactExpansion(std::string_view op) {
  constexpr std::string_view kExact[] = {
#define SHLO_EXACT_EXPANSION(op) op,
#include "prove/laws.inc"
  };
  return std::ranges::find(kExact, op) != std::end(kExact);
}

}  // namespace prove

std::string_view LawKindName(LawKind kind) {
  constexpr std::string_view kNames[] = {"upgrade", "downgrade", "expansion", "program"};
  return kNames[size_t(kind)];
}

std::vector<LawRow> Laws() {
  std::vector<LawRow> laws;
  const auto add = [&](LawRow row) {
    if (std::ranges::find(laws, row.name, &LawRow::name) != laws.end()) return;
    laws.push_back(std::move(row));
  };
  for (const Step& step : Steps()) {
    add({prove::StepLawName(step.from, step.to), LawKind::kUpgrade, true, step.from, step.to,
         RevisionOf(step.from).row});
    add({prove::StepLawName(step.to, step.from), LawKind::kDowngrade, true, step.to, step.from,
         RevisionOf(step.to).row});
  }
  for (const std::string_view op : kExpanded)
    // A name without a dialect is for use in other recipes.
    if (op.find('.') != std::string_view::npos)
      add({prove::ExpansionLawName(op),
           LawKind::kExpansion,
           prove::IsExactExpansion(op),
           {},
           {},
           FindOp(op)});
  for (const std::string_view name : kProgramLaws) add({std::string(name), LawKind::kProgram});
  return laws;
}

}  // namespace shlo
