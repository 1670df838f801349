#include "ir/json.h"

#include <utility>

#include "base/printable.h"
#include "base/utf8.h"

namespace shlo {

std::string_view ToolVersion() { return SHLO_TOOL_VERSION; }

std::string ToolName() { return "shlo-compat " SHLO_TOOL_VERSION; }

Json ToJson(Version version) {
  const VersionRow* row = FindVersion(version);
  if (!row) return nullptr;
  Json j = Json::object();
  j["n"] = row->version.n;
  j["release"] = row->release.empty() ? Json(nullptr) : Json(std::string(row->release));
  j["date"] = DateString(row->date);
  return j;
}

Json ToJson(const Diagnostic& d) {
  Json j = Json::object();
  j["severity"] = std::string(SeverityName(d.severity));
  j["code"] = std::string(CodeName(d.code));
  j["message"] = Utf8Text(Shown(d.message));
  const Place& p = d.place;
  if (!p.file.empty()) j["file"] = p.file;
  if (p.line) j["line"] = p.line;
  if (p.column) j["column"] = p.column;
  if (!p.section.empty()) j["section"] = Utf8Text(p.section);
  if (p.offset != Place::kNone) j["offset"] = p.offset;
  if (!p.function.empty()) j["function"] = Shown(p.function);
  if (!p.location.empty()) j["location"] = Utf8Text(Shown(p.location));
  if (!d.op.empty()) j["op"] = Shown(d.op);
  if (d.version.valid()) j["version"] = ToJson(d.version);
  if (!d.hint.empty()) j["hint"] = Utf8Text(Shown(d.hint));
  if (d.count > 1) j["count"] = d.count;
  return j;
}

Json ToJson(const Diagnostics& diagnostics) {
  Json list = Json::array();
  for (const Diagnostic& d : diagnostics) list.push_back(ToJson(d));
  return list;
}

Json VersionJson(Version version, Version last) { return version >= last ? Json(nullptr) : ToJson(version); }

Json ProgramJson(const Program& program) {
  Json j = Json::object();
  j["name"] = program.name.empty() ? Json(nullptr) : Json(program.name);
  j["line"] = program.source.first_line;
  j["version"] = ToJson(program.module.version);
  return j;
}

Json FileJson(const std::string& path, Json programs) {
  Json j = Json::object();
  j["file"] = path;
  j["programs"] = std::move(programs);
  return j;
}

namespace {

// Whether the strings of a value are written as they are.
bool IsPlain(const std::string& text) { return FirstNotUtf8(text) == text.npos && !text.starts_with('\0'); }
bool IsPlain(const Json& json) {
  if (json.is_string()) return IsPlain(json.get_ref<const std::string&>());
  if (!json.is_structured()) return true;
  for (const auto& [key, value] : json.items())
    if ((json.is_object() && !IsPlain(key)) || !IsPlain(value)) return false;
  return true;
}

// Returns a value whose strings are UTF-8.
Json WithUtf8(const Json& json) {
  if (json.is_string()) return SymbolToJson(json.get_ref<const std::string&>());
  if (json.is_object()) {
    Json out = Json::object();
    for (const auto& [key, value] : json.items()) out[SymbolToJson(key)] = WithUtf8(value);
    return out;
  }
  if (!json.is_array()) return json;
  Json out = Json::array();
  for (const Json& value : json) out.push_back(WithUtf8(value));
  return out;
}

}  // namespace

std::string Dumped(const Json& json) {
  const std::string text = IsPlain(json) ? json.dump(2) : WithUtf8(json).dump(2);
  return JsonForTerminals(text) + "\n";
}

std::string JsonText(std::string_view command, const Json& content, int exit,
                     const Diagnostics& diagnostics) {
  Json document = Json::object();
  document["format_version"] = kJsonVersion;
  document["command"] = std::string(command);
  if (content.is_object()) document.update(content);  // or null, if there are no more keys
  document["exit"] = exit;
  document["diagnostics"] = ToJson(diagnostics);
  return Dumped(document);
}

}  // namespace shlo
