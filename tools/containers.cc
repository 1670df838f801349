#include "containers.h"

#include <filesystem>
#include <optional>

#include "base/format.h"
#include "base/temporaries.h"

namespace shlo::tool {
namespace {

namespace fs = std::filesystem;

// Returns the file to write for a SavedModel folder. A new folder is a copy of the old one, and `folder`,
// until its program is written.
Result<fs::path> PrepareFolder(const fs::path& from, const fs::path& to,
                               std::optional<OutputFolder>* folder) {
  const fs::path name = "saved_model.pb";
  std::error_code error;
  if (to.extension() == ".pb" || fs::equivalent(from, to, error))
    return to.extension() == ".pb" ? to : to / name;
  if (fs::exists(to, error) && !fs::is_directory(to, error)) return to;
  folder->emplace(to.string());
  if (auto created = (*folder)->Create(); !created) {
    folder->reset();
    Diagnostic& why = created.error()[0];
    if (why.code == Code::kUsage) why.hint = "pass a new folder, or the input's folder to change it in place";
    return tl::unexpected(std::move(created.error()));
  }
  fs::copy(from, (*folder)->temporary(), fs::copy_options::recursive, error);
  if (error)
    return Error(Code::kIo, StrFormat("cannot copy the folder: {}", error.message()), FileOnly(to.string()));
  return fs::path((*folder)->temporary()) / name;
}

}  // namespace

bool KeepsContainer(const ConvertedPaths& paths, const ContainerFlags& flags, const Input& input) {
  return IsContainer(input.format) && flags.extract.empty() && paths.to != "-";
}

int ChoosePrograms(Context& ctx, const ConvertedPaths& paths, const ContainerFlags& flags,
                   const std::string& emit, Input* input) {
  const auto usage = [&](std::string message, std::string hint) {
    return ctx.Fail(Code::kUsage, std::move(message), FileOnly(input->file.name), std::move(hint));
  };
  if (!IsContainer(input->format)) {
    const char* flag = !flags.extract.empty()   ? "--extract"
                       : !flags.version.empty() ? "--container-version"
                                                : "";
    if (!*flag) return kDone;
    return usage(StrFormat("'{}' requires a jax.export file or a SavedModel", flag),
                 StrFormat("drop {}", flag));
  }
  const bool is_artifact = emit == "shlo" || emit == "mlirbc";
  if (KeepsContainer(paths, flags, *input)) {
    if (!emit.empty() || !EmitOfName(paths.to).empty() || !ctx.program.empty())
      return usage("-o writes the container again, with all of its programs",
                   "pass --extract to write a program alone");
    return kDone;
  }
  if (!flags.version.empty())
    return usage("'--container-version' requires an output file that is a container",
                 "pass -o OUT, without --extract");
  if (flags.extract.empty() && !is_artifact) return kDone;
  // Gradients come after their function.
  if (input->format == Format::kJaxExport) input->programs.resize(1);
  if (input->programs.size() == 1) return kDone;
  return usage(StrFormat("expected 1 program, but the file has {}", input->programs.size()),
               ChooseHint(*input));
}

int WriteKeptContainer(Context& ctx, const ConvertedPaths& paths, const ContainerFlags& flags,
                       const Input& input, std::vector<std::string> programs) {
  ContainerWriteOptions container;
  container.source_name = input.file.name;
  container.limits = ctx.limits();
  container.container_version = flags.version;
  if (programs.empty()) {
    auto list = SHLO_TAKE(ctx, ListContainedPrograms(input.file.bytes, container));
    for (const ContainedProgram& program : list) programs.emplace_back(program.bytes);
  }
  auto bytes = SHLO_TAKE(ctx, WriteContainer(input.file.bytes, programs, container));
  std::error_code error;
  if (!fs::is_directory(paths.from, error)) return WriteOut(ctx, paths.to, bytes, /*binary=*/true);
  std::optional<OutputFolder> folder;
  auto path = PrepareFolder(paths.from, paths.to, &folder);
  int code = path ? WriteOut(ctx, path->string(), bytes, /*binary=*/true) : ctx.Fail(path.error());
  if (code == kDone && folder)
    if (auto done = folder->Commit(); !done) code = ctx.Fail(done.error());
  return code;
}

}  // namespace shlo::tool
