// Temporary files and folders: private ones, and those that become an output. The tool removes all of them
// when a signal ends it. Internal to the tools and the library.
#pragma once

#include <signal.h>

#include <string>
#include <string_view>

#include "shlo/file_io.h"

namespace shlo {

// Blocks all signals that can be blocked in its scope: between the creation of a file and its note.
class WithoutSignals {
 public:
  WithoutSignals();
  WithoutSignals(const WithoutSignals&) = delete;
  WithoutSignals& operator=(const WithoutSignals&) = delete;
  ~WithoutSignals() { Restore(); }
  // Ends it before its scope does: in a child that becomes another program.
  void Restore();

 private:
  sigset_t before_;
};

// Notes a file, or a folder with what is in it, that signals remove. Does nothing if there are too many, or
// the path is too long.
void NoteTemporary(const std::string& path);
void ForgetTemporary(const std::string& path);
// Removes the temporary files and folders that have a name, before the process is ended otherwise. From any
// thread, and from a handler of a signal.
void RemoveTemporaryFiles();

// A private folder for temporary files, removed with what is in it.
class TemporaryFolder {
 public:
  TemporaryFolder() = default;  // no folder until Create
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder();
  // Creates the folder, in $TMPDIR or /tmp. Fails with kIo.
  Result<void> Create();
  // Returns the folder; empty before Create.
  const std::string& path() const { return path_; }
  // Writes a file in the folder, without waiting for the disk. Returns its path; fails with kIo.
  Result<std::string> Write(const std::string& name, std::string_view bytes);

 private:
  std::string path_;
};

// A folder that is written under a temporary name next to its own.
class OutputFolder {
 public:
  explicit OutputFolder(std::string path);
  OutputFolder(const OutputFolder&) = delete;
  OutputFolder& operator=(const OutputFolder&) = delete;
  ~OutputFolder();  // without Commit, removes the folder
  // Creates the temporary folder. Fails with kUsage if there is a file, or a folder that is not empty; with
  // kIo.
  Result<void> Create();
  // Returns where to write files.
  const std::string& temporary() const { return temporary_; }
  // Renames the folder. Fails with kIo.
  Result<void> Commit();

 private:
  std::string path_, temporary_;
};

}  // namespace shlo
