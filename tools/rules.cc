// `rules`: lists the rules of `check` and `gate`, or prints the page of one.
#include "base/format.h"
#include "base/nearest.h"
#include "check/report.h"
#include "commands.h"
#include "shlo/check.h"

namespace shlo::tool {
namespace {

// Breaks lines at the width of a terminal.
std::string Wrapped(std::string_view text) {
  constexpr size_t kWidth = 79;
  std::string out;
  size_t column = 0;
  while (!text.empty()) {
    const size_t end = std::min(text.find_first_of(" \n"), text.size());
    const std::string_view word = text.substr(0, end);
    if (column && column + 1 + word.size() > kWidth) {
      out += '\n';
      column = 0;
    } else if (column) {
      out += ' ';
      ++column;
    }
    out += word;
    column += word.size();
    if (end < text.size() && text[end] == '\n') {
      out += "\n\n";
      column = 0;
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out + "\n";
}

int RunRules(Context& ctx, const std::string& id) {
  const CheckRuleRow* wanted = nullptr;
  if (!id.empty()) {
    wanted = FindCheckRule(id);
    Nearest nearest(id);
    for (const CheckRuleRow& row : CheckRules()) nearest.Try(row.id);
    if (!wanted) {
      const int code = ctx.Fail(Code::kUsage, StrFormat("unknown rule '{}'", id), {},
                                DidYouMean(nearest.best(), "'shlo-compat rules' lists the rules"));
      return ctx.json ? PrintJson(ctx, Json::object(), code) : code;
    }
  }
  if (ctx.json) return PrintJson(ctx, RulesJson(wanted), kDone);
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
  return Print(ctx, TerminalText::Lines(out));
}

}  // namespace

void AddRules(Options& options, Context& ctx) {
  auto id = AddRun<std::string>(options, ctx, RunRules);
  options.Argument("ID", id.get(), "rule to explain (default: list all)", /*required=*/false);
  AddCommonFlags(options, ctx);
}

}  // namespace shlo::tool
