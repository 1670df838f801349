#include "check_report.h"

#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>

#include "base/format.h"
#include "base/nearest.h"

namespace shlo::tool {

int ParseReports(Context& ctx, const std::vector<std::string>& words, std::vector<ReportTarget>* out) {
  for (const std::string& text : words) {
    const size_t equal = std::min(text.find('='), text.size());
    ReportTarget target{text.substr(0, equal), "-"};
    if (equal < text.size()) target.file = text.substr(equal + 1);
    if (std::ranges::find(kReportFormats, target.format) == std::end(kReportFormats) || target.file.empty())
      return ctx.Fail(Code::kUsage, StrFormat("--report={} is not FORMAT or FORMAT=FILE", text), {},
                      StrFormat("formats are {}", fmt::join(kReportFormats, ", ")));
    out->push_back(std::move(target));
  }
  const auto on_stdout = std::ranges::count(*out, "-", &ReportTarget::file) + (ctx.json ? 1 : 0);
  if (on_stdout > 1)
    return ctx.Fail(Code::kUsage, "more than one report would go to the standard output", {},
                    "pass --report FORMAT=FILE");
  if (on_stdout == 0) out->push_back({"text", "-"});
  return kDone;
}

int WriteReports(Context& ctx, const std::vector<ReportTarget>& targets, const CheckReport& report,
                 const Json& json, int code) {
  for (const ReportTarget& target : targets) {
    const bool color = target.file == "-" && WantColor(ctx, STDOUT_FILENO);
    const std::string text = target.format == "json"
                                 ? JsonText(report.command, json, code, ctx.reported)
                                 : RenderReport(report, target.format, color, target.file == "-");
    if (const int wrote = WriteOut(ctx, target.file, text, /*binary=*/false); wrote != kDone)
      code = std::max(code, wrote);
  }
  return code;
}

bool GetRuleSeverity(Context& ctx, const std::string& text, CheckRule* rule, CheckSeverity* severity) {
  const size_t equal = std::min(text.find('='), text.size());
  const CheckRuleRow* row = FindCheckRule(std::string_view(text).substr(0, equal));
  const std::string id = text.substr(0, equal);
  if (equal == text.size()) {
    ctx.Fail(Code::kUsage, StrFormat("--rule={} is not ID=SEVERITY", text), {},
             StrFormat("write --rule {}=error; severities are off, note, warning and error", id));
    return false;
  }
  if (!row) {
    Nearest nearest(id);
    for (const CheckRuleRow& known : CheckRules()) nearest.Try(known.id);
    ctx.Fail(Code::kUsage, StrFormat("--rule={}: unknown rule '{}'", text, id), {},
             DidYouMean(nearest.best(), "run 'shlo-compat rules' for the list"));
    return false;
  }
  const std::string name = text.substr(equal + 1);
  const auto wanted = CheckSeverityOfName(name);
  if (!wanted) {
    ctx.Fail(Code::kUsage, StrFormat("--rule={}: unknown severity '{}'", text, name), {},
             "severities are off, note, warning and error");
    return false;
  }
  *rule = row->rule;
  *severity = *wanted;
  return true;
}

}  // namespace shlo::tool
