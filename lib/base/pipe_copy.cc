#include "base/pipe_copy.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>

namespace shlo {

void PipeCopy::Close() {
  for (int& end : ends_)
    if (end >= 0) {
      ::close(end);
      end = -1;
    }
}

#ifdef __linux__

namespace {
constexpr size_t kRead = size_t(512) << 10;  // at once, into the pipe
}

bool PipeCopy::Open() {
  if (ends_[0] >= 0) return true;
  if (unable_ || ::pipe2(ends_, O_CLOEXEC) != 0) return false;
  // Where this is not allowed, less is read at once.
  ::fcntl(ends_[1], F_SETPIPE_SZ, int(2 * kRead));
  return true;
}

int PipeCopy::Append(int from, uint64_t offset, size_t size, int to, uint64_t before, size_t* copied) {
  if (!Open()) return 0;
  off64_t at = off64_t(offset);
  const auto cannot = [&] {
    unable_ = true;
    Close();  // with what is in the pipe
    return 0;
  };
  while (size > 0) {
    const ssize_t in = ::splice(from, &at, ends_[1], nullptr, std::min(size, kRead), 0);
    if (in < 0 && errno == EINTR) continue;
    if (in < 0) return cannot();
    if (in == 0) return EFAULT;
    for (size_t left = size_t(in); left > 0;) {
      const size_t step = std::min<size_t>(left, kStep - before % kStep);
      const ssize_t out = ::splice(ends_[0], nullptr, to, nullptr, step, 0);
      if (out < 0 && errno == EINTR) continue;
      if (out < 0 && errno == EINVAL) return cannot();
      if (out <= 0) return out < 0 ? errno : EIO;
      left -= size_t(out);
      before += size_t(out);
      *copied += size_t(out);
    }
    size -= size_t(in);
  }
  return 0;
}

#else

bool PipeCopy::Open() { return false; }
int PipeCopy::Append(int, uint64_t, size_t, int, uint64_t, size_t*) { return 0; }

#endif

}  // namespace shlo
