// Reports for people: text, Markdown, and the annotations of GitHub.
#include <fmt/format.h>

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

// In a table of Markdown: one line, no column separators.
std::string TableCell(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '|' || c == '<' || c == '`' || c == '*' || c == '_' || c == '[' || c == '\\') out += '\\';
    out += c == '\n' || c == '\r' ? ' ' : c;
  }
  return out;
}

// In a command of GitHub's workflows; values of properties escape more.
std::string Command(std::string_view text, bool property) {
  std::string out;
  for (const char c : text) {
    if (c == '%')
      out += "%25";
    else if (c == '\r')
      out += "%0D";
    else if (c == '\n')
      out += "%0A";
    else if (property && c == ':')
      out += "%3A";
    else if (property && c == ',')
      out += "%2C";
    else
      out += c;
  }
  return out;
}

std::string PlaceText(const Diagnostic& d, std::string_view path) {
  return d.place.line ? fmt::format("{}:{}", path, d.place.line) : std::string(path);
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
  std::string out = fmt::format("{}, {}", Count(t.errors, "error"), Count(t.warnings, "warning"));
  if (t.notes) out += ", " + Count(t.notes, "note");
  if (t.waived) out += fmt::format(", {} waived", t.waived);
  out += fmt::format(" in {}", Count(report.files.size(), "file"));
  if (t.failed) out += fmt::format("; {} not checked", t.failed);
  if (!report.baseline.empty())
    out += fmt::format("; baseline {} ({})", report.baseline, report.commit.substr(0, 12));
  return out;
}

std::string MessageOf(const Finding& f) {
  std::string out;
  if (!f.diagnostic.op.empty()) out = Shown(f.diagnostic.op) + ": ";
  out += Shown(f.diagnostic.message);
  if (f.count > 1) out += fmt::format(" ({} times)", f.count);
  return out;
}

std::string TextReport(const CheckReport& report, bool color, bool terminal) {
  std::string out;
  ForEach(
      report,
      [&](const Finding& f, std::string_view) {
        if (!f.waived.empty()) return;
        Diagnostic d = f.diagnostic;
        if (f.count > 1) d.message += fmt::format(" ({} times)", f.count);
        std::string text = Render(d, color);
        // The id of the rule is what a policy names, and says more than the class of the diagnostic.
        const std::string code = fmt::format(" [{}]\n", CodeName(d.code));
        if (const size_t at = text.find(code); at != text.npos)
          text.replace(at, code.size(), fmt::format(" [{}]\n", IdOf(f)));
        out += text;
      },
      [&](const Diagnostic& d, std::string_view) {
        if (!terminal) out += Render(d, color);
      });
  return out + TotalsText(report) + "\n";
}

std::string MarkdownReport(const CheckReport& report) {
  std::string out = fmt::format("### shlo-compat {}\n\n{}\n", report.command, TableCell(TotalsText(report)));
  std::string rows;
  ForEach(
      report,
      [&](const Finding& f, std::string_view path) {
        rows += fmt::format("| {} | {} | {} | {} |\n",
                            f.waived.empty() ? CheckSeverityName(f.severity) : std::string_view("waived"),
                            IdOf(f), TableCell(PlaceText(f.diagnostic, path)), TableCell(MessageOf(f)));
      },
      [&](const Diagnostic& d, std::string_view path) {
        rows += fmt::format("| not checked | {} | {} | {} |\n", CodeName(d.code),
                            TableCell(PlaceText(d, path)), TableCell(d.message));
      });
  if (!rows.empty()) out += "\n| | Rule | Place | Finding |\n| --- | --- | --- | --- |\n" + rows;
  return out;
}

std::string GithubReport(const CheckReport& report) {
  std::string out;
  const auto add = [&](std::string_view level, std::string_view title, const Diagnostic& d,
                       std::string_view path, std::string message) {
    if (!d.hint.empty()) message += "\n" + d.hint;
    out += fmt::format("::{} file={}", level, Command(path, true));
    if (d.place.line) out += fmt::format(",line={}", d.place.line);
    if (d.place.line && d.place.column) out += fmt::format(",col={}", d.place.column);
    out += fmt::format(",title={}::{}\n", Command(title, true), Command(message, false));
  };
  ForEach(
      report,
      [&](const Finding& f, std::string_view path) {
        if (!f.waived.empty()) return;
        add(f.severity == CheckSeverity::kNote ? "notice" : CheckSeverityName(f.severity), IdOf(f),
            f.diagnostic, path, MessageOf(f));
      },
      [&](const Diagnostic& d, std::string_view path) { add("error", "not checked", d, path, d.message); });
  return out;
}

}  // namespace shlo::tasks
