// The lock of the one writer of an archive: `flock` on a file that says who holds it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "shlo/diagnostics.h"

namespace shlo::archive {

class FolderLock {
 public:
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;
  ~FolderLock();

  // Waits up to `wait_seconds` for the lock of an archive; `waiting` is called once with the holder if it is
  // not free. Fails with kIo. On a file system without locks nothing is locked, and a warning says so.
  static Result<std::unique_ptr<FolderLock>> Acquire(
      const std::string& folder, const std::string& command, uint64_t wait_seconds,
      const std::function<void(const std::string& holder)>& waiting, Diagnostics* warnings);
  // Returns the lock if it is free and the folder can be written, or null.
  static std::unique_ptr<FolderLock> Try(const std::string& folder, const std::string& command);

 private:
  explicit FolderLock(int fd) : fd_(fd) {}
  void Describe(const std::string& command) const;
  int fd_;
};

}  // namespace shlo::archive
