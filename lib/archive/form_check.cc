#include "archive/form_check.h"

#include <algorithm>
#include <set>

#include "archive/assemble.h"
#include "archive/journal.h"
#include "base/format.h"
#include "base/guarded.h"
#include "base/try.h"
#include "shlo/certificate.h"
#include "shlo/container.h"
#include "shlo/text_reader.h"
#include "shlo/verify.h"

namespace shlo::archive {
namespace {

tl::unexpected<Diagnostics> Refused(Code code, const std::string& label, std::string what) {
  return Error(code, std::move(what), {.file = label});
}

// Reads programs, and notes which constants they have outside.
class FormReader {
 public:
  FormReader(const FormBytes& bytes, const std::string& label, const ArchivedForm& form)
      : bytes_(bytes), label_(label), form_(form) {}

  Result<FormPrograms> Run() {
    auto file = SHLO_TRY(bytes_.load(MainFile(form_).id, label_));
    FormPrograms out;
    out.file = std::move(file);
    SHLO_TRY(CheckFiles(out.file));
    out.programs = SHLO_TRY(Read(out.file, {}));
    // A text that does not state its version has the one that it had when it was added.
    const bool unknown =
        form_.format == Format::kText && !out.programs.empty() &&
        std::ranges::none_of(out.programs, [](const Program& p) { return p.source.version_written; });
    if (unknown && !form_.programs.empty() && out.programs[0].module.version != form_.version())
      out.programs = SHLO_TRY(Read(out.file, form_.version()));
    SHLO_TRY(CheckPrograms(out.programs));
    return out;
  }

 private:
  Result<void> CheckFiles(const InputFile& main) {
    if (DetectFormat(main.bytes) != form_.format)
      return Refused(Code::kMalformed, label_,
                     StrFormat("'{}' does not have the format '{}' that its entry states",
                               MainFile(form_).path, FormatName(form_.format)));
    for (const ArchivedFile& file : form_.files) {
      const auto size = SHLO_TRY(bytes_.size(file.id));
      if (size != file.size)
        return Refused(Code::kMalformed, label_,
                       StrFormat("'{}' does not have the size that its entry states", file.path));
    }
    return {};
  }

  Result<std::vector<Program>> Read(const InputFile& file, Version version) {
    outside_.clear();
    ReadOptions read;
    read.source_name = label_;
    read.limits = bytes_.limits();
    read.version = version;
    read.outside = [this](const OutsideConstant& constant) {
      outside_.insert(ContentId{constant.sha256});
      return bytes_.load(ContentId{constant.sha256}, label_);
    };
    Diagnostics errors;
    std::vector<Program> programs = shlo::ReadPrograms(file, read, &errors).programs;
    if (!errors.empty()) return tl::unexpected(std::move(errors));
    return programs;
  }

  Result<void> CheckPrograms(const std::vector<Program>& programs) {
    if (programs.empty()) return Refused(Code::kMalformed, label_, "the file has no program");
    std::vector<ArchivedProgram> described;
    for (const Program& program : programs) {
      described.push_back(DescribeProgram(program));
      VerifyOptions verify;
      verify.limits = bytes_.limits();
      if (bytes_.lenient || !bytes_.foreign) verify.strictness = Strictness::kLenient;
      Diagnostics found = Verify(program, verify);
      if (HasErrors(found)) return tl::unexpected(std::move(found));
    }
    if (!SameFacts(described))
      return Refused(
          Code::kMalformed, label_,
          "the programs of the file differ from its entry: other versions, ops, functions or constants");
    if (!bytes_.foreign) return {};
    const std::set<ContentId> stated(form_.outside.begin(), form_.outside.end());
    if (stated != outside_ || stated.size() != form_.outside.size())
      return Refused(Code::kMalformed, label_, "the external constants of the file differ from its entry");
    return {};
  }

  // Other releases may describe a program in other words.
  bool SameFacts(const std::vector<ArchivedProgram>& described) const {
    if (bytes_.foreign) return ProgramsText(described) == ProgramsText(form_.programs);
    return std::ranges::equal(described, form_.programs, [](const auto& x, const auto& y) {
      return x.name == y.name && x.version == y.version;
    });
  }

  const FormBytes& bytes_;
  const std::string& label_;
  const ArchivedForm& form_;
  std::set<ContentId> outside_;
};

// Returns what a certificate states that is not known to be so; "" for nothing.
std::string StatementProblem(const Certificate& certificate, const ArchivedForm& from,
                             const ArchivedForm& form) {
  const ArchivedForm* const forms[] = {&from, &form};
  for (size_t i = 0; i < std::size(forms); ++i) {
    const CertificateSubject& subject = certificate.programs[i];
    const ArchivedFile& file = MainFile(*forms[i]);
    if (subject.sha256 != IdText(file.id) || !subject.content_hash.empty())
      return "the certificate is about other files";
    if (subject.name != file.path)
      return StrFormat("the certificate names the file '{}', and its name is '{}'", subject.name, file.path);
  }
  if (certificate.producer != form.tool)
    return StrFormat("the certificate states the producer '{}', and the entry '{}'", certificate.producer,
                     form.tool);
  return "";
}

// Verifies one certificate.
Diagnostics CheckOne(std::string_view text, const ArchivedProof& proof, const ArchivedForm& from,
                     const ArchivedForm& form, const Program& a, const Program& b, const Limits& limits) {
  const auto refuse = [](std::string what) { return Error(Code::kNotEqual, std::move(what)).value(); };
  const auto certificate = ParseCertificate(text, limits);
  if (!certificate) return certificate.error();
  if (const std::string why = StatementProblem(*certificate, from, form); !why.empty()) return refuse(why);
  if (proof.program != b.name || a.name != b.name)
    return refuse(
        StrFormat("the certificate is of the program '{}', and not of '{}'", proof.program, b.name));
  ProveOptions prove;
  prove.limits = limits;
  prove.source_a = &a.source;
  prove.source_b = &b.source;
  const auto check = CheckCertificate(*certificate, a.module, b.module, prove);
  if (!check) return check.error();
  if (check->weakest != proof.evidence || check->weakest == Evidence::kNone)
    return refuse(StrFormat("the entry states that the proof is by '{}', and it is by '{}'",
                            EvidenceName(proof.evidence), EvidenceName(check->weakest)));
  return {};
}

// Certificates are about programs. Everything around them must be the same.
std::string AroundProblem(const ArchivedForm& from, const FormPrograms& before, const ArchivedForm& form,
                          const FormPrograms& after) {
  if (form.format != from.format || form.files.size() != from.files.size()) return "the form has other files";
  for (size_t i = 0; i < form.files.size(); ++i) {
    const bool main = form.files[i].path == MainFile(form).path;
    if (form.files[i].path != from.files[i].path || (!main && form.files[i] != from.files[i]))
      return StrFormat("the form has another '{}'", form.files[i].path);
  }
  if (!IsContainer(form.format)) return "";
  const auto contained = ListContainedPrograms(after.file.bytes);
  if (!contained) return contained.error()[0].message;
  std::vector<std::string> programs;
  for (const ContainedProgram& program : *contained) programs.emplace_back(program.bytes);
  const auto joined = WriteContainer(before.file.bytes, programs);
  if (!joined) return joined.error()[0].message;
  return *joined == after.file.bytes ? "" : "the form differs around its programs";
}

// Proves two forms equal, and runs the checker on the proof.
Result<Diagnostics> ProveForms(const std::string& label, const FormPrograms& older, const FormPrograms& newer,
                               Evidence at_least, const Limits& limits) {
  if (older.programs.size() != newer.programs.size())
    return Refused(Code::kNotEqual, label, "the forms do not have as many programs").value();
  for (size_t i = 0; i < older.programs.size(); ++i) {
    const Program &a = older.programs[i], &b = newer.programs[i];
    ProveOptions prove;
    prove.limits = limits;
    prove.matching = true;
    prove.source_a = &a.source;
    prove.source_b = &b.source;
    const auto proof = SHLO_TRY(Prove(a.module, b.module, prove));
    if (proof.verdict != Verdict::kEqual || proof.evidence < at_least)
      return Refused(
                 Code::kNotEqual, label,
                 StrFormat("the form is not proved equal to the newest one by {}", EvidenceName(at_least)))
          .value();
    if (const auto certificate = CertificateOf(proof, prove, a.module, b.module); !certificate)
      return certificate.error();
  }
  return Diagnostics();
}

}  // namespace

FormBytes BytesOf(const Archive& archive, const Limits& limits) {
  return {.load = [&archive](const ContentId& id, const std::string& name) { return archive.Load(id, name); },
          .size = [&archive](const ContentId& id) { return StatedSize(archive.state(), id); },
          .limits = [limits] { return limits; }};
}

const ArchivedFile& MainFile(const ArchivedForm& form) {
  for (const ArchivedFile& file : form.files)
    if (form.format == Format::kSavedModel && file.path == "saved_model.pb") return file;
  return form.files[0];
}

Result<ValueTypePtr> TensorTypeNamed(const std::string& type) {
  const std::string text = StrFormat("func.func private @f({})\n", type);
  auto module = ReadText(text, nullptr);
  const auto malformed = [&] {
    return Error(Code::kMalformed, StrFormat("the golden has a tensor of type '{}'", type));
  };
  if (!module) return malformed();
  const std::vector<TypeId> types = DeclaredArguments(*module, "f");
  const ValueTypePtr parsed = types.size() == 1 ? TensorTypeOf(*module, types[0]) : nullptr;
  if (!parsed || !parsed->is_tensor()) return malformed();
  return parsed;
}

Result<FormPrograms> ReadForm(const FormBytes& bytes, const std::string& label, const ArchivedForm& form) {
  return FormReader(bytes, label, form).Run();
}

Result<Diagnostics> CheckCertificates(const FormBytes& bytes, const std::string& label,
                                      const ArchivedForm& from, const FormPrograms& before,
                                      const ArchivedForm& form, const FormPrograms& after) {
  const auto &a = before.programs, &b = after.programs;
  if (a.size() != b.size() || b.size() != form.proofs.size())
    return Refused(Code::kMalformed, label, "there are not as many certificates as programs").value();
  if (const std::string why = AroundProblem(from, before, form, after); !why.empty())
    return Refused(Code::kNotEqual, label, why).value();
  Diagnostics found;
  for (size_t i = 0; i < b.size(); ++i) {
    auto text = SHLO_TRY(bytes.load(form.proofs[i].certificate, label));
    const Diagnostics of_one = CheckOne(text.bytes, form.proofs[i], from, form, a[i], b[i], bytes.limits());
    found.insert(found.end(), of_one.begin(), of_one.end());
  }
  for (Diagnostic& d : found)
    if (d.place.file.empty()) d.place.file = label;
  return found;
}

Result<Diagnostics> CheckForm(const Archive& archive, const ArchivedModel& model, size_t form,
                              const Limits& limits) {
  return Guarded(limits, [&]() -> Result<Diagnostics> {
    const ArchivedForm& chosen = model.forms[form];
    const auto from = std::ranges::find(model.forms, chosen.from, &ArchivedForm::entry);
    if (from == model.forms.end() || from->removed)
      return Refused(Code::kUsage, model.label(),
                     "the form cannot be checked: the one that it was made from was removed");
    const FormBytes bytes = BytesOf(archive, limits);
    const auto before = SHLO_TRY(ReadForm(bytes, model.label(), *from));
    const auto after = SHLO_TRY(ReadForm(bytes, model.label(), chosen));
    return CheckCertificates(bytes, model.label(), *from, before, chosen, after);
  });
}

Result<Diagnostics> CheckSuperseded(const Archive& archive, const ArchivedModel& model, size_t older,
                                    const Limits& limits) {
  const size_t newest = model.newest();
  const ArchivedForm &form = model.forms[newest], &old = model.forms[older];
  // The record of the archive is not enough to delete something: others may have written it.
  if (!form.usable() || !old.usable() || older == newest)
    return Refused(Code::kUsage, model.label(), "the form is not one that the newest one replaces").value();
  if (form.from == old.entry) return CheckForm(archive, model, newest, limits);
  // Certificates lead from form to form, and some may be gone.
  return Guarded(limits, [&]() -> Result<Diagnostics> {
    Evidence at_least = Evidence::kLaws;
    for (const ArchivedForm* f : {&form, &old})
      for (const ArchivedProof& proof : f->proofs) at_least = std::min(at_least, proof.evidence);
    const FormBytes bytes = BytesOf(archive, limits);
    const auto before = SHLO_TRY(ReadForm(bytes, model.label(), old));
    const auto after = SHLO_TRY(ReadForm(bytes, model.label(), form));
    if (const std::string why = AroundProblem(old, before, form, after); !why.empty())
      return Refused(Code::kNotEqual, model.label(), why).value();
    return ProveForms(model.label(), before, after, at_least, limits);
  });
}

}  // namespace shlo::archive
