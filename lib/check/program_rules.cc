// Rules about the contents of programs: ops and custom calls.
#include <algorithm>

#include "base/deadline.h"
#include "base/format.h"
#include "check/collector.h"
#include "ir/table/ops.h"
#include "ir/table/trait.h"
#include "shlo/consumers.h"
#include "shlo/verify.h"
#include "versioning/legality.h"

namespace shlo {
namespace {

// A trait that is a finding.
struct TraitRule {
  Trait trait;
  CheckRule rule;
  const char* message;
};
constexpr TraitRule kTraitRules[] = {
    {Trait::kDeprecated, CheckRule::kDeprecatedOp, "is deprecated"},
    {Trait::kImplementationDefined, CheckRule::kImplementationDefinedOp, "is implementation-defined in part"},
    {Trait::kRandom, CheckRule::kRandomOp, "gives other results in every run"},
};

// Dialects that hold programs together; every release has them.
constexpr std::string_view kGuaranteed[] = {"stablehlo", "func", "builtin"};

void CheckGuarantee(Collector& out, const Program& program, OpId op, std::string_view dialect) {
  if (std::ranges::find(kGuaranteed, dialect) == std::end(kGuaranteed))
    out.AddOp(CheckRule::kNoGuarantee, program, op,
              StrFormat("ops of dialect '{}' have no compatibility guarantee", dialect));
}

void CheckRow(Collector& out, const Program& program, OpId op, const OpRow& row) {
  for (const TraitRule& t : kTraitRules)
    if (row.Has(t.trait)) out.AddOp(t.rule, program, op, t.message);
  CheckGuarantee(out, program, op, row.dialect);
}

void CheckCustomCall(Collector& out, const Program& program, OpId op) {
  const Module& m = program.module;
  std::string_view target;
  if (!m.AsString(m.InherentAttrOf(m.ops[op.v], "call_target_name"), &target)) return;
  if (target.starts_with("stablehlo.dynamic_"))
    out.AddOp(CheckRule::kNoGuarantee, program, op,
              StrFormat("custom call '{}' is an experimental op", target));
  const auto& allowed = out.settings.custom_calls;
  if (!allowed) return;
  if (std::ranges::any_of(*allowed, [&](const std::string& p) { return MatchesPattern(target, p); })) return;
  out.AddOp(CheckRule::kCustomCall, program, op, StrFormat("custom call '{}' is not allowed", target),
            "if every consumer has it, add it to 'custom-calls' in the policy");
}

}  // namespace

bool Collector::HasRuleForDialect(std::string_view op) const {
  if (op.empty() || FindOp(op) || FindVhlo(op) || !Wants(CheckRule::kUnknownDialect)) return false;
  const std::string_view dialect = op.substr(0, op.find('.'));
  if (IsDialectOfConsumers(dialect)) return false;
  if (settings.defined &&
      std::ranges::find(*settings.defined, dialect, &Dialect::name) != settings.defined->end())
    return false;
  return std::ranges::none_of(settings.dialects,
                              [&](const std::string& p) { return MatchesPattern(dialect, p); });
}

bool CheckVerifies(Collector& out, const Program& program) {
  VerifyOptions options;
  options.limits = out.limits;
  const auto& dialects = out.settings.defined;
  const Diagnostics found = VerifyProgram(
      program, dialects ? std::span<const Dialect>(*dialects) : std::span<const Dialect>(), options);
  bool malformed = false;
  for (const Diagnostic& d : found) {
    if (d.code == Code::kLimit || d.code == Code::kIo) {
      out.Fail({d});
      return false;
    }
    if (d.severity == Severity::kNote) continue;
    const bool constraint = d.code == Code::kConstraint, warns = d.severity == Severity::kWarning;
    malformed |= !constraint && !warns;
    out.Add(CheckRule::kInvalid, &program, d,
            warns || (constraint && out.settings.lenient) ? CheckSeverity::kWarning : CheckSeverity::kError);
  }
  // The other rules look at programs that only violate a constraint, too.
  if (!malformed) return true;
  // Without the rule nothing would say why the others are silent.
  if (!out.Wants(CheckRule::kInvalid)) out.Fail(found);
  return false;
}

void CheckOps(Collector& out, const Program& program) {
  const Module& m = program.module;
  for (const OpId op : m.OpsIn(m.top)) {
    Tick();
    const Op& o = m.ops[op.v];
    if (m.RevisionIdOf(o)) {
      CheckRow(out, program, op, RowOf(m.RevisionIdOf(o)));
      if (m.Is(o, ops::kCustomCall)) CheckCustomCall(out, program, op);
      continue;
    }
    const std::string_view name = m.NameOf(o), dialect = name.substr(0, name.find('.'));
    if (out.HasRuleForDialect(name))
      out.AddOp(CheckRule::kUnknownDialect, program, op, StrFormat("dialect '{}' is not known", dialect),
                "lower the op before export, or add the dialect to 'dialects' in the policy");
    else if (IsDialectOfConsumers(dialect))
      CheckGuarantee(out, program, op, dialect);
  }
  if (out.settings.max_ops && m.ops.size() - 1 > *out.settings.max_ops)
    out.AddMessage(
        CheckRule::kOpCount, &program,
        StrFormat("{}, but the budget is {}", Count(m.ops.size() - 1, "op"), *out.settings.max_ops));
  if (out.settings.max_constants) {
    uint64_t bytes = 0;
    for (uint32_t i = 1; i < m.payloads.size(); ++i) bytes += m.payloads.SizeOf(PayloadId(i));
    if (bytes > *out.settings.max_constants)
      out.AddMessage(CheckRule::kInlineWeights, &program,
                     StrFormat("constants have {}, but the budget is {}", Count(bytes, "byte"),
                               *out.settings.max_constants));
  }
}

}  // namespace shlo
