// Bytes in, bytes out: mapped files, stdin, and output written beside its target and renamed, so that no
// reader ever sees a partial file.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "shlo/diagnostics.h"
#include "shlo/node_table.h"

namespace shlo {

struct InputFile {
  std::string_view bytes;
  Buffer owner;  // keeps the mapping or the copy alive
  std::string name;
};

// Maps a file; "-" reads all of stdin. Errors are kIo.
Result<InputFile> OpenInput(const std::string& path);

// Writes `path` by way of a temporary file in the same folder, fsync and rename; "-" is stdout. Keeps the
// permissions of a file that is replaced. The temporary file is removed on every failure.
class OutputFile {
 public:
  explicit OutputFile(std::string path);
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  ~OutputFile();                   // without Commit, removes the temporary file
  Result<bool> Open(bool binary);  // binary to a terminal is refused (kUsage)
  bool Append(std::string_view bytes);
  Result<bool> Commit();

 private:
  std::string path_;
  std::string temporary_;
  int fd_ = -1;
  int error_ = 0;
};

// Writes a whole file so.
Result<bool> WriteFile(const std::string& path, std::string_view bytes, bool binary);

}  // namespace shlo
