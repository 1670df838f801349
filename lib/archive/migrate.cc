// Migration: a model at a newer version, with a proof that it is the same.
#include <fmt/format.h>

#include <algorithm>

#include "archive/journal.h"
#include "archive/state.h"
#include "ir/guarded.h"
#include "ir/printable.h"
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
  write.text.limits = write.shlo.limits = write.bytecode.limits = options.limits;
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
    out_.from = out_.to = form.version();
    if (form.programs.empty() || out_.from >= options_.target) return End(MigrateOutcome::kUpToDate, {});
    out_.to = options_.target;
    if (!options_.allow_outside_window)
      if (auto inside = CheckCompatibilityWindow(out_.from, options_.target, options_.window); !inside)
        return End(MigrateOutcome::kOutsideWindow, std::move(inside.error()));
    auto file = archive_.LoadForm(model_, from_);
    if (!file) return End(MigrateOutcome::kFailed, std::move(file.error()));
    ReadOptions read;
    read.source_name = model_.label();
    read.limits = options_.limits;
    read.outside = archive_.Outside();
    Diagnostics errors;
    const std::vector<Program> programs = ReadPrograms(file->bytes, file->owner, read, &errors);
    if (!errors.empty()) return End(MigrateOutcome::kFailed, std::move(errors));
    std::vector<std::string> written;
    for (const Program& program : programs) {
      auto bytes = Convert(program);
      if (!bytes) return std::move(out_);
      written.push_back(std::move(*bytes));
    }
    if (auto ok = Join(*file, std::move(written)); !ok)
      return End(MigrateOutcome::kFailed, std::move(ok.error()));
    return Prove(*file, programs);
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
    verify.source = &program.source;
    verify.strictness = options_.lenient ? Strictness::kLenient : Strictness::kReference;
    verify.limits = options_.limits;
    Diagnostics found = Verify(program.module, verify);
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
      auto bytes = WriteContainer(file.bytes, written, write);
      if (!bytes) return tl::unexpected(std::move(bytes.error()));
      out_.bytes = std::move(*bytes);
      return {};
    }
    for (std::string& text : written) {
      if (!out_.bytes.empty()) out_.bytes += "\n// -----\n\n";
      out_.bytes = out_.bytes.empty() ? std::move(text) : out_.bytes + text;
    }
    return {};
  }

  // Proves the written file, as it is read.
  Migration Prove(const InputFile& file, const std::vector<Program>& originals) {
    ReadOptions read;
    read.source_name = model_.label();
    read.limits = options_.limits;
    Diagnostics errors;
    const std::vector<Program> back = ReadPrograms(out_.bytes, nullptr, read, &errors);
    if (!errors.empty()) return End(MigrateOutcome::kFailed, std::move(errors));
    if (back.size() != originals.size())
      return End(MigrateOutcome::kFailed,
                 Error(Code::kMalformed, "the converted file does not have as many programs").value());
    const ArchivedFile& from_file = MainFile(model_.forms[from_]);
    const std::string after = IdText(IdOf(out_.bytes));
    out_.evidence = Evidence::kCongruence;
    for (size_t i = 0; i < back.size(); ++i) {
      ProveOptions prove;
      prove.source_a = &originals[i].source;
      prove.source_b = &back[i].source;
      prove.limits = options_.limits;
      prove.matching = true;
      auto proof = shlo::Prove(originals[i].module, back[i].module, prove);
      if (!proof) return End(MigrateOutcome::kNotProved, std::move(proof.error()));
      out_.evidence = std::min(out_.evidence, proof->evidence);
      for (const Law& law : proof->laws) AddLaw(law);
      if (proof->verdict != Verdict::kEqual || proof->evidence < options_.at_least)
        return End(MigrateOutcome::kNotProved, WhyNot(*proof));
      auto certificate = CertificateOf(*proof, prove, originals[i].module, back[i].module);
      if (!certificate) return End(MigrateOutcome::kNotProved, std::move(certificate.error()));
      certificate->producer = options_.tool;
      certificate->programs[0] = {from_file.path, IdText(IdOf(file.bytes)), {}, originals[i].module.version};
      certificate->programs[1] = {from_file.path, after, {}, back[i].module.version};
      // The prover is not to be trusted with its own certificate.
      if (auto check = CheckCertificate(*certificate, originals[i].module, back[i].module); !check)
        return End(MigrateOutcome::kNotProved, std::move(check.error()));
      out_.certificates.push_back(CertificateText(*certificate));
      out_.form.proofs.push_back({back[i].name, IdOf(out_.certificates.back()), proof->evidence});
      out_.form.programs.push_back(DescribeProgram(back[i]));
    }
    out_.constants = ConstantRanges(out_.bytes, back);
    out_.form.from = model_.forms[from_].entry;
    out_.form.format = model_.forms[from_].format;
    out_.form.files = model_.forms[from_].files;
    for (ArchivedFile& f : out_.form.files)
      if (f.path == from_file.path) f = {f.path, {}, out_.bytes.size()};
    return End(MigrateOutcome::kMigrated, {});
  }

  static const ArchivedFile& MainFile(const ArchivedForm& form) {
    for (const ArchivedFile& file : form.files)
      if (form.format == Format::kSavedModel && file.path == "saved_model.pb") return file;
    return form.files[0];
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
      found.push_back(Error(Code::kNotEqual,
                            fmt::format("{} is not proved equal by {}: {}{}{}", SymbolText(f.function),
                                        EvidenceName(options_.at_least), evidence,
                                        f.detail.empty() ? "" : ", ", f.detail),
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
  Migration out_;
};

// Verifies one certificate.
void CheckOne(const ArchivedProof& proof, const std::string& text, const Program& a, const Program& b,
              const std::array<std::string, 2>& files, const Limits& limits, Diagnostics* found) {
  auto certificate = ParseCertificate(text);
  if (!certificate) {
    found->insert(found->end(), certificate.error().begin(), certificate.error().end());
    return;
  }
  for (size_t i = 0; i < 2; ++i)
    if (certificate->programs[i].sha256 != files[i])
      found->push_back(Error(Code::kNotEqual, "the certificate is about other files").value()[0]);
  const auto check = CheckCertificate(*certificate, a.module, b.module);
  if (!check) {
    found->insert(found->end(), check.error().begin(), check.error().end());
    return;
  }
  if (check->evaluated.empty()) return;
  // Evaluated parts are evaluated again: the certificate has no results.
  ProveOptions prove;
  prove.seed = certificate->seed;
  prove.max_inputs = certificate->max_inputs;
  prove.limits = limits;
  const auto again = Prove(a.module, b.module, prove);
  if (!again)
    found->insert(found->end(), again.error().begin(), again.error().end());
  else if (again->verdict != Verdict::kEqual || again->evidence < proof.evidence)
    found->push_back(Error(Code::kNotEqual, "evaluation does not confirm the certificate").value()[0]);
}

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
  auto id = writer.AddBytes(migration.bytes, migration.constants);
  if (!id) return id;
  for (ArchivedFile& file : migration.form.files)
    if (!file.id) file.id = *id;
  for (const std::string& certificate : migration.certificates)
    if (auto added = writer.AddBytes(certificate); !added) return added;
  return writer.AddForm(model.entry, std::move(migration.form));
}

Date LastDayInWindow(Version version, const CompatibilityWindow& window) {
  const VersionRow* const row = FindVersion(version);
  return row ? DateFromDays(DaysFromDate(row->date) + window.backward_days) : Date();
}

Result<Diagnostics> CheckForm(const Archive& archive, const ArchivedModel& model, size_t form,
                              const Limits& limits) {
  return Guarded(limits, [&]() -> Result<Diagnostics> {
    Diagnostics found;
    const ArchivedForm& chosen = model.forms[form];
    const auto from = std::ranges::find(model.forms, chosen.from, &ArchivedForm::entry);
    if (chosen.proofs.empty() || from == model.forms.end() || from->removed) return found;
    auto before = archive.LoadForm(model, size_t(from - model.forms.begin()));
    auto after = archive.LoadForm(model, form);
    if (!before) return tl::unexpected(std::move(before.error()));
    if (!after) return tl::unexpected(std::move(after.error()));
    ReadOptions read;
    read.source_name = model.label();
    read.limits = limits;
    read.outside = archive.Outside();
    Diagnostics errors;
    const std::vector<Program> a = ReadPrograms(before->bytes, before->owner, read, &errors);
    const std::vector<Program> b = ReadPrograms(after->bytes, after->owner, read, &errors);
    if (!errors.empty()) return tl::unexpected(std::move(errors));
    if (a.size() != b.size() || b.size() != chosen.proofs.size())
      return Error(Code::kMalformed, "there are not as many certificates as programs",
                   {.file = model.label()})
          .value();
    const std::array<std::string, 2> files = {IdText(IdOf(before->bytes)), IdText(IdOf(after->bytes))};
    for (size_t i = 0; i < b.size(); ++i) {
      auto text = archive.Load(chosen.proofs[i].certificate, model.label());
      if (!text) return tl::unexpected(std::move(text.error()));
      CheckOne(chosen.proofs[i], std::string(text->bytes), a[i], b[i], files, limits, &found);
    }
    for (Diagnostic& d : found)
      if (d.place.file.empty()) d.place.file = model.label();
    return found;
  });
}

}  // namespace shlo::archive
