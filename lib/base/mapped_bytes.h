// Bytes of mapped files take memory page by page as they are read. Code that reads large ones once gives the
// pages back, so that its memory does not grow with the file.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/deadline.h"

namespace shlo {

// Notes that a file is mapped at these bytes, read-only, and that it is no longer. `fd` stays open meanwhile.
void AddMapping(const void* data, size_t size, int fd, std::string path);
void RemoveMapping(const void* data);

// Returns the path of the file that is mapped at an address, or nullptr. Valid as long as the mapping.
const std::string* MappedAt(const void* address);
// Returns the path of a mapped file that has become shorter, so that bytes of it are zeros or cannot be read
// at all; "" if there is none.
std::string ShorterFile();

// Gives back the pages of these bytes if a file is mapped there; they are read from it again when used.
void ReleasePages(std::string_view bytes);

// Maps the pages of these bytes of a mapped file, before they are read in an order in which each page would
// be mapped alone: in groups, which takes a third of the time that the system needs to do it page by page.
// Pages that are not in memory may be left out.
void TouchPages(std::string_view bytes);

// Bytes of mapped files that are not read again. Their memory is given back in large pages, also in those
// that several runs share: if a part of one is given back, the rest is mapped in small pages, which takes
// longer, and so does every access.
class BytesRead {
 public:
  void Add(std::string_view bytes) {
    runs_.push_back(bytes);
    size_ += bytes.size();
  }
  // Returns how many bytes were added since the last GiveBack.
  size_t size() const { return size_; }
  void GiveBack();
  // Also pages of which other bytes may still be read.
  void GiveBackAll();

 private:
  std::vector<std::string_view> runs_;
  size_t size_ = 0;
};

// The size of a piece that is read at once.
inline constexpr size_t kPieceBytes = size_t(4) << 20;

// Calls visit(piece) for consecutive pieces of the bytes until it returns false, and gives each one back.
// Ticks. Returns whether all were visited.
template <typename VisitT>
bool VisitPieces(std::string_view bytes, VisitT&& visit) {
  for (size_t at = 0; at < bytes.size(); at += kPieceBytes) {
    const std::string_view piece = bytes.substr(at, kPieceBytes);
    Tick(1 + piece.size() / 256);
    const bool more = visit(piece);
    if (bytes.size() > kPieceBytes) ReleasePages(piece);
    if (!more) return false;
  }
  return true;
}

// Returns whether two runs of bytes are equal.
bool EqualBytes(std::string_view a, std::string_view b);

}  // namespace shlo
