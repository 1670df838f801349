// Reports in XML and HTML.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "base/excerpt.h"
#include "check/report.h"

namespace shlo {
namespace {

// Without its style a report is a plain page, which mail programs show. Only lines of programs are wider than
// a phone; they scroll by themselves.
constexpr const char* kStyle =
    "body{font:15px/1.5 system-ui,sans-serif;margin:2em auto;max-width:60em;padding:0 1em}"
    "h2{font-size:1.15em;margin:2em 0 0}table{border-collapse:collapse}"
    "td,th{text-align:left;vertical-align:top;padding:.2em .8em .2em 0;border-bottom:1px solid #8884}"
    ".number{text-align:right}ul{list-style:none;margin:.3em 0 1.2em;padding:0}"
    "code{font:13px/1.5 ui-monospace,monospace;overflow-wrap:break-word}"
    "pre{font:12px/1.4 ui-monospace,monospace;overflow-x:auto;margin:.2em 0 .6em;padding:.4em .6em;"
    "background:#8881}p{margin:.4em 0}small,.waived,.note{color:#666}"
    "b{display:inline-block;border-radius:3px;padding:0 .45em;color:#fff;background:#666}"
    "b.error,b.failed{background:#b3261e}b.warning{background:#8a5a00}"
    "@media(prefers-color-scheme:dark){body{background:#161616;color:#e6e6e6}small,.waived,.note{color:#aaa}"
    "}";

// The kinds in the order of the page.
constexpr std::string_view kKinds[] = {"failed", "error", "warning", "note", "waived"};

std::vector<ReportRow> SortedRows(const CheckReport& report) {
  std::vector<ReportRow> rows = RowsOf(report);
  std::ranges::stable_sort(rows, {}, [](const ReportRow& row) {
    return std::tuple(std::ranges::find(kKinds, row.kind) - std::begin(kKinds), row.rule);
  });
  return rows;
}

// What the rule of a row reports; "" if that is not known.
std::string_view SummaryOf(const CheckReport& report, const ReportRow& row) {
  if (!row.finding) return "why files were not checked";
  return report.has_rules ? RowOf(row.finding->rule).summary : "";
}

// A path that breaks after its slashes.
XmlText PathText(const std::string& path) {
  XmlText out;
  for (size_t at = 0; at < path.size();) {
    const size_t end = std::min(path.find('/', at), path.size() - 1) + 1;
    out.Add("{}", path.substr(at, end - at));
    if (end < path.size()) out += "<wbr>";
    at = end;
  }
  return out;
}

XmlText PlaceItem(const ReportRow& row) {
  const Place& place = row.diagnostic->place;
  XmlText out = XmlText::Of("<li><code>{}", PathText(Shown(row.path)));
  if (place.line) out.Add(":{}", place.line);
  out += "</code>";
  if (const auto excerpt = ExcerptOf(place))
    out.Add("<pre>{}\n{}^</pre>", excerpt->line, std::string(excerpt->column, ' '));
  return out += "</li>\n";
}

// The result, with the policy, the consumers, the date and the tool.
XmlText AboutText(const CheckReport& report) {
  XmlText out = XmlText::Of("<table><tbody>\n<tr><td>Result</td><td>{}</td></tr>\n", TotalsText(report));
  const auto row = [&](Literal what, const std::string& value) {
    if (!value.empty())
      out.Add("<tr><td>{}</td><td><code>{}</code></td></tr>\n", XmlText(what), PathText(value));
  };
  row("Policy", report.policy);
  std::string consumers;
  for (const std::string& name : report.consumers) consumers += (consumers.empty() ? "" : ", ") + name;
  row("Consumers", consumers);
  row("Date", report.today == Date{} ? "" : DateString(report.today));
  row("Tool", ToolName());
  return out += "</tbody></table>\n";
}

std::string_view WaivedOf(const ReportRow& row) {
  return row.finding ? std::string_view(row.finding->waived) : std::string_view();
}

// How many findings each rule has.
XmlText CountsText(const std::vector<ReportRow>& items) {
  XmlText out(
      "<table><thead><tr><th></th><th>Rule</th><th class=\"number\">Findings</th></tr></thead><tbody>\n");
  for (size_t i = 0; i < items.size();) {
    size_t end = i;
    while (end < items.size() && items[end].kind == items[i].kind && items[end].rule == items[i].rule) ++end;
    out.Add("<tr><td><b class=\"{}\">{}</b></td><td><code>{}</code></td><td class=\"number\">{}</td></tr>\n",
            items[i].kind, items[i].kind, items[i].rule, end - i);
    i = end;
  }
  return out += "</tbody></table>\n";
}

}  // namespace

XmlText JunitReport(const CheckReport& report) {
  XmlText cases;
  size_t tests = 0, failures = 0, errors = 0;
  const std::vector<ReportRow> rows = RowsOf(report);
  size_t at = 0;
  const auto add = [&](std::string_view path, size_t count) {
    XmlText inner, waived;
    bool failed = false, fails = false;
    for (const size_t end = at + count; at < end; ++at) {
      const ReportRow& row = rows[at];
      failed |= !row.finding;
      if (row.finding && row.kind != "error") {
        waived.Add("{} {}: {}{}\n", row.kind, row.rule, row.message,
                   row.kind == "waived" ? " (" + Shown(row.finding->waived) + ")" : "");
        continue;
      }
      fails = true;
      if (row.finding && failed) continue;
      const Literal kind = row.finding ? Literal("failure") : Literal("error");
      inner.Add("      <{} type=\"{}\" message=\"{}\">{}</{}>\n", XmlText(kind), row.rule, Shown(row.message),
                XmlText::Lines(RenderText(*row.diagnostic, /*color=*/false, row.rule).str()), XmlText(kind));
    }
    ++tests;
    errors += failed;
    failures += fails && !failed;
    if (!waived.empty()) inner.Add("      <system-out>{}</system-out>\n", waived);
    cases.Add("    <testcase classname=\"shlo-compat.{}\" name=\"{}\"", report.command, Shown(path));
    cases += inner.empty() ? XmlText("/>\n") : XmlText(">\n") + inner + "    </testcase>\n";
  };
  for (const CheckedEntry& file : report.files) add(file.path, file.failures.size() + file.findings.size());
  if (!report.about_policy.empty()) add(report.policy, report.about_policy.size());
  const XmlText counts = XmlText::Of("tests=\"{}\" failures=\"{}\" errors=\"{}\"", tests, failures, errors);
  return XmlText::Of(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites {}>\n  <testsuite name=\"shlo-compat {}\" "
      "{} "
      "skipped=\"0\">\n{}  </testsuite>\n</testsuites>\n",
      counts, report.command, counts, cases);
}

XmlText HtmlReport(const CheckReport& report) {
  const std::vector<ReportRow> items = SortedRows(report);
  XmlText out = XmlText::Of(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
      "content=\"width=device-width\"><title>shlo-compat "
      "{}</title><style>{}</style></head>\n<body><h1>shlo-compat {}</h1>\n{}",
      report.command, XmlText(kStyle), report.command, AboutText(report));
  if (items.size() > 1) out.Add("<h2>By rule</h2>\n{}", CountsText(items));
  for (size_t i = 0; i < items.size();) {
    const ReportRow& first = items[i];
    out.Add("<h2><b class=\"{}\">{}</b> {}</h2>\n<p><small>{}</small></p>\n", first.kind, first.kind,
            first.rule, SummaryOf(report, first));
    // The same finding elsewhere is another place.
    std::map<std::tuple<std::string_view, std::string_view, std::string_view>, size_t> known;
    std::vector<std::vector<const ReportRow*>> findings;
    for (; i < items.size() && items[i].kind == first.kind && items[i].rule == first.rule; ++i) {
      const ReportRow& item = items[i];
      const auto [at, is_new] =
          known.try_emplace({item.message, item.diagnostic->hint, WaivedOf(item)}, findings.size());
      if (is_new) findings.emplace_back();
      findings[at->second].push_back(&item);
    }
    for (const std::vector<const ReportRow*>& places : findings) {
      out.Add("<p class=\"{}\">{}", first.kind, Shown(places[0]->message));
      for (const std::string_view more :
           {std::string_view(places[0]->diagnostic->hint), WaivedOf(*places[0])})
        if (!more.empty()) out.Add("<br><small>{}</small>", Shown(more));
      out += "</p>\n<ul>\n";
      for (const ReportRow* item : places) out += PlaceItem(*item);
      out += "</ul>\n";
    }
  }
  return out += "</body></html>\n";
}

}  // namespace shlo
