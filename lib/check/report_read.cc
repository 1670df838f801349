// Reads reports from documents. A value that is missing, or of another type, is as if it were empty.
#include <limits>

#include "base/bounded_json.h"
#include "base/format.h"
#include "base/utf8.h"
#include "check/report.h"

namespace shlo {
namespace {

const Json& ValueAt(const Json& json, const char* key) {
  static const Json kNothing;
  const auto found = json.find(key);
  return found == json.end() ? kNothing : *found;
}

std::string StringAt(const Json& json, const char* key) {
  const Json& value = ValueAt(json, key);
  return value.is_string() ? SymbolFromJson(value.get_ref<const std::string&>()) : "";
}

const Json& ListAt(const Json& json, const char* key) {
  static const Json kEmpty = Json::array();
  const Json& value = ValueAt(json, key);
  return value.is_array() ? value : kEmpty;
}

template <typename T>
T NumberAt(const Json& json, const char* key, T otherwise) {
  const Json& value = ValueAt(json, key);
  if (!value.is_number_unsigned() || value.get<uint64_t>() > std::numeric_limits<T>::max()) return otherwise;
  return T(value.get<uint64_t>());
}

// Returns the value that has a name, or the first one.
template <typename EnumT>
EnumT NamedValue(const std::string& name, EnumT last, std::string_view (*name_of)(EnumT)) {
  for (size_t i = 0; i <= size_t(last); ++i)
    if (name_of(EnumT(i)) == name) return EnumT(i);
  return EnumT{};
}

Findings FindingsOf(const Json& list, const CheckReport& report, std::string* problem) {
  Findings findings;
  for (const Json& json : list) {
    Finding f{.rule = CheckRule{}, .diagnostic = DiagnosticOf(ValueAt(json, "diagnostic"))};
    if (report.has_rules) {
      const std::string id = StringAt(json, "rule");
      const CheckRuleRow* row = FindCheckRule(id);
      if (!row && problem->empty()) *problem = StrFormat("unknown rule '{}'", id);
      if (row) f.rule = row->rule;
    }
    f.severity = CheckSeverityOfName(StringAt(json, "severity")).value_or(CheckSeverity::kError);
    f.program = StringAt(json, "program");
    f.count = NumberAt<uint64_t>(json, "count", 1);
    f.waived = StringAt(json, "waived");
    findings.push_back(std::move(f));
  }
  return findings;
}

}  // namespace

Diagnostic DiagnosticOf(const Json& json) {
  Diagnostic d;
  d.severity = NamedValue(StringAt(json, "severity"), Severity::kNote, SeverityName);
  d.code = NamedValue(StringAt(json, "code"), Code::kCanceled, CodeName);
  d.message = StringAt(json, "message");
  d.place.file = StringAt(json, "file");
  d.place.line = NumberAt<uint32_t>(json, "line", 0);
  d.place.column = NumberAt<uint32_t>(json, "column", 0);
  d.place.section = StringAt(json, "section");
  d.place.offset = NumberAt<uint64_t>(json, "offset", Place::kNone);
  d.place.function = StringAt(json, "function");
  d.place.location = StringAt(json, "location");
  d.place.source_line = StringAt(json, "source_line");
  d.op = StringAt(json, "op");
  d.version.n = NumberAt<uint16_t>(ValueAt(json, "version"), "n", 0);
  d.hint = StringAt(json, "hint");
  d.count = NumberAt<uint64_t>(json, "count", 1);
  return d;
}

Result<CheckReport> ReadReport(std::string_view text, const Limits& limits) {
  std::string why;
  const auto json = ParseJson<Json>(text, {.max_memory = limits.max_memory}, &why);
  if (json && !ValueAt(*json, "files").is_array()) why = "it has no files";
  CheckReport report;
  if (why.empty()) {
    report.command = StringAt(*json, "command");
    report.has_rules = report.command == "check";
    report.policy = StringAt(*json, "policy");
    report.baseline = StringAt(ValueAt(*json, "baseline"), "revision");
    report.commit = StringAt(ValueAt(*json, "baseline"), "commit");
    report.today = ParseDate(StringAt(*json, "today")).value_or(Date{});
    for (const Json& file : ListAt(*json, "files")) {
      CheckedEntry entry{.path = StringAt(file, "file")};
      entry.compared = ValueAt(file, "compared") == true;
      entry.findings = FindingsOf(ListAt(file, "findings"), report, &why);
      for (const Json& d : ListAt(file, "failures")) entry.failures.push_back(DiagnosticOf(d));
      report.files.push_back(std::move(entry));
    }
    report.about_policy = FindingsOf(ListAt(*json, "policy_findings"), report, &why);
  }
  if (!why.empty()) return Error(Code::kMalformed, StrFormat("not the document of a report: {}", why));
  return report;
}

}  // namespace shlo
