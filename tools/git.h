// What `check` asks git: the files of a revision, and which ones changed. It runs the user's git, without a
// shell, on a repository that may be a stranger's: git only lists names and copies objects. Nothing that a
// repository configures is run, and nothing is fetched (git_process.h); files are compared here.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "shlo/diagnostics.h"

namespace shlo::tool {

// A revision of the repository that holds a folder.
class GitRevision {
 public:
  // Finds the repository of a folder, a revision in it (a branch, a tag, a commit), and the files of both
  // that are below the folder. Fails with kUsage if the folder is in no repository or the revision is
  // unknown, and with kIo if there is no git.
  static Result<GitRevision> Open(const std::string& folder, const std::string& revision);

  const std::string& name() const { return name_; }      // as it was given
  const std::string& commit() const { return commit_; }  // its full id

  // Returns whether a file differs from the revision. A file that the revision does not have is added, also
  // if git does not know it yet, unless it is ignored. The path is absolute and without links.
  enum class Change { kNone, kChanged, kAdded };
  Result<Change> ChangeOf(const std::string& path) const;
  // Returns the absolute paths of the files that the revision has, and the work tree should have, but has
  // not.
  std::vector<std::string> Removed() const;

  // Returns a file as the revision has it: the content of the object, or, where that is a pointer of Git LFS,
  // of the object in the local store that it names. None if it has no such file. The path is absolute.
  Result<std::optional<std::string>> Read(const std::string& path) const;

 private:
  Result<void> ListFiles(const std::string& folder);
  // Returns the path in the repository; "" if it is outside.
  std::string NameOf(const std::string& path) const;
  Result<std::string> ReadStored(const std::string& name, const std::string& pointer) const;

  std::string root_;  // of the work tree
  std::string name_, commit_;
  std::map<std::string, std::string>
      files_;                     // of the revision: the id of each, by its path in the repository
  std::set<std::string> added_;   // not in the revision, and not ignored
  std::set<std::string> sparse_;  // that the work tree need not have
};

}  // namespace shlo::tool
