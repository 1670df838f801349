// Reports in JSON: our own document, SARIF 2.1.0 and GitLab's code quality.
#include <algorithm>

#include "base/format.h"
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "check/report.h"

namespace shlo {
namespace {

// A path as a relative URI reference (RFC 3986): what is not unreserved is escaped.
std::string Uri(std::string_view path) {
  std::string out;
  for (const char c : path) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       std::string_view("-._~/").find(c) != std::string_view::npos;
    if (plain)
      out += c;
    else
      out += StrFormat("%{:02X}", uint8_t(c));
  }
  return out;
}

Json Location(const ReportRow& row) {
  const Place& place = row.diagnostic->place;
  Json physical = Json::object();
  physical["artifactLocation"] = {{"uri", Uri(row.path)}};
  if (place.line) {
    physical["region"] = {{"startLine", place.line}};
    if (place.column) physical["region"]["startColumn"] = place.column;
  }
  Json j = Json::object();
  j["physicalLocation"] = std::move(physical);
  if (!place.function.empty())
    j["logicalLocations"] = Json::array({{{"fullyQualifiedName", place.function}, {"kind", "function"}}});
  return j;
}

// Returns a text for people. Text that looks like a link of SARIF, [text](address), is escaped.
std::string MessageText(std::string_view text) {
  std::string out = EscapedFor(Medium::kTerminal, Shown(text));
  for (size_t at = 0; (at = out.find("](", at)) != out.npos;) out.replace(at + 1, 1, "\\28");
  return out;
}

// Returns what tells a row from all others, and stays while lines move: a hash in hexadecimal.
std::string FingerprintOf(const ReportRow& row) {
  std::string text;
  const Diagnostic& d = *row.diagnostic;
  for (const std::string_view part :
       {row.finding ? row.rule : RowOf(CheckRule{}).id, row.path,
        row.finding ? std::string_view(row.finding->program) : std::string_view(),
        std::string_view(d.place.function), std::string_view(d.op), std::string_view(d.message)}) {
    text += part;
    text += '\0';
  }
  const XXH128_hash_t hash = XXH3_128bits(text.data(), text.size());
  return StrFormat("{:016x}{:016x}", hash.high64, hash.low64);
}

// Describes the rules of a report: the rows of `check`, or the codes that it has. Sets `ids` to theirs.
Json RulesOf(const CheckReport& report, std::vector<std::string_view>* ids) {
  Json rules = Json::array();
  if (!report.has_rules) {
    for (const CheckedEntry& file : report.files)
      for (const Finding& f : file.findings) ids->push_back(report.RuleOf(f));
    std::ranges::sort(*ids);
    ids->erase(std::unique(ids->begin(), ids->end()), ids->end());
    for (const std::string_view id : *ids) rules.push_back({{"id", id}});
    return rules;
  }
  for (const CheckRuleRow& row : CheckRules()) {
    ids->push_back(row.id);
    Json r = Json::object();
    r["id"] = std::string(row.id);
    r["shortDescription"] = {{"text", StrFormat("Reports {}.", row.summary)}};
    r["fullDescription"] = {{"text", row.page}};
    r["help"] = {{"text", row.page}};
    const bool off = row.severity == CheckSeverity::kOff;
    r["defaultConfiguration"] = {{"enabled", !off},
                                 {"level", off ? "warning" : CheckSeverityName(row.severity)}};
    rules.push_back(std::move(r));
  }
  return rules;
}

}  // namespace

std::string_view CheckReport::RuleOf(const Finding& f) const {
  return has_rules ? RowOf(f.rule).id : CodeName(f.diagnostic.code);
}

Json FindingJson(const CheckReport& report, const Finding& f, std::string_view path) {
  Json j = Json::object();
  j["rule"] = std::string(report.RuleOf(f));
  j["severity"] = std::string(CheckSeverityName(f.severity));
  j["waived"] = f.waived.empty() ? Json(nullptr) : Json(f.waived);
  j["count"] = f.count;
  j["program"] = f.program.empty() ? Json(nullptr) : Json(f.program);
  j["fingerprint"] =
      FingerprintOf({.rule = report.RuleOf(f), .path = path, .diagnostic = &f.diagnostic, .finding = &f});
  j["diagnostic"] = ToJson(f.diagnostic);
  return j;
}

Json TotalsJson(const CheckReport& report) {
  const auto t = report.Count();
  return {{"errors", t.errors},
          {"warnings", t.warnings},
          {"notes", t.notes},
          {"waived", t.waived},
          {"not_checked", t.failed}};
}

Json ReportJson(const CheckReport& report) {
  Json j = Json::object();
  j["policy"] = report.policy.empty() ? Json(nullptr) : Json(report.policy);
  j["baseline"] = report.baseline.empty() ? Json(nullptr)
                                          : Json({{"revision", report.baseline}, {"commit", report.commit}});
  j["today"] = DateString(report.today);
  Json files = Json::array();
  for (const CheckedEntry& file : report.files) {
    Json f = Json::object();
    f["file"] = file.path;
    f["checked"] = file.failures.empty();
    f["compared"] = file.compared;
    Json findings = Json::array(), failures = Json::array();
    for (const Finding& finding : file.findings) findings.push_back(FindingJson(report, finding, file.path));
    for (const Diagnostic& d : file.failures) failures.push_back(ToJson(d));
    f["findings"] = std::move(findings);
    f["failures"] = std::move(failures);
    files.push_back(std::move(f));
  }
  j["files"] = std::move(files);
  Json own = Json::array();
  for (const Finding& finding : report.about_policy)
    own.push_back(FindingJson(report, finding, report.policy));
  j["policy_findings"] = std::move(own);
  j["totals"] = TotalsJson(report);
  return j;
}

std::string_view CommandOf(const CheckRuleRow& row) {
  return row.compares == CheckComparison::kReleases ? "gate" : "check";
}

Json RulesJson(const CheckRuleRow* only) {
  Json rules = Json::array();
  for (const CheckRuleRow& row : CheckRules()) {
    if (only && only != &row) continue;
    Json j = Json::object();
    j["id"] = std::string(row.id);
    j["severity"] = std::string(CheckSeverityName(row.severity));
    j["baseline"] = row.compares == CheckComparison::kBaseline;
    j["command"] = std::string(CommandOf(row));
    j["summary"] = std::string(row.summary);
    j["page"] = std::string(row.page);
    rules.push_back(std::move(j));
  }
  return {{"rules", std::move(rules)}};
}

std::string SarifReport(const CheckReport& report) {
  std::vector<std::string_view> ids;
  Json rules = RulesOf(report, &ids);
  Json results = Json::array(), notifications = Json::array();
  for (const ReportRow& row : RowsOf(report)) {
    Json r = Json::object();
    std::string message = MessageText(row.message);
    if (!row.finding) {
      r["level"] = "error";
      r["message"] = {{"text", std::move(message)}};
      r["locations"] = Json::array({Location(row)});
      notifications.push_back(std::move(r));
      continue;
    }
    r["ruleId"] = std::string(row.rule);
    r["ruleIndex"] = std::ranges::find(ids, row.rule) - ids.begin();
    r["level"] = std::string(CheckSeverityName(row.finding->severity));
    if (!row.diagnostic->hint.empty()) message += "\n" + MessageText(row.diagnostic->hint);
    r["message"] = {{"text", std::move(message)}};
    r["locations"] = Json::array({Location(row)});
    r["partialFingerprints"] = {{"shloCompat/v1", FingerprintOf(row)}};
    if (row.kind == "waived")
      r["suppressions"] =
          Json::array({{{"kind", "external"}, {"justification", MessageText(row.finding->waived)}}});
    results.push_back(std::move(r));
  }
  Json driver = Json::object();
  driver["name"] = "shlo-compat";
  driver["version"] = ToolVersion();
  driver["rules"] = std::move(rules);
  Json invocation = Json::object();
  invocation["executionSuccessful"] = notifications.empty();
  invocation["toolExecutionNotifications"] = std::move(notifications);
  Json run = Json::object();
  run["tool"] = {{"driver", std::move(driver)}};
  run["invocations"] = Json::array({std::move(invocation)});
  run["columnKind"] = "utf16CodeUnits";
  run["results"] = std::move(results);
  Json j = Json::object();
  j["$schema"] = "https://json.schemastore.org/sarif-2.1.0.json";
  j["version"] = "2.1.0";
  j["runs"] = Json::array({std::move(run)});
  return Dumped(j);
}

std::string GitlabReport(const CheckReport& report) {
  Json out = Json::array();
  for (const ReportRow& row : RowsOf(report)) {
    if (row.kind == "waived") continue;
    Json j = Json::object();
    j["description"] = (row.finding ? "" : "not checked: ") + MessageText(row.message);
    j["check_name"] = std::string(row.rule);
    j["fingerprint"] = FingerprintOf(row);
    j["severity"] = row.kind == "failed"    ? "blocker"
                    : row.kind == "error"   ? "major"
                    : row.kind == "warning" ? "minor"
                                            : "info";
    const uint32_t line = row.diagnostic->place.line;
    j["location"] = {{"path", row.path}, {"lines", {{"begin", line ? line : 1}}}};
    out.push_back(std::move(j));
  }
  return Dumped(out);
}

std::string RenderReport(const CheckReport& report, std::string_view format, bool color, bool terminal) {
  if (format == "json") return Dumped(ReportJson(report));
  if (format == "sarif") return SarifReport(report);
  if (format == "junit") return JunitReport(report).str();
  if (format == "github") return GithubReport(report).str();
  if (format == "gitlab") return GitlabReport(report);
  if (format == "markdown") return MarkdownReport(report).str();
  if (format == "html") return HtmlReport(report).str();
  return TextReport(report, color, terminal).str();
}

}  // namespace shlo
