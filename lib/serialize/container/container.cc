#include "shlo/container.h"

#include <fmt/ranges.h>

#include "base/format.h"
#include "base/guarded.h"
#include "base/try.h"
#include "serialize/container/formats.h"
#include "serialize/container/jax_export.h"
#include "serialize/container/saved_model.h"

namespace shlo {
namespace {

using container::JaxFile;

tl::unexpected<Diagnostics> NotAContainer(const ContainerOptions& options) {
  Place place;
  place.file = options.source_name;
  return Error(Code::kUsage, "the file is not a jax.export file or a SavedModel", std::move(place));
}

// Runs one function for a jax.export file, another for a SavedModel.
template <typename T, typename OnJax, typename OnSavedModel>
Result<T> Dispatch(std::string_view bytes, const ContainerOptions& options, OnJax on_jax,
                   OnSavedModel on_saved_model) {
  return Guarded(
      options.limits,
      [&]() -> Result<T> {
        if (DetectFormat(bytes) == Format::kJaxExport) {
          auto file = SHLO_TRY(JaxFile::Open(bytes, options));
          return on_jax(file);
        }
        if (DetectFormat(bytes) != Format::kSavedModel) return NotAContainer(options);
        auto model = SHLO_TRY(container::OpenSavedModel(bytes, options));
        return on_saved_model(model);
      },
      options.source_name);
}

}  // namespace

bool IsContainer(Format format) { return format == Format::kJaxExport || format == Format::kSavedModel; }

Result<std::vector<ContainedProgram>> ListContainedPrograms(std::string_view bytes,
                                                            const ContainerOptions& options) {
  using List = std::vector<ContainedProgram>;
  return Dispatch<List>(
      bytes, options,
      [](const JaxFile& file) {
        List list;
        for (size_t i = 0; i < file.functions().size(); ++i)
          list.push_back({file.names()[i], ProgramOf(file, file.functions()[i])});
        return list;
      },
      [](const container::SavedModel& model) {
        List list;
        for (const container::ModuleNode& node : model.nodes) list.push_back({node.name, node.program});
        return list;
      });
}

Result<ContainerInfo> InspectContainer(std::string_view bytes, const ContainerOptions& options) {
  return Dispatch<ContainerInfo>(bytes, options, container::DescribeJaxExport, container::DescribeSavedModel);
}

Result<std::string> WriteContainer(std::string_view bytes, std::span<const std::string> programs,
                                   const ContainerWriteOptions& options) {
  const auto count = [&](size_t expected) -> Result<void> {
    if (programs.size() == expected) return {};
    Place place;
    place.file = options.source_name;
    return Error(Code::kUsage,
                 StrFormat("the container holds {}, got {}", Count(expected, "program"), programs.size()),
                 std::move(place));
  };
  return Dispatch<std::string>(
      bytes, options,
      [&](const JaxFile& file) -> Result<std::string> {
        SHLO_TRY(count(file.functions().size()));
        return container::WriteJaxExport(file, programs, options);
      },
      [&](const container::SavedModel& model) -> Result<std::string> {
        SHLO_TRY(count(model.nodes.size()));
        return container::WriteSavedModel(model, programs, options);
      });
}

Place FileOnly(const ContainerOptions& options) {
  Place place;
  place.file = options.source_name;
  return place;
}

std::string ProgramNames(std::span<const ContainedProgram> programs) {
  constexpr size_t kMost = 8;
  std::string text;
  for (size_t i = 0; i < programs.size() && i < kMost; ++i)
    text += StrFormat("{}'{}'", i ? ", " : "", programs[i].name);
  return programs.size() > kMost ? text + ", ..." : text;
}

std::string TypeText(const SignatureValue& value) {
  if (!value.ranked) return StrFormat("{}[*]", value.element_type);
  return StrFormat("{}[{}]", value.element_type, fmt::join(value.shape, ", "));
}

}  // namespace shlo
