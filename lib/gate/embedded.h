// Files of schema/ that the library was built with.
#pragma once

#include <string>
#include <string_view>

namespace shlo::gate {

// All files of schema/released/*.tsv, one after the other.
std::string EmbeddedReleases();
// schema/artifact.fbs
std::string_view EmbeddedArtifactSchema();

}  // namespace shlo::gate
