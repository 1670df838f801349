// `archive get` and `archive diff`: models come out of an archive as files, or as inputs of other commands.
#include <algorithm>
#include <filesystem>
#include <optional>

#include "archive.h"
#include "base/format.h"
#include "base/temporaries.h"
#include "commands.h"
#include "conversion.h"
#include "diff.h"
#include "shlo/tensor_file.h"

namespace shlo::tool {
namespace {

namespace fs = std::filesystem;
using archive::Archive;
using archive::ArchivedForm;
using archive::ArchivedModel;

struct GetFlags : ArchiveFlags {
  std::string model, form, golden;
  bool original = false, newest = false, claimed = false;
  ConvertFlags convert;
};

// Chooses the form to start from: what was added; for another version, the newest form that the archive has
// accepted, because conversion from an old one has a window. Returns kDone, or reports an error.
int ChooseForm(Context& ctx, const GetFlags& flags, const ArchivedModel& model, size_t* out) {
  *out = 0;
  const bool converts = !flags.convert.target.empty() || !ctx.consumers.requirements.empty();
  if (flags.original || (flags.form.empty() && !flags.newest && !flags.claimed && !converts)) {
    if (!model.forms[0].removed) return kDone;
    const auto newest = SHLO_TAKE(ctx, archive::NewestForm(model));
    return ctx.Fail(
        Code::kUsage, StrFormat("the files of {} were removed, as they were added", model.label()), {},
        StrFormat("pass --newest for the form at {}", ArchivedVersion(model.forms[newest].version())));
  }
  if (flags.form.empty() && !flags.claimed) {
    *out = SHLO_TAKE(ctx, archive::NewestForm(model));
    return kDone;
  }
  Version version;
  if (!flags.form.empty() && !GetVersion(ctx, "--form", flags.form, &version)) return kUsage;
  std::optional<size_t> chosen;
  bool any = false;
  for (size_t i = 0; i < model.forms.size(); ++i) {
    const ArchivedForm& form = model.forms[i];
    if (form.removed || (version.valid() && form.version() != version)) continue;
    any = true;
    if (!form.accepted && !flags.claimed) continue;
    if (!chosen || (!version.valid() && form.version() >= model.forms[*chosen].version())) chosen = i;
  }
  if (chosen) *out = *chosen;
  if (chosen) return kDone;
  if (any)
    return ctx.Fail(Code::kUsage,
                    StrFormat("the form of {} at {} is claimed: its certificates were not accepted here",
                              model.label(), VersionName(version)),
                    {}, "pass --claimed to take it unproved");
  return ctx.Fail(Code::kUsage,
                  version.valid() ? StrFormat("{} has no form at {}", model.label(), VersionName(version))
                                  : StrFormat("the files of {} were removed", model.label()),
                  {}, StrFormat("run 'shlo-compat archive show {}'", model.label()));
}

// Whether the bytes in the archive are what is asked for.
bool KeepsBytes(const Context& ctx, const GetFlags& flags, const ArchivedForm& form) {
  const ConvertFlags& c = flags.convert;
  if (!c.target.empty() || !ctx.consumers.requirements.empty() || c.request.rewrites() || c.strip_debuginfo ||
      c.locations || !c.container.extract.empty() || !c.container.version.empty() || !ctx.program.empty() ||
      c.prove.any())
    return false;
  std::string emit = c.emit.empty() ? std::string(EmitOfName(ctx.out)) : c.emit;
  if (form.format == Format::kJaxExport || form.format == Format::kSavedModel) return emit.empty();
  return emit.empty() || emit == FormatName(form.format);
}

// Writes the files of a form as they are.
int WriteModelFiles(Context& ctx, const Archive& archive, const ArchivedModel& model,
                    const ArchivedForm& form, const std::string& out) {
  const bool folder = form.format == Format::kSavedModel && form.files.size() > 1;
  if (folder && out == "-") return ctx.Fail(Code::kUsage, "the model is a folder", {}, "pass -o DIR");
  OutputFolder made(out);
  if (folder) SHLO_TAKE(ctx, made.Create());
  for (const archive::ArchivedFile& file : form.files) {
    std::string path = out;
    if (folder) {
      // No entry has a path that leads out of the folder (docs/archive-format.md, section 10).
      path = (fs::path(made.temporary()) / file.path).string();
      std::error_code error;
      fs::create_directories(fs::path(path).parent_path(), error);
      if (error) return ctx.Fail(Code::kIo, "cannot create the folder: " + error.message(), {.file = path});
    }
    const int code = StreamOut(ctx, path, form.format != Format::kText,
                               [&](const Sink& sink) { return archive.ReadFile(model, file, sink); });
    if (code != kDone) return code;
  }
  if (folder) SHLO_TAKE(ctx, made.Commit());
  return kDone;
}

// Converts a form. A folder is written to a temporary one first, as conversion reads it there.
int ConvertForm(Context& ctx, const GetFlags& flags, const Archive& archive, const ArchivedModel& model,
                size_t form, ConvertedFile* converted) {
  ConversionRequest request;
  if (const int code = ResolveRequest(ctx, flags.convert, &request); code != kDone) return code;
  TemporaryFolder temporary;
  std::string from = model.label();
  if (model.forms[form].files.size() > 1) {
    SHLO_TAKE(ctx, temporary.Create());
    from = temporary.path() + "/model";
    const int code = WriteModelFiles(ctx, archive, model, model.forms[form], from);
    if (code != kDone) return code;
  } else {
    ctx.provided = SHLO_TAKE(ctx, archive.LoadForm(model, form));
    ctx.archive = &archive;
  }
  return ConvertFile(ctx, flags.convert, request, {from, ctx.out}, converted);
}

// Writes the inputs and results of a golden.
int WriteGolden(Context& ctx, const Archive& archive, const ArchivedModel& model, const std::string& number) {
  size_t index = 0;
  for (const char c : number == "*" ? "0" : number)
    index = c >= '0' && c <= '9' && index < 1'000'000 ? index * 10 + size_t(c - '0') : SIZE_MAX;
  if (index >= model.goldens.size())
    return ctx.Fail(Code::kUsage,
                    StrFormat("{} has {}", model.label(), Count(model.goldens.size(), "golden")), {},
                    "goldens are numbered from 0");
  const archive::ArchivedGolden& golden = model.goldens[index];
  NamedTensors named;
  for (const auto* list : {&golden.inputs, &golden.results}) {
    const auto tensors = SHLO_TAKE(ctx, archive::LoadTensors(archive, *list));
    for (size_t i = 0; i < tensors.size(); ++i) named.emplace_back((*list)[i].name, tensors[i]);
  }
  return StreamOut(ctx, ctx.out, /*binary=*/true, [&](const Sink& sink) {
    return ctx.out.ends_with(".safetensors") ? WriteSafetensorsTo(named, sink) : WriteNpzTo(named, sink);
  });
}

int Get(Context& ctx, const GetFlags& flags, Json* j, ConvertedFile* converted) {
  if (ctx.json && ctx.out == "-")
    return ctx.Fail(Code::kUsage, "cannot write both JSON and a model to stdout", {}, "pass -o OUT");
  if (flags.original + flags.newest + !flags.form.empty() > 1)
    return ctx.Fail(Code::kUsage, "--original, --newest and --form choose different forms", {},
                    "pass one of them");
  if (flags.original && flags.claimed)
    return ctx.Fail(Code::kUsage, "--original is never claimed", {}, "leave out --claimed");
  const Archive archive = SHLO_TAKE(ctx, OpenArchive(ctx, flags));
  const auto model = SHLO_TAKE(ctx, archive.Find(flags.model));
  size_t form = model.newest();
  // A golden is of the model, whatever its form.
  if (flags.golden.empty())
    if (const int code = ChooseForm(ctx, flags, model, &form); code != kDone) return code;
  *j = ToJson(model, false);
  (*j)["form"] = FormJson(model, form);
  (*j)["output"] = ctx.out;
  if (!flags.golden.empty()) return WriteGolden(ctx, archive, model, flags.golden);
  if (model.forms[form].removed)
    return ctx.Fail(Code::kUsage, StrFormat("the files of this form of {} were removed", model.label()), {},
                    "run 'shlo-compat archive show' to see its forms");
  if (KeepsBytes(ctx, flags, model.forms[form]))
    return WriteModelFiles(ctx, archive, model, model.forms[form], ctx.out);
  return ConvertForm(ctx, flags, archive, model, form, converted);
}

int RunGet(Context& ctx, const GetFlags& flags, Answer* out) {
  ConvertedFile converted;
  const int code = Get(ctx, flags, &out->json, &converted);
  if (ctx.json) out->json["programs"] = ProgramsJson(converted.outcomes);
  return code;
}

// --- diff ---------------------------------------------------------------------------------------------

struct ArchiveDiffFlags : ArchiveFlags, DiffRequest {};

int RunArchiveDiff(Context& ctx, const ArchiveDiffFlags& flags, Answer* out) {
  const Archive archive = SHLO_TAKE(ctx, OpenArchive(ctx, flags));
  ctx.archive = &archive;
  DiffRequest request = flags;
  request.more = [&](Answer* answer) {
    const auto a = archive.Find(flags.a), b = archive.Find(flags.b);
    if (!a || !b) return;
    const auto overlap = archive::CompareContent(archive, *a, *b);
    if (!overlap) return ctx.Report(overlap.error());
    answer->json["content"] = {{"size_a", overlap->a}, {"size_b", overlap->b}, {"shared", overlap->shared}};
    answer->text.Add("content: {} and {}, of which {} are shared\n", SizeText(overlap->a),
                     SizeText(overlap->b), SizeText(overlap->shared));
  };
  return RunDiff(ctx, request, out);
}

}  // namespace

void AddArchiveGet(Options& options, Context& ctx) {
  auto flags = AddAnswer<GetFlags>(options, ctx, RunGet);
  options.Argument("MODEL", &flags->model, "model to write");
  options.Option("-o,--output", &ctx.out, "OUT",
                 "output file, or folder of a SavedModel (default: -, standard output)");
  options.Flag("--newest", &flags->newest, "take the newest form (default: with --target or --for)");
  options.Flag("--original", &flags->original, "take the model as it was added (default: otherwise)");
  options.Option("--form", &flags->form, "V", "take the form at this version");
  options.Flag("--claimed", &flags->claimed, "also use forms whose certificates were not accepted here");
  options.OptionalValue("--golden", &flags->golden, "[=N]",
                        "write inputs and results of a golden as .npz or .safetensors instead");
  options.Option("--target", &flags->convert.target, "V",
                 "version to convert to, from the newest form (default: the form's)");
  AddConsumerFlags(options, ctx);
  options.Choice("--emit", &flags->convert.emit, {"text", "generic", "vhlo", "shlo", "mlirbc"},
                 "output format (default: by the ending of OUT, otherwise the model's)");
  Options rewriting = options.Below("Rewriting");
  rewriting.OptionalValue("--extract", &flags->convert.container.extract, "[=NAME]",
                          "write a program of a jax.export file or SavedModel alone");
  AddWindowFlags(options, ctx, &flags->convert.window, &flags->convert.request.allow_outside_window);
  rewriting.Flag("--strip-debuginfo", &flags->convert.strip_debuginfo,
                 "omit debug locations from the artifact");
  rewriting.Flag("--expand", &flags->convert.request.expand,
                 "rewrite ops that the target lacks, and all of CHLO, into ops that it has");
  AddArchiveFlags(options, flags.get());
  AddReadFlags(options, ctx);
}

void AddArchiveDiff(Options& options, Context& ctx) {
  auto flags = AddAnswer<ArchiveDiffFlags>(options, ctx, RunArchiveDiff);
  AddDiffFlags(options, flags.get(), "model");
  AddArchiveFlags(options, flags.get());
  AddReadFlags(options, ctx);
}

}  // namespace shlo::tool
