// A private folder for temporary files, removed with what is in it, also by RemoveTemporariesOnSignals.
#pragma once

#include <string>
#include <string_view>

#include "shlo/file_io.h"

namespace shlo {

class TemporaryFolder {
 public:
  TemporaryFolder() = default;  // no folder until Create
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder();
  // Creates the folder, in $TMPDIR or /tmp. Fails with kIo.
  Result<bool> Create();
  // Returns the folder; empty before Create.
  const std::string& path() const { return path_; }
  // Writes a file in the folder, without waiting for the disk. Returns its path; fails with kIo. Only files
  // written like this, and the folder itself, are removed on signals.
  Result<std::string> Write(const std::string& name, std::string_view bytes);

 private:
  std::string path_;
};

}  // namespace shlo
