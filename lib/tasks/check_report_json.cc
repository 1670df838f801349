// Reports in JSON: our own document, SARIF 2.1.0 and GitLab's code quality.
#include "base/format.h"
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "tasks/check_report.h"

namespace shlo::tasks {
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

Json Location(const Diagnostic& d, std::string_view path) {
  Json physical = Json::object();
  physical["artifactLocation"] = {{"uri", Uri(path)}};
  if (d.place.line) {
    physical["region"] = {{"startLine", d.place.line}};
    if (d.place.column) physical["region"]["startColumn"] = d.place.column;
  }
  Json j = Json::object();
  j["physicalLocation"] = std::move(physical);
  if (!d.place.function.empty())
    j["logicalLocations"] = Json::array({{{"fullyQualifiedName", d.place.function}, {"kind", "function"}}});
  return j;
}

// Returns a text for people. Text that looks like a link of SARIF, [text](address), is escaped.
std::string MessageText(std::string_view text) {
  std::string out = EscapedFor(Medium::kTerminal, Shown(text));
  for (size_t at = 0; (at = out.find("](", at)) != out.npos;) out.replace(at + 1, 1, "\\28");
  return out;
}

const char* LevelOf(CheckSeverity severity) {
  return severity == CheckSeverity::kError     ? "error"
         : severity == CheckSeverity::kWarning ? "warning"
                                               : "note";
}

}  // namespace

std::string FingerprintOf(const Finding& f, std::string_view path) {
  std::string text;
  const Diagnostic& d = f.diagnostic;
  for (const std::string_view part :
       {RowOf(f.rule).id, path, std::string_view(f.program), std::string_view(d.place.function),
        std::string_view(d.op), std::string_view(d.message)}) {
    text += part;
    text += '\0';
  }
  const XXH128_hash_t hash = XXH3_128bits(text.data(), text.size());
  return StrFormat("{:016x}{:016x}", hash.high64, hash.low64);
}

Json FindingJson(const Finding& f, std::string_view path) {
  Json j = Json::object();
  j["rule"] = std::string(RowOf(f.rule).id);
  j["severity"] = std::string(CheckSeverityName(f.severity));
  j["waived"] = f.waived.empty() ? Json(nullptr) : Json(f.waived);
  j["count"] = f.count;
  j["program"] = f.program.empty() ? Json(nullptr) : Json(f.program);
  j["fingerprint"] = FingerprintOf(f, path);
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
    for (const Finding& finding : file.findings) findings.push_back(FindingJson(finding, file.path));
    for (const Diagnostic& d : file.failures) failures.push_back(ToJson(d));
    f["findings"] = std::move(findings);
    f["failures"] = std::move(failures);
    files.push_back(std::move(f));
  }
  j["files"] = std::move(files);
  Json own = Json::array();
  for (const Finding& finding : report.about_policy) own.push_back(FindingJson(finding, report.policy));
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
  Json rules = Json::array();
  for (const CheckRuleRow& row : CheckRules()) {
    Json r = Json::object();
    r["id"] = std::string(row.id);
    r["shortDescription"] = {{"text", StrFormat("Reports {}.", row.summary)}};
    r["fullDescription"] = {{"text", row.page}};
    r["help"] = {{"text", row.page}};
    const bool off = row.severity == CheckSeverity::kOff;
    r["defaultConfiguration"] = {{"enabled", !off}, {"level", off ? "warning" : LevelOf(row.severity)}};
    rules.push_back(std::move(r));
  }
  Json results = Json::array(), notifications = Json::array();
  const auto add = [&](const Finding& f, std::string_view path) {
    Json r = Json::object();
    r["ruleId"] = std::string(RowOf(f.rule).id);
    r["ruleIndex"] = size_t(f.rule);
    r["level"] = LevelOf(f.severity);
    std::string message = MessageText(MessageOf(f));
    if (!f.diagnostic.hint.empty()) message += "\n" + MessageText(f.diagnostic.hint);
    r["message"] = {{"text", std::move(message)}};
    r["locations"] = Json::array({Location(f.diagnostic, path)});
    r["partialFingerprints"] = {{"shloCompat/v1", FingerprintOf(f, path)}};
    if (!f.waived.empty())
      r["suppressions"] = Json::array({{{"kind", "external"}, {"justification", MessageText(f.waived)}}});
    results.push_back(std::move(r));
  };
  bool all = true;
  for (const CheckedEntry& file : report.files) {
    for (const Diagnostic& d : file.failures) {
      all = false;
      Json n = Json::object();
      n["level"] = "error";
      n["message"] = {{"text", MessageText(d.message)}};
      n["locations"] = Json::array({Location(d, file.path)});
      notifications.push_back(std::move(n));
    }
    for (const Finding& f : file.findings) add(f, file.path);
  }
  for (const Finding& f : report.about_policy) add(f, report.policy);
  Json driver = Json::object();
  driver["name"] = "shlo-compat";
  driver["version"] = SHLO_TOOL_VERSION;
  driver["rules"] = std::move(rules);
  Json invocation = Json::object();
  invocation["executionSuccessful"] = all;
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
  const auto add = [&](std::string description, std::string_view rule, std::string fingerprint,
                       const char* severity, const Diagnostic& d, std::string_view path) {
    Json j = Json::object();
    j["description"] = std::move(description);
    j["check_name"] = std::string(rule);
    j["fingerprint"] = std::move(fingerprint);
    j["severity"] = severity;
    j["location"] = {{"path", path}, {"lines", {{"begin", d.place.line ? d.place.line : 1}}}};
    out.push_back(std::move(j));
  };
  const auto finding = [&](const Finding& f, std::string_view path) {
    if (!f.waived.empty()) return;
    add(MessageText(MessageOf(f)), RowOf(f.rule).id, FingerprintOf(f, path),
        f.severity == CheckSeverity::kError     ? "major"
        : f.severity == CheckSeverity::kWarning ? "minor"
                                                : "info",
        f.diagnostic, path);
  };
  for (const CheckedEntry& file : report.files) {
    for (const Diagnostic& d : file.failures)
      add("not checked: " + MessageText(d.message), CodeName(d.code),
          FingerprintOf({.rule = CheckRule{}, .diagnostic = d}, file.path), "blocker", d, file.path);
    for (const Finding& f : file.findings) finding(f, file.path);
  }
  for (const Finding& f : report.about_policy) finding(f, report.policy);
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

}  // namespace shlo::tasks
