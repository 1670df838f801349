// State that the rules share: the file, the settings, and the findings so far.
#pragma once

#include <map>
#include <string>
#include <tuple>

#include "check/rules.h"

namespace shlo {

class Collector {
 public:
  Collector(const ProgramFile& file, const CheckSettings& settings, const Limits& limits)
      : file(file), settings(settings), limits(limits) {}

  // Returns whether a rule is to be applied. Those that are off cost nothing.
  bool Wants(CheckRule rule) const { return settings.SeverityOf(rule) != CheckSeverity::kOff; }

  // Adds a finding, of the rule's severity or `most`. Those of the same rule, program, op and message become
  // one that counts them.
  void Add(CheckRule rule, const Program* program, Diagnostic diagnostic,
           CheckSeverity most = CheckSeverity::kError);
  // Adds a finding about a whole file or program.
  void AddMessage(CheckRule rule, const Program* program, std::string message, std::string hint = {});
  // Adds a finding about an op.
  void AddOp(CheckRule rule, const Program& program, OpId op, std::string message, std::string hint = {});
  // Returns whether an op is one of the findings of kUnknownDialect, which no version can help.
  bool HasRuleForDialect(std::string_view op) const;
  // Remembers why something could not be checked.
  void Fail(Diagnostics why);

  const ProgramFile& file;
  const CheckSettings& settings;
  const Limits& limits;
  Findings findings;
  Diagnostics failures;

 private:
  std::map<std::tuple<CheckRule, std::string, std::string, std::string>, size_t> known_;
};

// The rules, by what they look at. Each adds its findings.
void CheckConsumers(Collector& out, const Program& program);  // consumer_rules.cc
void CheckWindow(Collector& out, const Program& program);     // consumer_rules.cc
// Returns whether a program verifies; no other rule looks at one that does not.
bool CheckVerifies(Collector& out, const Program& program);      // program_rules.cc
void CheckOps(Collector& out, const Program& program);           // program_rules.cc
void CheckFileItself(Collector& out, bool verifies);             // file_rules.cc
void CheckPaths(Collector& out, const Program& program);         // file_rules.cc
void CheckAgainst(Collector& out, const ProgramFile& baseline);  // baseline_rules.cc

}  // namespace shlo
