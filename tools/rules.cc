// `rules`: lists the rules of `check` and `gate`, or prints the page of one.
#include "base/format.h"
#include "base/nearest.h"
#include "check/report.h"
#include "commands.h"
#include "option_row.h"
#include "shlo/check.h"

namespace shlo::tool {
namespace {

// Breaks lines at the width of a terminal. A line end begins a paragraph.
std::string Wrapped(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    out += (out.empty() ? "" : "\n\n") + WrapText(text.substr(0, end), 79, 0);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out + "\n";
}

int RunRules(Context& ctx, const std::string& id, Answer* answer) {
  const CheckRuleRow* wanted = nullptr;
  if (!id.empty()) {
    wanted = FindCheckRule(id);
    Nearest nearest(id);
    for (const CheckRuleRow& row : CheckRules()) nearest.Try(row.id);
    if (!wanted)
      return ctx.Fail(Code::kUsage, StrFormat("unknown rule '{}'", id), {},
                      DidYouMean(nearest.best(), "'shlo-compat rules' lists the rules"));
  }
  answer->json = RulesJson(wanted);
  std::string out;
  if (wanted) {
    out = StrFormat("{}: reports {}\ndefault: {}{}, applied by '{}'\n\n{}", wanted->id, wanted->summary,
                    CheckSeverityName(wanted->severity),
                    wanted->compares == CheckComparison::kBaseline ? ", with a baseline" : "",
                    CommandOf(*wanted), Wrapped(wanted->page));
  } else {
    for (const CheckRuleRow& row : CheckRules())
      out += StrFormat("{:<24} {:<8} {}{}\n", row.id, CheckSeverityName(row.severity), row.summary,
                       row.compares == CheckComparison::kBaseline   ? " (baseline)"
                       : row.compares == CheckComparison::kReleases ? " (gate)"
                                                                    : "");
  }
  answer->text = TerminalText::Lines(out);
  return kDone;
}

}  // namespace

void AddRules(Options& options, Context& ctx) {
  auto id = AddAnswer<std::string>(options, ctx, RunRules);
  options.Argument("ID", id.get(), "rule to explain (default: list all)", /*required=*/false);
}

}  // namespace shlo::tool
