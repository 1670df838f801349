// Output of --json: keys in a fixed order; invalid UTF-8 is replaced.
#include "common.h"

namespace shlo::tool {

Json ToJson(Version version) {
  const VersionRow* row = FindVersion(version);
  if (!row) return nullptr;
  Json j;
  j["n"] = row->version.n;
  j["release"] = row->release.empty() ? Json(nullptr) : Json(std::string(row->release));
  j["date"] = DateString(row->date);
  return j;
}

Json ToJson(const Diagnostic& d) {
  Json j;
  j["severity"] = std::string(SeverityName(d.severity));
  j["code"] = std::string(CodeName(d.code));
  j["message"] = d.message;
  const Place& p = d.place;
  if (!p.file.empty()) j["file"] = p.file;
  if (p.line) j["line"] = p.line;
  if (p.column) j["column"] = p.column;
  if (!p.section.empty()) j["section"] = p.section;
  if (p.offset != Place::kNone) j["offset"] = p.offset;
  if (!p.function.empty()) j["function"] = p.function;
  if (!p.location.empty()) j["location"] = p.location;
  if (!d.op.empty()) j["op"] = d.op;
  if (d.version.valid()) j["version"] = ToJson(d.version);
  if (!d.hint.empty()) j["hint"] = d.hint;
  return j;
}

int PrintJson(Context& ctx, Json document, int code) {
  document["exit"] = code;
  Json list = Json::array();
  for (const Diagnostic& d : ctx.reported) list.push_back(ToJson(d));
  document["diagnostics"] = std::move(list);
  const int wrote = Print(ctx, document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
  return wrote == kDone ? code : wrote;
}

}  // namespace shlo::tool
