#include "shlo/check.h"

#include <algorithm>

#include "base/guarded.h"
#include "check/collector.h"

namespace shlo {

void Collector::Add(CheckRule rule, const Program* program, Diagnostic diagnostic, CheckSeverity most) {
  if (!Wants(rule)) return;
  const std::string name = program ? program->name : "";
  if (diagnostic.place.file.empty()) diagnostic.place.file = file.file.name;
  const auto [known, added] =
      known_.try_emplace({rule, name, diagnostic.op, diagnostic.message}, findings.size());
  if (!added) {
    ++findings[known->second].count;
    return;
  }
  const CheckSeverity severity = std::min(settings.SeverityOf(rule), most);
  diagnostic.severity = SeverityOf(severity);
  findings.push_back(
      {.rule = rule, .severity = severity, .diagnostic = std::move(diagnostic), .program = name});
}

void Collector::AddMessage(CheckRule rule, const Program* program, std::string message, std::string hint) {
  Diagnostic d;
  d.code = Code::kPolicy;
  d.message = std::move(message);
  d.hint = std::move(hint);
  Add(rule, program, std::move(d));
}

void Collector::AddOp(CheckRule rule, const Program& program, OpId op, std::string message,
                      std::string hint) {
  Diagnostic d;
  d.code = Code::kPolicy;
  d.op = program.module.NameOf(program.module.ops[op.v]);
  d.place = PlaceOf(program.module, op, &program.source);
  d.message = std::move(message);
  d.hint = std::move(hint);
  Add(rule, &program, std::move(d));
}

void Collector::Fail(Diagnostics why) {
  for (Diagnostic& d : why) {
    if (d.place.file.empty()) d.place.file = file.file.name;
    failures.push_back(std::move(d));
  }
}

Result<Findings> CheckFile(const ProgramFile& file, const ProgramFile* baseline,
                           const CheckSettings& settings, const Limits& limits) {
  return Guarded(limits, [&]() -> Result<Findings> {
    Collector out(file, settings, limits);
    bool verifies = true;
    for (const Program& program : file.programs) {
      if (!CheckVerifies(out, program)) {
        verifies = false;
        continue;
      }
      CheckConsumers(out, program);
      CheckWindow(out, program);
      CheckOps(out, program);
      CheckPaths(out, program);
    }
    CheckFileItself(out, verifies);
    if (baseline && verifies) CheckAgainst(out, *baseline);
    if (!out.failures.empty()) return tl::unexpected(std::move(out.failures));
    std::stable_sort(out.findings.begin(), out.findings.end(),
                     [](const Finding& a, const Finding& b) { return a.rule < b.rule; });
    return std::move(out.findings);
  });
}

}  // namespace shlo
