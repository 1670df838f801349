// Reports for people: text, Markdown, and the annotations of GitHub.
#include "base/format.h"
#include "check/report.h"

namespace shlo {
namespace {

std::string PlaceText(const ReportRow& row) {
  const uint32_t line = row.diagnostic->place.line;
  return line ? StrFormat("{}:{}", Shown(row.path), line) : Shown(row.path);
}

std::string MessageOf(const Finding& f) {
  std::string out;
  if (!f.diagnostic.op.empty()) out = Shown(f.diagnostic.op) + ": ";
  out += Shown(f.diagnostic.message);
  if (f.count > 1) out += StrFormat(" ({} times)", f.count);
  return out;
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

std::vector<ReportRow> RowsOf(const CheckReport& report) {
  std::vector<ReportRow> rows;
  const auto add = [&](const Findings& findings, std::string_view path) {
    for (const Finding& f : findings)
      rows.push_back({f.waived.empty() ? CheckSeverityName(f.severity) : "waived", report.RuleOf(f), path,
                      &f.diagnostic, &f, MessageOf(f)});
  };
  for (const CheckedEntry& file : report.files) {
    for (const Diagnostic& d : file.failures)
      rows.push_back({"failed", CodeName(d.code), file.path, &d, nullptr, Shown(d.message)});
    add(file.findings, file.path);
  }
  add(report.about_policy, report.policy);
  return rows;
}

TerminalText TextReport(const CheckReport& report, bool color, bool terminal) {
  TerminalText out;
  for (const ReportRow& row : RowsOf(report)) {
    if (row.kind == "waived" || (row.kind == "failed" && terminal)) continue;
    Diagnostic d = *row.diagnostic;
    if (row.finding && row.finding->count > 1) d.message += StrFormat(" ({} times)", row.finding->count);
    // The id of the rule is what a policy names, and says more than the class of the diagnostic.
    out += RenderText(d, color, row.finding ? row.rule : "");
  }
  out.Add("{}\n", TotalsText(report));
  return out;
}

MarkdownText MarkdownReport(const CheckReport& report) {
  MarkdownText rows;
  for (const ReportRow& row : RowsOf(report))
    rows.Add("| {} | {} | {} | {} |\n", row.finding ? row.kind : "not checked", row.rule, PlaceText(row),
             row.message);
  MarkdownText out = MarkdownText::Of("### shlo-compat {}\n\n{}\n", report.command, TotalsText(report));
  if (!rows.empty())
    out += MarkdownText("\n| | Rule | Place | Finding |\n| --- | --- | --- | --- |\n") + rows;
  return out;
}

CommandText GithubReport(const CheckReport& report) {
  CommandText out;
  for (const ReportRow& row : RowsOf(report)) {
    if (row.kind == "waived") continue;
    const Place& place = row.diagnostic->place;
    out.Add("::{} file={}",
            row.kind == "note" ? "notice"
            : row.finding      ? row.kind
                               : "error",
            PropertyText::Of("{}", row.path));
    if (place.line) out.Add(",line={}", place.line);
    if (place.line && place.column) out.Add(",col={}", place.column);
    out.Add(",title={}::{}", PropertyText::Of("{}", row.finding ? row.rule : "not checked"), row.message);
    if (!row.diagnostic->hint.empty()) out.Add("%0A{}", Shown(row.diagnostic->hint));  // on a separate line
    out += "\n";
  }
  return out;
}

}  // namespace shlo
