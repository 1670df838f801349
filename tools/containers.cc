#include "containers.h"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>

namespace shlo::tool {
namespace {

namespace fs = std::filesystem;

Place FileOnly(const std::string& name) {
  Place place;
  place.file = name;
  return place;
}

tl::unexpected<Diagnostics> FolderError(const fs::path& path, std::string_view what,
                                        const std::error_code& error) {
  return Error(Code::kIo, fmt::format("{}: {}", what, error.message()), FileOnly(path.string()));
}

// Returns the file to write for a SavedModel folder. A new folder is a copy of the old one under the
// temporary name `*made` until its program is written.
Result<fs::path> PrepareFolder(const fs::path& from, const fs::path& to, fs::path* made) {
  const fs::path name = "saved_model.pb";
  std::error_code error;
  if (to.extension() == ".pb" || fs::equivalent(from, to, error))
    return to.extension() == ".pb" ? to : to / name;
  if (fs::exists(to, error) && !fs::is_directory(to, error)) return to;
  if (fs::exists(to, error) && !fs::is_empty(to, error))
    return Error(Code::kUsage, "the output folder is not empty", FileOnly(to.string()),
                 "pass a new folder, or the input's folder to change it in place");
  fs::path copy = to;
  if (!copy.has_filename()) copy = copy.parent_path();
  copy += fmt::format(".shlo-{}", ::getpid());
  fs::copy(from, copy, fs::copy_options::recursive, error);
  *made = copy;
  if (error) return FolderError(to, "cannot copy the folder", error);
  return copy / name;
}

}  // namespace

bool KeepsContainer(const Context& ctx, const ContainerFlags& flags, const Input& input) {
  return IsContainer(input.format) && flags.extract.empty() && ctx.out != "-";
}

int ChoosePrograms(Context& ctx, const ContainerFlags& flags, const std::string& emit, Input* input) {
  const auto usage = [&](std::string message, std::string hint) {
    return ctx.Fail(Code::kUsage, std::move(message), FileOnly(input->file.name), std::move(hint));
  };
  if (!IsContainer(input->format)) {
    const char* flag = !flags.extract.empty()   ? "--extract"
                       : !flags.version.empty() ? "--container-version"
                                                : "";
    if (!*flag) return kDone;
    return usage(fmt::format("'{}' requires a jax.export file or a SavedModel", flag),
                 fmt::format("drop {}", flag));
  }
  const bool is_artifact = emit == "shlo" || emit == "mlirbc";
  if (KeepsContainer(ctx, flags, *input)) {
    if (!emit.empty() || !EmitOfName(ctx.out).empty() || !ctx.program.empty())
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
  return usage(fmt::format("expected 1 program, but the file has {}", input->programs.size()),
               ChooseHint(*input));
}

int WriteKeptContainer(Context& ctx, const ContainerFlags& flags, const Input& input,
                       std::vector<std::string> programs) {
  ContainerWriteOptions container;
  container.source_name = input.file.name;
  container.limits = ctx.limits();
  container.container_version = flags.version;
  if (programs.empty()) {
    auto list = ListContainedPrograms(input.file.bytes, container);
    if (!list) return ctx.Fail(list.error());
    for (const ContainedProgram& program : *list) programs.emplace_back(program.bytes);
  }
  auto bytes = WriteContainer(input.file.bytes, programs, container);
  if (!bytes) return ctx.Fail(bytes.error());
  std::error_code error;
  if (!fs::is_directory(ctx.files[0], error)) return WriteOut(ctx, ctx.out, *bytes, /*binary=*/true);
  fs::path made;
  auto path = PrepareFolder(ctx.files[0], ctx.out, &made);
  int code = path ? WriteOut(ctx, path->string(), *bytes, /*binary=*/true) : ctx.Fail(path.error());
  if (made.empty()) return code;
  if (code == kDone) {
    fs::rename(made, ctx.out, error);
    if (error) code = ctx.Fail(FolderError(ctx.out, "cannot rename the temporary folder", error).value());
  }
  if (code != kDone) fs::remove_all(made, error);
  return code;
}

}  // namespace shlo::tool
