// Commands on containers: jax.export files and SavedModels.
#pragma once

#include <string>
#include <vector>

#include "common.h"
#include "shlo/container.h"

namespace shlo::tool {

// The files of a conversion.
struct ConvertedPaths {
  std::string from;
  std::string to;  // "-": standard output
};

// The flags of a conversion that concern containers.
struct ContainerFlags {
  std::string extract;  // "*": the only or main program
  std::string version;  // --container-version
};

// Whether the output is the input's container, with converted programs.
bool KeepsContainer(const ConvertedPaths& paths, const ContainerFlags& flags, const Input& input);

// Checks flags against the input, and leaves the programs to convert in it. `emit` is the value of --emit, if
// given. Returns kDone, or reports an error.
int ChoosePrograms(Context& ctx, const ConvertedPaths& paths, const ContainerFlags& flags,
                   const std::string& emit, Input* input);

// Writes the input's container with these programs, or with its own if there are none. If the
// input is the folder of a SavedModel, so is the output, unless it names a .pb file.
int WriteKeptContainer(Context& ctx, const ConvertedPaths& paths, const ContainerFlags& flags,
                       const Input& input, std::vector<std::string> programs);

}  // namespace shlo::tool
