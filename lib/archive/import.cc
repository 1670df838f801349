// Import: models of a bundle or another archive (docs/archive-format.md, section 8). What a source states is
// compared with its bytes before anything is written: first all entries are planned, then forms are read and
// certificates checked, then content is copied, and only then the entries that make it visible.
#include <algorithm>

#include "archive/form_check.h"
#include "archive/record_source.h"
#include "archive/writer_state.h"
#include "base/format.h"
#include "base/guarded.h"
#include "base/try.h"

namespace shlo::archive {
namespace {

// Memory for reading a source: a constant, and factors for its size and for bytes of the archive.
constexpr uint64_t kImportMemory = uint64_t(4) << 20, kImportRatio = 256, kOfArchive = 64;

class Importer {
 public:
  Importer(WriterState& writer, RecordSource& source, const ImportOptions& options)
      : w_(writer), source_(source), options_(options), from_source_(FetchFrom(source)) {
    // Pieces that the archive has need not be in the source.
    fetch_ = [this](const ContentId& id) -> Result<Fetched> {
      auto there = from_source_(id);
      if (there) return there;
      auto here = FetchRecord(w_.state(), id);
      return here ? std::move(here) : std::move(there);
    };
    counted_ = [this](const ContentId& id) { return FetchCounted(id); };
    bytes_ = {.load = [this](const ContentId& id, const std::string& name) -> Result<InputFile> {
                taken_ = 0;
                return AssembleFile(counted_, id, name, source_.name());
              },
              .size = [this](const ContentId& id) { return SizeOf(fetch_, id, source_.name()); },
              .limits = [this] { return ReadLimits(); },
              .lenient = options.lenient};
  }

  Result<ImportReport> Run() {
    auto lines = SHLO_TRY(source_.Lines());
    for (const auto& phase : {&Importer::ReadLines, &Importer::PlanLines}) SHLO_TRY((this->*phase)(lines));
    for (const auto& phase :
         {&Importer::CheckRecords, &Importer::CheckModels, &Importer::Copy, &Importer::Put})
      SHLO_TRY((this->*phase)());
    return std::move(report_);
  }

 private:
  using Lines = std::vector<PackContent::Line>;
  // An entry to add, and the content that it needs.
  struct Step {
    std::string text;
    std::vector<ContentId> needs;
  };
  // A model of the archive, as it will be.
  struct Target {
    ArchivedModel model;
    bool fresh = false;           // it comes from the source
    std::set<ContentId> forms;    // to check
    std::vector<size_t> goldens;  // likewise, by index
  };

  tl::unexpected<Diagnostics> Refuse(std::string what, std::string hint = {}) const {
    return Error(Code::kMalformed, std::move(what), {.file = source_.name()}, std::move(hint));
  }
  std::string Label(const ArchivedModel& model) const { return source_.name() + ":" + model.label(); }

  // --- What it may cost -----------------------------------------------------------------------------------

  uint64_t Budget() const {
    if (options_.max_memory) return options_.max_memory;
    return kImportMemory + kImportRatio * std::min(source_.size(), uint64_t(1) << 48);
  }
  Limits ReadLimits() const {
    Limits limits = options_.limits;
    limits.max_memory = options_.max_memory ? options_.max_memory : Budget() + kOfArchive * of_archive_;
    limits.work_done = nullptr;  // counts models
    return limits;
  }
  // A few bytes of a bundle can stand for any number; the archive's own pieces are as large as they are.
  Result<Fetched> FetchCounted(const ContentId& id) {
    auto there = from_source_(id);
    if (!there) {
      auto here = FetchRecord(w_.state(), id);
      if (here) of_archive_ = std::min(of_archive_ + here->content.size(), uint64_t(1) << 48);
      return here ? std::move(here) : std::move(there);
    }
    taken_ += there->content.size();
    if (taken_ > Budget())
      return Error(Code::kLimit,
                   StrFormat("a file of the source has more than {} MiB, which is out of proportion to it",
                             Budget() >> 20),
                   {.file = source_.name()}, "raise the limit: --max-memory (ImportOptions::max_memory)");
    return there;
  }

  // --- Entries --------------------------------------------------------------------------------------------

  // Reads all entries, and makes the models that they are about.
  Result<void> ReadLines(const Lines& lines) {
    for (const PackContent::Line& line : lines) {
      const auto head = ReadHead(line.id, line.text);
      if (head && head->type == "accept") {
        // Acceptance by one archive means nothing to another one.
        if (source_.bundle())
          return Refuse("a bundle cannot state that proofs were accepted", "export it again");
        continue;
      }
      if (const std::string why = EntryProblem(line.id, line.text); !why.empty())
        return Refuse(StrFormat("the entry {} cannot be imported: {}", IdText(line.id), why),
                      "update shlo-compat if a newer release wrote it");
      const bool thin = head->type != "model" && !there_.contains(head->model);
      ArchivedModel alone;
      alone.entry = head->model;
      if (thin) alone.forms.emplace_back();
      ArchivedModel& model = thin ? alone : there_[head->model];
      if (!ApplyEntry(line.id, line.text, &model))
        return Refuse(StrFormat("the entry {} does not fit those before it", IdText(line.id)));
      if (head->type == "model" || head->type == "form")
        for (const ContentId& id : IdsOf(model.forms.back())) of_forms_[line.id].push_back(id);
      if (head->type != "golden") continue;
      for (const auto* tensors : {&model.goldens.back().inputs, &model.goldens.back().results})
        for (const ArchivedTensor& tensor : *tensors) needed_.push_back(tensor.id);
    }
    for (const auto& [entry, model] : there_)
      for (const ArchivedForm& form : model.forms)
        if (form.removed || model.removed) of_forms_.erase(form.entry);
    for (const auto& [form, ids] : of_forms_) needed_.insert(needed_.end(), ids.begin(), ids.end());
    return {};
  }

  Result<void> PlanLines(const Lines& lines) {
    for (const PackContent::Line& line : lines) {
      const auto head = ReadHead(line.id, line.text);
      if (head->type == "accept") continue;
      const auto there = there_.find(head->model);
      if (there != there_.end() && there->second.removed) {
        if (source_.bundle()) return Refuse(StrFormat("{} was removed", there->second.label()));
        continue;  // models that were removed there stay where they are
      }
      SHLO_TRY(head->type == "model" ? PlanModel(line, *head, there->second) : PlanLine(line, *head));
    }
    return {};
  }

  // Returns the entry that the archive has for one of the source.
  Result<std::optional<ContentId>> Here(const ContentId& id) {
    const std::lock_guard lock(w_.state().mutex);
    return w_.state().catalog->Imported(id);
  }
  // Returns a model of the archive, as it will be.
  Result<Target*> TargetOf(const ContentId& entry) {
    const auto found = targets_.find(entry);
    if (found != targets_.end()) return &found->second;
    auto model = SHLO_TRY(w_.ModelOf(entry));
    order_.push_back(entry);
    Target& target = targets_[entry];
    target.model = std::move(model);
    return &target;
  }
  void Add(const PackContent::Line& line, std::string text, std::vector<ContentId> needs) {
    ids_[line.id] = IdOf(text);
    steps_.push_back({std::move(text), std::move(needs)});
    ++report_.entries;
  }
  std::vector<ContentId> NeedsOf(const ContentId& form) const {
    const auto found = of_forms_.find(form);
    return found == of_forms_.end() ? std::vector<ContentId>() : found->second;
  }

  // Finds the model that the archive has in the place of one of the source.
  Result<std::optional<ContentId>> Existing(const PackContent::Line& line, const EntryHead& head,
                                            const ArchivedModel& model) {
    const ContentId content = ContentOf(model.forms[0].files, model.forms[0].format);
    // The same content twice in the source was meant to be two versions.
    const bool twice = !contents_.emplace(model.name, content).second;
    auto known = Here(line.id);
    if (!known || *known) return known;
    if (head.imported) {
      known = Here(head.imported);
      if (!known) return known;
      const auto here = *known ? w_.ModelOf(**known) : tl::make_unexpected(Diagnostics());
      if (*known && (!here || ContentOf(here->forms[0].files, here->forms[0].format) != content))
        return Refuse(StrFormat("{} states that it is the archive's {}, which has other files", model.label(),
                                here ? here->label() : IdText(head.imported)));
      if (*known) return known;
    }
    std::optional<ArchivedModel> same;
    uint64_t last = 0;
    {
      const std::lock_guard lock(w_.state().mutex);
      same = SHLO_TRY(w_.state().catalog->ModelWith(model.name, content));
      last = SHLO_TRY(w_.state().catalog->LastVersion(model.name));
    }
    WriterState::Name& name = NameOf(model.name);
    name.version = std::max(name.version, last);
    const auto pending = name.by_content.find(content);
    if (twice) return std::nullopt;
    if (same) return same->entry;
    return pending == name.by_content.end() ? std::nullopt : std::optional(pending->second.second);
  }
  WriterState::Name& NameOf(const std::string& name) {
    return names_.try_emplace(name, w_.names[name]).first->second;
  }

  Result<void> PlanModel(const PackContent::Line& line, const EntryHead& head, const ArchivedModel& model) {
    report_.models.push_back({.from = model.label()});
    ImportedModel& imported = report_.models.back();
    const auto existing = SHLO_TRY(Existing(line, head, model));
    if (existing) {
      auto target = SHLO_TRY(TargetOf(*existing));
      const ArchivedModel& here = target->model;
      ids_[line.id] = here.entry;
      imported.existed = true;
      imported.label = here.label();
      if (here.entry != line.id &&
          (here.producer != model.producer || here.tags != model.tags || here.metadata != model.metadata))
        report_.notes.push_back(StrFormat("{} keeps its own producer, tags and metadata", imported.label));
      return {};
    }
    std::string text = WithEntryIds(line.text, ids_);
    WriterState::Name& name = NameOf(model.name);
    uint64_t version = model.version;
    if (version <= name.version) {
      version = name.version + 1;
      if (version > kLastModelVersion)
        return Error(Code::kLimit,
                     StrFormat("'{}' has version {}, the last one that a name can have", model.name,
                               kLastModelVersion),
                     {.file = source_.name()});
      text = WithVersion(text, version, line.id);
    }
    const ContentId id = IdOf(text);
    order_.push_back(id);
    Target& target = targets_[id];
    target.fresh = true;
    if (!ApplyEntry(id, text, &target.model)) return Refuse("a model cannot be given another version");
    if (of_forms_.contains(line.id)) target.forms.insert(id);
    name.version = version;
    name.by_content.try_emplace(ContentOf(model.forms[0].files, model.forms[0].format), version, id);
    imported.label = StrFormat("{}@{}", model.name, version);
    Add(line, std::move(text), NeedsOf(line.id));
    return {};
  }

  // Plans an entry about a model, unless there is one that says the same.
  Result<void> PlanLine(const PackContent::Line& line, const EntryHead& head) {
    // A bundle of migrated forms has only these: the models are here.
    if (!ids_.contains(head.model)) {
      const auto known = SHLO_TRY(Here(head.model));
      if (!known)
        return Refuse(StrFormat("it has an entry about a model that neither it nor the archive has: {}",
                                IdText(head.model)),
                      "import the model first");
      ids_[head.model] = *known;
    }
    auto of_model = SHLO_TRY(TargetOf(ids_[head.model]));
    Target& target = *of_model;
    const std::string text = WithEntryIds(line.text, ids_);
    const ContentId id = IdOf(text);
    const auto there = SHLO_TRY(Here(id));
    // Later lines may be about it.
    if (there) ids_[line.id] = *there;
    if (target.model.removed) {
      report_.notes.push_back(
          StrFormat("{} was removed here; entries about it are skipped", target.model.label()));
      return {};
    }
    if (there) return CheckExisting(head, *there, &target);
    ArchivedModel with = target.model;
    if (!ApplyEntry(id, text, &with))
      return Refuse(StrFormat("the entry {} does not fit {}", IdText(line.id), target.model.label()));
    // Nobody else removes what this archive has.
    if (head.type == "remove" && !target.fresh) {
      const auto removed = [](const ArchivedModel& m) {
        return std::ranges::count(m.forms, true, &ArchivedForm::removed) + m.removed;
      };
      if (removed(with) != removed(target.model))
        report_.notes.push_back(StrFormat("{} keeps what the source has removed", with.label()));
      return {};
    }
    if (head.type == "form" && HasForm(line, with.forms.back(), &target)) return {};
    if (head.type == "golden" && HasGolden(with, target.model)) return {};
    if (head.type == "annotate" && with.tags == target.model.tags && with.metadata == target.model.metadata)
      return {};
    std::vector<ContentId> needs = NeedsOf(line.id);
    if (head.type == "form" && of_forms_.contains(line.id)) target.forms.insert(id);
    if (head.type == "golden") {
      target.goldens.push_back(with.goldens.size() - 1);
      for (const auto* tensors : {&with.goldens.back().inputs, &with.goldens.back().results})
        for (const ArchivedTensor& tensor : *tensors) needs.push_back(tensor.id);
    }
    target.model = std::move(with);
    Add(line, text, std::move(needs));
    return {};
  }

  // A form that is claimed here may be accepted now.
  static Result<void> CheckExisting(const EntryHead& head, const ContentId& entry, Target* target) {
    for (const ArchivedForm& form : target->model.forms)
      if (head.type == "form" && form.entry == entry && !form.accepted && !form.removed)
        target->forms.insert(entry);
    return {};
  }
  bool HasForm(const PackContent::Line& line, const ArchivedForm& form, Target* target) {
    for (const ArchivedForm& other : target->model.forms) {
      if (other.from != form.from || other.files != form.files || other.removed) continue;
      if (!other.accepted && other.proofs != form.proofs) continue;
      ids_[line.id] = other.entry;
      if (!other.accepted) target->forms.insert(other.entry);
      return true;
    }
    return false;
  }
  static bool HasGolden(const ArchivedModel& with, const ArchivedModel& model) {
    const auto without_origin = [](const ArchivedGolden& g) { return GoldenEntry({}, g, {}); };
    const std::string golden = without_origin(with.goldens.back());
    return std::ranges::any_of(model.goldens,
                               [&](const ArchivedGolden& other) { return without_origin(other) == golden; });
  }

  // --- Checks ---------------------------------------------------------------------------------------------

  // Every record of a bundle is one that an entry needs.
  Result<void> CheckRecords() {
    if (!source_.bundle()) return {};
    IdSet marked;
    for (const ContentId& id : needed_) SHLO_TRY(Mark(id, 0, &marked));
    for (const auto& [id, record] : *source_.bundle())
      if (record.header.kind != RecordKind::kEntry && !marked.contains(id))
        return Refuse(StrFormat("the bundle has {}, which no entry needs", IdText(id)), "export it again");
    return {};
  }
  Result<void> Mark(const ContentId& id, int depth, IdSet* marked) {
    const auto found = source_.bundle()->find(id);
    if (found == source_.bundle()->end() || !marked->insert(id).second) return {};
    if (found->second.header.kind != RecordKind::kList) return {};
    const auto record = SHLO_TRY(from_source_(id));
    const auto list = depth < kMaxListDepth ? ReadList(record.content) : std::nullopt;
    if (!list) return Refuse(StrFormat("the list of {} is malformed", IdText(id)), "export it again");
    for (const ListPart& part : list->parts)
      if (part.code != PartCode::kLiteral) SHLO_TRY(Mark(part.id, depth + 1, marked));
    return {};
  }

  Result<void> CheckModels() {
    WorkDone* const work_done = options_.limits.work_done;
    if (work_done) work_done->all = order_.size();
    for (const ContentId& entry : order_) {
      if (work_done) ++work_done->done;
      Target& target = targets_[entry];
      for (const size_t golden : target.goldens)
        SHLO_TRY(CheckGoldenOf(target.model.goldens[golden], Label(target.model)));
      std::map<ContentId, FormPrograms> read;
      for (ArchivedForm& form : target.model.forms)
        if (target.forms.contains(form.entry) && !form.removed) SHLO_TRY(CheckOneForm(&target, &form, &read));
    }
    return {};
  }

  Result<void> CheckGoldenOf(const ArchivedGolden& golden, const std::string& label) {
    for (const auto* tensors : {&golden.inputs, &golden.results})
      for (const ArchivedTensor& tensor : *tensors) {
        const auto type = SHLO_TRY(TensorTypeNamed(tensor.type));
        const auto size = SHLO_TRY(bytes_.size(tensor.id));
        if (size != tensor.size || size != type->bytes)
          return Error(
              Code::kMalformed,
              StrFormat("a golden has {} for a tensor of type '{}'", Count(size, "byte"), tensor.type),
              {.file = label});
      }
    return {};
  }

  Result<const FormPrograms*> Programs(const Target& target, const ArchivedForm& form,
                                       std::map<ContentId, FormPrograms>* read) {
    const auto found = read->find(form.entry);
    if (found != read->end()) return &found->second;
    const std::string label = Label(target.model);
    bytes_.foreign = target.forms.contains(form.entry);
    auto programs = SHLO_TRY(ReadForm(bytes_, label, form));
    return &(read->insert_or_assign(form.entry, std::move(programs)).first->second);
  }

  Result<void> CheckOneForm(Target* target, ArchivedForm* form, std::map<ContentId, FormPrograms>* read) {
    ArchivedModel& model = target->model;
    const std::string label = Label(model);
    of_archive_ = 0;
    const auto after = SHLO_TRY(Programs(*target, *form, read));
    if (!form->from) return {};  // as it was added
    const auto from = std::ranges::find(model.forms, form->from, &ArchivedForm::entry);
    if (from == model.forms.end())
      return Refuse(StrFormat("a form of {} comes from one that is not there", model.label()));
    if (from->removed) return Claimed(model, *form, "the form that it comes from was removed");
    const auto before = SHLO_TRY(Programs(*target, *from, read));
    auto found = SHLO_TRY(CheckCertificates(bytes_, label, *from, *before, *form, *after));
    if (!found.empty()) return tl::unexpected(std::move(found));
    Evidence weakest = Evidence::kCongruence;
    for (const ArchivedProof& proof : form->proofs) weakest = std::min(weakest, proof.evidence);
    if (weakest < options_.at_least)
      return Claimed(model, *form, StrFormat("its proof is by '{}'", EvidenceName(weakest)));
    if (!from->accepted) return Claimed(model, *form, "the form that it comes from is claimed");
    form->accepted = true;
    accepted_.emplace_back(model.entry, form->entry);
    return {};
  }
  Result<void> Claimed(const ArchivedModel& model, const ArchivedForm& form, const std::string& why) {
    report_.notes.push_back(
        StrFormat("the form of {} at {} is claimed: {}", model.label(), VersionName(form.version()), why));
    return {};
  }

  // --- Writing --------------------------------------------------------------------------------------------

  Result<void> Copy() {
    for (const Step& step : steps_)
      for (const ContentId& id : step.needs) SHLO_TRY(CopyAll(id));
    return {};
  }

  Result<void> Put() {
    for (const Step& step : steps_) SHLO_TRY(w_.PutEntry(step.text, w_.next_ordinal++));
    for (const auto& [model, form] : accepted_)
      SHLO_TRY(w_.PutEntry(AcceptEntry(model, form, w_.origin), w_.next_ordinal++));
    for (auto& [name, known] : names_) w_.names[name] = std::move(known);
    return {};
  }

  // Copies the records of an id that the archive does not have. Each is compared with its id.
  Result<void> CopyAll(const ContentId& id) {
    ClosureVisitor visit;
    visit.name = source_.name();
    visit.record = [&](const ContentId& of, Fetched& record) -> Result<void> {
      if (record.header.kind == RecordKind::kList) {
        const Sink nowhere = [](std::string_view) { return true; };
        taken_ = 0;
        SHLO_TRY(Assemble(counted_, of, nowhere, source_.name()));
      } else if (record.header.kind != RecordKind::kData || IdOf(record.content) != of) {
        return Error(Code::kChecksum, StrFormat("the bytes of {} do not match its id", IdText(of)),
                     {.file = source_.name()}, "export it again");
      }
      auto raw = SHLO_TRY(source_.Raw(of));
      StoredContent stored;
      stored.encoding = raw.first.encoding;
      stored.planes = raw.first.planes;
      if (stored.encoding == Encoding::kRaw)
        stored.raw = raw.second;
      else
        stored.compressed = raw.second;
      ++report_.records;
      return w_.Put(raw.first.kind, of, raw.first.size, stored);
    };
    // The archive has no part of anything: if it has an id, it has all that the id needs.
    visit.leaf = [&](const ContentId& of) {
      const auto has = w_.Has(of);
      return has && *has;
    };
    return AddClosure(fetch_, id, visit, &copied_);
  }

  WriterState& w_;
  RecordSource& source_;
  const ImportOptions& options_;
  const Fetch from_source_;
  Fetch fetch_, counted_;
  FormBytes bytes_;
  uint64_t taken_ = 0, of_archive_ = 0;  // bytes of the source for one file; of the archive for one form

  std::map<ContentId, ArchivedModel> there_;              // models of the source
  std::map<ContentId, std::vector<ContentId>> of_forms_;  // ids that forms need which count there
  std::vector<ContentId> needed_;                         // by all entries of the source
  std::set<std::pair<std::string, ContentId>> contents_;  // of models of the source
  std::map<ContentId, ContentId> ids_;                    // of entries, there and here
  std::map<ContentId, Target> targets_;
  std::vector<ContentId> order_;                    // of targets
  std::map<std::string, WriterState::Name> names_;  // as they will be
  std::vector<Step> steps_;
  std::vector<std::pair<ContentId, ContentId>> accepted_;  // models and forms
  IdSet copied_;
  ImportReport report_;
};

}  // namespace

Result<ImportReport> Import(Writer& writer, const std::string& path, const ImportOptions& options) {
  return Guarded(
      options.limits,
      [&]() -> Result<ImportReport> {
        auto source = SHLO_TRY(OpenSource(path));
        return Importer(writer.state(), *source, options).Run();
      },
      path);
}

}  // namespace shlo::archive
