// The files that belong to an archive (docs/archive-format.md, section 2), which no output may replace,
// whatever its path looks like. Internal to the library.
#pragma once

#include <string>
#include <string_view>

#include "shlo/diagnostics.h"

namespace shlo {

// The file that makes a folder an archive.
inline constexpr std::string_view kArchiveMark = "shlo-archive";

// Fails with kUsage if a path is one of an archive's own files, whether it exists or not, or in the folder of
// its packs. Links in the path of its folder are followed.
Result<void> CheckNotOfArchive(const std::string& path);

}  // namespace shlo
