// Copies bytes from file to file within the system, as copy_file_range does, but to places that file systems
// like, whatever the offset in the other file.
#pragma once

#include <cstddef>
#include <cstdint>

namespace shlo {

class PipeCopy {
 public:
  PipeCopy() = default;
  PipeCopy(const PipeCopy&) = delete;
  PipeCopy& operator=(const PipeCopy&) = delete;
  ~PipeCopy() { Close(); }
  // Appends `size` bytes of a file, from an offset on, to another one, which has `before` bytes and is at its
  // end. Returns 0 or an errno, EFAULT if the file ends before: as write would for a mapping of it. Adds to
  // `*copied` how many were; if it is fewer without an error, the system cannot copy between these files.
  int Append(int from, uint64_t offset, size_t size, int to, uint64_t before, size_t* copied);
  // Bytes that are written at once, between multiples of it. With more, as with write, Linux takes larger
  // units of memory for the page cache. That is faster on most machines. But a virtual machine that gives
  // free memory back to its host gives large units, and to get them again takes several times as long as the
  // copy.
  static constexpr size_t kStep = size_t(64) << 10;

 private:
  bool Open();
  void Close();
  bool unable_ = false;
  int ends_[2] = {-1, -1};  // for reading, for writing
};

}  // namespace shlo
