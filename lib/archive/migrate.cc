// Migration: a model at a newer version, with a proof that it is the same.
#include <algorithm>

#include "archive/form_check.h"
#include "archive/writer_state.h"
#include "base/format.h"
#include "base/guarded.h"
#include "base/printable.h"
#include "base/try.h"
#include "shlo/archive_work.h"
#include "shlo/certificate.h"
#include "shlo/container.h"
#include "shlo/expand.h"
#include "shlo/verify.h"

namespace shlo::archive {
namespace {

bool HasLocations(const Module& m) {
  for (uint32_t i = 1; i < m.ops.size(); ++i)
    if (m.ops[i].loc) return true;
  return false;
}

// A text or an artifact keeps its format; so do the programs of a container, which are artifacts.
Result<std::string> Write(const Program& program, Format format, Version origin,
                          const MigrateOptions& options) {
  WriteOptions write;
  write.format = IsContainer(format) ? Format::kMlirBytecode : format;
  write.limits = options.limits;
  write.text.locations = HasLocations(program.module);
  write.shlo.producer = options.tool;
  write.bytecode.origin = origin;
  return WriteProgram(program, write);
}

class Migrator {
 public:
  Migrator(const Archive& archive, const ArchivedModel& model, const MigrateOptions& options)
      : archive_(archive), model_(model), options_(options), from_(model.newest()) {}

  Migration Run() {
    const ArchivedForm& form = model_.forms[from_];
    if (const auto usable = NewestForm(model_); !usable) return End(MigrateOutcome::kFailed, usable.error());
    out_.from = out_.to = form.version();
    if (form.programs.empty() || out_.from >= options_.target) return End(MigrateOutcome::kUpToDate, {});
    out_.to = options_.target;
    if (!options_.allow_outside_window)
      if (auto inside = CheckCompatibilityWindow(out_.from, options_.target, options_.window); !inside)
        return End(MigrateOutcome::kOutsideWindow, std::move(inside.error()));
    const FormBytes bytes = BytesOf(archive_, options_.limits);
    auto read = ReadForm(bytes, model_.label(), form);
    if (!read) return End(MigrateOutcome::kFailed, std::move(read.error()));
    before_ = std::move(*read);
    std::vector<std::string> written;
    for (const Program& program : before_.programs) {
      auto artifact = Convert(program);
      if (!artifact) return std::move(out_);
      written.push_back(std::move(*artifact));
    }
    if (auto ok = Join(before_.file, std::move(written)); !ok)
      return End(MigrateOutcome::kFailed, std::move(ok.error()));
    return Prove();
  }

 private:
  void Set(MigrateOutcome outcome, Diagnostics why) {
    out_.outcome = outcome;
    for (Diagnostic& d : why) {
      if (d.place.file.empty()) d.place.file = model_.label();
      out_.diagnostics.push_back(std::move(d));
    }
  }
  Migration End(MigrateOutcome outcome, Diagnostics why) {
    Set(outcome, std::move(why));
    return std::move(out_);
  }

  // Returns a program at the target, in bytes, or nothing with the outcome set.
  std::optional<std::string> Convert(const Program& original) {
    const auto end = [&](MigrateOutcome outcome, Diagnostics why) {
      Set(outcome, std::move(why));
      return std::nullopt;
    };
    Program program = original;
    ConvertOptions convert;
    convert.source = &program.source;
    convert.allow_other_dialects = options_.allow_other_dialects;
    convert.portable =
        model_.forms[from_].format == Format::kMlirBytecode || IsContainer(model_.forms[from_].format);
    convert.limits = options_.limits;
    if (options_.expand) {
      ExpandOptions expand;
      expand.target = options_.target;
      expand.convert = convert;
      auto expansion = Expand(program.module, expand, &program.source.places);
      if (!expansion) return end(MigrateOutcome::kFailed, std::move(expansion.error()));
      program.module = std::move(expansion->module);
    }
    if (program.module.version < options_.target) {
      auto conversion = shlo::Convert(program.module, options_.target, convert);
      if (!conversion) {
        const bool blocked = conversion.error()[0].code == Code::kBlocked;
        return end(blocked ? MigrateOutcome::kBlocked : MigrateOutcome::kFailed,
                   std::move(conversion.error()));
      }
      out_.diagnostics.insert(out_.diagnostics.end(), conversion->warnings.begin(),
                              conversion->warnings.end());
      program.module = std::move(conversion->module);
    }
    VerifyOptions verify;
    verify.strictness = options_.lenient ? Strictness::kLenient : Strictness::kReference;
    verify.limits = options_.limits;
    Diagnostics found = Verify(program, verify);
    if (HasErrors(found)) return end(MigrateOutcome::kFailed, std::move(found));
    auto bytes = Write(program, model_.forms[from_].format, original.module.version, options_);
    if (!bytes) return end(MigrateOutcome::kFailed, std::move(bytes.error()));
    return std::move(*bytes);
  }

  // Puts programs into one file.
  Result<void> Join(const InputFile& file, std::vector<std::string> written) {
    const Format format = DetectFormat(file.bytes);
    if (IsContainer(format)) {
      ContainerWriteOptions write;
      write.source_name = model_.label();
      write.limits = options_.limits;
      out_.bytes = SHLO_TRY(WriteContainer(file.bytes, written, write));
      return {};
    }
    for (std::string& text : written) {
      if (!out_.bytes.empty()) out_.bytes += "\n// -----\n\n";
      out_.bytes = out_.bytes.empty() ? std::move(text) : out_.bytes + text;
    }
    return {};
  }

  // Proves the written file, as it is read.
  Migration Prove() {
    ReadOptions read;
    read.source_name = model_.label();
    read.limits = options_.limits;
    Diagnostics errors;
    after_.file.bytes = out_.bytes;
    after_.programs = ReadPrograms({out_.bytes, nullptr, ""}, read, &errors).programs;
    if (!errors.empty()) return End(MigrateOutcome::kFailed, std::move(errors));
    if (after_.programs.size() != before_.programs.size())
      return End(MigrateOutcome::kFailed,
                 Error(Code::kMalformed, "the converted file does not have as many programs").value());
    const ArchivedForm& from = model_.forms[from_];
    out_.form.from = from.entry;
    out_.form.tool = options_.tool;
    out_.form.format = from.format;
    out_.form.files = from.files;
    for (ArchivedFile& file : out_.form.files)
      if (file.path == MainFile(from).path) file = {file.path, IdOf(out_.bytes), out_.bytes.size()};
    out_.evidence = Evidence::kCongruence;
    for (size_t i = 0; i < after_.programs.size(); ++i)
      if (!ProveOne(before_.programs[i], after_.programs[i])) return std::move(out_);
    // The prover is not to be trusted with its own certificates.
    if (auto found = Check(); !found || !found->empty())
      return End(MigrateOutcome::kNotProved, found ? std::move(*found) : std::move(found.error()));
    out_.constants = ConstantRanges(out_.bytes, after_.programs);
    return End(MigrateOutcome::kMigrated, {});
  }

  // Proves one of the programs. Returns false, with the outcome set, if that is not possible.
  bool ProveOne(const Program& a, const Program& b) {
    const auto end = [&](Diagnostics why) {
      Set(MigrateOutcome::kNotProved, std::move(why));
      return false;
    };
    ProveOptions prove;
    prove.source_a = &a.source;
    prove.source_b = &b.source;
    prove.limits = options_.limits;
    prove.matching = true;
    auto proof = shlo::Prove(a.module, b.module, prove);
    if (!proof) return end(std::move(proof.error()));
    out_.evidence = std::min(out_.evidence, proof->evidence);
    for (const Law& law : proof->laws) AddLaw(law);
    if (proof->verdict != Verdict::kEqual || proof->evidence < options_.at_least) return end(WhyNot(*proof));
    auto certificate = CertificateOf(*proof, prove, a.module, b.module);
    if (!certificate) return end(std::move(certificate.error()));
    const ArchivedFile& from_file = MainFile(model_.forms[from_]);
    certificate->producer = options_.tool;
    certificate->programs[0] = {from_file.path, IdText(from_file.id), {}, a.module.version};
    certificate->programs[1] = {from_file.path, IdText(MainFile(out_.form).id), {}, b.module.version};
    out_.certificates.push_back(CertificateText(*certificate));
    out_.form.proofs.push_back({b.name, IdOf(out_.certificates.back()), proof->evidence});
    out_.form.programs.push_back(DescribeProgram(b));
    return true;
  }

  // Runs the checker on the certificates, as it is run on those of others.
  Result<Diagnostics> Check() const {
    FormBytes bytes = BytesOf(archive_, options_.limits);
    bytes.load = [this](const ContentId& id, const std::string& name) -> Result<InputFile> {
      for (size_t i = 0; i < out_.certificates.size(); ++i)
        if (out_.form.proofs[i].certificate == id) return InputFile{out_.certificates[i], nullptr, name};
      return archive_.Load(id, name);
    };
    return CheckCertificates(bytes, model_.label(), model_.forms[from_], before_, out_.form, after_);
  }

  void AddLaw(const Law& law) {
    for (Law& known : out_.laws)
      if (known.name == law.name) {
        known.count += law.count;
        return;
      }
    out_.laws.push_back(law);
  }

  Diagnostics WhyNot(const Proof& proof) const {
    Diagnostics found;
    for (const FunctionProof& f : proof.functions) {
      if (f.verdict == Verdict::kEqual && f.evidence >= options_.at_least) continue;
      const std::string_view evidence =
          f.verdict == Verdict::kEqual ? EvidenceName(f.evidence) : std::string_view("not known");
      found.push_back(
          Error(Code::kNotEqual,
                StrFormat("{} is not proved equal by {}: {}{}{}", SymbolText(f.function),
                          EvidenceName(options_.at_least), evidence, f.detail.empty() ? "" : ", ", f.detail),
                {.file = model_.label()}, "pass --at-least to accept weaker evidence")
              .value()[0]);
      found.insert(found.end(), f.contract.begin(), f.contract.end());
    }
    found.insert(found.end(), proof.contract.begin(), proof.contract.end());
    return found;
  }

  const Archive& archive_;
  const ArchivedModel& model_;
  const MigrateOptions& options_;
  const size_t from_;
  FormPrograms before_, after_;
  Migration out_;
};

}  // namespace

std::string_view OutcomeName(MigrateOutcome outcome) {
  switch (outcome) {
    case MigrateOutcome::kMigrated:
      return "migrated";
    case MigrateOutcome::kUpToDate:
      return "up-to-date";
    case MigrateOutcome::kOutsideWindow:
      return "outside-window";
    case MigrateOutcome::kBlocked:
      return "blocked";
    case MigrateOutcome::kNotProved:
      return "not-proved";
    case MigrateOutcome::kFailed:
      break;
  }
  return "failed";
}

Migration Migrate(const Archive& archive, const ArchivedModel& model, const MigrateOptions& options) {
  Migration migration;
  auto done = Guarded(options.limits, [&]() -> Result<void> {
    migration = Migrator(archive, model, options).Run();
    return {};
  });
  if (!done) {
    migration.outcome = MigrateOutcome::kFailed;
    migration.diagnostics = std::move(done.error());
    for (Diagnostic& d : migration.diagnostics) d.place.file = model.label();
  }
  return migration;
}

Result<ContentId> AddMigration(Writer& writer, const ArchivedModel& model, Migration migration) {
  if (migration.form.tool != writer.state().origin.tool)
    return Error(Code::kUsage, StrFormat("certificates of '{}' cannot be added by '{}'", migration.form.tool,
                                         writer.state().origin.tool));
  SHLO_TRY(writer.AddBytes(migration.bytes, migration.constants));
  for (const std::string& certificate : migration.certificates) SHLO_TRY(writer.AddBytes(certificate));
  auto form = SHLO_TRY(writer.AddForm(model.entry, std::move(migration.form)));
  // Migrate ran the checker on what it wrote.
  SHLO_TRY(writer.Accept(model.entry, form));
  return form;
}

Date LastDayInWindow(Version version, const CompatibilityWindow& window) {
  const VersionRow* const row = FindVersion(version);
  return row ? DateFromDays(DaysFromDate(row->date) + window.backward_days) : Date();
}

}  // namespace shlo::archive
