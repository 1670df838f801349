// `archive verify`: every byte, and with flags what models compute and what certificates claim.
#include <algorithm>

#include "archive.h"
#include "base/format.h"
#include "base/workers.h"
#include "many.h"

namespace shlo::tool {
namespace {

using archive::Archive;
using archive::ArchivedModel;

struct VerifyFlags : ArchiveFlags {
  std::vector<std::string> models;
  bool goldens = false, certificates = false, files = false, checksums = false;
  std::string part;
  uint64_t jobs = 0;
};

// The outcome for a model.
struct CheckedModel {
  Captured printed;
  Diagnostics reported;
  int code = kDone;
  size_t goldens = 0, certificates = 0, unknown = 0;
  Json json;
};

// Finds the program of a golden.
const Program* ProgramNamed(const std::vector<Program>& programs, const std::string& name) {
  if (name.empty()) return programs.empty() ? nullptr : &programs[0];
  for (size_t i = 0; i < programs.size(); ++i)
    if (programs[i].name.empty() ? StrFormat("{}", i + 1) == name : programs[i].name == name)
      return &programs[i];
  return nullptr;
}

class ModelChecker {
 public:
  ModelChecker(Context& own, const Archive& archive, const VerifyFlags& flags, CheckedModel* out)
      : ctx_(own), archive_(archive), flags_(flags), out_(*out) {}

  void Run(const ArchivedModel& model) {
    out_.json["model"] = model.label();
    out_.json["goldens"] = Json::array();
    out_.json["certificates"] = Json::array();
    // As it was added, and as it is now.
    if (flags_.goldens && !model.goldens.empty()) {
      if (const auto newest = archive::NewestForm(model))
        Goldens(model, *newest);
      else
        Fail(newest.error());
      if (model.newest() != 0 && !model.forms[0].removed) Goldens(model, 0);
    }
    if (flags_.certificates)
      for (size_t i = 1; i < model.forms.size(); ++i) {
        if (model.forms[i].removed) continue;
        if (HasBoth(model, model.forms[i]))
          Certificate(model, i);
        else
          ++out_.unknown;
      }
    out_.json["exit"] = out_.code;
  }

 private:
  void Goldens(const ArchivedModel& model, size_t form) {
    auto file = archive_.LoadForm(model, form);
    if (!file) return Fail(file.error());
    ctx_.bytes_read = file->bytes.size();
    ReadOptions read = ctx_.MakeReadOptions(model.label(), ctx_.bytes_read);
    read.outside = archive_.Outside();
    Diagnostics errors;
    const std::vector<Program> programs = ReadPrograms(std::move(*file), read, &errors).programs;
    if (!errors.empty()) return Fail(errors);
    out_.goldens = model.goldens.size();
    for (const archive::ArchivedGolden& golden : model.goldens) {
      const Program* const program = ProgramNamed(programs, golden.program);
      if (!program) {
        Fail(
            Error(Code::kMalformed,
                  StrFormat("the golden is of a program '{}', which the model does not have", golden.program))
                .value());
        continue;
      }
      EvalOptions eval;
      eval.source = &program->source;
      for (const archive::ArchivedTensor& tensor : golden.inputs) ctx_.bytes_read += tensor.size;
      eval.limits = ctx_.limits();
      const auto found = archive::CheckGolden(archive_, golden, *program, eval);
      Json j;
      j["entry"] = IdText(golden.entry);
      j["version"] = ToJson(program->module.version);
      j["tolerance"] = golden.tolerance;
      j["differences"] = found ? Json(*found) : Json::array();
      j["equal"] = found && found->empty();
      out_.json["goldens"].push_back(std::move(j));
      if (!found) {
        Fail(found.error());
        continue;
      }
      for (const std::string& what : *found) {
        Diagnostic d;
        d.code = Code::kNotEqual;
        d.place.file = model.label();
        d.place.function = golden.function.empty() ? "main" : golden.function;
        d.message = StrFormat("{} (at {}, tolerance {})", what, VersionName(program->module.version),
                              golden.tolerance);
        d.hint = StrFormat("the result was kept on {} by {}", golden.time.substr(0, 10), golden.tool);
        Fail({d});
      }
    }
  }

  void Certificate(const ArchivedModel& model, size_t form) {
    ++out_.certificates;
    const auto found = archive::CheckForm(archive_, model, form, ctx_.LimitsFor(model.forms[form].size()));
    Json j;
    j["form"] = IdText(model.forms[form].entry);
    j["version"] = ToJson(model.forms[form].version());
    j["holds"] = found && found->empty();
    out_.json["certificates"].push_back(std::move(j));
    if (!found)
      Fail(found.error());
    else if (!found->empty())
      Fail(*found);
  }

  // Whether the archive has the form that the certificates of a form compare it with.
  static bool HasBoth(const ArchivedModel& model, const archive::ArchivedForm& form) {
    const auto from = std::ranges::find(model.forms, form.from, &archive::ArchivedForm::entry);
    return from != model.forms.end() && !from->removed;
  }

  void Fail(const Diagnostics& why) { out_.code = std::max(out_.code, ctx_.Fail(why)); }

  Context& ctx_;
  const Archive& archive_;
  const VerifyFlags& flags_;
  CheckedModel& out_;
};

// Looks at the models one by one, in several threads.
int CheckModels(Context& ctx, const Archive& archive, const VerifyFlags& flags, const archive::WorkPart& part,
                Answer* out) {
  const auto models = SHLO_TAKE(ctx, archive.Select(flags.models));
  std::vector<const ArchivedModel*> chosen;
  for (const ArchivedModel& model : models)
    if (part.Has(model.entry)) chosen.push_back(&model);
  std::vector<CheckedModel> checked(chosen.size());
  int code = kDone;
  size_t goldens = 0, certificates = 0, failed = 0, unknown = 0;
  out->json["models"] = Json::array();
  const auto work = [&](size_t i) {
    Context own(ctx, &checked[i].printed);
    own.about = chosen[i]->label();
    ModelChecker(own, archive, flags, &checked[i]).Run(*chosen[i]);
    checked[i].reported = std::move(own.reported);
  };
  const auto take = [&](size_t i) {
    CheckedModel of = std::move(checked[i]);
    checked[i] = {};
    if (of.code != kDone && IsRemoved(archive, *chosen[i])) return true;
    if (!of.printed.err.empty()) ctx.PutError(of.printed.err);  // it erases the progress
    ctx.reported.insert(ctx.reported.end(), of.reported.begin(), of.reported.end());
    code = std::max(code, of.code);
    failed += of.code != kDone;
    goldens += of.goldens;
    certificates += of.certificates;
    unknown += of.unknown;
    if (of.goldens || of.certificates || of.code != kDone) out->json["models"].push_back(std::move(of.json));
    ctx.progress.Step("verified {} of {}: {}", i + 1, chosen.size(), NameText(chosen[i]->label()));
    return true;
  };
  ctx.progress.Step("verifying 1 of {}", chosen.size());
  const size_t threads = NumThreads(uint32_t(flags.jobs));
  RunInOrder(chosen.size(), threads, 2 * threads, work, take);
  out->json["summary"] = {{"models", chosen.size()},
                          {"goldens", goldens},
                          {"certificates", certificates},
                          {"not_verifiable", unknown},
                          {"failed", failed}};
  if (flags.goldens)
    out->text.Add("{} of {} computed again\n", Count(goldens, "golden"), Count(chosen.size(), "model"));
  if (flags.certificates) out->text.Add("{} verified again\n", Count(certificates, "certificate"));
  if (unknown)
    out->text.Add("{} cannot be verified again: the form that it comes from was removed\n",
                  Count(unknown, "form"));
  if (failed) out->text.Add("{} failed\n", Count(failed, "model"));
  return code;
}

int RunVerifyArchive(Context& ctx, const VerifyFlags& flags, Answer* out) {
  if (flags.checksums && flags.files)
    return ctx.Fail(Code::kUsage, "--files and --checksums exclude each other", {}, "pass one of them");
  archive::WorkPart part;
  if (const int code = ParsePart(ctx, flags.part, &part); code != kDone) return code;
  const Archive archive = SHLO_TAKE(ctx, OpenArchive(ctx, flags));
  ctx.StopTimer();
  int code = kDone;
  const bool of_models = flags.goldens || flags.certificates;
  // Of some models only what was asked for is verified: bytes are verified by pack.
  if (flags.models.empty() && !of_models) {
    archive::ScrubOptions options;
    options.threads = uint32_t(flags.jobs);
    options.content = !flags.checksums;
    options.assemble = flags.files;
    options.part = part;
    options.progress = [&](uint64_t done, uint64_t all) {
      ctx.progress.Step("verified {} of {}", SizeText(done), SizeText(all));
    };
    auto report = SHLO_TAKE(ctx, archive::Scrub(archive, options));
    out->json["packs"] = report.packs;
    out->json["records"] = report.records;
    out->json["size"] = report.bytes;
    out->json["files"] = report.files;
    out->json["damage"] = Json::array();
    for (const archive::ArchiveDamage& damage : report.damage) out->json["damage"].push_back(ToJson(damage));
    out->text += DamageText(report.damage);
    out->text.Add("verified {} of {} in {}{}\n", Count(report.records, "record"), SizeText(report.bytes),
                  Count(report.packs, "pack"),
                  flags.files ? StrFormat(", and {}", Count(report.files, "file")) : "");
    if (!report.damage.empty()) {
      out->text.Add("{} found\n", Count(report.damage.size(), "damage"));
      code = kFinding;
    }
  }
  if (of_models) code = std::max(code, CheckModels(ctx, archive, flags, part, out));
  if (!of_models && !flags.models.empty()) {
    // Their files, from the first byte to the last.
    const auto models = SHLO_TAKE(ctx, archive.Select(flags.models));
    size_t files = 0;
    for (const ArchivedModel& model : models)
      for (const archive::ArchivedForm& form : model.forms)
        for (const archive::ArchivedFile& file : form.files) {
          if (form.removed || !part.Has(model.entry)) continue;
          const auto read = archive.Read(file.id, [](std::string_view) { return true; });
          if (!read && IsRemoved(archive, model)) continue;
          ++files;
          if (read) continue;
          Diagnostics why = read.error();
          why[0].message = StrFormat("{}: {}", model.label(), why[0].message);
          ctx.Report(why);
          code = kFinding;
        }
    out->json["files"] = files;
    out->text.Add("verified {} of {}\n", Count(files, "file"), Count(models.size(), "model"));
  }
  return code;
}

}  // namespace

void AddArchiveVerify(Options& options, Context& ctx) {
  auto flags = AddAnswer<VerifyFlags>(options, ctx, RunVerifyArchive);
  options.Arguments("MODEL", &flags->models, "models to verify (default: all packs)", false);
  options.Flag("--goldens", &flags->goldens, "compute the results of goldens again, and compare");
  options.Flag("--certificates", &flags->certificates, "verify the certificates of converted forms again");
  options.Flag("--files", &flags->files, "also assemble each file of each model, and compare its SHA-256");
  options.Flag("--checksums", &flags->checksums, "compare checksums only, without decompressing");
  AddPartFlag(options, &flags->part);
  AddJobsFlag(options, &flags->jobs);
  AddArchiveFlags(options, flags.get());
  AddReadFlags(options, ctx);
  AddEvaluationFlags(options, ctx);
}

}  // namespace shlo::tool
