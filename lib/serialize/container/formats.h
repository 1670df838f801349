// Detection of containers, and what messages about them share.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "shlo/container.h"

namespace shlo {

bool IsJaxExport(std::string_view bytes);
bool IsSavedModel(std::string_view bytes);

// Returns the place of a message about the whole file.
Place FileOnly(const ContainerOptions& options);

// Returns the first names of programs, for hints: "'a', 'b', ...".
std::string ProgramNames(std::span<const ContainedProgram> programs);

}  // namespace shlo
