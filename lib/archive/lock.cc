#include "archive/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "archive/journal.h"
#include "base/format.h"

namespace shlo::archive {
namespace {

using Clock = std::chrono::steady_clock;

int OpenLock(const std::string& folder) {
  // Its text is replaced: a link must not lead to a file of somebody else.
  return ::open((folder + "/lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
}

// Returns 0, or an errno.
int TryFlock(int fd) {
  while (::flock(fd, LOCK_EX | LOCK_NB) != 0)
    if (errno != EINTR) return errno;
  return 0;
}

bool HasNoLocks(int error) {
  return error == ENOLCK || error == ENOSYS || error == EINVAL || error == EOPNOTSUPP;
}

std::string Holder(int fd) {
  char text[256];
  const ssize_t size = ::pread(fd, text, sizeof text, 0);
  std::string holder(text, size > 0 ? size_t(size) : 0);
  for (char& c : holder)
    if (static_cast<unsigned char>(c) < ' ') c = ' ';
  while (holder.ends_with(' ')) holder.pop_back();
  return holder.empty() ? "another process" : holder;
}

}  // namespace

FolderLock::~FolderLock() {
  if (fd_ < 0) return;
  // The text is about nobody now. Closing the file unlocks it.
  if (::ftruncate(fd_, 0) != 0) errno = 0;
  ::close(fd_);
}

void FolderLock::Describe(const std::string& command) const {
  char host[256] = "";
  ::gethostname(host, sizeof host - 1);
  const std::string text =
      StrFormat("process {} on {}, since {}, for '{}'\n", ::getpid(), host, TimeNow(), command);
  // For people only: it need not succeed.
  if (::ftruncate(fd_, 0) != 0 || ::pwrite(fd_, text.data(), text.size(), 0) < 0) errno = 0;
}

Result<std::unique_ptr<FolderLock>> FolderLock::Acquire(
    const std::string& folder, const std::string& command, uint64_t wait_seconds,
    const std::function<void(const std::string& holder)>& waiting, Diagnostics* warnings) {
  const int fd = OpenLock(folder);
  if (fd < 0)
    return Error(Code::kIo, StrFormat("cannot lock the archive: {}", strerror(errno)),
                 {.file = folder + "/lock"});
  std::unique_ptr<FolderLock> lock(new FolderLock(fd));
  constexpr uint64_t kMostSeconds = 1'000'000'000;  // a clock counts nanoseconds
  // A reader may have it for a moment, to bring the catalog up to date.
  const auto end =
      Clock::now() + std::max<Clock::duration>(std::chrono::milliseconds(500),
                                               std::chrono::seconds(std::min(wait_seconds, kMostSeconds)));
  bool told = false;
  for (int milliseconds = 5;; milliseconds = std::min(2 * milliseconds, 250)) {
    const int error = TryFlock(fd);
    if (error == 0) break;
    if (HasNoLocks(error)) {
      warnings->push_back(
          Warning(Code::kIo, "the file system has no locks: of two writers at the same time, one will fail",
                  {.file = folder}));
      return lock;
    }
    if (error != EWOULDBLOCK) {
      ::close(std::exchange(lock->fd_, -1));
      return Error(Code::kIo, StrFormat("cannot lock the archive: {}", strerror(error)),
                   {.file = folder + "/lock"});
    }
    if (Clock::now() >= end) {
      std::string holder = Holder(fd);
      ::close(std::exchange(lock->fd_, -1));  // without touching the text of the holder
      return Error(Code::kIo, StrFormat("the archive is being written by {}", holder), {.file = folder},
                   "try again later, or pass --wait=SECONDS");
    }
    if (!std::exchange(told, true) && waiting) waiting(Holder(fd));
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
  }
  lock->Describe(command);
  return lock;
}

std::unique_ptr<FolderLock> FolderLock::Try(const std::string& folder, const std::string& command) {
  const int fd = OpenLock(folder);
  if (fd < 0) return nullptr;
  if (TryFlock(fd) != 0) {
    ::close(fd);
    return nullptr;
  }
  std::unique_ptr<FolderLock> lock(new FolderLock(fd));
  lock->Describe(command);
  return lock;
}

}  // namespace shlo::archive
