// The paths that a policy names. A policy is data: it comes with the files that it is about, often from
// somebody else than the one who runs `check`, so it may name files of its own folder only. Paths on the
// command line are the user's choice, and may lead anywhere.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "check/files.h"
#include "shlo/diagnostics.h"

namespace shlo {

// Returns the folder of a policy's paths, by the path of the policy: the folder that it is in, and not where
// it leads if it is a link.
std::filesystem::path FolderOfPolicy(const std::string& policy);

// Returns the absolute path of a file that the policy names. Fails with kUsage if it is outside of the
// policy's folder, or leads there by links. The remedy is for the user: "pass --dialect=FILE".
Result<std::string> PathInPolicy(const CheckRun& run, const std::string& name, std::string_view remedy);

}  // namespace shlo
