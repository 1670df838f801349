#include "base/output_blocks.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <optional>

namespace shlo {

int WriteAll(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(fd, bytes.data(), std::min<size_t>(bytes.size(), 1 << 30));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return errno;
    bytes.remove_prefix(size_t(n));
  }
  return 0;
}

OutputBlocks::~OutputBlocks() { JoinThread(); }

void OutputBlocks::MakeRoom(Block* block) const {
  const size_t capacity = appended_ > kMany ? kLargeBlock : kBlock;
  if (block->size > 0 || block->capacity == capacity) return;
  block->capacity = 0;
  block->bytes.reset();
  block->bytes = std::make_unique_for_overwrite<char[]>(capacity);
  block->capacity = capacity;
}

int OutputBlocks::Append(std::string_view bytes, bool as_files) {
  const uint64_t at = size_;
  size_ += bytes.size();
  if (as_files && bytes.size() >= kLargeBlock) {
    const auto part = FilePartAt(bytes);
    if (part && (part->offset - at) % kPage <= kPage - kTooNear) {
      if (const int error = Flush()) return error;
      return WriteFrom(*part, bytes);
    }
  }
  if (!has_thread_ && bytes.size() >= kBlock && bytes.size() <= kMostInPlace) {
    if (const int error = Flush()) return error;
    return Write(bytes);
  }
  while (!bytes.empty()) {
    Block& block = blocks_[filling_ % kBlocks];
    MakeRoom(&block);
    const size_t part = std::min(bytes.size(), block.capacity - block.size);
    std::memcpy(block.bytes.get() + block.size, bytes.data(), part);
    block.size += part;
    bytes.remove_prefix(part);
    if (!block.full()) break;
    appended_ += block.size;
    if (const int error = PassOn()) return error;
  }
  return 0;
}

int OutputBlocks::Overwrite(uint64_t at, std::string_view bytes) {
  if (const int error = Flush()) return error;
  while (!bytes.empty()) {
    const ssize_t n = ::pwrite(fd_, bytes.data(), bytes.size(), off_t(at));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return errno;
    bytes.remove_prefix(size_t(n));
    at += uint64_t(n);
  }
  return 0;
}

// Waits until all that was appended is written.
int OutputBlocks::Flush() {
  if (blocks_[filling_ % kBlocks].size > 0)
    if (const int error = PassOn()) return error;
  if (!has_thread_) return 0;
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return error_ != 0 || done_ == passed_; });
  return error_;
}

int OutputBlocks::Finish() {
  const int error = PassOn();
  JoinThread();
  return error ? error : error_;
}

// Passes the block that was filled to the thread, and waits for a free one; or writes it.
int OutputBlocks::PassOn() {
  Block& block = blocks_[filling_ % kBlocks];
  // The second block is full: the output is large.
  if (threads_ > 1 && written_ > 0 && block.full() && !tried_thread_) {
    tried_thread_ = true;
    has_thread_ = StartThread();
  }
  if (!has_thread_) {
    const int error = Write({block.bytes.get(), block.size});
    block.size = 0;
    return error;
  }
  std::unique_lock lock(mutex_);
  passed_ = ++filling_;
  changed_.notify_all();
  changed_.wait(lock, [&] { return error_ != 0 || filling_ - done_ < kBlocks; });
  return error_;
}

bool OutputBlocks::StartThread() {
  pthread_attr_t attributes;
  if (::pthread_attr_init(&attributes) != 0) return false;
  const auto run = [](void* self) -> void* {
    static_cast<OutputBlocks*>(self)->RunThread();
    return nullptr;
  };
  constexpr size_t kStack = size_t(256) << 10;
  const bool started = ::pthread_attr_setstacksize(&attributes, kStack) == 0 &&
                       ::pthread_create(&thread_, &attributes, run, this) == 0;
  ::pthread_attr_destroy(&attributes);
  return started;
}

void OutputBlocks::JoinThread() {
  if (!has_thread_) return;
  {
    const std::lock_guard lock(mutex_);
    last_ = true;
    changed_.notify_all();
  }
  ::pthread_join(thread_, nullptr);
  has_thread_ = false;
}

void OutputBlocks::RunThread() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [&] { return done_ < passed_ || last_; });
    if (done_ == passed_) return;
    Block& block = blocks_[done_ % kBlocks];
    lock.unlock();
    const int error = Write({block.bytes.get(), block.size});
    lock.lock();
    block.size = 0;
    ++done_;
    if (error) error_ = error;
    changed_.notify_all();
    if (error) return;
  }
}

int OutputBlocks::WriteFrom(const FilePart& part, std::string_view bytes) {
  size_t copied = 0;
  const int error = copy_.Append(part.fd, part.offset, bytes.size(), fd_, written_, &copied);
  Wrote(copied);
  return error ? error : Write(bytes.substr(copied));
}

int OutputBlocks::Write(std::string_view bytes) {
  if (const int error = WriteAll(fd_, bytes)) return error;
  Wrote(bytes.size());
  return 0;
}

void OutputBlocks::Wrote(size_t bytes) {
  written_ += bytes;
#ifdef __linux__
  // The disk works while the rest is made, so that the sync at the end has less to wait for.
  constexpr uint64_t kAhead = uint64_t(8) << 20;
  if (syncs_ && written_ - started_ >= kAhead) {
    ::sync_file_range(fd_, off64_t(started_), off64_t(written_ - started_), SYNC_FILE_RANGE_WRITE);
    started_ = written_;
  }
#endif
}

}  // namespace shlo
