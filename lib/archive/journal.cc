#include "archive/journal.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <nlohmann/json.hpp>
#include <set>

#include "ir/utf8.h"

namespace shlo::archive {
namespace {

using Json = nlohmann::json;  // sorts keys

std::string Dump(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

// --- Writing ------------------------------------------------------------------------------------------

Json Entry(const char* type, const EntryOrigin& origin) {
  return {{"type", type}, {"time", origin.time}, {"tool", origin.tool}};
}

Json FilesJson(const std::vector<ArchivedFile>& files) {
  Json list = Json::array();
  for (const ArchivedFile& file : files)
    list.push_back({{"path", file.path}, {"id", IdText(file.id)}, {"size", file.size}});
  return list;
}

Json ProgramsJson(const std::vector<ArchivedProgram>& programs) {
  Json list = Json::array();
  for (const ArchivedProgram& program : programs) {
    Json functions = Json::array();
    for (const ArchivedFunction& f : program.functions)
      functions.push_back({{"name", f.name}, {"type", f.type}});
    list.push_back({{"name", program.name},
                    {"version", program.version.n},
                    {"ops", program.ops},
                    {"constants", program.constants},
                    {"constant_bytes", program.constant_bytes},
                    {"functions", std::move(functions)},
                    {"custom_calls", program.custom_calls},
                    {"dialects", program.dialects}});
  }
  return list;
}

Json IdsJson(const std::vector<ContentId>& ids) {
  Json list = Json::array();
  for (const ContentId& id : ids) list.push_back(IdText(id));
  return list;
}

Json TensorsJson(const std::vector<ArchivedTensor>& tensors) {
  Json list = Json::array();
  for (const ArchivedTensor& tensor : tensors)
    list.push_back(
        {{"name", tensor.name}, {"type", tensor.type}, {"id", IdText(tensor.id)}, {"size", tensor.size}});
  return list;
}

// --- Reading ------------------------------------------------------------------------------------------

// Reads members of an object. A missing member, or one of another type, is malformed unless it is optional.
class Members {
 public:
  explicit Members(const Json& json) : json_(json), ok_(json.is_object()) {}

  bool ok() const { return ok_; }
  std::string Text(const char* key, bool optional = false) {
    const Json* value = Find(key, optional);
    if (!value) return {};
    if (!value->is_string()) return Bad<std::string>();
    return value->get<std::string>();
  }
  uint64_t Number(const char* key, bool optional = false) {
    const Json* value = Find(key, optional);
    if (!value) return 0;
    // SQLite has signed numbers.
    if (!value->is_number_unsigned() || value->get<uint64_t>() > INT64_MAX) return Bad<uint64_t>();
    return value->get<uint64_t>();
  }
  double Real(const char* key) {
    const Json* value = Find(key, false);
    if (!value) return 0;
    if (!value->is_number()) return Bad<double>();
    return value->get<double>();
  }
  ContentId Id(const char* key, bool optional = false) {
    const Json* value = Find(key, optional);
    if (!value) return {};
    const auto id = value->is_string() ? ParseId(value->get_ref<const std::string&>()) : std::nullopt;
    return id ? *id : Bad<ContentId>();
  }
  const Json& List(const char* key, bool optional = false) {
    static const Json kEmpty = Json::array();
    const Json* value = Find(key, optional);
    if (!value) return kEmpty;
    if (!value->is_array()) ok_ = false;
    return value->is_array() ? *value : kEmpty;
  }
  std::vector<std::string> Texts(const char* key, bool optional = false) {
    std::vector<std::string> out;
    for (const Json& item : List(key, optional)) {
      if (!item.is_string()) return Bad<std::vector<std::string>>();
      out.push_back(item.get<std::string>());
    }
    return out;
  }
  std::vector<ContentId> Ids(const char* key) {
    std::vector<ContentId> out;
    for (const std::string& text : Texts(key, true)) {
      const auto id = ParseId(text);
      if (!id) return Bad<std::vector<ContentId>>();
      out.push_back(*id);
    }
    return out;
  }
  // Calls fn(key, value) for the members of an object, where a value is a string or null.
  template <typename FnT>
  void Strings(const char* key, FnT&& fn) {
    const Json* value = Find(key, true);
    if (!value) return;
    if (!value->is_object()) ok_ = false;
    if (!ok_) return;
    for (const auto& [name, text] : value->items()) {
      if (!text.is_string() && !text.is_null()) ok_ = false;
      if (ok_) fn(name, text.is_null() ? std::nullopt : std::optional(text.template get<std::string>()));
    }
  }
  void Fail() { ok_ = false; }
  void Check(const Members& part) { ok_ = ok_ && part.ok_; }

 private:
  const Json* Find(const char* key, bool optional) {
    if (!ok_) return nullptr;
    const auto found = json_.find(key);
    if (found != json_.end()) return &*found;
    if (!optional) ok_ = false;
    return nullptr;
  }
  template <typename T>
  T Bad() {
    ok_ = false;
    return {};
  }

  const Json& json_;
  bool ok_;
};

std::vector<ArchivedFile> ReadFiles(Members& entry) {
  std::vector<ArchivedFile> files;
  for (const Json& json : entry.List("files")) {
    Members m(json);
    files.push_back({m.Text("path"), m.Id("id"), m.Number("size")});
    entry.Check(m);
  }
  if (files.empty()) entry.Fail();
  return files;
}

std::vector<ArchivedProgram> ReadPrograms(Members& entry) {
  std::vector<ArchivedProgram> programs;
  for (const Json& json : entry.List("programs")) {
    Members m(json);
    ArchivedProgram& program = programs.emplace_back();
    program.name = m.Text("name");
    program.version.n = uint16_t(std::min<uint64_t>(m.Number("version"), UINT16_MAX));
    program.ops = m.Number("ops");
    program.constants = m.Number("constants");
    program.constant_bytes = m.Number("constant_bytes");
    program.custom_calls = m.Texts("custom_calls");
    program.dialects = m.Texts("dialects");
    for (const Json& function : m.List("functions")) {
      Members f(function);
      program.functions.push_back({f.Text("name"), f.Text("type")});
      m.Check(f);
    }
    entry.Check(m);
  }
  return programs;
}

std::vector<ArchivedTensor> ReadTensors(Members& entry, const char* key) {
  std::vector<ArchivedTensor> tensors;
  for (const Json& json : entry.List(key)) {
    Members m(json);
    tensors.push_back({m.Text("name"), m.Text("type"), m.Id("id"), m.Number("size")});
    entry.Check(m);
  }
  return tensors;
}

std::vector<ArchivedProof> ReadProofs(Members& entry) {
  std::vector<ArchivedProof> proofs;
  for (const Json& json : entry.List("proofs", true)) {
    Members m(json);
    const std::string program = m.Text("program");
    const ContentId certificate = m.Id("certificate");
    const auto evidence = EvidenceOfName(m.Text("evidence"));
    if (!evidence) m.Fail();
    proofs.push_back({program, certificate, evidence.value_or(Evidence::kNone)});
    entry.Check(m);
  }
  return proofs;
}

Format ReadFormat(Members& entry) {
  const auto format = FormatOfName(entry.Text("format"));
  if (!format) entry.Fail();
  return format.value_or(Format::kText);
}

// Reads what a model and a form state of their files.
void ReadContents(Members& m, ArchivedForm* form) {
  form->time = m.Text("time");
  form->tool = m.Text("tool");
  form->format = ReadFormat(m);
  form->files = ReadFiles(m);
  form->programs = ReadPrograms(m);
  form->outside = m.Ids("outside");
}

// --- Effects of entries ----------------------------------------------------------------------------------

bool ApplyModel(const ContentId& id, Members& m, ArchivedModel* model) {
  ArchivedModel read;
  read.entry = id;
  read.name = m.Text("name");
  read.version = m.Number("version");
  read.producer = m.Text("producer", true);
  read.tags = m.Texts("tags", true);
  m.Strings("metadata", [&](const std::string& key, std::optional<std::string> value) {
    if (value) read.metadata[key] = std::move(*value);
  });
  read.parents = m.Ids("parents");
  ArchivedForm& form = read.forms.emplace_back();
  form.entry = id;
  ReadContents(m, &form);
  if (!m.ok() || read.version == 0 || !NameProblem(read.name).empty()) return false;
  for (const std::string& tag : read.tags)
    if (!TagProblem(tag).empty()) return false;
  std::ranges::sort(read.tags);
  *model = std::move(read);
  return true;
}

bool ApplyForm(const ContentId& id, Members& m, ArchivedModel* model) {
  ArchivedForm form;
  form.entry = id;
  form.from = m.Id("from");
  ReadContents(m, &form);
  form.proofs = ReadProofs(m);
  if (!m.ok()) return false;
  model->forms.push_back(std::move(form));
  return true;
}

bool ApplyGolden(const ContentId& id, Members& m, ArchivedModel* model) {
  ArchivedGolden golden;
  golden.entry = id;
  golden.time = m.Text("time");
  golden.tool = m.Text("tool");
  golden.program = m.Text("program", true);
  golden.function = SymbolFromJson(m.Text("entry"));
  golden.inputs = ReadTensors(m, "inputs");
  golden.results = ReadTensors(m, "results");
  golden.tolerance = m.Real("tolerance");
  golden.reason = m.Text("reason");
  if (!m.ok() || !(golden.tolerance >= 0)) return false;
  model->goldens.push_back(std::move(golden));
  return true;
}

bool ApplyAnnotation(Members& m, ArchivedModel* model) {
  const std::vector<std::string> add = m.Texts("add", true), remove = m.Texts("remove", true);
  auto metadata = model->metadata;
  m.Strings("metadata", [&](const std::string& key, std::optional<std::string> value) {
    if (value)
      metadata[key] = std::move(*value);
    else
      metadata.erase(key);
  });
  if (!m.ok()) return false;
  std::set<std::string> tags(model->tags.begin(), model->tags.end());
  for (const std::string& tag : remove) tags.erase(tag);
  for (const std::string& tag : add)
    if (TagProblem(tag).empty()) tags.insert(tag);
  model->tags.assign(tags.begin(), tags.end());
  model->metadata = std::move(metadata);
  return true;
}

bool ApplyRemove(Members& m, ArchivedModel* model) {
  const ContentId removed = m.Id("form", true);
  if (!m.ok()) return false;
  if (!removed) model->removed = true;
  for (ArchivedForm& form : model->forms)
    if (removed && form.entry == removed) form.removed = true;
  return true;
}

Json Parse(std::string_view text) { return Json::parse(text, nullptr, /*allow_exceptions=*/false); }

}  // namespace

std::string ModelEntry(const NewModel& model, uint64_t version, const ContentId& imported,
                       const EntryOrigin& origin) {
  Json j = Entry("model", origin);
  j["name"] = model.name;
  j["version"] = version;
  j["format"] = FormatName(model.format);
  j["files"] = FilesJson(model.files);
  j["programs"] = ProgramsJson(model.programs);
  if (!model.producer.empty()) j["producer"] = model.producer;
  if (!model.metadata.empty()) j["metadata"] = model.metadata;
  if (!model.tags.empty()) {
    const std::set<std::string> tags(model.tags.begin(), model.tags.end());
    j["tags"] = tags;
  }
  if (!model.parents.empty()) j["parents"] = IdsJson(model.parents);
  if (!model.outside.empty()) j["outside"] = IdsJson(model.outside);
  if (imported) j["imported"] = IdText(imported);
  return Dump(j);
}

std::string FormEntry(const ContentId& model, const ArchivedForm& form, const EntryOrigin& origin) {
  Json j = Entry("form", origin);
  j["model"] = IdText(model);
  j["from"] = IdText(form.from);
  j["format"] = FormatName(form.format);
  j["files"] = FilesJson(form.files);
  j["programs"] = ProgramsJson(form.programs);
  if (!form.outside.empty()) j["outside"] = IdsJson(form.outside);
  j["proofs"] = Json::array();
  for (const ArchivedProof& proof : form.proofs)
    j["proofs"].push_back({{"program", proof.program},
                           {"certificate", IdText(proof.certificate)},
                           {"evidence", EvidenceName(proof.evidence)}});
  return Dump(j);
}

std::string GoldenEntry(const ContentId& model, const ArchivedGolden& golden, const EntryOrigin& origin) {
  Json j = Entry("golden", origin);
  j["model"] = IdText(model);
  if (!golden.program.empty()) j["program"] = golden.program;
  j["entry"] = SymbolToJson(golden.function);
  j["inputs"] = TensorsJson(golden.inputs);
  j["results"] = TensorsJson(golden.results);
  j["tolerance"] = golden.tolerance;
  j["reason"] = golden.reason;
  return Dump(j);
}

std::string AnnotateEntry(const ContentId& model, const Annotation& annotation, const EntryOrigin& origin) {
  Json j = Entry("annotate", origin);
  j["model"] = IdText(model);
  if (!annotation.add.empty()) j["add"] = annotation.add;
  if (!annotation.remove.empty()) j["remove"] = annotation.remove;
  for (const auto& [key, value] : annotation.metadata)
    j["metadata"][key] = value ? Json(*value) : Json(nullptr);
  return Dump(j);
}

std::string RemoveEntry(const ArchivedModel& model, const ContentId& form, const EntryOrigin& origin) {
  Json j = Entry("remove", origin);
  j["model"] = IdText(model.entry);
  j["name"] = model.name;
  j["version"] = model.version;
  if (form) j["form"] = IdText(form);
  return Dump(j);
}

std::optional<EntryHead> ReadHead(const ContentId& id, std::string_view text) {
  const Json json = Parse(text);
  Members m(json);
  EntryHead head;
  head.type = m.Text("type");
  head.time = m.Text("time");
  head.model = head.type == "model" ? id : m.Id("model", true);
  head.imported = m.Id("imported", true);
  if (!m.ok()) return std::nullopt;
  return head;
}

bool ApplyEntry(const ContentId& id, std::string_view text, ArchivedModel* model) {
  const Json json = Parse(text);
  Members m(json);
  const std::string type = m.Text("type");
  const bool first = type == "model";
  if (!m.ok() || first != model->forms.empty()) return false;
  if (first) return ApplyModel(id, m, model);
  if (m.Id("model") != model->entry) return false;
  if (type == "form") return ApplyForm(id, m, model);
  if (type == "golden") return ApplyGolden(id, m, model);
  if (type == "annotate") return ApplyAnnotation(m, model);
  if (type == "remove") return ApplyRemove(m, model);
  return false;
}

bool IsWellFormed(const ContentId& id, std::string_view text) {
  constexpr std::string_view kTypes[] = {"model", "form", "golden", "annotate", "remove"};
  const auto head = ReadHead(id, text);
  if (!head) return false;
  if (std::ranges::find(kTypes, head->type) == std::end(kTypes)) return true;
  ArchivedModel model;
  if (head->type != "model") {
    model.entry = head->model;
    model.forms.emplace_back();
  }
  return ApplyEntry(id, text, &model);
}

std::vector<ContentId> IdsOf(const ArchivedForm& form) {
  std::vector<ContentId> ids;
  for (const ArchivedFile& file : form.files) ids.push_back(file.id);
  ids.insert(ids.end(), form.outside.begin(), form.outside.end());
  for (const ArchivedProof& proof : form.proofs) ids.push_back(proof.certificate);
  return ids;
}

std::vector<ContentId> NeededIds(const ArchivedModel& model) {
  std::vector<ContentId> ids;
  if (model.removed) return ids;
  for (const ArchivedForm& form : model.forms) {
    if (form.removed) continue;
    const std::vector<ContentId> of_form = IdsOf(form);
    ids.insert(ids.end(), of_form.begin(), of_form.end());
  }
  for (const ArchivedGolden& golden : model.goldens) {
    for (const ArchivedTensor& tensor : golden.inputs) ids.push_back(tensor.id);
    for (const ArchivedTensor& tensor : golden.results) ids.push_back(tensor.id);
  }
  return ids;
}

std::string WithEntryIds(std::string_view text, const std::map<ContentId, ContentId>& ids) {
  Json json = Parse(text);
  if (!json.is_object()) return std::string(text);
  bool changed = false;
  const auto replace = [&](Json& value) {
    const auto id = value.is_string() ? ParseId(value.get_ref<const std::string&>()) : std::nullopt;
    const auto found = id ? ids.find(*id) : ids.end();
    if (found == ids.end()) return;
    value = IdText(found->second);
    changed = true;
  };
  for (const char* key : {"model", "from", "form"})
    if (const auto value = json.find(key); value != json.end()) replace(*value);
  if (const auto parents = json.find("parents"); parents != json.end() && parents->is_array())
    for (Json& parent : *parents) replace(parent);
  return changed ? Dump(json) : std::string(text);
}

std::string WithVersion(std::string_view text, uint64_t version, const ContentId& imported) {
  Json json = Parse(text);
  json["version"] = version;
  // The first archive that it came from counts.
  if (!json.contains("imported")) json["imported"] = IdText(imported);
  return Dump(json);
}

ContentId ContentOf(const std::vector<ArchivedFile>& files, Format format) {
  if (files.size() == 1 && format != Format::kSavedModel) return files[0].id;
  std::string all;
  for (const ArchivedFile& file : files) all += fmt::format("{} {}\n", IdText(file.id), file.path);
  return IdOf(all);
}

std::optional<Format> FormatOfName(std::string_view name) {
  for (const Format format :
       {Format::kText, Format::kShlo, Format::kMlirBytecode, Format::kJaxExport, Format::kSavedModel})
    if (FormatName(format) == name) return format;
  return std::nullopt;
}

std::string TimeNow() {
  std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  // As reproducible builds set it.
  if (const char* epoch = std::getenv("SOURCE_DATE_EPOCH"); epoch && *epoch) now = std::atoll(epoch);
  std::tm parts;
  if (!::gmtime_r(&now, &parts)) return "1970-01-01T00:00:00Z";
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", parts.tm_year + 1900, parts.tm_mon + 1,
                     parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec);
}

}  // namespace shlo::archive
