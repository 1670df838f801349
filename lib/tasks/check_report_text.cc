// Reports for people: text, Markdown, and the annotations of GitHub.
#include "base/format.h"
#include "tasks/check_report.h"

namespace shlo::tasks {
namespace {

// Calls visit(finding, path) for each finding, and failed(diagnostic, path) for each failure, in order.
template <typename VisitT, typename FailedT>
void ForEach(const CheckReport& report, const VisitT& visit, const FailedT& failed) {
  for (const CheckedEntry& file : report.files) {
    for (const Diagnostic& d : file.failures) failed(d, file.path);
    for (const Finding& f : file.findings) visit(f, file.path);
  }
  for (const Finding& f : report.about_policy) visit(f, report.policy);
}

std::string_view IdOf(const Finding& f) { return RowOf(f.rule).id; }

std::string PlaceText(const Diagnostic& d, std::string_view path) {
  return d.place.line ? StrFormat("{}:{}", Shown(path), d.place.line) : Shown(path);
}

}  // namespace

CheckReport::Totals CheckReport::Count() const {
  Totals t;
  const auto add = [&](const Finding& f) {
    if (!f.waived.empty())
      ++t.waived;
    else if (f.severity == CheckSeverity::kError)
      ++t.errors;
    else if (f.severity == CheckSeverity::kWarning)
      ++t.warnings;
    else
      ++t.notes;
  };
  for (const CheckedEntry& file : files) {
    t.failed += !file.failures.empty();
    for (const Finding& f : file.findings) add(f);
  }
  for (const Finding& f : about_policy) add(f);
  return t;
}

std::string TotalsText(const CheckReport& report) {
  const auto t = report.Count();
  std::string out = StrFormat("{}, {}", Count(t.errors, "error"), Count(t.warnings, "warning"));
  if (t.notes) out += ", " + Count(t.notes, "note");
  if (t.waived) out += StrFormat(", {} waived", t.waived);
  out += StrFormat(" in {}", Count(report.files.size(), "file"));
  if (t.failed) out += StrFormat("; {} not checked", t.failed);
  if (!report.baseline.empty())
    out += StrFormat("; baseline {} ({})", NameText(report.baseline), report.commit.substr(0, 12));
  return out;
}

std::string MessageOf(const Finding& f) {
  std::string out;
  if (!f.diagnostic.op.empty()) out = Shown(f.diagnostic.op) + ": ";
  out += Shown(f.diagnostic.message);
  if (f.count > 1) out += StrFormat(" ({} times)", f.count);
  return out;
}

TerminalText TextReport(const CheckReport& report, bool color, bool terminal) {
  TerminalText out;
  ForEach(
      report,
      [&](const Finding& f, std::string_view) {
        if (!f.waived.empty()) return;
        Diagnostic d = f.diagnostic;
        if (f.count > 1) d.message += StrFormat(" ({} times)", f.count);
        // The id of the rule is what a policy names, and says more than the class of the diagnostic.
        out += RenderText(d, color, IdOf(f));
      },
      [&](const Diagnostic& d, std::string_view) {
        if (!terminal) out += RenderText(d, color);
      });
  out.Add("{}\n", TotalsText(report));
  return out;
}

MarkdownText MarkdownReport(const CheckReport& report) {
  MarkdownText rows;
  ForEach(
      report,
      [&](const Finding& f, std::string_view path) {
        rows.Add("| {} | {} | {} | {} |\n",
                 f.waived.empty() ? CheckSeverityName(f.severity) : std::string_view("waived"), IdOf(f),
                 PlaceText(f.diagnostic, path), MessageOf(f));
      },
      [&](const Diagnostic& d, std::string_view path) {
        rows.Add("| not checked | {} | {} | {} |\n", CodeName(d.code), PlaceText(d, path), Shown(d.message));
      });
  MarkdownText out = MarkdownText::Of("### shlo-compat {}\n\n{}\n", report.command, TotalsText(report));
  if (!rows.empty())
    out += MarkdownText("\n| | Rule | Place | Finding |\n| --- | --- | --- | --- |\n") + rows;
  return out;
}

CommandText GithubReport(const CheckReport& report) {
  CommandText out;
  const auto add = [&](std::string_view level, std::string_view title, const Diagnostic& d,
                       std::string_view path, const std::string& message) {
    out.Add("::{} file={}", level, PropertyText::Of("{}", path));
    if (d.place.line) out.Add(",line={}", d.place.line);
    if (d.place.line && d.place.column) out.Add(",col={}", d.place.column);
    out.Add(",title={}::{}", PropertyText::Of("{}", title), message);
    if (!d.hint.empty()) out.Add("%0A{}", Shown(d.hint));  // on a separate line
    out += "\n";
  };
  ForEach(
      report,
      [&](const Finding& f, std::string_view path) {
        if (!f.waived.empty()) return;
        add(f.severity == CheckSeverity::kNote ? "notice" : CheckSeverityName(f.severity), IdOf(f),
            f.diagnostic, path, MessageOf(f));
      },
      [&](const Diagnostic& d, std::string_view path) {
        add("error", "not checked", d, path, Shown(d.message));
      });
  return out;
}

}  // namespace shlo::tasks
