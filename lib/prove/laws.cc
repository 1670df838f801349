// The table of laws, derived from the tables of steps and expansions.
#include "prove/laws.h"

#include <algorithm>
#include <cmath>

#include "base/format.h"
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

// Returns "vhlo.gather_v2", or the name of the op if VHLO does not have the revision.
std::string_view RevisionName(RevisionId revision) {
  const std::string_view vhlo = VhloName(revision);
  return vhlo.empty() ? RowOf(revision).name : vhlo;
}

}  // namespace

namespace prove {

std::string StepLawName(RevisionId from, RevisionId to) {
  return StrFormat("{} -> {}", RevisionName(from), RevisionName(to));
}

std::string ExpansionLawName(std::string_view op) { return StrFormat("expansion of {}", op); }

bool IsExactExpansion(std::string_view op) {
  constexpr std::string_view kExact[] = {
#define SHLO_EXACT_EXPANSION(op) op,
#include "prove/laws.inc"
  };
  return std::ranges::find(kExact, op) != std::end(kExact);
}

}  // namespace prove

namespace {

struct RealError {
  std::string_view op;
  double low, high, f64, f32, f16, bf16, floor;
  bool terms;
  double low2, high2;
};
constexpr RealError kRealErrors[] = {
#define SHLO_REAL_ERROR(...) {__VA_ARGS__},
#include "versioning/expand/error_bounds.inc"
};
struct ComplexError {
  std::string_view op;
  double f64, f32, floor;
  bool infinities, tiny;
};
constexpr ComplexError kComplexErrors[] = {
#define SHLO_COMPLEX_ERROR(...) {__VA_ARGS__},
#include "versioning/expand/error_bounds.inc"
};

std::string RangeText(double low, double high) {
  if (std::isinf(high)) return std::isinf(low) ? "any" : StrFormat("from {:g}", low);
  return std::isinf(low) ? StrFormat("up to {:g}", high) : StrFormat("{:g} to {:g}", low, high);
}

}  // namespace

std::vector<std::string> StatedErrors(const LawRow& law) {
  std::vector<std::string> errors;
  if (law.exact) return errors;
  constexpr std::string_view kBroadcast = "chlo.broadcast_";
  std::string op(RowOf(law.op).name);
  if (op.starts_with(kBroadcast)) op = "chlo." + op.substr(kBroadcast.size());
  for (const RealError& e : kRealErrors) {
    if (e.op != op) continue;
    std::string operands = RangeText(e.low, e.high);
    if (e.low2 != e.high2) operands += ", second operands " + RangeText(e.low2, e.high2);
    errors.push_back(StrFormat("real operands ({}): {:g} ULP of f64, {:g} of f32, {:g} of f16, {:g} of bf16",
                               operands, e.f64, e.f32, e.f16, e.bf16));
    if (e.floor != 0) errors.back() += StrFormat("; results below {:g} in last places of it", e.floor);
    if (e.terms) errors.back() += "; for negative second operands, in last places of the largest term";
  }
  for (const ComplexError& e : kComplexErrors) {
    if (e.op != op) continue;
    errors.push_back(StrFormat("complex operands ({}{}, zeros taken as +0): {:g} ULP of f64, {:g} of f32",
                               e.infinities ? "not NaN" : "finite",
                               e.tiny ? "" : ", squares do not underflow", e.f64, e.f32));
    if (e.floor != 0) errors.back() += StrFormat("; results below {:g} in last places of it", e.floor);
  }
  return errors;
}

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
