#include "archive/journal.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <set>

#include "archive/limits.h"
#include "archive/pack_format.h"
#include "base/bounded_json.h"
#include "base/format.h"
#include "base/utf8.h"

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

// Reads members of an object. A missing member, or one of another type or beyond its limit, is malformed.
class Members {
 public:
  // `why`, if given, receives the first thing that is wrong; then a member that nobody asks for is, too.
  explicit Members(const Json& json, std::string* why = nullptr)
      : json_(json), why_(why), ok_(json.is_object()) {
    if (!ok_) Fail("it is not an object");
  }

  bool ok() const { return ok_; }
  std::string* why() const { return why_; }
  std::string Text(const char* key, bool optional = false, size_t longest = kMaxLine) {
    const Json* value = Find(key, optional);
    if (!value) return {};
    if (!value->is_string() || value->get_ref<const std::string&>().size() > longest)
      return Bad<std::string>(key);
    return value->get<std::string>();
  }
  std::string Time(const char* key) {
    std::string time = Text(key);
    return !ok_ || IsTime(time) ? time : Bad<std::string>(key);
  }
  uint64_t Number(const char* key, uint64_t most, uint64_t least = 0) {
    const Json* value = Find(key, false);
    if (!value) return 0;
    const uint64_t number = value->is_number_unsigned() ? value->get<uint64_t>() : most + 1;
    return number >= least && number <= most ? number : Bad<uint64_t>(key);
  }
  double Real(const char* key) {
    const Json* value = Find(key, false);
    if (!value) return 0;
    const double number = value->is_number() ? value->get<double>() : -1;
    return std::isfinite(number) && number >= 0 ? number : Bad<double>(key);
  }
  ContentId Id(const char* key, bool optional = false) {
    const Json* value = Find(key, optional);
    if (!value) return {};
    const auto id = value->is_string() ? ParseId(value->get_ref<const std::string&>()) : std::nullopt;
    return id ? *id : Bad<ContentId>(key);
  }
  const Json& List(const char* key, bool optional = false, size_t longest = kMaxLine) {
    static const Json kEmpty = Json::array();
    const Json* value = Find(key, optional);
    if (!value) return kEmpty;
    if (value->is_array() && value->size() <= longest) return *value;
    Bad<int>(key);
    return kEmpty;
  }
  std::vector<std::string> Texts(const char* key, bool optional = false, size_t longest = kMaxLine) {
    std::vector<std::string> out;
    for (const Json& item : List(key, optional, longest)) {
      if (!item.is_string()) return Bad<std::vector<std::string>>(key);
      out.push_back(item.get<std::string>());
    }
    return out;
  }
  std::vector<std::string> Tags(const char* key) {
    std::vector<std::string> tags = Texts(key, true, kMaxOfModel);
    for (const std::string& tag : tags)
      if (!TagProblem(tag).empty()) Bad<int>(key);
    return tags;
  }
  std::vector<ContentId> Ids(const char* key) {
    std::vector<ContentId> out;
    for (const std::string& text : Texts(key, true)) {
      const auto id = ParseId(text);
      if (!id) return Bad<std::vector<ContentId>>(key);
      out.push_back(*id);
    }
    return out;
  }
  // Calls fn(key, value) for the members of an object, where a value is a string, or null if that is allowed.
  template <typename FnT>
  void Strings(const char* key, bool nulls, FnT&& fn) {
    const Json* value = Find(key, true);
    if (!value) return;
    if (!value->is_object() || value->size() > kMaxOfModel) Bad<int>(key);
    if (!ok_) return;
    for (const auto& [name, text] : value->items()) {
      if (!text.is_string() && !(nulls && text.is_null())) Bad<int>(key);
      if (ok_) fn(name, text.is_null() ? std::nullopt : std::optional(text.template get<std::string>()));
    }
  }
  void Fail(std::string what) {
    ok_ = false;
    if (why_ && why_->empty()) *why_ = std::move(what);
  }
  template <typename T>
  T Bad(const char* key) {
    Fail(StrFormat("'{}' has an invalid value, or exceeds its limit", key));
    return {};
  }
  // Ends the reading of the object.
  void End() {
    if (!why_ || !ok_) return;
    for (const auto& [key, value] : json_.items())
      if (std::ranges::find(asked_, key) == asked_.end()) Fail(StrFormat("the key '{}' is not known", key));
  }
  void Check(Members& part) {
    part.End();
    ok_ = ok_ && part.ok_;
  }

 private:
  const Json* Find(const char* key, bool optional) {
    if (!ok_) return nullptr;
    if (why_) asked_.emplace_back(key);
    const auto found = json_.find(key);
    if (found != json_.end()) return &*found;
    if (!optional) Fail(StrFormat("'{}' is missing", key));
    return nullptr;
  }

  const Json& json_;
  std::string* const why_;
  std::vector<std::string_view> asked_;
  bool ok_;
};

// Returns what is wrong with the files of a model or form.
std::string FilesProblem(const std::vector<ArchivedFile>& files, Format format) {
  if (files.empty()) return "there is no file";
  if (files.size() > 1 && format != Format::kSavedModel) return "there are several files";
  uint64_t size = 0;
  for (size_t i = 0; i < files.size(); ++i) {
    const std::string& path = files[i].path;
    if (path.empty() || path.size() > kMaxPath || path.find('\0') != path.npos ||
        FirstNotUtf8(path) != path.npos)
      return "the path of a file is not one";
    if (i > 0 && files[i - 1].path >= path) return "the paths of files are not sorted";
    for (size_t at = 0; at <= path.size() && files.size() > 1;) {
      const size_t end = std::min(path.find('/', at), path.size());
      const std::string_view part = std::string_view(path).substr(at, end - at);
      if (part.empty() || part == "." || part == "..") return "a path leads out of its folder";
      at = end + 1;
    }
    size += files[i].size;  // both are at most 2^48
    if (size > kMaxFileSize) return StrFormat("the files have more than {} TiB", kMaxFileSize >> 40);
  }
  return "";
}

std::vector<ArchivedFile> ReadFiles(Members& entry) {
  std::vector<ArchivedFile> files;
  for (const Json& json : entry.List("files")) {
    Members m(json, entry.why());
    files.push_back({m.Text("path"), m.Id("id"), m.Number("size", kMaxFileSize)});
    entry.Check(m);
  }
  return files;
}

std::vector<ArchivedProgram> ReadPrograms(Members& entry) {
  std::vector<ArchivedProgram> programs;
  for (const Json& json : entry.List("programs")) {
    Members m(json, entry.why());
    ArchivedProgram& program = programs.emplace_back();
    program.name = m.Text("name");
    program.version.n = uint16_t(m.Number("version", UINT16_MAX, 1));
    program.ops = m.Number("ops", kMaxNumber);
    program.constants = m.Number("constants", kMaxNumber);
    program.constant_bytes = m.Number("constant_bytes", kMaxFileSize);
    program.custom_calls = m.Texts("custom_calls");
    program.dialects = m.Texts("dialects");
    for (const Json& function : m.List("functions")) {
      Members f(function, entry.why());
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
    Members m(json, entry.why());
    tensors.push_back({m.Text("name"), m.Text("type"), m.Id("id"), m.Number("size", kMaxFileSize)});
    entry.Check(m);
  }
  return tensors;
}

std::vector<ArchivedProof> ReadProofs(Members& entry) {
  std::vector<ArchivedProof> proofs;
  for (const Json& json : entry.List("proofs", true)) {
    Members m(json, entry.why());
    const std::string program = m.Text("program");
    const ContentId certificate = m.Id("certificate");
    const auto evidence = EvidenceOfName(m.Text("evidence"));
    if (!evidence) m.Bad<int>("evidence");
    proofs.push_back({program, certificate, evidence.value_or(Evidence::kNone)});
    entry.Check(m);
  }
  return proofs;
}

Format ReadFormat(Members& entry) {
  const auto format = FormatOfName(entry.Text("format"));
  if (!format) entry.Bad<int>("format");
  return format.value_or(Format::kText);
}

// Reads what a model and a form state of their files.
void ReadContents(Members& m, ArchivedForm* form) {
  form->time = m.Time("time");
  form->tool = m.Text("tool", false, kMaxTool);
  form->format = ReadFormat(m);
  form->files = ReadFiles(m);
  form->programs = ReadPrograms(m);
  form->outside = m.Ids("outside");
  if (const std::string why = FilesProblem(form->files, form->format); m.ok() && !why.empty()) m.Fail(why);
}

// --- Effects of entries ----------------------------------------------------------------------------------

bool ApplyModel(const ContentId& id, Members& m, ArchivedModel* model) {
  ArchivedModel read;
  read.entry = id;
  read.name = m.Text("name");
  read.version = m.Number("version", kLastModelVersion, 1);
  read.producer = m.Text("producer", true);
  read.tags = m.Tags("tags");
  m.Strings("metadata", false,
            [&](const std::string& key, std::optional<std::string> value) { read.metadata[key] = *value; });
  read.parents = m.Ids("parents");
  m.Id("imported", true);
  ArchivedForm& form = read.forms.emplace_back();
  form.entry = id;
  form.accepted = true;
  ReadContents(m, &form);
  if (const std::string why = NameProblem(read.name); m.ok() && !why.empty()) m.Fail(why);
  m.End();
  if (!m.ok()) return false;
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
  if (model->forms.size() >= kMaxOfModel) m.Fail(StrFormat("the model has {} forms", kMaxOfModel));
  m.End();
  if (!m.ok()) return false;
  model->forms.push_back(std::move(form));
  return true;
}

bool ApplyGolden(const ContentId& id, Members& m, ArchivedModel* model) {
  ArchivedGolden golden;
  golden.entry = id;
  golden.time = m.Time("time");
  golden.tool = m.Text("tool", false, kMaxTool);
  golden.program = m.Text("program", true);
  golden.function = SymbolFromJson(m.Text("entry"));
  golden.inputs = ReadTensors(m, "inputs");
  golden.results = ReadTensors(m, "results");
  golden.tolerance = m.Real("tolerance");
  golden.reason = m.Text("reason");
  if (model->goldens.size() >= kMaxOfModel) m.Fail(StrFormat("the model has {} goldens", kMaxOfModel));
  m.End();
  if (!m.ok()) return false;
  model->goldens.push_back(std::move(golden));
  return true;
}

bool ApplyAnnotation(Members& m, ArchivedModel* model) {
  const std::vector<std::string> add = m.Tags("add"), remove = m.Tags("remove");
  auto metadata = model->metadata;
  m.Strings("metadata", true, [&](const std::string& key, std::optional<std::string> value) {
    if (value)
      metadata[key] = std::move(*value);
    else
      metadata.erase(key);
  });
  std::set<std::string> tags(model->tags.begin(), model->tags.end());
  for (const std::string& tag : remove) tags.erase(tag);
  tags.insert(add.begin(), add.end());
  if (tags.size() > kMaxOfModel || metadata.size() > kMaxOfModel)
    m.Fail(StrFormat("the model would have more than {} tags or metadata", kMaxOfModel));
  m.Time("time");
  m.Text("tool", false, kMaxTool);
  m.End();
  if (!m.ok()) return false;
  model->tags.assign(tags.begin(), tags.end());
  model->metadata = std::move(metadata);
  return true;
}

bool ApplyRemove(Members& m, ArchivedModel* model) {
  const ContentId removed = m.Id("form", true);
  m.Time("time");
  m.Text("tool", false, kMaxTool);
  m.Text("name");
  m.Number("version", kLastModelVersion, 1);
  m.End();
  if (!m.ok()) return false;
  if (!removed) model->removed = true;
  for (ArchivedForm& form : model->forms)
    if (removed && form.entry == removed) form.removed = true;
  return true;
}

// A form is as good as the one that it comes from.
bool ApplyAccept(Members& m, ArchivedModel* model) {
  const ContentId accepted = m.Id("form");
  m.Time("time");
  m.Text("tool", false, kMaxTool);
  m.End();
  if (!m.ok()) return false;
  for (ArchivedForm& form : model->forms) {
    const auto from = std::ranges::find(model->forms, form.from, &ArchivedForm::entry);
    if (form.entry == accepted && from != model->forms.end()) form.accepted = from->accepted;
  }
  return true;
}

Json Parse(std::string_view text, std::string* why = nullptr) {
  return ParseJson<Json>(text, {.max_depth = kMaxEntryDepth}, why).value_or(Json(Json::value_t::discarded));
}

bool IsKnownType(std::string_view type) {
  constexpr std::string_view kTypes[] = {"model", "form", "golden", "annotate", "remove", "accept"};
  return std::ranges::find(kTypes, type) != std::end(kTypes);
}

// Applies an entry; `why` is that of Members.
bool Apply(const ContentId& id, const Json& json, ArchivedModel* model, std::string* why) {
  Members m(json, why);
  const std::string type = m.Text("type");
  const bool first = type == "model";
  if (m.ok() && !IsKnownType(type)) m.Fail(StrFormat("its type '{}' is not known", type));
  if (m.ok() && first != model->forms.empty()) m.Fail("it is about no model, or there is one");
  if (!m.ok()) return false;
  if (!first && m.Id("model") != model->entry) m.Fail("it is about another model");
  if (!m.ok()) return false;
  bool done = false;
  if (first) done = ApplyModel(id, m, model);
  if (type == "form") done = ApplyForm(id, m, model);
  if (type == "golden") done = ApplyGolden(id, m, model);
  if (type == "annotate") done = ApplyAnnotation(m, model);
  if (type == "remove") done = ApplyRemove(m, model);
  if (type == "accept") done = ApplyAccept(m, model);
  model->claimed = uint64_t(
      std::ranges::count_if(model->forms, [](const ArchivedForm& f) { return !f.accepted && !f.removed; }));
  return done;
}

// Returns a model that an entry of any other type can be about.
ArchivedModel ModelFor(const EntryHead& head) {
  ArchivedModel model;
  if (head.type == "model") return model;
  model.entry = head.model;
  model.forms.emplace_back();
  return model;
}

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

std::string AcceptEntry(const ContentId& model, const ContentId& form, const EntryOrigin& origin) {
  Json j = Entry("accept", origin);
  j["model"] = IdText(model);
  j["form"] = IdText(form);
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
  return Apply(id, Parse(text), model, nullptr);
}

std::string EntryProblem(const ContentId& id, std::string_view text) {
  std::string why;
  const Json json = Parse(text, &why);
  if (!why.empty()) return why;
  const auto head = ReadHead(id, text);
  if (!head) return "it has no type or time, or ids that are invalid";
  ArchivedModel model = ModelFor(*head);
  if (!Apply(id, json, &model, &why)) return why.empty() ? "it is malformed" : why;
  // The same keys and values in another spelling would be another entry.
  return Dump(json) == text ? "" : "it is not spelled as entries are: sorted keys, no spaces";
}

bool IsWellFormed(const ContentId& id, std::string_view text) {
  const auto head = ReadHead(id, text);
  if (!head) return false;
  if (!IsKnownType(head->type)) return true;
  ArchivedModel model = ModelFor(*head);
  return ApplyEntry(id, text, &model);
}

std::string ProgramsText(const std::vector<ArchivedProgram>& programs) {
  return Dump(ProgramsJson(programs));
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
  for (const ArchivedFile& file : files) all += StrFormat("{} {}\n", IdText(file.id), file.path);
  return IdOf(all);
}

std::optional<Format> FormatOfName(std::string_view name) {
  for (const Format format :
       {Format::kText, Format::kShlo, Format::kMlirBytecode, Format::kJaxExport, Format::kSavedModel})
    if (FormatName(format) == name) return format;
  return std::nullopt;
}

std::string TimeNow() {
  constexpr int64_t kLast = 253402300799;  // of the year 9999
  int64_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  // As reproducible builds set it.
  if (const char* epoch = std::getenv("SOURCE_DATE_EPOCH"); epoch && *epoch) {
    const std::string_view text = epoch;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), now);
    if (error != std::errc() || end != text.data() + text.size()) return "";
  }
  const auto time = std::time_t(now);
  std::tm parts;
  if (now < 0 || now > kLast || !::gmtime_r(&time, &parts)) return "";
  return StrFormat("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", parts.tm_year + 1900, parts.tm_mon + 1,
                   parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec);
}

bool IsTime(std::string_view text) {
  constexpr std::string_view kForm = "0000-00-00T00:00:00Z";
  if (text.size() != kForm.size()) return false;
  for (size_t i = 0; i < text.size(); ++i)
    if (kForm[i] == '0' ? text[i] < '0' || text[i] > '9' : text[i] != kForm[i]) return false;
  const auto in = [&](size_t at, std::string_view least, std::string_view most) {
    const std::string_view part = text.substr(at, least.size());
    return part >= least && part <= most;
  };
  return in(0, "1970", "9999") && in(5, "01", "12") && in(8, "01", "31") && in(11, "00", "23") &&
         in(14, "00", "59") && in(17, "00", "60");
}

}  // namespace shlo::archive
