// File input and output: mapped files, standard streams, and atomic output, so that readers never see a
// partial file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "shlo/bytes.h"
#include "shlo/diagnostics.h"

namespace shlo {

// The default limit of a stream, in bytes: some do not end.
inline constexpr uint64_t kMaxStream = 1ull << 30;

// Instead of a limit: only regular files are read. For paths from other files, which may name pipes and
// devices.
inline constexpr uint64_t kNoStream = 0;

// A file that was read: its bytes and their owner.
struct InputFile {
  std::string_view bytes;  // the whole content, valid as long as `owner` or a copy of it
  Buffer owner;            // owns the mapping or the copy
  std::string name;        // the path, or "<stdin>"
};

// Maps a file; "-" reads standard input to the end, in memory of its size. Fails with kIo, and with kLimit if
// a stream, or a file that cannot be mapped, has more than `max_stream` bytes. Files of fewer bytes than
// `copy_below` are copied rather than mapped: then a program that makes one shorter does no harm to work on
// others.
Result<InputFile> OpenInput(const std::string& path, uint64_t max_stream = kMaxStream,
                            uint64_t copy_below = 0);

// Which outputs are on the disk when Commit returns. All others survive the end of the process, but not that
// of the system until SyncFileSystem, or until the system has written them.
enum class Sync : uint8_t {
  kNever,     // for many outputs, whose syncs take longer than all else
  kReplaced,  // outputs that replace a file: the old or the new content survives any crash
  kAlways,    // for data that is deleted elsewhere after it is written
};

// Writes `path` through a temporary file in the same directory, and rename; "-" is standard output. Writes to
// pipes and devices, and to open files by their names in /dev. Replaces links, also broken ones, but not
// their targets. Keeps the permissions of a replaced file. Removes the temporary file
// on every failure. It has a name only from Commit on, so that a process that is killed leaves no file,
// unless the file system has no files without names (O_TMPFILE).
class OutputFile {
 public:
  // Touches no file until Open. Without `replace`, Commit fails if the file exists, also if another process
  // creates it meanwhile.
  explicit OutputFile(std::string path, Sync sync = Sync::kReplaced, bool replace = true);
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  ~OutputFile();  // without Commit, removes the temporary file
  // Lets it replace a file of an archive, which is a usage error otherwise. For lib/archive.
  void ForArchive() { for_archive_ = true; }
  // Creates the temporary file. Fails with kUsage for binary output to a terminal, or for a path that belongs
  // to an archive, with kIo otherwise.
  Result<void> Open(bool binary);
  // Returns false after a failure, which Commit reports.
  bool Append(std::string_view bytes);
  // Returns whether nobody sees the output before Commit, so that it may fail until then.
  bool hidden() const { return unnamed_ || !temporary_.empty(); }
  // Returns whether an Append failed, so that Commit will.
  bool failed() const { return error_ != 0; }
  // Puts the complete file in place. Fails if an input became shorter meanwhile, because it is still read
  // while the output is written.
  Result<void> Commit();

 private:
  Result<void> OpenUnguarded(bool binary);
  Result<void> CommitUnguarded();
  template <typename CreateT>
  int CreateTemporary(CreateT&& create);
  void RemoveTemporary();
  int NameNew();
  void Write(std::string_view bytes);

  std::string path_;
  const Sync sync_;
  const bool replace_;
  bool for_archive_ = false;
  bool syncs_ = false;     // what `sync_` means for this path
  std::string temporary_;  // the name of the temporary file, if it has one
  bool unnamed_ = false;   // the temporary file was created without a name
  int fd_ = -1;
  int error_ = 0;
  std::string block_;                 // bytes of a hidden output that wait for more
  uint64_t written_ = 0, begun_ = 0;  // bytes of a hidden output, and those that the disk was told to write
};

// The message about a mapped file that became shorter while it was used.
inline constexpr std::string_view kShorterFile = "the file became shorter while it was read";
// Fails with kIo if that happened to a file of OpenInput whose bytes are still in use.
Result<void> CheckMappedFiles();

// Writes a whole file through OutputFile.
Result<void> WriteFile(const std::string& path, std::string_view bytes, bool binary,
                       Sync sync = Sync::kReplaced);

// Creates the folders for an output, below `folder`, which exists; `path` is relative to it. Fails with kIo
// if one of them is a link, which might lead out of the folder, or if the output is a pipe or device.
Result<void> CreateFoldersBelow(const std::string& folder, const std::string& path);

// Waits until everything that was written to the file system of a folder is on its disk. Fails with kIo.
Result<void> SyncFileSystem(const std::string& folder);

}  // namespace shlo
