// Reports in XML and HTML.
#include <fmt/format.h>

#include "tasks/check_report.h"

namespace shlo::tasks {
namespace {

// Without its style a report is a plain page, which mail programs show.
constexpr const char* kStyle =
    "body{font:14px/1.45 system-ui,sans-serif;margin:2em auto;max-width:72em;padding:0 1em}"
    "table{border-collapse:collapse;width:100%}td,th{text-align:left;vertical-align:top;padding:.3em .6em;"
    "border-bottom:1px solid #8884}code{font:12px/1.4 ui-monospace,monospace;overflow-wrap:anywhere}"
    ".error,.failed{color:#b3261e}.warning{color:#8a5a00}.note,.waived{color:#666}small{color:#666}"
    "@media(prefers-color-scheme:dark){body{background:#161616;color:#e6e6e6}.error,.failed{color:#ff8a80}"
    ".warning{color:#ffcc66}.note,.waived,small{color:#aaa}}";

}  // namespace

XmlText JunitReport(const CheckReport& report) {
  XmlText cases;
  size_t tests = 0, failures = 0, errors = 0;
  const auto add = [&](std::string_view path, const Findings& findings, const Diagnostics& failed) {
    XmlText inner, waived;
    const auto problem = [&](std::string_view kind, std::string_view type, std::string_view message,
                             const Diagnostic& d) {
      inner.Add("      <{} type=\"{}\" message=\"{}\">{}</{}>\n", kind, type, Shown(message),
                XmlText::Lines(RenderText(d).str()), kind);
    };
    for (const Diagnostic& d : failed) problem("error", CodeName(d.code), d.message, d);
    bool fails = false;
    for (const Finding& f : findings) {
      const std::string_view id = RowOf(f.rule).id;
      if (f.waived.empty() && f.severity == CheckSeverity::kError) {
        fails = true;
        if (failed.empty()) problem("failure", id, MessageOf(f), f.diagnostic);
      } else {
        waived.Add("{} {}: {}{}\n", f.waived.empty() ? CheckSeverityName(f.severity) : "waived", id,
                   MessageOf(f), f.waived.empty() ? "" : " (" + Shown(f.waived) + ")");
      }
    }
    ++tests;
    errors += !failed.empty();
    failures += failed.empty() && fails;
    if (!waived.empty()) inner.Add("      <system-out>{}</system-out>\n", waived);
    cases.Add("    <testcase classname=\"shlo-compat.{}\" name=\"{}\"", report.command, Shown(path));
    cases += inner.empty() ? XmlText("/>\n") : XmlText(">\n") + inner + "    </testcase>\n";
  };
  for (const CheckedEntry& file : report.files) add(file.path, file.findings, file.failures);
  if (!report.about_policy.empty()) add(report.policy, report.about_policy, {});
  const XmlText counts = XmlText::Of("tests=\"{}\" failures=\"{}\" errors=\"{}\"", tests, failures, errors);
  return XmlText::Of(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites {}>\n  <testsuite name=\"shlo-compat {}\" "
      "{} "
      "skipped=\"0\">\n{}  </testsuite>\n</testsuites>\n",
      counts, report.command, counts, cases);
}

XmlText HtmlReport(const CheckReport& report) {
  XmlText rows;
  const auto row = [&](std::string_view kind, std::string_view rule, std::string_view path,
                       const Diagnostic& d, std::string_view message, std::string_view extra) {
    rows.Add("<tr class=\"{}\"><td>{}</td><td>{}</td><td><code>{}", kind, kind, rule, Shown(path));
    if (d.place.line) rows.Add(":{}", d.place.line);
    rows.Add("</code></td><td>{}", Shown(message));
    for (const std::string_view more : {std::string_view(d.hint), extra})
      if (!more.empty()) rows.Add("<br><small>{}</small>", Shown(more));
    rows += "</td></tr>\n";
  };
  const auto add = [&](const Findings& findings, std::string_view path) {
    for (const Finding& f : findings)
      row(f.waived.empty() ? CheckSeverityName(f.severity) : "waived", RowOf(f.rule).id, path, f.diagnostic,
          MessageOf(f), f.waived);
  };
  for (const CheckedEntry& file : report.files) {
    for (const Diagnostic& d : file.failures) row("failed", CodeName(d.code), file.path, d, d.message, "");
    add(file.findings, file.path);
  }
  add(report.about_policy, report.policy);
  XmlText out = XmlText::Of(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
      "content=\"width=device-width\"><title>shlo-compat "
      "{}</title><style>{}</style></head>\n<body><h1>shlo-compat "
      "{}</h1>\n<p>{}</p>\n",
      report.command, XmlText(kStyle), report.command, TotalsText(report));
  if (!rows.empty())
    out +=
        XmlText(
            "<table><thead><tr><th></th><th>Rule</th><th>Place</th><th>Finding</th></tr></thead><tbody>\n") +
        rows + "</tbody></table>\n";
  return out + "</body></html>\n";
}

}  // namespace shlo::tasks
