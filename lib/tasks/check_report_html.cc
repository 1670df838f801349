// Reports in XML and HTML.
#include <fmt/format.h>

#include "tasks/check_report.h"

namespace shlo::tasks {
namespace {

// Without its style a report is a plain page, which mail programs show.
constexpr std::string_view kStyle =
    "body{font:14px/1.45 system-ui,sans-serif;margin:2em auto;max-width:72em;padding:0 1em}"
    "table{border-collapse:collapse;width:100%}td,th{text-align:left;vertical-align:top;padding:.3em .6em;"
    "border-bottom:1px solid #8884}code{font:12px/1.4 ui-monospace,monospace;overflow-wrap:anywhere}"
    ".error,.failed{color:#b3261e}.warning{color:#8a5a00}.note,.waived{color:#666}small{color:#666}"
    "@media(prefers-color-scheme:dark){body{background:#161616;color:#e6e6e6}.error,.failed{color:#ff8a80}"
    ".warning{color:#ffcc66}.note,.waived,small{color:#aaa}}";

}  // namespace

std::string Escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '&')
      out += "&amp;";
    else if (c == '"')
      out += "&quot;";
    else if (c == '\'')
      out += "&#39;";
    else if (uint8_t(c) >= 0x20 || c == '\n' || c == '\t')
      out += c;
    else
      out += '?';
  }
  return out;
}

std::string JunitReport(const CheckReport& report) {
  std::string cases;
  size_t tests = 0, failures = 0, errors = 0;
  const auto add = [&](std::string_view path, const Findings& findings, const Diagnostics& failed) {
    std::string inner, waived;
    for (const Diagnostic& d : failed)
      inner += fmt::format("      <error type=\"{}\" message=\"{}\">{}</error>\n", CodeName(d.code),
                           Escaped(d.message), Escaped(Render(d)));
    bool fails = false;
    for (const Finding& f : findings) {
      const std::string_view id = RowOf(f.rule).id;
      if (f.waived.empty() && f.severity == CheckSeverity::kError) {
        fails = true;
        if (failed.empty())
          inner += fmt::format("      <failure type=\"{}\" message=\"{}\">{}</failure>\n", id,
                               Escaped(MessageOf(f)), Escaped(Render(f.diagnostic)));
      } else {
        waived += fmt::format("{} {}: {}{}\n", f.waived.empty() ? CheckSeverityName(f.severity) : "waived",
                              id, MessageOf(f), f.waived.empty() ? "" : " (" + f.waived + ")");
      }
    }
    ++tests;
    errors += !failed.empty();
    failures += failed.empty() && fails;
    if (!waived.empty()) inner += fmt::format("      <system-out>{}</system-out>\n", Escaped(waived));
    cases += fmt::format("    <testcase classname=\"shlo-compat.{}\" name=\"{}\"{}", report.command,
                         Escaped(path), inner.empty() ? "/>\n" : ">\n" + inner + "    </testcase>\n");
  };
  for (const CheckedEntry& file : report.files) add(file.path, file.findings, file.failures);
  if (!report.about_policy.empty()) add(report.policy, report.about_policy, {});
  const std::string counts =
      fmt::format("tests=\"{}\" failures=\"{}\" errors=\"{}\"", tests, failures, errors);
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites {}>\n  <testsuite name=\"shlo-compat {}\" "
      "{} "
      "skipped=\"0\">\n{}  </testsuite>\n</testsuites>\n",
      counts, report.command, counts, cases);
}

std::string HtmlReport(const CheckReport& report) {
  std::string rows;
  const auto row = [&](std::string_view kind, std::string_view rule, std::string_view path,
                       const Diagnostic& d, const std::string& message, std::string_view extra) {
    rows += fmt::format("<tr class=\"{}\"><td>{}</td><td>{}</td><td><code>{}{}</code></td><td>{}", kind, kind,
                        rule, Escaped(path), d.place.line ? fmt::format(":{}", d.place.line) : "",
                        Escaped(message));
    for (const std::string_view more : {std::string_view(d.hint), extra})
      if (!more.empty()) rows += fmt::format("<br><small>{}</small>", Escaped(more));
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
  std::string out = fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
      "content=\"width=device-width\"><title>shlo-compat "
      "{}</title><style>{}</style></head>\n<body><h1>shlo-compat "
      "{}</h1>\n<p>{}</p>\n",
      report.command, kStyle, report.command, Escaped(TotalsText(report)));
  if (!rows.empty())
    out += "<table><thead><tr><th></th><th>Rule</th><th>Place</th><th>Finding</th></tr></thead><tbody>\n" +
           rows + "</tbody></table>\n";
  return out + "</body></html>\n";
}

}  // namespace shlo::tasks
