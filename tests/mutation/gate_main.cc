// gate_main: what `shlo-compat gate` finds, as one line per rule. Mutants of the dialect are compiled into
// this program, which is smaller than the tool (gate_mutants.py).
#include <cstdio>
#include <map>
#include <string>

#include "shlo/gate.h"

int main() {
  const auto report = shlo::CheckReleases(shlo::BuiltInReleases());
  if (!report) return std::printf("%s\n", report.error().front().message.c_str()), 3;
  std::map<std::string, int> rules;
  bool errors = false;
  for (const shlo::GateFinding& f : report->findings) {
    ++rules[std::string(shlo::RowOf(f.finding.rule).id)];
    errors = errors || f.finding.severity == shlo::CheckSeverity::kError;
  }
  for (const auto& [rule, count] : rules) std::printf("%s %d\n", rule.c_str(), count);
  return errors ? 1 : 0;
}
