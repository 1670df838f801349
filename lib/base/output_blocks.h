// Writes a file in blocks that are much larger than what writers pass on: a file system takes half the time
// for them. Large files are written by a thread of their own while the next blocks are made.
#pragma once

#include <pthread.h>

#include <array>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string_view>

#include "base/mapped_bytes.h"
#include "base/pipe_copy.h"

namespace shlo {

// Writes all bytes, with as many calls as needed. Returns 0 or an errno.
int WriteAll(int fd, std::string_view bytes);

class OutputBlocks {
 public:
  // Writes to the end of a regular file that is empty. If it will be synced, the disk works while the rest is
  // made. One thread: everything is written by the caller.
  OutputBlocks(int fd, size_t threads, bool syncs) : fd_(fd), threads_(threads), syncs_(syncs) {}
  OutputBlocks(const OutputBlocks&) = delete;
  OutputBlocks& operator=(const OutputBlocks&) = delete;
  ~OutputBlocks();
  // Returns 0, or the errno of a call that failed, perhaps for earlier bytes. Throws std::bad_alloc. With
  // `as_files`, large runs of mapped files are copied from file to file, without reading them here.
  int Append(std::string_view bytes, bool as_files = false);
  // Replaces bytes that were appended. Likewise.
  int Overwrite(uint64_t at, std::string_view bytes);
  // Writes the rest. Returns 0 or an errno.
  int Finish();

 private:
  static constexpr size_t kBlock = size_t(256) << 10, kBlocks = 4;
  // Those of a file of more than kMany bytes.
  static constexpr size_t kLargeBlock = size_t(1) << 20, kMany = size_t(16) << 20;
  struct Block {
    std::unique_ptr<char[]> bytes;
    size_t size = 0, capacity = 0;
    bool full() const { return size > 0 && size == capacity; }
  };
  // Runs that are not copied to a block. Larger ones often are in files: their pages are read while the
  // thread writes.
  static constexpr size_t kMostInPlace = size_t(2) << 20;
  // x86-64 takes five times as long to copy to a place in a page that is up to this far after that in the
  // page it copies from.
  static constexpr uint64_t kTooNear = 64, kPage = 4096;
  void MakeRoom(Block* block) const;
  bool StartThread();
  void JoinThread();
  void RunThread();
  int Write(std::string_view bytes);
  int WriteFrom(const FilePart& part, std::string_view bytes);
  void Wrote(size_t bytes);
  int PassOn();
  int Flush();

  const int fd_;
  const size_t threads_;
  const bool syncs_;
  PipeCopy copy_;
  std::array<Block, kBlocks> blocks_;
  uint64_t size_ = 0;      // bytes that were appended
  uint64_t appended_ = 0;  // bytes in full blocks
  size_t filling_ = 0;     // number of the block that is being filled; it is in blocks_[number % kBlocks]
  // Of the thread that writes: bytes in the file, and those that the disk was asked to write.
  uint64_t written_ = 0, started_ = 0;

  bool has_thread_ = false, tried_thread_ = false;
  pthread_t thread_ = {};
  std::mutex mutex_;
  std::condition_variable changed_;
  size_t passed_ = 0, done_ = 0;  // numbers of blocks that the thread got, and has written
  bool last_ = false;
  int error_ = 0;
};

}  // namespace shlo
