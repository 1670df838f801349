// What `check` asks git: the files of a revision, and which ones changed. It runs the user's git, without a
// shell.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "shlo/diagnostics.h"

namespace shlo::tool {

// A revision of the repository that holds a folder.
class GitRevision {
 public:
  // Finds the repository of a folder, and a revision in it: a branch, a tag, a commit. Fails with kUsage if
  // the folder is in no repository or the revision is unknown, and with kIo if there is no git.
  static Result<GitRevision> Open(const std::string& folder, const std::string& revision);

  const std::string& name() const { return name_; }      // as it was given
  const std::string& commit() const { return commit_; }  // its full id

  // Returns the absolute paths of the files that differ from the revision: changed, added (also those that
  // git does not know yet, unless they are ignored) or removed.
  enum class Change { kChanged, kAdded, kRemoved };
  Result<std::map<std::string, Change>> Changes() const;

  // Returns a file as the revision has it, with the filters of a checkout applied (LFS); none if it has no
  // such file. The path is absolute.
  Result<std::optional<std::string>> Read(const std::string& path) const;

 private:
  std::string root_;  // of the work tree
  std::string name_, commit_;
};

}  // namespace shlo::tool
