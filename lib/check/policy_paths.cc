#include "check/policy_paths.h"

#include "base/format.h"

namespace shlo {

namespace fs = std::filesystem;

fs::path FolderOfPolicy(const std::string& policy) {
  const fs::path folder = fs::path(policy).parent_path();
  return AbsolutePath(folder.empty() ? "." : folder.string());
}

Result<std::string> PathInPolicy(const CheckRun& run, const std::string& name, std::string_view remedy) {
  std::string path = AbsolutePath((run.root / name).string());
  if (IsWithin(path, {{run.root.string()}})) return path;
  return Error(Code::kUsage, StrFormat("'{}' is outside of the policy's folder", name),
               {.file = run.policy.name}, std::string(remedy));
}

}  // namespace shlo
