#include "containers.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <charconv>
#include <filesystem>

namespace shlo::tool {
namespace {

namespace fs = std::filesystem;

Place FileOnly(const std::string& name) {
  Place place;
  place.file = name;
  return place;
}

// Numbers and "true" are what they look like.
Json ToJson(const std::string& value) {
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (error == std::errc() && end == value.data() + value.size()) return number;
  return value == "true" ? Json(true) : Json(value);
}

Json ToJson(const std::vector<ContainerProperty>& properties) {
  Json j = Json::object();
  for (const ContainerProperty& property : properties)
    j[property.name] = property.is_list ? Json(property.values) : ToJson(property.values[0]);
  return j;
}

Json ToJson(const std::vector<SignatureValue>& values) {
  Json list = Json::array();
  for (const SignatureValue& value : values) {
    Json j;
    j["path"] = value.path;
    j["type"] = TypeText(value);
    j["element_type"] = value.element_type;
    j["shape"] = value.ranked ? Json(value.shape) : Json(nullptr);
    j["sharding"] = value.sharding.empty() ? Json(nullptr) : Json(value.sharding);
    if (!value.memory.empty()) j["memory"] = value.memory;
    list.push_back(std::move(j));
  }
  return list;
}

std::string ToText(const std::vector<ContainerProperty>& properties, std::string_view indent) {
  std::string out;
  for (const ContainerProperty& property : properties)
    out +=
        fmt::format("{}{} = {}\n", indent, property.name,
                    property.values.empty() ? "none" : fmt::format("{}", fmt::join(property.values, ", ")));
  return out;
}

std::string ToText(const std::vector<SignatureValue>& values, std::string_view direction) {
  std::string out;
  for (const SignatureValue& value : values) {
    out += fmt::format("  {} {}: {}", direction, value.path, TypeText(value));
    if (!value.memory.empty()) out += fmt::format(" in memory of {}", value.memory);
    if (!value.sharding.empty()) out += fmt::format(" sharded {}", value.sharding);
    out += '\n';
  }
  return out;
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

Json ToJson(const ContainerInfo& info) {
  Json j = ToJson(info.properties);
  Json programs = Json::array(), signatures = Json::array();
  for (const auto& [name, properties] : info.programs) {
    Json program;
    program["name"] = name;
    program.update(ToJson(properties));
    programs.push_back(std::move(program));
  }
  for (const Signature& signature : info.signatures)
    signatures.push_back({{"name", signature.name},
                          {"inputs", ToJson(signature.inputs)},
                          {"outputs", ToJson(signature.outputs)}});
  j["programs"] = std::move(programs);
  j["signatures"] = std::move(signatures);
  return j;
}

std::string ToText(const ContainerInfo& info) {
  std::string out = ToText(info.properties, "  ");
  for (const Signature& signature : info.signatures) {
    out += fmt::format("signature      {}\n", signature.name);
    out += ToText(signature.inputs, "in ") + ToText(signature.outputs, "out");
  }
  for (const auto& [name, properties] : info.programs)
    out += fmt::format("contains       {}\n{}", name, ToText(properties, "  "));
  return out;
}

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
