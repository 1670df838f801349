#include "prove/common_form.h"

#include <algorithm>
#include <map>

#include "base/deadline.h"
#include "base/format.h"
#include "base/try.h"
#include "ir/table/ops.h"
#include "prove/laws.h"
#include "prove/mhlo_calls.h"
#include "rewrite/all_rules.h"
#include "shlo/convert.h"
#include "shlo/expand.h"
#include "shlo/inline.h"

namespace shlo::prove {
namespace {

using Applied = std::map<std::string, Law>;

void CountLaw(std::string name, uint64_t count, bool approximate, Applied* laws) {
  Law& law = (*laws)[name];
  law.name = std::move(name);
  law.count += count;
  law.approximate = approximate;
}

// Converts a program to the version of the result.
Result<Module> Converted(Module module, Version newer, Applied* laws) {
  ConvertOptions options;
  options.allow_other_dialects = true;
  auto converted = SHLO_TRY(Convert(std::move(module), newer, options));
  for (const AppliedStep& step : converted.steps)
    CountLaw(StrFormat("{} -> {}", step.from, step.to), step.ops, false, laws);
  return std::move(converted.module);
}

// Applies the exact rewrites, to one copy of the program.
Result<Module> Simplified(const Module& module, Version newer, Applied* laws) {
  std::vector<rewrite::Rule> exact;
  for (const rewrite::Rule& rule : rewrite::AllRules())
    if (rule.exactness.Within({})) exact.push_back(rule);
  ModuleEditor editor(module);
  const auto report = SHLO_TRY(rewrite::Apply(exact, &editor));
  uint64_t rewrites = 0;
  for (const auto& [name, times] : report.applied) rewrites += times;
  if (rewrites) CountLaw("exact rewrites", rewrites, false, laws);
  return Converted(std::move(editor).Finish(), newer, laws);
}

// Rewrites one program. `older`: the version whose ops are used; `newer`: the version of the result.
Result<Module> Rewrite(const Module& module, Version older, Version newer, Form form, Applied* laws) {
  Tick();  // a conversion of another form may have been canceled: there it is an error like others
  if (form == Form::kSimplified) return Simplified(module, newer, laws);
  Module result = module;
  if (form >= Form::kInlined) {
    const auto calls = [](const Module& m) {
      return std::ranges::count_if(m.ops, [&](const Op& op) { return m.Is(op, ops::kCall); });
    };
    const auto before = calls(result);
    result = SHLO_TRY(InlineCalls(result));
    if (before) CountLaw("inlining of calls", uint64_t(before), false, laws);
  }
  if (form >= Form::kExpanded) {
    uint64_t restored = 0;
    result = RestoreMhloOps(result, &restored);
    if (restored) CountLaw("custom calls of MHLO ops -> the ops", restored, false, laws);
    ExpandOptions options;
    options.target = older;
    options.chlo = form >= Form::kChlo;
    options.composites = form >= Form::kComposites;
    options.convert.allow_other_dialects = true;
    auto expanded = SHLO_TRY(Expand(result, options));
    for (const ExpandedOps& ops : expanded.ops)
      CountLaw(ExpansionLawName(ops.op), ops.count, !IsExactExpansion(ops.op), laws);
    result = std::move(expanded.module);
  }
  return Converted(std::move(result), newer, laws);
}

}  // namespace

std::string_view FormName(Form form) {
  constexpr std::string_view kNames[] = {"steps",  "expanded", "chlo",      "composites",
                                         "oldest", "inlined",  "simplified"};
  static_assert(std::size(kNames) == std::size(kForms));
  return kNames[size_t(form)];
}

std::optional<Form> FormOfName(std::string_view name) {
  for (Form form : kForms)
    if (FormName(form) == name) return form;
  return std::nullopt;
}

Result<CommonForm> BringTogether(const Module& a, const Module& b, Form form) {
  const Version newer = std::max(a.version, b.version);
  const bool oldest = form == Form::kOldest || form == Form::kInlined;
  const Version older = oldest ? kMinimumVersion : std::min(a.version, b.version);
  Applied laws;
  auto of_a = SHLO_TRY(Rewrite(a, older, newer, form, &laws));
  auto of_b = SHLO_TRY(Rewrite(b, older, newer, form, &laws));
  CommonForm common{std::move(of_a), std::move(of_b), {}};
  for (auto& entry : laws) common.laws.push_back(std::move(entry.second));
  return common;
}

}  // namespace shlo::prove
