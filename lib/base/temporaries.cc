#include "base/temporaries.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/format.h"
#include "base/try.h"
#ifdef __linux__
#include <sys/syscall.h>
#endif

#include <atomic>
#include <filesystem>
#include <system_error>

#include "base/archive_files.h"
#include "base/guarded.h"
#include "base/io_error.h"

namespace shlo {
namespace {

namespace fs = std::filesystem;

// A handler of signals may use neither locks nor memory from the heap.
constexpr size_t kMaxNamed = 64;
struct NamedTemporary {
  std::atomic<int> state = 0;  // 0: free, 1: being changed, 2: in use
  char path[4096];
};
NamedTemporary named_temporaries[kMaxNamed];

// Removes a file, or a folder with what is in it, by nothing but system calls. Does not follow links.
void RemoveTree(int parent, const char* name, int depth) {
  if (::unlinkat(parent, name, 0) == 0 || ::unlinkat(parent, name, AT_REMOVEDIR) == 0) return;
#ifdef __linux__
  constexpr int kMaxDepth = 64;
  if (depth == kMaxDepth) return;
  const int fd = ::openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (fd < 0) return;
  // As in struct linux_dirent64.
  constexpr size_t kLengthAt = 16, kNameAt = 19;
  alignas(8) char entries[512];
  for (long size; (size = ::syscall(SYS_getdents64, fd, entries, sizeof entries)) > 0;)
    for (long at = 0; at < size;) {
      uint16_t length = 0;
      memcpy(&length, entries + at + kLengthAt, sizeof length);
      const char* const entry = entries + at + kNameAt;
      if (strcmp(entry, ".") != 0 && strcmp(entry, "..") != 0) RemoveTree(fd, entry, depth + 1);
      at += length;
    }
  ::close(fd);
  ::unlinkat(parent, name, AT_REMOVEDIR);
#else
  (void)depth;
#endif
}

// Removes a folder that was noted; "": none.
void RemoveFolder(const std::string& path) {
  if (path.empty()) return;
  const WithoutSignals no_signals;
  std::error_code ignored;
  fs::remove_all(path, ignored);
  ForgetTemporary(path);
}

}  // namespace

WithoutSignals::WithoutSignals() {
  sigset_t all;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before_);
}

void WithoutSignals::Restore() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

void NoteTemporary(const std::string& path) {
  for (NamedTemporary& entry : named_temporaries) {
    int free = 0;
    if (path.size() >= sizeof entry.path || !entry.state.compare_exchange_strong(free, 1)) continue;
    memcpy(entry.path, path.c_str(), path.size() + 1);
    entry.state = 2;
    return;
  }
}

void ForgetTemporary(const std::string& path) {
  for (NamedTemporary& entry : named_temporaries)
    if (entry.state == 2 && path == entry.path) entry.state = 0;
}

void RemoveTemporaryFiles() {
  for (NamedTemporary& entry : named_temporaries)
    if (entry.state == 2) RemoveTree(AT_FDCWD, entry.path, 0);
}

TemporaryFolder::~TemporaryFolder() { RemoveFolder(path_); }

Result<void> TemporaryFolder::Create() {
  return Guarded([&]() -> Result<void> {
    const char* const root = ::getenv("TMPDIR");
    std::string path = StrFormat("{}/shlo-XXXXXX", root && *root ? root : "/tmp");
    const WithoutSignals no_signals;
    if (!::mkdtemp(path.data())) return IoError(path, "cannot create a temporary folder", errno);
    path_ = path;
    NoteTemporary(path_);
    return {};
  });
}

Result<std::string> TemporaryFolder::Write(const std::string& name, std::string_view bytes) {
  const std::string path = path_ + "/" + name;
  SHLO_TRY(WriteFile(path, bytes, /*binary=*/true, Sync::kNever));
  return path;
}

OutputFolder::OutputFolder(std::string path) : path_(std::move(path)) {
  while (path_.size() > 1 && path_.ends_with('/')) path_.pop_back();
}

OutputFolder::~OutputFolder() { RemoveFolder(temporary_); }

Result<void> OutputFolder::Create() {
  return Guarded(
      [&]() -> Result<void> {
        SHLO_TRY(CheckNotOfArchive(path_));
        struct stat info;
        if (::stat(path_.c_str(), &info) == 0) {
          std::error_code error;
          if (!S_ISDIR(info.st_mode)) return IoError(path_, "cannot create the folder", EEXIST);
          if (!fs::is_empty(path_, error) && !error)
            return Error(Code::kUsage, "the output folder is not empty", {.file = path_},
                         "pass a new folder");
        }
        for (int i = 0;; ++i) {
          std::string name = StrFormat("{}.shlo-{}-{}", path_, ::getpid(), i);
          const WithoutSignals no_signals;
          if (::mkdir(name.c_str(), 0777) == 0) {
            temporary_ = std::move(name);
            NoteTemporary(temporary_);
            return {};
          }
          if (errno != EEXIST || i == 1000) return IoError(path_, "cannot create the folder", errno);
        }
      },
      path_);
}

Result<void> OutputFolder::Commit() {
  const WithoutSignals no_signals;
  if (::rename(temporary_.c_str(), path_.c_str()) != 0)
    return IoError(path_, "cannot rename the temporary folder", errno);
  ForgetTemporary(temporary_);
  temporary_.clear();
  return {};
}

}  // namespace shlo
